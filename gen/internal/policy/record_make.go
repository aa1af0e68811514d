package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Record is the plan as the record shows it.
func (p *Plan) Record() *Record {
	r := &Record{Version: p.Version, Service: p.Service, Spec: p.API.Spec}
	if p.Budget.Limit > 0 {
		r.Budget = FormatDuration(p.Budget.Limit)
	}
	for i, c := range p.Compartments {
		rc := &RecordCompartment{ID: c.ID(), Lines: compartmentLines(c)}
		if i == 0 {
			rc.Lines = append(waiverLines(documentWaivers(p)), rc.Lines...)
		}
		lines := make([][]Line, len(c.Operations))
		for j, o := range c.Operations {
			lines[j] = leafLines(o.Leaves, o.NotTaken)
		}
		rc.All = shared(lines)
		for j, o := range c.Operations {
			ro := &RecordOperation{Method: o.Spec.Method, Path: recordPath(o), ID: o.Spec.ID, Compartment: rc.ID}
			ro.Lines = append(operationLines(o, len(p.Compartments) > 1), different(lines[j], rc.All)...)
			r.Operations = append(r.Operations, ro)
		}
		r.Compartments = append(r.Compartments, rc)
	}
	slices.SortStableFunc(r.Operations, func(a, b *RecordOperation) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Method, b.Method))
	})
	return r
}

