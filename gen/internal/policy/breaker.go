package policy

// fitBreaker makes the leaves of a breaker that depend on each other fit where
// nobody wrote one of them, and complains where somebody wrote both: a client
// with more successes than probes, or a circuit that is open for longer than at
// most, would refuse to start.
func (m *merger) fitBreaker(ls Leaves) Leaves {
	count, successes := ls.Get(BreakerProbesCount), ls.Get(BreakerProbesSuccesses)
	if successes.Int() > count.Int() {
		ls = m.fit(ls, successes, count, "at most the count of probes")
	}
	openFor, _ := ls.Get(BreakerOpenFor).Duration()
	openMax, _ := ls.Get(BreakerOpenMax).Duration()
	if openFor > openMax {
		ls = m.fit(ls, ls.Get(BreakerOpenMax), ls.Get(BreakerOpenFor), "at least openFor")
	}
	return ls
}

// fit gives the leaf that nobody wrote the text of the one that somebody did.
func (m *merger) fit(ls Leaves, v, other Value, want string) Leaves {
	switch {
	case !v.Origin.Written():
		return ls.with(derived(v.Leaf, other.Text))
	case !other.Origin.Written():
		return ls.with(derived(other.Leaf, v.Text))
	}
	m.errorf(v.Origin.Pos, "%s is %s and %s is %s; want %s", v.Leaf, v.Text, other.Leaf, other.Text, want).
		WithHint("write %s or change %s", other.Text, other.Leaf).
		WithRelated(other.Origin.Pos, "%s is %s here", other.Leaf, other.Text)
	return ls
}
