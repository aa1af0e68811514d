package policy

import (
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A Layer is a place that values come from, the outermost first.
type Layer int

// The layers. The zero Layer is not valid.
const (
	_              Layer = iota
	LayerDefault         // the table, or what the method proves
	LayerFile            // a policy file of resgen.yaml
	LayerDocument        // the document's root
	LayerPath            // a path item
	LayerOperation       // an operation
	LayerPolicy          // a named policy, where Use stands
	LayerDerived         // computed from other values
	LayerInferred        // read from the plain spec
)

// An Origin says where a value came from.
type Origin struct {
	Layer Layer
	Name  string   // of the policy file (as displayed) or the named policy; what was inferred from
	Pos   diag.Pos // of the value; zero for defaults and derived values
	Via   string   // the overlay file that put it there; empty: none
	Use   *Use     // of a named policy: where it is used
}

// A Use is the place of a `use`.
type Use struct {
	Layer Layer // document, path or operation
	Pos   diag.Pos
	Via   string // the overlay file that put the use there; empty: none
}

// A Value is one leaf with its effective value. The zero Value is no value.
type Value struct {
	Leaf    Leaf
	Text    string   // canonical, as in the record: "800ms", "none", "25%", "429 503 timeout"
	Origin  Origin   // of the innermost place that wrote it or, for a set, a member of it
	Members []Member // of a set leaf: every member that some place named, in order; else nil
	Reason  Reason   // of the section in which the leaf stands, at the place that wrote it
}

// A Member is one member of a set leaf.
type Member struct {
	Text   string // "429", "5XX", "timeout", a header's name
	In     bool   // false: taken out by `false`
	Origin Origin
}

// Exists reports whether there is a value.
func (v Value) Exists() bool { return v.Leaf != "" }

// Duration is the value of a duration leaf; limited is false for "none" and
// for the zero Value.
func (v Value) Duration() (d time.Duration, limited bool) { panic("contract") }

// Int is the value of an integer leaf, 0 for the zero Value.
func (v Value) Int() int { panic("contract") }

// Factor is the value of backoff.multiplier in thousandths.
func (v Value) Factor() int64 { panic("contract") }

// Share is the value of a share leaf in millionths, 0 for the zero Value.
func (v Value) Share() int64 { panic("contract") }

// Rate is the value of a rate leaf, zero for the zero Value.
func (v Value) Rate() Rate { panic("contract") }

// Bool is the value of a boolean leaf, false for the zero Value.
func (v Value) Bool() bool { panic("contract") }

// Set is the value of a set leaf: statuses, words, header names.
func (v Value) Set() Set { panic("contract") }

// A Rate is so many events in a time. The zero Rate is none.
type Rate struct {
	Millionths int64         // events in Per, in millionths
	Per        time.Duration // a second or a minute
}

// In is the number of events in d, in millionths, saturated.
func (r Rate) In(d time.Duration) int64 { panic("contract") }

// A Set is a set of statuses, ranges and words as it holds, with where it came
// from. The zero Set is empty.
type Set struct {
	Texts   []string // "408", "5XX" … in ascending order, then the words in theirs
	Origin  Origin   // of the innermost place that wrote it
	Reason  Reason
	Members []Member
}

// Has reports whether a status is in the set: by itself or, unless that was
// taken out by itself, by its range.
func (s Set) Has(status int) bool { panic("contract") }

// HasWord reports whether a word ("timeout", "connection") is in the set.
func (s Set) HasWord(w string) bool { panic("contract") }

// Statuses are the exact statuses in the set, ascending.
func (s Set) Statuses() []int { panic("contract") }

// Ranges are the first digits of the ranges in the set: 5 for 5XX.
func (s Set) Ranges() []int { panic("contract") }

// Except are the exact statuses that a member takes out of a range of the set.
func (s Set) Except() []int { panic("contract") }

// Leaves are values in the order of the vocabulary, each leaf at most once.
type Leaves []Value

// Get is the value of a leaf, or the zero Value.
func (ls Leaves) Get(l Leaf) Value {
	for _, v := range ls {
		if v.Leaf == l {
			return v
		}
	}
	return Value{}
}
