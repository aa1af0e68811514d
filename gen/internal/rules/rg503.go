package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg503 = &rule{
	Rule: Rule{
		ID: "RG503", Name: "too-many-attempts", Severity: diag.Warn,
		Says: "More than 5 attempts: what five do not mend is an outage, and the rest is load.",
	},
	check: checkTooManyAttempts,
}

const manyAttempts = 5

func checkTooManyAttempts(p *pass) {
	for _, o := range p.plan.Operations {
		if most := o.Value(policy.RetryMaxAttempts); attempts(o) > manyAttempts {
			p.operation(o, most, "maxAttempts is %s; want at most %d", most.Text, manyAttempts).
				do("write maxAttempts: 3, and leave what lasts longer to the breaker and the fallback")
		}
	}
}
