package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg303 = &rule{
	Rule: Rule{
		ID: "RG303", Name: "queue-outlives-call", Severity: diag.Warn,
		Says: "A call may wait in the bulkhead's queue for longer than leaves time for an attempt.",
	},
	check: checkQueueOutlivesCall,
}

func checkQueueOutlivesCall(p *pass) {
	for _, o := range p.plan.Operations {
		wait := o.Value(policy.BulkheadMaxWait)
		total, attempt := o.Value(policy.TimeoutTotal), o.Value(policy.TimeoutAttempt)
		w, limited := wait.Duration()
		t, bounded := total.Duration()
		a, cut := attempt.Duration()
		if !limited || !bounded || !cut || off(o.Value(policy.BulkheadEnabled)) || o.Value(policy.BulkheadMaxQueue).Int() == 0 {
			continue // nobody queues, or nothing ends
		}
		if sum(w, a) <= t || a > t {
			continue // it fits, or not even an attempt does: RG102
		}
		p.operation(o, wait, "maxWait is %s, and a call of %s with an attempt of %s leaves less; who waited that long is cut off", wait.Text, total.Text, attempt.Text).
			near(total.Origin.Pos, "total is %s here", total.Text).
			near(attempt.Origin.Pos, "attempt is %s here", attempt.Text).
			do("write a maxWait of at most total − attempt, a shorter attempt, or maxQueue: 0")
	}
}
