package rules

import (
	"math"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// attempts is how often one call of an operation is sent at most, the not-sent
// repeat left out.
func attempts(o *policy.Operation) int {
	if off(o.Value(policy.RetryEnabled)) || !mayRepeat(o) {
		return 1
	}
	return max(1, o.Value(policy.RetryMaxAttempts).Int())
}

// mayRepeat reports whether anything may be sent again as far as the class
// says: an unsafe write only where the provider names answers that did nothing.
func mayRepeat(o *policy.Operation) bool { return o.Repeatable() || len(o.Rejects.Texts) > 0 }

// retried reports whether an answer or a failure leads to another attempt.
func retried(o *policy.Operation) bool {
	return attempts(o) > 1 && len(o.Value(policy.RetryWhen).Set().Texts) > 0
}

// leastWait is the shortest backoff before repeat n, counted from 0.
func leastWait(o *policy.Operation, n int) time.Duration {
	initial, _ := o.Value(policy.RetryBackoffInitial).Duration()
	limit, limited := o.Value(policy.RetryBackoffMax).Duration()
	if !limited {
		limit = math.MaxInt64
	}
	wait := min(initial, limit)
	switch o.Value(policy.RetryBackoffJitter).Text {
	case "none":
		return grown(wait, limit, o.Value(policy.RetryBackoffMultiplier).Factor(), n)
	case "equal":
		return grown(wait, limit, o.Value(policy.RetryBackoffMultiplier).Factor(), n) / 2
	case "decorrelated":
		return wait // drawn from initial upwards
	}
	return 0 // full: drawn from 0 upwards
}

// grown is a wait after n multiplications by a factor in thousandths, at most
// limit.
func grown(wait, limit time.Duration, factor int64, n int) time.Duration {
	for range n {
		if factor > 0 && int64(wait) > math.MaxInt64/factor {
			return limit
		}
		wait = min(limit, time.Duration(int64(wait)*factor/1000))
	}
	return wait
}

// starting is how many attempts start where every one takes its whole limit;
// ok is false where no limit is known.
func starting(o *policy.Operation) (n int, ok bool) {
	attempt, limited := o.Value(policy.TimeoutAttempt).Duration()
	total, bounded := o.Value(policy.TimeoutTotal).Duration()
	if !limited || !bounded {
		return 0, false
	}
	remaining, _ := o.Value(policy.TimeoutMinRemaining).Duration()
	var at time.Duration // when attempt n+1 would start
	for n = 1; n < attempts(o); n++ {
		at = sum(at, attempt, leastWait(o, n-1))
		if sum(at, remaining) > total {
			break
		}
	}
	return n, true
}

// sum adds durations and stays at the largest where they exceed it.
func sum(ds ...time.Duration) time.Duration {
	var s time.Duration
	for _, d := range ds {
		if s > math.MaxInt64-d {
			return math.MaxInt64
		}
		s += d
	}
	return s
}

// longestAttempt is the longest attempt limit among a compartment's
// operations, and the value that says so; limited is false where one has none.
func longestAttempt(c *policy.Compartment) (longest policy.Value, limited bool) {
	var most time.Duration
	for _, o := range c.Operations {
		v := o.Value(policy.TimeoutAttempt)
		d, bounded := v.Duration()
		if !bounded {
			return v, false
		}
		if d > most {
			most, longest = d, v
		}
	}
	return longest, longest.Exists()
}
