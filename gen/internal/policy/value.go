package policy

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// A Value is one leaf with its effective value. The zero Value is no value.
type Value struct {
	Leaf    Leaf
	Text    string          // canonical, as in the record: "800ms", "none", "25%", "429 503 timeout"
	Origin  Origin          // of the innermost place that wrote it or, for a set, a member of it
	Means   []StatusMeaning // of idempotency.key.statuses; else nil
	Members []Member        // of a set leaf: every member that some place named, in order; else nil
	Reason  Reason          // of the section in which the leaf stands, at the place that wrote it
}

// A Member is one member of a set leaf.
type Member struct {
	Text   string // "429", "5XX", "timeout", a header's name
	In     bool   // false: taken out by `false`
	Origin Origin
	Reason Reason // of the section in which the member stands, at the place that wrote it
}

// Exists reports whether there is a value.
func (v Value) Exists() bool { return v.Leaf != "" }

// Duration is the value of a duration leaf; limited is false for "none" and
// for the zero Value.
func (v Value) Duration() (d time.Duration, limited bool) {
	if v.Text == noLimit || !v.Exists() {
		return 0, false
	}
	d, err := time.ParseDuration(v.Text)
	if err != nil {
		panic(fmt.Sprintf("policy: %s is %q, which is no duration", v.Leaf, v.Text))
	}
	return d, true
}

// Int is the value of an integer leaf, 0 for the zero Value.
func (v Value) Int() int {
	if !v.Exists() {
		return 0
	}
	n, err := strconv.Atoi(v.Text)
	if err != nil {
		panic(fmt.Sprintf("policy: %s is %q, which is no number", v.Leaf, v.Text))
	}
	return n
}

// Factor is the value of backoff.multiplier in thousandths, 0 for the zero Value.
func (v Value) Factor() int64 {
	n, ok := scaled(v.Text, 3)
	return v.must(n, ok)
}

// Share is the value of a share leaf in millionths, 0 for the zero Value.
func (v Value) Share() int64 {
	n, ok := millionths(v.Text)
	return v.must(n, ok)
}

// must is n where the text could be read, 0 for the zero Value. Texts are
// canonical, so that another one is a fault of this package.
func (v Value) must(n int64, ok bool) int64 {
	if v.Exists() && !ok {
		panic(fmt.Sprintf("policy: %s is %q, which is no number of its kind", v.Leaf, v.Text))
	}
	return n
}

// Rate is the value of a rate leaf, zero for the zero Value.
func (v Value) Rate() Rate {
	r, ok := parseRate(v.Text)
	v.must(0, ok)
	return r
}

// Bool is the value of a boolean leaf, false for the zero Value.
func (v Value) Bool() bool { return v.Text == "true" }

// Set is the value of a set leaf: statuses, words, header names.
func (v Value) Set() Set {
	if !v.Exists() {
		return Set{}
	}
	s := parseSet(v.Text)
	s.Origin, s.Reason, s.Members = v.Origin, v.Reason, v.Members
	return s
}

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

// except is a copy of the leaves without those named, or the leaves themselves
// where none is among them.
func (ls Leaves) except(drop ...Leaf) Leaves {
	named := func(v Value) bool { return slices.Contains(drop, v.Leaf) }
	if !slices.ContainsFunc(ls, named) {
		return ls
	}
	return slices.DeleteFunc(slices.Clone(ls), named)
}

// in is the leaves of a section and those below it.
func (ls Leaves) in(section string) Leaves {
	var out Leaves
	for _, v := range ls {
		if inSection(v.Leaf, section) {
			out = append(out, v)
		}
	}
	return out
}
