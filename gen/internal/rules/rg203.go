package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg203 = &rule{
	Rule: Rule{
		ID: "RG203", Name: "single-probe", Severity: diag.Warn,
		Says: "One probe alone decides whether the dependency has recovered.",
	},
	check: checkSingleProbe,
}

func checkSingleProbe(p *pass) {
	for _, c := range guarded(p) {
		count := c.Leaves.Get(policy.BreakerProbesCount)
		if count.Int() != 1 {
			continue
		}
		p.compartment(c, count, "probes.count is 1; one unlucky probe keeps the circuit open, one lucky one closes it").
			do("write a count of 3 or more, with most of them as successes")
	}
}

// guarded are the compartments whose breaker is on.
func guarded(p *pass) []*policy.Compartment {
	var out []*policy.Compartment
	for _, c := range p.plan.Compartments {
		if !off(c.Leaves.Get(policy.BreakerEnabled)) {
			out = append(out, c)
		}
	}
	return out
}
