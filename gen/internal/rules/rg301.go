package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg301 = &rule{
	Rule: Rule{
		ID: "RG301", Name: "no-bulkhead", Severity: diag.Error,
		Says: "Concurrency has no limit and nothing says why.",
	},
	check: func(p *pass) {
		for _, c := range p.plan.Compartments {
			offWithoutReason(p, c, "the bulkhead", c.Leaves.Get(policy.BulkheadEnabled))
		}
	},
}
