package report

import (
	"io"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// Explain writes everything about one operation's policy: the stack outermost
// first with the origin of each value, what was offered and not taken, what may
// be sent again and why, and the worst case as a time line.
func Explain(w io.Writer, e *policy.Explanation, p Palette) error {
	op := e.Operation
	view := explainView{
		Name: op.Spec.ID, Method: op.Spec.Method, Path: op.Spec.Path, Summary: printable(op.Spec.Summary),
		Class: op.Class.String(), ClassOrigin: origin(op.ClassOrigin), Because: reasonText(op.ClassReason),
		Compartment: op.Compartment.ID(), Criticality: op.Criticality.String(), Owner: printable(op.Owner),
		Never: e.Never, Repeats: repeatViews(e.Repeats), Line: timeline(e),
	}
	for _, s := range e.Sections {
		if len(s.Leaves) > 0 { // nothing is expected, say
			view.Sections = append(view.Sections, sectionViewOf(s))
		}
	}
	for _, offer := range op.NotTaken {
		view.NotTaken = append(view.NotTaken, offerView{
			Leaf: string(offer.Leaf), Text: offer.Text, Taken: offer.Taken, Why: offer.Why, Origin: origin(offer.Origin),
		})
	}
	view.align()
	return execute(w, "explain.txt.tmpl", p, view)
}

type explainView struct {
	Name, Method, Path, Summary     string
	Class, ClassOrigin, Because     string
	Compartment, Criticality, Owner string
	Sections                        []sectionView
	NotTaken                        []offerView
	Repeats                         []repeatView
	Never                           []string
	Line                            *timelineView
}

type sectionView struct {
	Name, Scope string
	Off         bool
	Rows        []rowView
}

// A rowView is a leaf with its value and where that came from.
type rowView struct {
	Leaf, Value, Origin, Because string
	Members                      []rowView // of a set whose members came from several places
}

type offerView struct{ Leaf, Text, Taken, Why, Origin string }

type repeatView struct{ After, Why string }

func sectionViewOf(s policy.ExplainSection) sectionView {
	v := sectionView{Name: s.Name, Scope: s.Scope, Off: s.Off}
	for _, leaf := range s.Leaves {
		v.Rows = append(v.Rows, rowOf(leaf))
	}
	return v
}

func rowOf(leaf policy.Value) rowView {
	r := rowView{Leaf: string(leaf.Leaf), Value: printable(leaf.Text), Origin: origin(leaf.Origin), Because: reasonText(leaf.Reason)}
	if r.Value == "" {
		r.Value = "nothing"
	}
	var from policy.Origin // of the last row
	for _, m := range leaf.Members {
		text := m.Text
		if !m.In {
			text = "not " + text
		}
		if last := len(r.Members) - 1; last >= 0 && sameLine(m.Origin, from) {
			r.Members[last].Value += " " + text
			continue
		}
		from = m.Origin
		r.Members = append(r.Members, rowView{Value: text, Origin: origin(from)})
	}
	if len(r.Members) < 2 {
		r.Members = nil // all of them came from where the leaf says
	}
	return r
}

// sameLine reports whether two origins are one place to a reader.
func sameLine(a, b policy.Origin) bool {
	return a.Layer == b.Layer && a.Name == b.Name && a.Pos.File == b.Pos.File && a.Pos.Line == b.Pos.Line
}

// reasonText is a stated reason in a line, or empty.
func reasonText(r policy.Reason) string {
	text := printable(r.Because)
	if text == "" {
		return ""
	}
	if r.Owner != "" {
		text += " (" + printable(r.Owner) + ")"
	}
	if !r.Until.IsZero() {
		text += ", until " + r.Until.Format("2006-01-02")
	}
	return text
}

// repeatViews are the reasons for which a request goes out again, those with
// the same why together.
func repeatViews(repeats []policy.Repeat) []repeatView {
	var out []repeatView
	at := map[string]int{}
	for _, r := range repeats {
		if i, ok := at[r.Why]; ok {
			out[i].After += ", " + r.After
			continue
		}
		at[r.Why] = len(out)
		out = append(out, repeatView{After: r.After, Why: r.Why})
	}
	return out
}

// align pads names and values so that they stand in columns.
func (v explainView) align() {
	name, value := 0, 0
	for _, s := range v.Sections {
		for _, r := range s.Rows {
			name, value = max(name, width(r.Leaf)), max(value, width(r.Value))
		}
	}
	value = min(value, 40)
	for _, s := range v.Sections {
		for i := range s.Rows {
			s.Rows[i].Leaf, s.Rows[i].Value = pad(s.Rows[i].Leaf, name), pad(s.Rows[i].Value, value)
			for j := range s.Rows[i].Members {
				m := &s.Rows[i].Members[j]
				m.Leaf, m.Value = pad("", name), pad(m.Value, value)
			}
		}
	}
}
