package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diff"
)

// textOperations is how many operations of a row text names before "and N more".
const textOperations = 4

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
	return executeWith(w, "diff.txt.tmpl", funcs, diffViews(clients, detail{operations: textOperations}))
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
	More      int // rows left out
	Lists     []operationList
	lists     map[string]int // what is in Lists, by the operations
}

type diffRow struct {
	What, Where, Old, New, Cause, Why string
	Operations                        []string // where there are several
	More                              int      // operations left out
	Parts                             []diffRow
	MoreParts                         int // parts left out
}

// Count is how many rows the group has, those left out included.
func (g diffGroup) Count() int { return len(g.Rows) + g.More }

// PartCount is how many parts the row has, those left out included.
func (r diffRow) PartCount() int { return len(r.Parts) + r.MoreParts }

// An operationList is the operations that some rows of a group share.
type operationList struct {
	Of         []string // what the rows are about
	Count      int
	Operations []string
	More       int // operations left out
}

// A detail says how much of a report is shown; 0 is all.
type detail struct {
	operations int // of a row
	rows       int // of a group, parts of a row too
}

func diffViews(clients []ClientChanges, much detail) []diffView {
	var out []diffView
	for _, c := range clients {
		v := diffView{Client: c.Client, Summary: c.Report.Summary()}
		for _, d := range diff.Directions() {
			g := groupOf(c.Report.Changes, d, much)
			if len(g.Rows) > 0 {
				v.Groups = append(v.Groups, g)
			}
		}
		out = append(out, v)
	}
	return out
}

// groupOf is the changes of one direction.
func groupOf(changes []diff.Change, d diff.Direction, much detail) diffGroup {
	g := diffGroup{Direction: d.String(), Title: strings.ToUpper(d.String()[:1]) + d.String()[1:], Meaning: directionMeaning(d), Open: d == diff.Unsafe || d == diff.Weakened}
	g.lists = map[string]int{}
	var rows []diffRow
	for _, change := range together(changes, d) {
		rows = append(rows, rowOfChange(change))
	}
	g.Rows, g.More = atMost(rows, much.rows)
	for i := range g.Rows {
		row := &g.Rows[i]
		row.Parts, row.MoreParts = atMost(row.Parts, much.rows)
		g.list(row, much)
		row.Operations, row.More = atMost(row.Operations, much.operations)
	}
	return g
}

// list notes the operations of a row, once for all rows that have the same.
func (g *diffGroup) list(row *diffRow, much detail) {
	if len(row.Operations) == 0 {
		return
	}
	key := strings.Join(row.Operations, "\n")
	if i, seen := g.lists[key]; seen {
		if l := &g.Lists[i]; !slices.Contains(l.Of, row.What) {
			l.Of = append(l.Of, row.What)
		}
		return
	}
	g.lists[key] = len(g.Lists)
	l := operationList{Of: []string{row.What}, Count: len(row.Operations)}
	l.Operations, l.More = atMost(row.Operations, much.operations)
	g.Lists = append(g.Lists, l)
}

// atMost is the first n of a list, all for 0, and how many were left out.
func atMost[T any](list []T, n int) ([]T, int) {
	if n == 0 || len(list) <= n {
		return list, 0
	}
	return list[:n], len(list) - n
}

// together is the changes of one direction; operations that came or went with
// the same policy and for the same reason are put in one.
func together(changes []diff.Change, d diff.Direction) []diff.Change {
	var out []diff.Change
	at := map[string]int{}
	for _, c := range changes {
		if c.Direction != d {
			continue
		}
		if c.Kind == diff.Altered || len(c.Operations) == 0 {
			out = append(out, c)
			continue
		}
		k := strings.Join([]string{c.Kind.String(), c.Old.Value, c.New.Value, c.Why, c.Compartment, strings.Join(c.New.Causes, ";")}, "\x00")
		i, seen := at[k]
		if !seen {
			at[k] = len(out)
			out = append(out, c)
			continue
		}
		out[i].Operations = slices.Concat(out[i].Operations, c.Operations)
		out[i].Old.Pos, out[i].New.Pos = "", "" // of the first only
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
		r.What = kindOfChange(c.Kind)
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

// kindOfChange says in a word what happened to an operation or a compartment.
func kindOfChange(k diff.Kind) string {
	switch k {
	case diff.Came:
		return "new"
	case diff.Gone:
		return "gone"
	case diff.Altered:
		return "altered"
	}
	panic(fmt.Sprintf("report: kind %v not handled", k))
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
		parts := strings.Split(side.Pos, ":") // REV:FILE:LINE:COL
		file := parts[max(0, len(parts)-3)]
		text = strings.ReplaceAll(text, ", via "+file, "")
		text = strings.TrimPrefix(text+", "+side.Pos, ", ")
	}
	return text
}
