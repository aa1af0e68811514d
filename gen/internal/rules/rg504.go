package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg504 = &rule{
	Rule: Rule{
		ID: "RG504", Name: "backoff-against-recovery", Severity: diag.Info,
		Says: "backoff.max is more than ten times above or below the expected recovery.",
	},
	check: checkBackoffRecovery,
}

func checkBackoffRecovery(p *pass) {
	for _, o := range p.plan.Operations {
		most, recovery := o.Value(policy.RetryBackoffMax), o.Compartment.Expect(policy.ExpectRecovery)
		d, limited := most.Duration()
		r, known := recovery.Duration()
		if !limited || !known || !retried(o) {
			continue
		}
		says := ""
		switch {
		case exceeds(int64(d), 1, int64(r), 10):
			says = "backoff.max is %s and recovery is expected within %s; callers wait for a dependency that is back"
		case exceeds(int64(r), 1, int64(d), 10):
			says = "backoff.max is %s and recovery is expected to take %s; the attempts are over long before"
		default:
			continue
		}
		p.operation(o, most, says, most.Text, recovery.Text).
			near(recovery.Origin.Pos, "recovery is %s here", recovery.Text).
			do("bring max nearer to the recovery, or leave an outage that long to the breaker")
	}
}
