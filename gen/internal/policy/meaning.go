package policy

import (
	"slices"
	"strings"
)

// mergeMeanings puts what an inner place says of statuses over the outer
// ones, status by status.
func mergeMeanings(outer, inner []StatusMeaning, use *Use) []StatusMeaning {
	out := slices.DeleteFunc(slices.Clone(outer), func(o StatusMeaning) bool {
		return slices.ContainsFunc(inner, func(m StatusMeaning) bool { return m.Status == o.Status })
	})
	for _, m := range inner {
		m.Origin.Use = use
		if m.Meaning != 0 { // without: taken out by false
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b StatusMeaning) int { return compareMembers(a.Status, b.Status) })
	return out
}

// meaningsText is the canonical text: `409 in-flight at /error/code is
// key_in_use, 422 mismatch`.
func meaningsText(means []StatusMeaning) string {
	if len(means) == 0 {
		return noLimit
	}
	var out []string
	for _, m := range means {
		out = append(out, m.String())
	}
	return strings.Join(out, ", ")
}

// String is the meaning as the record shows it.
func (m StatusMeaning) String() string {
	s := m.Status + " " + m.Meaning.String()
	if m.At == "" {
		return s
	}
	s += " at " + plainOrQuoted(m.At) + " is"
	for _, is := range m.Is {
		s += " " + plainOrQuoted(is)
	}
	return s
}
