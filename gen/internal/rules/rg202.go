package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg202 = &rule{
	Rule: Rule{
		ID: "RG202", Name: "retry-without-breaker", Severity: diag.Error,
		Says: "Operations are retried and the breaker is off: an outage is answered with more load.",
	},
	check: checkRetryWithoutBreaker,
}

func checkRetryWithoutBreaker(p *pass) {
	for _, c := range p.plan.Compartments {
		enabled := c.Leaves.Get(policy.BreakerEnabled)
		if !off(enabled) {
			continue
		}
		for _, o := range c.Operations {
			if !retried(o) {
				continue
			}
			most := o.Value(policy.RetryMaxAttempts)
			p.operation(o, enabled, "%d attempts with the breaker off; nothing stops them while the dependency is down", attempts(o)).
				near(most.Origin.Pos, "maxAttempts is %s here", most.Text).
				do("switch the breaker on, or write retry: {enabled: false} with because")
		}
	}
}
