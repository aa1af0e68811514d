package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg501 = &rule{
	Rule: Rule{
		ID: "RG501", Name: "retry-budget-missing", Severity: diag.Warn,
		Says: "Operations are retried without a retry budget: in an outage every call becomes several.",
	},
	check: checkRetryBudget,
}

func checkRetryBudget(p *pass) {
	for _, c := range p.plan.Compartments {
		budget := c.Leaves.Get(policy.RetryBudgetEnabled)
		if !off(budget) {
			continue
		}
		for _, o := range c.Operations {
			if !retried(o) {
				continue
			}
			most := o.Value(policy.RetryMaxAttempts)
			p.operation(o, budget, "%d attempts without a retry budget; in an outage every call becomes as many", attempts(o)).
				near(most.Origin.Pos, "maxAttempts is %s here", most.Text).
				do("write retry.budget with a ratio of 10%% to 20%%, or take enabled: false out")
		}
	}
}
