package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diff"
)

// A ClientChanges is what changed in one client's policy.
type ClientChanges struct {
	Client string // empty where there is only one
	Report diff.Report
}

// DiffText writes changes for a terminal, the riskiest first.
func DiffText(w io.Writer, clients []ClientChanges, p Palette) error {
	funcs := p.funcs()
	funcs["direction"] = p.direction
	funcs["block"] = printable
	return executeWith(w, "diff.txt.tmpl", funcs, diffViews(clients))
}

// DiffMarkdown writes changes as a comment for a pull request: a table a
// direction, the details folded.
func DiffMarkdown(w io.Writer, clients []ClientChanges) error {
	return executeMarkdown(w, "diff.md.tmpl", diffViews(clients))
}

// direction colours the word of a direction.
func (p Palette) direction(word string) string {
	switch word {
	case "unsafe":
		return p.paint(red, word)
	case "weakened":
		return p.paint(yellow, word)
	case "tightened":
		return p.paint(green, word)
	}
	return p.paint(cyan, word)
}

type diffView struct {
	Client, Summary string
	Groups          []diffGroup
}

type diffGroup struct {
	Direction string
	Title     string
	Meaning   string
	Open      bool // shown unfolded: what must not be overlooked
	Rows      []diffRow
}

type diffRow struct {
	What, Where, Old, New, Cause, Why string
	Operations                        []string // where there are several
	Parts                             []diffRow
}

func diffViews(clients []ClientChanges) []diffView {
	var out []diffView
	for _, c := range clients {
		v := diffView{Client: c.Client, Summary: c.Report.Summary()}
		for _, d := range diff.Directions() {
			g := diffGroup{Direction: d.String(), Title: strings.ToUpper(d.String()[:1]) + d.String()[1:], Meaning: directionMeaning(d), Open: d == diff.Unsafe || d == diff.Weakened}
			for _, change := range c.Report.Changes {
				if change.Direction == d {
					g.Rows = append(g.Rows, rowOfChange(change))
				}
			}
			if len(g.Rows) > 0 {
				v.Groups = append(v.Groups, g)
			}
		}
		out = append(out, v)
	}
	return out
}

func directionMeaning(d diff.Direction) string {
	switch d {
	case diff.Unsafe:
		return "more may happen twice"
	case diff.Weakened:
		return "less protection"
	case diff.Changed:
		return "neither more nor less, as far as can be told"
	case diff.Tightened:
		return "more protection"
	case diff.Added:
		return "new"
	case diff.Removed:
		return "gone"
	}
	panic(fmt.Sprintf("report: direction %v not handled", d))
}

func rowOfChange(c diff.Change) diffRow {
	r := diffRow{
		What: c.Leaf, Old: oneLine(orDash(c.Old.Value)), New: oneLine(orDash(c.New.Value)),
		Cause: oneLine(causeText(c)), Why: oneLine(c.Why), Where: oneLine(whereText(c)),
	}
	if r.What == "" {
		r.What = c.Kind.String()
	}
	if len(c.Operations) > 1 {
		for _, op := range c.Operations {
			r.Operations = append(r.Operations, oneLine(op.String()))
		}
	}
	for _, part := range c.Parts {
		r.Parts = append(r.Parts, rowOfChange(part))
	}
	return r
}

// whereText is what a change is about: an operation, how many, a compartment,
// or the document.
func whereText(c diff.Change) string {
	switch {
	case len(c.Operations) == 1:
		return c.Operations[0].String()
	case len(c.Operations) > 1:
		return fmt.Sprintf("%d operations", len(c.Operations))
	case c.Compartment != "":
		return "compartment " + c.Compartment
	}
	return "the document"
}

// causeText is where the new value comes from, or the old one where there is
// no new one.
func causeText(c diff.Change) string {
	side := c.New
	if side.Value == "" && len(side.Causes) == 0 {
		side = c.Old
	}
	text := strings.Join(side.Causes, ", ")
	if side.Pos != "" {
		file, _, _ := strings.Cut(side.Pos, ":")
		text = strings.ReplaceAll(text, ", via "+file, "")
		text = strings.TrimPrefix(text+", "+side.Pos, ", ")
	}
	return text
}
