package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg209 = &rule{
	Rule: Rule{
		ID: "RG209", Name: "hang-unseen", Severity: diag.Warn,
		Says: "A call counts as slow only after the service's own callers have gone: a hang never opens the circuit.",
	},
	check: checkHangUnseen,
}

func checkHangUnseen(p *pass) {
	budget := p.plan.Budget
	if budget.Limit <= 0 {
		return
	}
	for _, o := range p.plan.Operations {
		over := o.Value(policy.BreakerSlowCallOver)
		d, limited := over.Duration()
		if !limited || d <= budget.Limit || off(o.Value(policy.BreakerEnabled)) || off(o.Value(policy.BreakerSlowCallEnabled)) {
			continue
		}
		at := over
		if over.Origin.Layer == policy.LayerDerived {
			at = fault(over, attemptLeaf(o))
		}
		p.operation(o, at, "a call is slow after %s and the service's own callers wait %s; a hang ends before it counts", over.Text, budget.Limit).
			near(budget.Pos, "the service's budget is %s here", budget.Limit).
			do("write breaker.slowCall.over below %s", budget.Limit)
	}
}
