package policy

import (
	"slices"
	"strconv"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// sorted is the leaves in the order of the vocabulary.
func (ls Leaves) sorted() Leaves {
	out := slices.Clone(ls)
	slices.SortStableFunc(out, func(a, b Value) int { return words.order[a.Leaf] - words.order[b.Leaf] })
	return out
}

// with is the leaves with a value put in or replaced. Like without it changes
// the leaves it is given: an operation's leaves belong to it alone, and to copy
// all of them for each of a dozen changes is most of what a plan costs.
func (ls Leaves) with(v Value) Leaves {
	for i := range ls {
		if ls[i].Leaf == v.Leaf {
			ls[i] = v
			return ls
		}
	}
	at := slices.IndexFunc(ls, func(o Value) bool { return words.order[o.Leaf] > words.order[v.Leaf] })
	if at < 0 {
		at = len(ls)
	}
	return slices.Insert(ls, at, v)
}

// without is the leaves without those named.
func (ls Leaves) without(drop ...Leaf) Leaves {
	return slices.DeleteFunc(ls, func(v Value) bool { return slices.Contains(drop, v.Leaf) })
}

// off reports whether a section is switched off by its `enabled` leaf.
func (ls Leaves) off(enabled Leaf) (Value, bool) {
	v := ls.Get(enabled)
	return v, v.Exists() && !v.Bool()
}

// switched is the value that a section's `enabled: false` gives a leaf.
func switched(by Value, l Leaf, text string) Value {
	return Value{Leaf: l, Text: text, Origin: by.Origin, Reason: by.Reason}
}

func derived(l Leaf, text string) Value {
	return Value{Leaf: l, Text: text, Origin: Origin{Layer: LayerDerived}}
}

// switchOff applies the sections that are switched off to an operation's
// leaves, and drops the leaves that nothing reads then.
func switchOff(ls Leaves) Leaves {
	if by, off := ls.off(TimeoutEnabled); off {
		for _, l := range []Leaf{TimeoutAttempt, TimeoutIdle, TimeoutTotal} {
			ls = ls.with(switched(by, l, noLimit))
		}
	}
	if by, off := ls.off(RetryEnabled); off {
		ls = ls.with(switched(by, RetryMaxAttempts, "1")).with(switched(by, RetryNotSent, "0"))
	}
	if by, off := ls.off(FallbackEnabled); off {
		ls = ls.with(switched(by, FallbackKind, noLimit)).without(FallbackCoalesce)
	}
	if _, off := ls.off(DeadlineEnabled); off {
		ls = ls.without(DeadlineHeader)
	}
	if _, off := ls.off(RetryVerdictEnabled); off {
		ls = ls.without(RetryVerdictHeader)
	}
	return dropIdle(ls)
}

// dropIdle drops leaves that have no effect beside the others.
func dropIdle(ls Leaves) Leaves {
	if !ls.Get(RetryVerdictHeader).Exists() {
		ls = ls.without(RetryVerdictRetry, RetryVerdictWhenAbsent)
	}
	if !ls.Get(DeadlineHeader).Exists() {
		ls = ls.without(DeadlineFormat, DeadlineMaxSkew)
	}
	kind, kept := ls.Get(FallbackKind).Text, ls.Get(FallbackCoalesce).Bool()
	if kind != "stale" {
		ls = ls.without(FallbackMaxAge)
	}
	if kind != "static" {
		ls = ls.without(FallbackValue)
	}
	if kind != "stale" && !kept {
		ls = ls.without(FallbackVary, FallbackPrincipal)
		if !ls.Get(FallbackCoalesce).Origin.writtenSomewhere() {
			ls = ls.without(FallbackCoalesce)
		}
	}
	return ls
}

// writtenSomewhere is Written for the origin of a value that may not exist.
func (o Origin) writtenSomewhere() bool { return o.Layer != 0 && o.Written() }

// switchOffState does the same for a compartment's leaves.
func switchOffState(ls Leaves) Leaves {
	if by, off := ls.off(TimeoutEnabled); off {
		ls = ls.with(switched(by, TimeoutConnect, noLimit))
	}
	ls = ls.without(TimeoutEnabled)
	if _, off := ls.off(RetryBudgetEnabled); off {
		ls = ls.without(RetryBudgetRatio, RetryBudgetFloor, RetryBudgetWindow)
	}
	if _, off := ls.off(BreakerEnabled); off {
		ls = slices.DeleteFunc(ls, func(v Value) bool { return inSection(v.Leaf, "breaker") && v.Leaf != BreakerEnabled })
	}
	if _, off := ls.off(BreakerSlowCallEnabled); off {
		ls = ls.without(BreakerSlowCallOver, BreakerSlowCallRate)
	}
	if _, off := ls.off(BulkheadEnabled); off {
		ls = ls.without(BulkheadMaxConcurrent, BulkheadMaxQueue, BulkheadMaxWait)
	}
	if ls.Get(BulkheadMaxQueue).Text == "0" {
		ls = ls.without(BulkheadMaxWait)
	}
	return ls
}

// inSection reports whether a leaf stands in a section or below it.
func inSection(l Leaf, section string) bool {
	return len(l) > len(section) && string(l[:len(section)]) == section && l[len(section)] == '.'
}

// deriveTimes fills the times of an operation that nobody wrote.
func (o *Operation) deriveTimes(budget time.Duration) {
	total := o.Leaves.Get(TimeoutTotal)
	if margin, _ := o.Leaves.Get(DeadlineMargin).Duration(); budget > 0 && !total.Origin.Written() {
		if limit, _ := total.Duration(); budget-margin < limit {
			total = derived(TimeoutTotal, FormatDuration(max(budget-margin, time.Millisecond)))
			o.Leaves = o.Leaves.with(total)
		}
	}
	attempt := o.Leaves.Get(TimeoutAttempt)
	if limit, limited := total.Duration(); limited && !attempt.Origin.Written() {
		share := round(limit / time.Duration(max(1, o.Leaves.Get(RetryMaxAttempts).Int())))
		if d, _ := attempt.Duration(); share < d {
			o.Leaves = o.Leaves.with(derived(TimeoutAttempt, FormatDuration(share)))
		}
	}
	o.deriveSlow()
}

// deriveSlow fills breaker.slowCall.over: 3 × p99 but at most ¾ of the attempt
// limit, half of it without p99.
func (o *Operation) deriveSlow() {
	state := o.Compartment.Leaves
	if _, off := state.off(BreakerEnabled); off {
		o.Leaves = o.Leaves.without(BreakerCounts)
		return
	}
	if _, off := state.off(BreakerSlowCallEnabled); off {
		return
	}
	if over := state.Get(BreakerSlowCallOver); over.Exists() {
		o.Leaves = o.Leaves.with(over)
		return
	}
	p99, expected := state.Get(ExpectP99).Duration()
	attempt, limited := o.Leaves.Get(TimeoutAttempt).Duration()
	var over time.Duration
	switch {
	case expected && limited:
		over = min(3*p99, attempt*3/4)
	case expected:
		over = 3 * p99
	case limited:
		over = attempt / 2
	default:
		return // nothing is known that slow could be measured by
	}
	o.Leaves = o.Leaves.with(derived(BreakerSlowCallOver, FormatDuration(round(over))))
}

// round cuts a derived time to whole milliseconds, so that it reads well; it
// never becomes 0.
func round(d time.Duration) time.Duration {
	if d >= time.Millisecond {
		return d.Truncate(time.Millisecond)
	}
	return max(d, 1)
}

// deriveConnect keeps an unwritten connect limit within the longest attempt
// limit of the compartment.
func (c *Compartment) deriveConnect() {
	connect := c.Leaves.Get(TimeoutConnect)
	limit, limited := connect.Duration()
	if connect.Origin.Written() || !limited {
		return
	}
	longest := time.Duration(0)
	for _, o := range c.Operations {
		d, limited := o.Leaves.Get(TimeoutAttempt).Duration()
		if !limited {
			return
		}
		longest = max(longest, d)
	}
	if longest < limit {
		c.Leaves = c.Leaves.with(derived(TimeoutConnect, FormatDuration(longest)))
	}
}
