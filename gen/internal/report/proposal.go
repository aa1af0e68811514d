package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// Overlay writes what init found in a spec as an overlay: what is certain as it
// is, proposals as comments, a question for each unsafe write. It applies
// cleanly as it stands.
func Overlay(w io.Writer, spec, title string, p *policy.Proposals) error {
	view := overlayView{Spec: oneLine(spec), Title: quoted("Policy for " + oneLine(title)), Dependency: p.Dependency}
	at := map[string]*actionView{}
	var order []string
	for _, proposal := range p.Proposals {
		a := at[proposal.Target]
		if a == nil {
			a = &actionView{Target: quoted(proposal.Target)}
			at[proposal.Target] = a
			order = append(order, proposal.Target)
		}
		if proposal.Certain {
			a.tree.put(proposal.Path, proposal.YAML, noteOf(proposal))
		} else {
			a.Proposals = append(a.Proposals, proposalView{YAML: flow(proposal.Path, proposal.YAML), Note: noteOf(proposal)})
		}
	}
	for _, target := range order {
		a := at[target]
		a.Lines = a.tree.lines(nil)
		view.Actions = append(view.Actions, *a)
	}
	for _, q := range p.Questions {
		view.Questions = append(view.Questions, questionView{
			Target: quoted(q.Target), Text: oneLine(q.Text), Class: q.Class.String(),
		})
	}
	return executeWith(w, "overlay.yaml.tmpl", nil, view)
}

type overlayView struct {
	Spec, Title, Dependency string
	Actions                 []actionView
	Questions               []questionView
}

type actionView struct {
	Target    string
	Lines     []string // of what is certain, indented from x-resilience
	Proposals []proposalView
	tree      branch
}

type proposalView struct{ YAML, Note string }

type questionView struct{ Target, Text, Class string }

// A branch is a part of an annotation, its keys in the order they were put.
type branch struct {
	keys []string
	subs map[string]*branch
	leaf string // value in flow style; empty: a map
	note string
}

// put adds a value at a path; the first one stays.
func (b *branch) put(path []string, value, note string) {
	if len(path) == 0 {
		if b.leaf == "" && len(b.keys) == 0 {
			b.leaf, b.note = value, note
		}
		return
	}
	if b.leaf != "" {
		return
	}
	if b.subs == nil {
		b.subs = map[string]*branch{}
	}
	sub := b.subs[path[0]]
	if sub == nil {
		sub = &branch{}
		b.subs[path[0]] = sub
		b.keys = append(b.keys, path[0])
	}
	sub.put(path[1:], value, note)
}

// lines are the branch as block style, a comment behind each value.
func (b *branch) lines(out []string) []string {
	return b.indented(out, "")
}

func (b *branch) indented(out []string, indent string) []string {
	for _, key := range b.keys {
		sub := b.subs[key]
		if sub.leaf != "" {
			out = append(out, indent+key+": "+oneLine(sub.leaf)+"   # "+sub.note)
			continue
		}
		out = append(out, indent+key+":")
		out = sub.indented(out, indent+"  ")
	}
	return out
}

// flow is a value at a path in flow style: "retry: {maxAttempts: 2}".
func flow(path []string, value string) string {
	text := oneLine(value)
	for i := len(path) - 1; i > 0; i-- {
		text = "{" + path[i] + ": " + text + "}"
	}
	if len(path) > 0 {
		text = path[0] + ": " + text
	}
	return text
}

// oneLine is text that cannot leave a line of YAML.
func oneLine(s string) string { return strings.Join(strings.Fields(printable(s)), " ") }

// quoted is text as a double-quoted scalar, where YAML and JSON agree.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("report: quote %q: %v", s, err)) // a string can always be marshalled
	}
	return string(b)
}

// Proposed writes what init found in numbers.
func Proposed(w io.Writer, spec string, p *policy.Proposals, palette Palette) error {
	certain := 0
	for _, proposal := range p.Proposals {
		if proposal.Certain {
			certain++
		}
	}
	return execute(w, "proposed.txt.tmpl", palette, proposedView{
		Spec: spec, Counts: p.Counts, Certain: certain, Open: len(p.Proposals) - certain, Questions: len(p.Questions),
	})
}

type proposedView struct {
	Spec                     string
	Counts                   policy.Counts
	Certain, Open, Questions int
}

// noteOf says where a proposal was seen, and why it is made.
func noteOf(p policy.Proposal) string {
	note := oneLine(p.Why)
	if from := oneLine(p.From); from != "" && !strings.Contains(note, from) {
		note = from + ": " + note
	}
	return note
}
