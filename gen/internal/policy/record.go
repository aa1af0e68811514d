package policy

import (
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A Record is a plan as policy.gen.yaml holds it: plain data in a fixed order,
// without line numbers. Two records are what diff compares, whether they were
// made from a spec (then the lines bear positions) or read back from a file.
type Record struct {
	Version      int    // of the table of defaults
	Spec         string // as the header names it
	Service      string
	Budget       string // "4s", or empty
	Compartments []*RecordCompartment
	Operations   []*RecordOperation // by path, then method
}

// A RecordCompartment is a compartment with its leaves and those that most of
// its operations share.
type RecordCompartment struct {
	ID    string // Compartment.ID
	Lines []Line // criticality, owner, waivers of the document, then compartment leaves
	All   []Line // operation leaves that hold unless the operation says otherwise
}

// A RecordOperation is an operation with what differs from its compartment's
// All. A line with the empty value says that a leaf of All does not hold.
type RecordOperation struct {
	Method, Path, ID string
	Compartment      string // ID of the compartment
	Lines            []Line // compartment (where the record has several), class, key, rejects, alreadyDone, waivers, then leaves
}

// A Line is one key of the record with its value and, as the comment behind
// it, where it came from.
type Line struct {
	Key     string // a leaf, or: criticality, owner, compartment, class, key, key.statuses, rejects, alreadyDone, waive RG105, streaming
	Value   string
	Origins []LineOrigin // outermost first; several for a set that places added to
	Because string
	Owner   string
	Until   string    // 2027-06-30
	Offered []Refusal // what was offered and not taken
	Pos     diag.Pos  // of the innermost origin; zero when read from a file
}

// A LineOrigin is a layer as the record words it.
type LineOrigin struct {
	Layer string // default, derived, file, document, policy, path, operation, inferred
	Name  string // of a file or a policy; of what was inferred
	Via   string // overlay file
}

// A Refusal is an offer that was not taken, as the record words it.
type Refusal struct {
	Value  string // what was not taken
	Origin LineOrigin
}

// Effective are an operation's lines with those of its compartment that it
// does not override: All merged, then Lines; the compartment's own leaves not.
func (r *Record) Effective(op *RecordOperation) []Line {
	out := slices.Clone(op.Lines)
	if c := r.Compartment(op.Compartment); c != nil {
		for _, l := range c.All {
			if _, own := find(op.Lines, l.Key); !own {
				out = append(out, l)
			}
		}
	}
	out = slices.DeleteFunc(out, func(l Line) bool { return l.Value == "" })
	slices.SortStableFunc(out, func(a, b Line) int { return lineRank(a.Key) - lineRank(b.Key) })
	return out
}

// find is the line with the key.
func find(lines []Line, key string) (Line, bool) {
	i := slices.IndexFunc(lines, func(l Line) bool { return l.Key == key })
	if i < 0 {
		return Line{}, false
	}
	return lines[i], true
}

// lineRank orders the lines of an operation: what is said of it, in the order
// in which it was said, then leaves in the order of the vocabulary.
func lineRank(key string) int {
	if at, ok := words.order[Leaf(key)]; ok {
		return 1 + at
	}
	return 0
}

// Compartment is the compartment with the ID, or nil.
func (r *Record) Compartment(id string) *RecordCompartment {
	for _, c := range r.Compartments {
		if c.ID == id {
			return c
		}
	}
	return nil
}
