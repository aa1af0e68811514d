package policy

import (
	"slices"
	"strconv"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
)

// An annotation is one x-resilience object, policy file or named policy as
// read: what it says, not yet merged with anything.
type annotation struct {
	place    Places // one place
	layer    Layer
	name     string   // of a policy file or a named policy
	pos      diag.Pos // of the object
	via      string   // the overlay that put the object there
	written  []written
	reasons  []sectionReason // document order
	policies []*annotation
	waivers  []*Waiver
}

// A written leaf.
type written struct {
	row     *Row
	text    string // canonical, of a scalar
	members []Member
	means   []StatusMeaning
	list    bool     // the set was written as a list
	pos     diag.Pos // of the value
	key     diag.Pos
	via     string
}

type sectionReason struct {
	section  string
	pos      diag.Pos
	via      string
	ownerVia string
	reason   Reason
}

// leaf finds what the annotation says of a leaf.
func (a *annotation) leaf(l Leaf) (written, bool) {
	for _, w := range a.written {
		if w.row.Leaf == l {
			return w, true
		}
	}
	return written{}, false
}

// text is the text of a scalar leaf, empty where it is not written.
func (a *annotation) text(l Leaf) string {
	w, _ := a.leaf(l)
	return w.text
}

// reason is the reason that covers a section: its own or, where it has none,
// that of the nearest section around it. What stands beside the sections, at
// the annotation itself, gives no reason to any of them.
func (a *annotation) reason(section string) Reason {
	for s := section; s != ""; s = Leaf(s).section() {
		for _, r := range a.reasons {
			if r.section == s {
				return r.reason
			}
		}
	}
	return Reason{}
}

// owner is who owns the place, the owner beside the sections, and where that
// is written.
func (a *annotation) owner() (string, Origin) {
	for _, r := range a.reasons {
		if r.section == "" && r.reason.Owner != "" {
			return r.reason.Owner, Origin{Layer: a.layer, Name: a.name, Pos: r.reason.OwnerPos, Via: r.ownerVia}
		}
	}
	return "", Origin{}
}

// A reader reads annotations and collects what is wrong in them.
type reader struct {
	words *vocabulary
	doc   *document.Doc
	diags *diag.List
}

const mistake = "annotation" // code of everything that is wrong in an annotation

func (r *reader) errorf(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	return r.diags.Errorf(pos, mistake, format, args...)
}

// via is the overlay in which a position lies, or empty.
func (r *reader) via(pos diag.Pos) string {
	if r.doc != nil && r.doc.FromOverlay(pos) {
		return pos.File
	}
	return ""
}

// read reads an annotation. The prefix is put before key paths in messages:
// empty, or "policies.NAME.".
func (r *reader) read(n document.Node, a *annotation, prefix string) *annotation {
	a.pos, a.via = n.Pos(), r.via(n.Pos())
	if n.Kind() != document.Map {
		r.errorf(n.Pos(), "%s is %s; want a map", a.subject(prefix), found(n))
		return a
	}
	r.section(n, r.words.root, a, prefix)
	r.checkKey(a)
	return a
}

// subject names the annotation in a message: a named policy by its path.
func (a *annotation) subject(prefix string) string {
	switch {
	case prefix != "":
		return prefix[:len(prefix)-1]
	case a.place == OnFile:
		return "the policy file"
	}
	return extension
}

// section reads one map of the vocabulary.
func (r *reader) section(n document.Node, sec *Section, a *annotation, prefix string) {
	reason, reasonPos := Reason{}, diag.Pos{}
	seen := map[string]diag.Pos{}
	for key, value := range n.Members() {
		path := prefix + key.Text()
		if first, twice := seen[key.Text()]; twice {
			r.errorf(key.Pos(), "%s is there twice; want it once", path).WithHint("remove one of them").WithRelated(first, "the first one")
			continue
		}
		seen[key.Text()] = key.Pos()
		switch row, sub := sec.row(key.Text()), sec.sub(key.Text()); {
		case row != nil:
			r.leaf(key, value, row, a, path)
		case sub != nil && value.Kind() != document.Map:
			r.sectionType(value, sub, path)
		case sub != nil:
			r.section(value, sub, a, path+".")
		case key.Text() == "because" || key.Text() == "owner" || key.Text() == "until":
			if reasonPos == (diag.Pos{}) {
				reasonPos = value.Pos()
			}
			r.reasonKey(key.Text(), value, path, &reason)
		default:
			r.unknown(key, sec, path)
		}
	}
	if reason != (Reason{}) {
		a.reasons = append(a.reasons, sectionReason{section: sec.Path, pos: reasonPos, via: r.via(reasonPos), ownerVia: r.via(reason.OwnerPos), reason: reason})
	}
}

