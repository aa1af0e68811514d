package diff

import (
	"slices"
	"strings"
)

// A set is a set of the record: statuses, ranges, words, and the exact
// statuses that are taken out of a range ("5XX !501").
type set struct{ in, out []string }

func parseSet(text string) set {
	var s set
	for member := range strings.FieldsSeq(text) {
		name, isOut := strings.CutPrefix(member, "!")
		switch {
		case member == "none":
		case isOut:
			s.out = append(s.out, name)
		default:
			s.in = append(s.in, name)
		}
	}
	return s
}

// has reports whether the set holds a member, by itself or by its range.
func (s set) has(m string) bool {
	if slices.Contains(s.in, m) {
		return true
	}
	return len(m) == 3 && m[0] >= '1' && m[0] <= '5' && slices.Contains(s.in, m[:1]+"XX") && !slices.Contains(s.out, m)
}

// gained is what a set holds beyond another one.
func gained(from, to set) []string {
	var out []string
	for _, m := range slices.Concat(to.in, from.out) {
		if to.has(m) && !from.has(m) && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// setDifference are the members that only the new or only the old side has.
func setDifference(old, new string) (came, went []string) {
	a, b := parseSet(old), parseSet(new)
	return gained(a, b), gained(b, a)
}
