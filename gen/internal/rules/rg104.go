package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg104 = &rule{
	Rule: Rule{
		ID: "RG104", Name: "retry-after-beyond-total", Severity: diag.Info,
		Says: "`retryAfter.max` is longer than the call: a wait that long ends it instead.",
	},
	check: checkRetryAfterBeyondTotal,
}

func checkRetryAfterBeyondTotal(p *pass) {
	for _, o := range p.plan.Operations {
		longest, total := o.Value(policy.RetryAfterMax), o.Value(policy.TimeoutTotal)
		d, limited := longest.Duration()
		t, bounded := total.Duration()
		if !retried(o) || !limited || !bounded || d < t || !written(longest.Origin) {
			continue // a default is cut by the call; nobody asked for that wait
		}
		p.operation(o, longest, "retryAfter.max is %s and the call ends after %s; such a wait ends the call at once", longest.Text, total.Text).
			near(total.Origin.Pos, "total is %s here", total.Text).
			do("write a max that leaves time for an attempt, or a longer total")
	}
}
