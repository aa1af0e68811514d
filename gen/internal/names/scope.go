package names

import "strconv"

// A Scope is a set of names that must differ: the package level, the fields of
// one struct, the locals of one function. The zero Scope is empty and ready.
type Scope struct {
	taken map[string]bool
	next  map[string]int // the number to try next for a name
}

// NewScope is a scope in which some names are taken.
func NewScope(taken ...string) *Scope {
	s := &Scope{}
	s.Reserve(taken...)
	return s
}

// Reserve takes names as they are.
func (s *Scope) Reserve(names ...string) {
	if s.taken == nil {
		s.taken = map[string]bool{}
	}
	for _, n := range names {
		s.taken[n] = true
	}
}

// Has reports whether the name is taken.
func (s *Scope) Has(name string) bool { return s.taken[name] }

// Take takes the first of the candidates that is free, or the first candidate
// with the smallest number from 2 on that makes it so. Candidates are
// identifiers, in order of preference; there must be one. Give all the ways in
// which an engineer would tell the thing apart before it comes to numbers.
func (s *Scope) Take(candidates ...string) string {
	for _, c := range candidates {
		if c != "" && !s.taken[c] {
			s.Reserve(c)
			return c
		}
	}
	base := candidates[0]
	if s.next == nil {
		s.next = map[string]int{}
	}
	for n := max(2, s.next[base]); ; n++ {
		name := numbered(base, n)
		if !s.taken[name] {
			s.next[base] = n + 1
			s.Reserve(name)
			return name
		}
	}
}

// numbered is Crate2, or V2_2 where the name ends in a digit already.
func numbered(base string, n int) string {
	if last := base[len(base)-1]; last >= '0' && last <= '9' {
		base += "_"
	}
	return base + strconv.Itoa(n)
}