// recordPath is the path with a fixed query. Blanks outside of braces are
// escaped, because the record puts the operation's id behind one.
func recordPath(o *Operation) string {
	path := o.Spec.Path
	if o.Spec.FixedQuery != "" {
		path += "?" + o.Spec.FixedQuery
	}
	var b strings.Builder
	depth := 0
	for _, r := range path {
		switch {
		case r == '{':
			depth++
		case r == '}':
			depth = max(0, depth-1)
		case r == ' ' && depth == 0:
			b.WriteString("%20")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func documentWaivers(p *Plan) []*Waiver {
	var out []*Waiver
	for _, w := range p.Waivers {
		if w.Origin.Layer == LayerDocument {
			out = append(out, w)
		}
	}
	return out
}

func compartmentLines(c *Compartment) []Line {
	out := []Line{line("criticality", c.Criticality.String(), c.CriticalityOrigin)}
	if c.Owner != "" {
		out = append(out, line("owner", c.Owner, c.OwnerOrigin))
	}
	// slowCall.over holds for operations, which are shown with it
	return append(out, leafLines(c.Leaves.except(BreakerSlowCallOver), nil)...)
}

// line is a line with one origin.
func line(key, value string, o Origin) Line {
	return Line{Key: key, Value: value, Origins: []LineOrigin{o.line()}, Pos: o.Pos}
}

func (l *Line) because(r Reason) {
	l.Because, l.Owner = r.Because, r.Owner
	if !r.Until.IsZero() {
		l.Until = r.Until.Format(time.DateOnly)
	}
}

// leafLines are leaves as lines, with the offers that their operation did not take.
func leafLines(leaves Leaves, offers []Offer) []Line {
	var out []Line
	for _, v := range leaves {
		l := Line{Key: string(v.Leaf), Value: v.Text, Pos: v.Origin.Pos}
		for _, o := range v.Origins() {
			l.Origins = append(l.Origins, o.line())
		}
		l.because(v.Reason)
		for _, offer := range offers {
			if offer.Leaf == v.Leaf {
				l.Offered = append(l.Offered, Refusal{Value: offer.Text, Origin: offer.Origin.line()})
			}
		}
		out = append(out, l)
	}
	return out
}

// operationLines are what is said of an operation besides its leaves.
func operationLines(o *Operation, several bool) []Line {
	var out []Line
	if several {
		out = append(out, line("compartment", o.Compartment.ID(), o.Compartment.Begins))
	}
	if o.Criticality != o.Compartment.Criticality {
		out = append(out, line("criticality", o.Criticality.String(), o.CriticalityOrigin))
	}
	if o.Owner != "" && o.Owner != o.Compartment.Owner {
		out = append(out, line("owner", o.Owner, o.OwnerOrigin))
	}
	class := line("class", o.Class.String(), o.ClassOrigin)
	class.because(o.ClassReason)
	out = append(out, class)
	out = append(out, keyLines(o.Key)...)
	out = append(out, setLine("rejects", o.Rejects)...)
	out = append(out, setLine("alreadyDone", o.AlreadyDone)...)
	if o.Streaming {
		out = append(out, line("streaming", "true", Origin{Layer: LayerInferred, Pos: o.Spec.Pos}))
	}
	out = append(out, placeReasons(o)...)
	return append(out, waiverLines(slices.DeleteFunc(slices.Clone(o.Waivers), func(w *Waiver) bool { return w.Origin.Layer == LayerDocument }))...)
}

// placeReasons are the reasons that stand beside the sections, on the
// operation or its path item.
func placeReasons(o *Operation) []Line {
	var out []Line
	for _, r := range o.Reasons {
		if r.Section != "" || r.Reason.Because == "" || r.Origin.Layer != LayerOperation && r.Origin.Layer != LayerPath {
			continue
		}
		l := line("because", r.Reason.Because, r.Origin)
		l.because(Reason{Owner: r.Reason.Owner, Until: r.Reason.Until})
		out = append(out, numbered(out, l))
	}
	return out
}

// numbered is the line with a key that none of the others has.
func numbered(others []Line, l Line) Line {
	key := l.Key
	for n := 2; ; n++ {
		if _, taken := find(others, l.Key); !taken {
			return l
		}
		l.Key = fmt.Sprintf("%s %d", key, n)
	}
}

func setLine(key string, s Set) []Line {
	if s.Empty() && len(s.Members) == 0 {
		return nil
	}
	l := line(key, s.Text(), s.Origin)
	l.because(s.Reason)
	return []Line{l}
}

func keyLines(k *Key) []Line {
	if k == nil {
		return nil
	}
	l := Line{Key: "key", Value: k.Text(), Pos: k.Origin.Pos}
	var origins []Origin
	for _, v := range k.Leaves {
		if o := v.Origin; v.Leaf != KeyStatuses && o.Layer != LayerDefault && !slices.ContainsFunc(origins, func(p Origin) bool { return p.line() == o.line() }) {
			origins = append(origins, o)
		}
	}
	slices.SortStableFunc(origins, func(a, b Origin) int { return a.depth() - b.depth() })
	for _, o := range origins {
		l.Origins = append(l.Origins, o.line())
	}
	l.because(k.Reason)
	out := []Line{l}
	if v := k.Leaves.Get(KeyStatuses); v.Exists() {
		s := Line{Key: "key.statuses", Value: v.Text, Pos: v.Origin.Pos}
		for _, m := range v.Means {
			if o := m.Origin.line(); !slices.Contains(s.Origins, o) {
				s.Origins = append(s.Origins, o)
			}
		}
		out = append(out, s)
	}
	return out
}

// Text is the key as the record shows it: "header Idempotency-Key, auto, 24h,
// stores errors", then "at most 64" and "replayed NAME" where they are known.
func (k *Key) Text() string {
	parts := []string{k.In.String() + " " + k.Name}
	if k.In == KeyInBody {
		parts[0] = k.In.String() + " " + plainOrQuoted(k.Pointer)
	}
	parts = append(parts, k.Generate.String())
	if k.Retention > 0 {
		parts = append(parts, FormatDuration(k.Retention))
	}
	parts = append(parts, "stores "+k.Stores.String())
	if k.MaxLength > 0 {
		parts = append(parts, fmt.Sprintf("at most %d", k.MaxLength))
	}
	if k.Replayed != "" {
		parts = append(parts, "replayed "+k.Replayed)
	}
	return strings.Join(parts, ", ")
}

func waiverLines(waivers []*Waiver) []Line {
	var out []Line
	for _, w := range waivers {
		l := line("waive "+cmp.Or(w.Rule, "nothing"), "waived", w.Origin)
		l.because(w.Reason)
		out = append(out, numbered(out, l))
	}
	return out
}

// shared are the lines that more than half of the operations have, in the
// order of the vocabulary.
func shared(operations [][]Line) []Line {
	counts := map[string]int{}
	first := map[string]Line{}
	for _, lines := range operations {
		for _, l := range lines {
			text := l.text(0)
			counts[text]++
			if counts[text] == 1 {
				first[text] = l
			}
		}
	}
	var out []Line
	for text, n := range counts {
		if 2*n > len(operations) {
			out = append(out, first[text])
		}
	}
	slices.SortFunc(out, func(a, b Line) int { return lineRank(a.Key) - lineRank(b.Key) })
	return out
}

// different are the lines that are not among the shared ones, with an empty
// one for each shared leaf that the operation does not have.
func different(lines, all []Line) []Line {
	var out []Line
	for _, l := range lines {
		if s, ok := find(all, l.Key); !ok || s.text(0) != l.text(0) {
			out = append(out, l)
		}
	}
	for _, s := range all {
		if _, ok := find(lines, s.Key); !ok {
			out = append(out, Line{Key: s.Key})
		}
	}
	slices.SortStableFunc(out, func(a, b Line) int { return lineRank(a.Key) - lineRank(b.Key) })
	return out
}
