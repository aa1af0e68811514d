package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg404 = &rule{
	Rule: Rule{
		ID: "RG404", Name: "shared-answer-without-principal", Severity: diag.Error,
		Says: "An answer that is kept or coalesced is shared among all callers of an operation that asks who calls.",
	},
	check: checkSharedAnswer,
}

func checkSharedAnswer(p *pass) {
	for _, o := range p.plan.Operations {
		principal := o.Value(policy.FallbackPrincipal)
		keeps := o.Value(policy.FallbackKind).Text == "stale"
		if principal.Text != "shared" || !credentials(o) || !keeps && !o.Value(policy.FallbackCoalesce).Bool() {
			continue
		}
		how := "a kept answer"
		if !keeps {
			how = "a coalesced answer"
		}
		p.operation(o, principal, "%s is shared among all callers, and the operation takes credentials; one user's data may reach another", how).
			do("write principal: credential or principal: context")
	}
}

// credentials reports whether calls of the operation may bear credentials.
func credentials(o *policy.Operation) bool {
	for _, r := range o.Spec.Security {
		if len(r.Schemes) > 0 {
			return true
		}
	}
	return false
}