// sectionType complains of a section that is no map.
func (r *reader) sectionType(n document.Node, sec *Section, path string) {
	d := r.errorf(n.Pos(), "%s is %s; want a map", path, found(n))
	switch text := scalarOf(n); {
	case sec.row("enabled") != nil && (text.text == noLimit || text.text == "false" || oldBooleans[text.text] == "false"):
		d.WithHint("write %s: {enabled: false, because: …}", sec.key())
	case text.text != "" && likely(sec, text.text) != "":
		d.WithHint("write %s: {%s: %s}", sec.key(), likely(sec, text.text), text.text)
	case n.Kind() == document.List:
		d.WithHint("write its members as keys: %s: {%s: …}", sec.key(), sec.keys()[0])
	case len(sec.Rows) > 0:
		d.WithHint("write %s: {%s: …}", sec.key(), sec.keys()[0])
	}
}

// likely is the key of a section that a lone number, duration or word was most
// probably meant for, or empty.
func likely(sec *Section, text string) string {
	_, notNumber := strconv.Atoi(text)
	_, notDuration := time.ParseDuration(text)
	switch key := sec.key(); {
	case key == "timeout" && notDuration == nil:
		return "attempt"
	case key == "retry" && notNumber == nil:
		return "maxAttempts"
	case key == "bulkhead" && notNumber == nil:
		return "maxConcurrent"
	case key == "fallback" && slices.Contains([]string{"static", "stale", "caller"}, text):
		return "kind"
	}
	return ""
}

// unknown complains of a key that is none, with the word that was probably meant.
func (r *reader) unknown(key document.Node, sec *Section, path string) {
	d := r.errorf(key.Pos(), "%s is no key of the vocabulary; want %s", path, choice(sec.keys()))
	if elsewhere := r.words.elsewhere(key.Text()); len(elsewhere) > 0 {
		d.WithHint("write it as %s", choice(elsewhere))
		return
	}
	if w := near(key.Text(), sec.keys()); w != "" {
		d.WithHint("write %s", w)
		return
	}
	var all []string
	for _, row := range r.words.rows {
		all = append(all, row.key())
	}
	if w := near(key.Text(), all); w != "" {
		d.WithHint("write it as %s", choice(r.words.elsewhere(w)))
	}
}

// leaf reads one leaf, if it may stand here.
func (r *reader) leaf(key, n document.Node, row *Row, a *annotation, path string) {
	switch {
	case row.Later:
		r.errorf(key.Pos(), "%s is not supported yet", path).WithHint("remove it until it is")
		return
	case row.Places&a.place == 0:
		r.misplaced(key, row, a, path)
		return
	}
	w := written{row: row, pos: n.Pos(), key: key.Pos(), via: r.via(n.Pos())}
	switch row.Kind {
	case KindStatuses, KindNames:
		w.members, w.list = r.set(n, row, a, path)
		if w.members == nil && n.Len() > 0 {
			return // nothing of it could be read
		}
	case KindMeanings:
		w.means = r.meanings(n, row, a, path)
	case KindJSON:
		text, ok := r.json(n, path)
		if !ok {
			return
		}
		w.text = text
	case KindPolicies:
		r.policies(n, a, path)
		return
	case KindWaivers:
		r.waivers(n, a, path)
		return
	default:
		text, bad := canonical(row, scalarOf(n))
		if bad != nil {
			r.errorf(n.Pos(), "%s is %s; want %s", path, found(n), bad.want).Hint = bad.hint
			return
		}
		w.text = text
	}
	a.written = append(a.written, w)
}

func (r *reader) misplaced(key document.Node, row *Row, a *annotation, path string) {
	d := r.errorf(key.Pos(), "%s stands on %s; want it on %s", path, a.place.phrase(), row.Places.phrases())
	switch {
	case row.Leaf == keyCompartment && a.place == OnDocument:
		d.WithHint("name what is called with dependency; the document's own compartment needs no name")
	case row.Leaf.section() == "idempotency":
		d.WithHint("write it on each operation, or in a named policy that the operation uses")
	default:
		d.WithHint("move it there")
	}
}

func (r *reader) reasonKey(key string, n document.Node, path string, reason *Reason) {
	text, bad := canonicalText(KindText, scalarOf(n))
	if bad != nil {
		r.errorf(n.Pos(), "%s is %s; want %s", path, found(n), bad.want).Hint = bad.hint
		return
	}
	switch key {
	case "because":
		reason.Because, reason.BecausePos = text, n.Pos()
	case "owner":
		reason.Owner, reason.OwnerPos = text, n.Pos()
	case "until":
		date, ok := parseDate(text)
		if !ok {
			d := r.errorf(n.Pos(), "%s is %s; want a date such as 2027-06-30", path, found(n))
			if t, ok := dateGuess(text); ok {
				d.WithHint("write %s", t.Format(time.DateOnly))
			}
			return
		}
		reason.Until, reason.UntilPos = date, n.Pos()
	}
}

// dateGuess reads dates in forms that can only mean one day.
func dateGuess(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, "2006/01/02", "2006-1-2", "2 January 2006", "January 2, 2006", "2 Jan 2006", "Jan 2, 2006"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
