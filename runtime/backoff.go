package runtime

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// wait is the pause before repeat number n, from 0; last is the pause before
// the one ahead of it.
func (b Backoff) wait(n int, last time.Duration) time.Duration {
	limit := b.Max
	if limit == 0 {
		limit = b.Initial
	}
	initial := min(b.Initial, limit)
	switch b.Jitter {
	case JitterUnset, FullJitter:
		return between(0, b.grown(n, limit))
	case EqualJitter:
		d := b.grown(n, limit)
		return between(d/2, d)
	case DecorrelatedJitter:
		top := limit
		if last = max(last, initial); last < limit/3 {
			top = last * 3
		}
		return between(initial, top)
	case NoJitter:
		return b.grown(n, limit)
	default:
		panic(fmt.Sprintf("runtime: jitter %d not handled", b.Jitter))
	}
}

// grown is min(limit, Initial·Multiplier^n).
func (b Backoff) grown(n int, limit time.Duration) time.Duration {
	d := float64(b.Initial) * math.Pow(max(b.Multiplier, 1), float64(n))
	if !(d < float64(limit)) { // infinity and NaN too
		return limit
	}
	return time.Duration(d)
}

// between draws from a to b, both included.
func between(a, b time.Duration) time.Duration {
	if b <= a {
		return a
	}
	return a + time.Duration(rand.Uint64N(uint64(b-a)+1))
}
