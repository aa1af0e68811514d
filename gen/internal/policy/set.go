package policy

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Set is a set of statuses, ranges and words as it holds, with where it came
// from. The zero Set is empty.
type Set struct {
	Texts   []string // "5XX", "408" … in ascending order, then the words; header names as written
	Not     []string // exact statuses that are taken out of a range of Texts
	Origin  Origin   // of the innermost place that wrote it
	Reason  Reason
	Members []Member
}

// setText is the canonical text of a set: its members, then what is taken out
// of a range with a "!", all in order; "none" where it is empty.
func setText(kind Kind, members []Member) string {
	var out []string
	in := func(text string) bool {
		return slices.ContainsFunc(members, func(m Member) bool { return m.In && m.Text == text })
	}
	for _, m := range sortedMembers(kind, members) {
		switch {
		case m.In:
			out = append(out, m.Text)
		case kind == KindStatuses && exactStatus.MatchString(m.Text) && in(rangeOf(m.Text)):
			out = append(out, "!"+m.Text)
		}
	}
	if len(out) == 0 {
		return noLimit
	}
	return strings.Join(out, " ")
}

// parseSet reads what setText wrote.
func parseSet(text string) Set {
	var s Set
	if text == noLimit {
		return s
	}
	for f := range strings.FieldsSeq(text) {
		if not, ok := strings.CutPrefix(f, "!"); ok && exactStatus.MatchString(not) {
			s.Not = append(s.Not, not)
		} else {
			s.Texts = append(s.Texts, f)
		}
	}
	return s
}

var (
	exactStatus = regexp.MustCompile(`^[1-5]\d\d$`)
	statusRange = regexp.MustCompile(`^[1-5]XX$`)
)

// rangeOf is the range in which an exact status lies.
func rangeOf(status string) string { return status[:1] + "XX" }

// sortedMembers orders statuses ascending with a range before its statuses,
// then words. Names keep their order, since the first may be preferred.
func sortedMembers(kind Kind, members []Member) []Member {
	out := slices.Clone(members)
	if kind == KindNames {
		return out
	}
	slices.SortStableFunc(out, func(a, b Member) int { return compareMembers(a.Text, b.Text) })
	return out
}

func compareMembers(a, b string) int {
	return cmp.Or(cmp.Compare(memberRank(a), memberRank(b)), strings.Compare(a, b))
}

func memberRank(text string) int {
	switch {
	case exactStatus.MatchString(text):
		n, _ := strconv.Atoi(text)
		return 2 * n
	case statusRange.MatchString(text):
		return 200*int(text[0]-'0') - 1
	}
	return 1 << 20
}

// mergeMembers puts the members of an inner place over those of the outer
// ones: a list replaces them, a map adds to them.
func mergeMembers(kind Kind, outer, inner []Member, list bool) []Member {
	if list {
		return inner
	}
	out := slices.Clone(outer)
	for _, m := range inner {
		i := slices.IndexFunc(out, func(o Member) bool { return sameMember(kind, o.Text, m.Text) })
		if i < 0 {
			out = append(out, m)
		} else {
			out[i] = m
		}
	}
	return out
}

func sameMember(kind Kind, a, b string) bool {
	if kind == KindNames {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// Has reports whether a status is in the set: by itself or, unless that was
// taken out by itself, by its range.
func (s Set) Has(status int) bool {
	text := strconv.Itoa(status)
	if slices.Contains(s.Texts, text) {
		return true
	}
	return exactStatus.MatchString(text) && !slices.Contains(s.Not, text) && slices.Contains(s.Texts, rangeOf(text))
}

// HasWord reports whether a word ("timeout", "connection") is in the set.
func (s Set) HasWord(w string) bool { return slices.Contains(s.Texts, w) }

// Empty reports whether nothing is in the set.
func (s Set) Empty() bool { return len(s.Texts) == 0 }

// Statuses are the exact statuses in the set, ascending.
func (s Set) Statuses() []int { return numbers(s.Texts) }

// Except are the exact statuses that a member takes out of a range of the set.
func (s Set) Except() []int { return numbers(s.Not) }

// Ranges are the first digits of the ranges in the set: 5 for 5XX.
func (s Set) Ranges() []int {
	var out []int
	for _, t := range s.Texts {
		if statusRange.MatchString(t) {
			out = append(out, int(t[0]-'0'))
		}
	}
	return out
}

// Spelled is the set as exact statuses and first digits of ranges, where a
// range that lacks statuses is spelt out, so that nothing need be taken out.
func (s Set) Spelled() []int {
	var out []int
	for first := 1; first <= 5; first++ {
		whole, some := true, []int(nil)
		for status := first * 100; status < first*100+100; status++ {
			if s.Has(status) {
				some = append(some, status)
			} else {
				whole = false
			}
		}
		if whole {
			some = []int{first}
		}
		out = append(out, some...)
	}
	return out
}

func numbers(texts []string) []int {
	var out []int
	for _, t := range texts {
		if exactStatus.MatchString(t) {
			n, _ := strconv.Atoi(t)
			out = append(out, n)
		}
	}
	return out
}

// Text is the canonical text: "408 5XX timeout", or "none".
func (s Set) Text() string {
	out := slices.Clone(s.Texts)
	for _, n := range s.Not {
		i := len(out)
		for j, t := range out {
			if compareMembers(n, t) < 0 {
				i = j
				break
			}
		}
		out = slices.Insert(out, i, "!"+n)
	}
	if len(out) == 0 {
		return noLimit
	}
	return strings.Join(out, " ")
}

// intersect is what is in both sets of statuses, words left out.
func intersect(a, b Set) Set {
	var out Set
	if a.Empty() || b.Empty() {
		return out
	}
	for first := 1; first <= 5; first++ {
		wide := strconv.Itoa(first) + "XX"
		both := slices.Contains(a.Texts, wide) && slices.Contains(b.Texts, wide)
		if both {
			out.Texts = append(out.Texts, wide)
		}
		for status := first * 100; status < first*100+100; status++ {
			text, in := strconv.Itoa(status), a.Has(status) && b.Has(status)
			switch {
			case in && !both:
				out.Texts = append(out.Texts, text)
			case !in && both:
				out.Not = append(out.Not, text)
			}
		}
	}
	return out
}

// subtract is what of a is not all in b, as texts; b has no words. Of a range
// counts what a has left of it.
func subtract(a, b Set) []string {
	var out []string
	for _, t := range a.Texts {
		if !statusRange.MatchString(t) {
			if n, err := strconv.Atoi(t); err != nil || !b.Has(n) {
				out = append(out, t)
			}
			continue
		}
		first := 100 * int(t[0]-'0')
		for n := first; n < first+100; n++ {
			if a.Has(n) && !b.Has(n) {
				out = append(out, t)
				break
			}
		}
	}
	return out
}
