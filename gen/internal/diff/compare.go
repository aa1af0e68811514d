package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// Compare is every difference between two records, the riskiest first. It
// changes neither. Leaves are compared by their effective values: a value that
// only moved to another place is no difference.
func Compare(old, new *policy.Record) Report {
	c := &comparison{old: old, new: new, tables: old.Version != new.Version, touched: map[*policy.RecordOperation]bool{}}
	c.document()
	c.compartments()
	c.operations()
	return Report{Changes: ranked(foldDefaults(old, new, collapsed(c.changes))), Unchanged: c.unchanged()}
}

// A comparison gathers single changes, one an operation or compartment.
type comparison struct {
	old, new    *policy.Record
	tables      bool // the sides have different tables of defaults
	changes     []Change
	pairs       []pair[policy.RecordOperation]
	renamed     map[string]string // compartments: old ID to new, where both are the same one
	criticality map[string]string // new IDs of compartments to their criticality, where it changed
	compartment map[string]bool   // new IDs of compartments of which a line changed
	touched     map[*policy.RecordOperation]bool
}

func (c *comparison) add(ch Change) { c.changes = append(c.changes, ch) }

// document compares what stands in the record's head.
func (c *comparison) document() {
	if c.old.Budget == c.new.Budget {
		return
	}
	d, why := moreWeakens(c.old.Budget, c.new.Budget, "the service's callers are said to wait longer", "the service's callers are said to wait less long")
	c.add(Change{
		Direction: d, Kind: Altered, Leaf: "budget", Why: why,
		Old: Side{Value: c.old.Budget}, New: Side{Value: c.new.Budget},
	})
}

func (c *comparison) compartments() {
	c.renamed, c.compartment, c.criticality = map[string]string{}, map[string]bool{}, map[string]string{}
	pairs, gone, came := matchCompartments(c.old, c.new)
	for _, p := range pairs {
		c.renamed[p.old.ID] = p.new.ID
		if p.old.ID != p.new.ID {
			leaf, why := otherwise(p.old.ID, p.new.ID)
			c.add(Change{
				Direction: Changed, Kind: Altered, Leaf: leaf, Compartment: p.new.ID,
				Old: Side{Value: p.old.ID}, New: Side{Value: p.new.ID}, Why: why,
			})
		}
		before := len(c.changes)
		c.lines(lineMap(p.old.Lines), lineMap(p.new.Lines), lineKeys(p.old.Lines, p.new.Lines), func(l leafChange) {
			ch := l.change(directionOf(l))
			ch.Compartment = p.new.ID
			c.add(ch)
		})
		c.compartment[p.new.ID] = len(c.changes) > before
		if column := columnOf(c.changes[before:]); column != "" {
			c.criticality[p.new.ID] = column
			ofColumn(c.changes[before:], column)
		}
	}
	for _, g := range gone {
		c.add(Change{Direction: Removed, Kind: Gone, Compartment: g.ID, Old: Side{Value: g.ID}})
	}
	for _, n := range came {
		c.add(Change{Direction: Added, Kind: Came, Compartment: n.ID, New: Side{Value: n.ID}})
	}
}

func (c *comparison) operations() {
	pairs, gone, came := matchOperations(c.old, c.new)
	c.pairs = pairs
	for _, p := range pairs {
		c.operation(p)
	}
	for _, g := range gone {
		v := viewOf(c.old, g)
		c.add(Change{
			Direction: Removed, Kind: Gone, Compartment: g.Compartment, Operations: []Operation{named(g)},
			Old: Side{Value: v.summary()},
		})
	}
	for _, n := range came {
		v := viewOf(c.new, n)
		d, why := newOperation(v)
		c.add(Change{
			Direction: d, Kind: Came, Compartment: n.Compartment, Operations: []Operation{named(n)},
			New: side(policy.Line{Value: v.summary(), Origins: v.lines["class"].Origins, Pos: v.lines["class"].Pos}, 0), Why: why,
		})
	}
}

