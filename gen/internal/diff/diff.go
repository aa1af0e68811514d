// Package diff compares two policies as their records hold them: what changed,
// for which operations, where it came from, and whether more may now happen
// twice, less is protected, or neither.
//
// It compares records, so that a spec, a revision in git and a committed
// policy.gen.yaml can stand on either side.
package diff

import "fmt"

// A Direction says what a change does to the risk.
type Direction int

// The directions, the riskiest first. The zero Direction is not valid.
const (
	_         Direction = iota
	Unsafe              // more may happen twice
	Weakened            // less protection
	Changed             // neither more nor less, as far as can be told
	Tightened           // more protection
	Removed             // an operation or a compartment is gone
	Added               // an operation or a compartment is new
)

// String is the word that messages and the JSON form use.
func (d Direction) String() string {
	if d < Unsafe || d > Added {
		panic(fmt.Sprintf("diff: direction %d", int(d)))
	}
	return [...]string{"", "unsafe", "weakened", "changed", "tightened", "removed", "added"}[d]
}

// A Change is one row: a leaf that changed in the same way for one or more
// operations, or for a compartment, or an operation or compartment that came
// or went.
type Change struct {
	Direction   Direction
	Leaf        string   // key of the record: "timeout.attempt", "class", "key.retention", "waive RG105"; empty: the operation or compartment itself
	Compartment string   // ID of the compartment whose leaf it is; empty: a leaf of operations
	Operations  []string // "POST /charges createCharge", by path and method; empty: a leaf of the compartment or the document
	Old, New    Side
	Why         string // why the direction is what it is, in a clause: "a write that may be sent again bears no key"
	Fingerprint string // of what changed and how, stable against order, counts and positions: 16 hex digits
}

// A Side is an effective value with its causes. The zero Side is no value.
type Side struct {
	Value  string   // as the record words it; empty: there is none
	Causes []string // "document via ours.overlay.yaml", "policy fast-read", "default of table 2", outermost first
	Pos    string   // file:line:col of the innermost cause; empty where the record was read from a file
}

// A Report is every difference between two records, the riskiest first.
type Report struct {
	Changes   []Change
	Unchanged int // operations on both sides of which nothing changed, compartment leaves left out
}
