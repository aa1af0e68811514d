// Package diff compares two policies as their records hold them: what changed,
// for which operations, where it came from, and whether more may now happen
// twice, less is protected, or neither.
//
// It compares records, so that a spec, a revision in git and a committed
// policy.gen.yaml can stand on either side. What it makes is data; package
// report shows it.
package diff

import (
	"fmt"
	"strings"
)

// A Direction says what a change does to the risk.
type Direction int

// The directions, the riskiest first. The zero Direction is not valid.
const (
	_         Direction = iota
	Unsafe              // more may happen twice
	Weakened            // less protection
	Changed             // neither more nor less, as far as can be told
	Tightened           // more protection
	Added               // an operation or a compartment is new, and nothing speaks against it
	Removed             // an operation or a compartment is gone
)

// Directions are all of them, the riskiest first.
func Directions() []Direction {
	return []Direction{Unsafe, Weakened, Changed, Tightened, Added, Removed}
}

// String is the word that messages and the JSON form use.
func (d Direction) String() string {
	if d < Unsafe || d > Removed {
		panic(fmt.Sprintf("diff: direction %d", int(d)))
	}
	return [...]string{"", "unsafe", "weakened", "changed", "tightened", "added", "removed"}[d]
}

// A Kind says what happened, whatever it does to the risk: a new operation may
// be an Unsafe change.
type Kind int

// The kinds. The zero Kind is not valid.
const (
	_       Kind = iota
	Altered      // a value is another one
	Came         // an operation or a compartment is new
	Gone         // an operation or a compartment is no more
)

// String is the word that the JSON form uses.
func (k Kind) String() string {
	switch k {
	case Altered:
		return "altered"
	case Came:
		return "came"
	case Gone:
		return "gone"
	}
	panic(fmt.Sprintf("diff: kind %d", int(k)))
}

// A Change is one row: a value that changed in the same way and for the same
// reason for one or more operations, or of a compartment, or an operation or
// compartment that came or went.
type Change struct {
	Direction   Direction
	Kind        Kind
	Leaf        string      // key of the record: "timeout.attempt", "class", "key", "waive RG105"; empty where an operation or compartment came or went
	Compartment string      // ID of the compartment; empty: of operations in several, or of the document
	Operations  []Operation // by path and method; empty: a value of the compartment or the document
	Old, New    Side
	Why         string   // why the direction is what it is: "an unkeyed write may be sent again"
	Parts       []Change // of the move to another table of defaults: the changes that it makes, the riskiest first; else nil
	Fingerprint string   // of what changed and how: 16 hex digits, the same whatever else changed
}

// An Operation names an operation on the side on which it is, the new one
// where it is on both.
type Operation struct {
	Method, Path, ID string
}

// String is "POST /charges createCharge".
func (o Operation) String() string { return strings.TrimSpace(o.Method + " " + o.Path + " " + o.ID) }

// A Side is an effective value with its causes. The zero Side is no value.
type Side struct {
	Value  string   // as the record words it; empty: there is none
	Causes []string // "document, via ours.overlay.yaml", "policy fast-read", "default (table 2)"; outermost first
	Pos    string   // file:line:col of the innermost cause; empty where there is none, or the record was read from a file
}

// A Report is every difference between two records, the riskiest first.
type Report struct {
	Changes   []Change
	Unchanged int // operations that are on both sides and that no change touches, by a leaf of their own or of their compartment
}

// Count is the number of changes in a direction.
func (r Report) Count(d Direction) int {
	n := 0
	for _, c := range r.Changes {
		if c.Direction == d {
			n++
		}
	}
	return n
}

// Summary is one line: "2 unsafe, 1 weakened, 3 tightened, 5 added; 118
// operations unchanged".
func (r Report) Summary() string {
	var counts []string
	for _, d := range Directions() {
		if n := r.Count(d); n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, d))
		}
	}
	if len(counts) == 0 {
		counts = []string{"no change"}
	}
	operations := "operations"
	if r.Unchanged == 1 {
		operations = "operation"
	}
	return fmt.Sprintf("%s; %d %s unchanged", strings.Join(counts, ", "), r.Unchanged, operations)
}

// Worst is the riskiest direction among the changes; ok is false where there
// are none.
func (r Report) Worst() (d Direction, ok bool) {
	for _, d := range Directions() {
		if r.Count(d) > 0 {
			return d, true
		}
	}
	return 0, false
}