// operation compares one operation with itself on the other side. The lines of
// its compartment are compared there, unless it moved to another one.
func (c *comparison) operation(p pair[policy.RecordOperation]) {
	was, is := viewOf(c.old, p.old), viewOf(c.new, p.new)
	before := len(c.changes)
	if a, b := exactKey(p.old), exactKey(p.new); templateKey(p.old) != templateKey(p.new) {
		c.add(Change{
			Direction: Changed, Kind: Altered, Leaf: "path", Compartment: p.new.Compartment, Operations: []Operation{named(p.new)},
			Old: Side{Value: a}, New: Side{Value: b}, Why: "the same operation under another path",
		})
	}
	moved := c.renamed[p.old.Compartment] != p.new.Compartment
	if moved {
		c.add(Change{
			Direction: Changed, Kind: Altered, Leaf: "compartment", Operations: []Operation{named(p.new)},
			Old: Side{Value: p.old.Compartment}, New: Side{Value: p.new.Compartment},
			Why: "another breaker, bulkhead and retry budget",
		})
	}
	keys := viewKeys(was, is, moved)
	c.lines(was.lines, is.lines, keys, func(l leafChange) {
		l.was, l.is = &was, &is
		ch := l.change(directionOf(l))
		ch.Compartment, ch.Operations = p.new.Compartment, []Operation{named(p.new)}
		c.add(ch)
	})
	attribute(c.changes[before:])
	if column := cmp.Or(columnOf(c.changes[before:]), c.criticality[p.new.Compartment]); column != "" {
		ofColumn(c.changes[before:], column)
	}
	if len(c.changes) > before {
		c.touched[p.new] = true
	}
}

// unchanged is how many operations no change touches.
func (c *comparison) unchanged() int {
	n := 0
	for _, p := range c.pairs {
		if !c.touched[p.new] && !c.compartment[p.new.Compartment] {
			n++
		}
	}
	return n
}

// lines compares the lines of two sides under some keys and hands on those
// that differ. Those of a section that is off on a side say nothing there.
func (c *comparison) lines(old, new map[string]policy.Line, keys []string, differs func(leafChange)) {
	for _, k := range keys {
		l := leafChange{key: k, old: old[k], new: new[k]}
		if c.tables {
			l.oldTable, l.newTable = c.old.Version, c.new.Version
		}
		if l.old.Value != l.new.Value && !underOff(old, new, k) {
			differs(l)
		}
		if why := reasonMoved(l); why != "" && l.old.Value == l.new.Value {
			differs(l.ofReason())
		}
	}
}

// underOff reports whether a leaf stands in a section that is switched off on
// either side: then the switch is the change.
func underOff(old, new map[string]policy.Line, key string) bool {
	if key == string(policy.FallbackCoalesce) && old[key].Value != new[key].Value && (old[key].Value == "true" || new[key].Value == "true") {
		return false // it needs no kind of fallback
	}
	section := key
	for i := strings.LastIndexByte(section, '.'); i >= 0; i = strings.LastIndexByte(section, '.') {
		section = section[:i]
		if !isSwitch(section, key) && (sectionOff(old, section) || sectionOff(new, section)) {
			return true
		}
	}
	return false
}

// viewKeys are the keys that two views may differ in: the operation's own, and
// the compartment's where it moved to another one.
func viewKeys(was, is view, moved bool) []string {
	var keys []string
	for _, v := range []view{is, was} {
		for _, k := range v.order {
			if k == "compartment" {
				continue // compared by what it names: a record of one compartment has no such line
			}
			if (moved || is.own[k] || was.own[k]) && !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	return keys
}

func lineMap(lines []policy.Line) map[string]policy.Line {
	out := make(map[string]policy.Line, len(lines))
	for _, l := range lines {
		out[l.Key] = l
	}
	return out
}

func lineKeys(old, new []policy.Line) []string {
	var keys []string
	for _, l := range slices.Concat(new, old) {
		if !slices.Contains(keys, l.Key) {
			keys = append(keys, l.Key)
		}
	}
	return keys
}

func named(o *policy.RecordOperation) Operation { return Operation{o.Method, o.Path, o.ID} }

// summary is an operation's policy in a few words: "keyed, 3 attempts".
func (v view) summary() string {
	parts := []string{v.class()}
	if k := v.value("key"); k != "" {
		parts = append(parts, parseKey(k).place)
	}
	switch attempts := v.value(string(policy.RetryMaxAttempts)); {
	case !v.retried():
		parts = append(parts, "1 attempt")
	default:
		parts = append(parts, attempts+" attempts")
	}
	return strings.Join(parts, ", ")
}

// newOperation is the direction of an operation that came.
func newOperation(v view) (Direction, string) {
	switch {
	case v.exposed() && v.class() == "unsafe":
		return Unsafe, fmt.Sprintf("a new write without a key that is sent again after %s", v.value(string(policy.RetryWhen)))
	case v.exposed():
		return Unsafe, fmt.Sprintf("a new write without a key that is retried: it is %s by statement alone", v.class())
	case v.retried() && v.keyed() && v.class() != "safe":
		return Added, "each repeat bears the same key"
	case v.retried() && v.class() == "idempotent":
		return Added, "retried: " + v.op.Method + " is idempotent by its method"
	}
	return Added, ""
}
