package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg107 = &rule{
	Rule: Rule{
		ID: "RG107", Name: "beyond-callers-budget", Severity: diag.Error,
		Says: "A written total is longer than the time that the service's own callers give it.",
	},
	check: checkBeyondBudget,
}

func checkBeyondBudget(p *pass) {
	budget := p.plan.Budget
	if budget.Limit <= 0 {
		return
	}
	for _, o := range p.plan.Operations {
		total := o.Value(policy.TimeoutTotal)
		if d, limited := total.Duration(); !written(total.Origin) || limited && d <= budget.Limit {
			continue // an unwritten total is cut to the budget
		}
		p.operation(o, total, "total is %s and the service's own callers wait %s; the rest is work for nobody", total.Text, budget.Limit).
			near(budget.Pos, "the service's budget is %s here", budget.Limit).
			do("write a total below %s, or none at all: an unwritten one fits the budget", budget.Limit)
	}
}
