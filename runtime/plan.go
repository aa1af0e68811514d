package runtime

import (
	"slices"
	"strings"
	"time"
)

// A plan is a policy ready for use with one scheme and host.
type plan struct {
	policy      *Policy // as overridden
	compartment *compartment
	repeatable  bool
	when        statusSet
	rejects     statusSet
	counted     statusSet // breaker.counts: true
	uncounted   statusSet // breaker.counts: false
	maxAttempts int
	lease       time.Duration // of a probe: attempt and connect
	waitHeaders []string
	principal   Principal
}

type planKey struct {
	policy       *Policy
	scheme, host string
}

func newPlan(p *Policy, c *compartment) *plan {
	pl := &plan{
		policy: p, compartment: c, repeatable: p.Class != Unsafe,
		when:        newStatusSet(p.Retry.When.Statuses, p.Retry.When.Except),
		rejects:     newStatusSet(p.Rejects, nil),
		maxAttempts: max(p.Retry.MaxAttempts, 1),
		waitHeaders: p.Retry.RetryAfter.Headers,
		principal:   p.Fallback.Principal,
	}
	if p.Timeout.Attempt > 0 {
		pl.lease = p.Timeout.Attempt + c.config.Connect
	}
	if !slices.ContainsFunc(pl.waitHeaders, func(name string) bool { return strings.EqualFold(name, "Retry-After") }) {
		pl.waitHeaders = append(slices.Clone(pl.waitHeaders), "Retry-After")
	}
	if pl.principal == PrincipalUnset {
		pl.principal = ByCredential
	}
	pl.counted, pl.uncounted = countSets(p.Counts)
	return pl
}

// countSets splits breaker.counts into what is counted and what is not. An
// exact status wins over a hundred.
func countSets(counts Counts) (counted, uncounted statusSet) {
	keys := make([]int, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	slices.Sort(keys) // hundreds, 1 to 5, come first and are then narrowed
	for _, key := range keys {
		counted.putAll(key, counts[key])
		uncounted.putAll(key, !counts[key])
	}
	return counted, uncounted
}
