package diff

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// collapsed puts changes that are the same but for the operation, and have the
// same causes, in one row.
func collapsed(changes []Change) []Change {
	var out []Change
	at := map[string]int{}
	for _, ch := range changes {
		if len(ch.Operations) == 0 || ch.Kind != Altered {
			out = append(out, ch)
			continue
		}
		k := sameness(ch)
		i, seen := at[k]
		if !seen {
			at[k] = len(out)
			out = append(out, ch)
			continue
		}
		row := &out[i]
		row.Operations = append(row.Operations, ch.Operations...)
		if row.Compartment != ch.Compartment {
			row.Compartment = ""
		}
	}
	for i := range out {
		slices.SortFunc(out[i].Operations, compareOperations)
		out[i].Fingerprint = fingerprint(out[i])
	}
	return out
}

// sameness is what changes must share to be one row.
func sameness(ch Change) string {
	return strings.Join([]string{
		ch.Direction.String(), ch.Leaf, ch.Why,
		ch.Old.Value, strings.Join(ch.Old.Causes, ";"),
		ch.New.Value, strings.Join(ch.New.Causes, ";"),
	}, "\x00")
}

// fingerprint names a change: what it is of, and its values. Operations take
// part where the change is their own, not where a wider place made it.
func fingerprint(ch Change) string {
	parts := []string{ch.Kind.String(), ch.Direction.String(), ch.Why, ch.Leaf, ch.Old.Value, ch.New.Value}
	if len(ch.Operations) == 0 {
		parts = append(parts, ch.Compartment)
	}
	if ch.Kind != Altered || ownCause(ch) {
		for _, o := range ch.Operations {
			parts = append(parts, o.Method+" "+o.Path)
		}
	} else {
		parts = append(parts, ch.Old.Causes...)
		parts = append(parts, ch.New.Causes...)
	}
	for _, p := range ch.Parts {
		parts = append(parts, p.Fingerprint)
	}
	h := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(h[:8])
}

// ownCause reports whether the operation or its path item made the change.
func ownCause(ch Change) bool {
	for _, c := range slices.Concat(ch.Old.Causes, ch.New.Causes) {
		if strings.HasPrefix(c, layerOperation) || strings.HasPrefix(c, layerPath) {
			return true
		}
	}
	return false
}

// The words of the record for the narrowest layers.
const (
	layerOperation = "operation"
	layerPath      = "path"
)

// foldDefaults makes the move to another table of defaults one row: the
// changes that only it makes become its parts.
func foldDefaults(old, new *policy.Record, changes []Change) []Change {
	if old.Version == new.Version {
		return changes
	}
	move := Change{
		Direction: Changed, Kind: Altered, Leaf: "version", Why: "another table of defaults",
		Old: Side{Value: strconv.Itoa(old.Version)}, New: Side{Value: strconv.Itoa(new.Version)},
	}
	var kept []Change
	for _, ch := range changes {
		if ch.Kind == Altered && byDefault(ch.Old) && byDefault(ch.New) {
			move.Parts = append(move.Parts, ch)
			continue
		}
		kept = append(kept, ch)
	}
	move.Parts = ranked(move.Parts)
	if len(move.Parts) > 0 {
		move.Direction = move.Parts[0].Direction
		move.Operations = allOperations(move.Parts)
	}
	move.Fingerprint = fingerprint(move)
	return append(kept, move)
}

// byDefault reports whether nobody wrote the value.
func byDefault(s Side) bool {
	for _, c := range s.Causes {
		if !strings.HasPrefix(c, "default") && !strings.HasPrefix(c, derived) {
			return false
		}
	}
	return len(s.Causes) > 0 || s.Value == ""
}

func allOperations(changes []Change) []Operation {
	var out []Operation
	for _, ch := range changes {
		out = append(out, ch.Operations...)
	}
	slices.SortFunc(out, compareOperations)
	return slices.Compact(out)
}

func compareOperations(a, b Operation) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method), cmp.Compare(a.ID, b.ID))
}

// ranked orders changes, the riskiest first: direction, then those of the
// document and of compartments, then by first operation, leaf and values.
func ranked(changes []Change) []Change {
	out := slices.Clone(changes)
	slices.SortStableFunc(out, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(a.Direction, b.Direction),
			slices.CompareFunc(a.Operations, b.Operations, compareOperations), // none comes first
			cmp.Compare(a.Compartment, b.Compartment),
			cmp.Compare(a.Leaf, b.Leaf),
			cmp.Compare(a.Fingerprint, b.Fingerprint),
		)
	})
	return out
}
