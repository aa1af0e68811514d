package rules

import (
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg004 = &rule{
	Rule: Rule{
		ID: "RG004", Name: "key-expires-in-window", Severity: diag.Error,
		Says: "The server forgets the idempotency key before the call that bears it can have ended.",
	},
	check: checkKeyExpires,
}

func checkKeyExpires(p *pass) {
	for _, o := range p.plan.Operations {
		if o.Key == nil || o.Key.Retention <= 0 || attempts(o) < 2 {
			continue // no key, none that dies, or none that is sent twice
		}
		retention := o.Key.Leaves.Get(policy.KeyRetention)
		longest, limited := longestCall(o)
		switch {
		case !limited:
			p.operation(o, retention, "the key is forgotten after %s and a call has no limit; want one shorter than that", retention.Text).
				do("limit timeout.total, or timeout.attempt")
		case o.Key.Retention < longest:
			at := fault(retention, o.Value(policy.TimeoutTotal))
			f := p.operation(o, at, "the key is forgotten after %s and a call can take %s; a repeat after that is a second write", retention.Text, longest)
			if at.Leaf != retention.Leaf {
				f.near(retention.Origin.Pos, "the retention is stated here")
			}
			f.do("shorten timeout.total to less than %s, or correct retention if the provider keeps keys longer", retention.Text)
		}
	}
}

// longestCall is the longest time that a call can take: its total or, without
// one, every attempt in full with the longest waits between them.
func longestCall(o *policy.Operation) (d time.Duration, limited bool) {
	if total, ok := o.Value(policy.TimeoutTotal).Duration(); ok {
		return total, true
	}
	attempt, ok := o.Value(policy.TimeoutAttempt).Duration()
	if !ok {
		return 0, false
	}
	wait, ok := o.Value(policy.RetryBackoffMax).Duration()
	after, bounded := o.Value(policy.RetryAfterMax).Duration()
	if !ok || !bounded {
		return 0, false
	}
	d = attempt
	for range attempts(o) - 1 {
		d = sum(d, max(wait, after), attempt)
	}
	return d, true
}
