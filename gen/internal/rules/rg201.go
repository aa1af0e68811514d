package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg201 = &rule{
	Rule: Rule{
		ID: "RG201", Name: "breaker-off", Severity: diag.Error,
		Says: "A breaker is off and nothing says why.",
	},
	check: func(p *pass) {
		for _, c := range p.plan.Compartments {
			offWithoutReason(p, c, "the breaker", c.Leaves.Get(policy.BreakerEnabled))
		}
	},
}

// offWithoutReason finds a section that is switched off without `because`.
func offWithoutReason(p *pass, c *policy.Compartment, what string, enabled policy.Value) {
	if !off(enabled) || enabled.Reason.Because != "" {
		return
	}
	p.compartment(c, enabled, "%s is off without because; nobody can tell intent from oversight", what).
		do("write because beside enabled: false, or take enabled out")
}
