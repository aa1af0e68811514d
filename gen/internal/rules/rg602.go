package rules

import (
	"strconv"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg602 = &rule{
	Rule: Rule{
		ID: "RG602", Name: "declared-not-classified", Severity: diag.Info,
		Says: "The spec declares 429 or 503 with Retry-After, and the operation is not sent again after it.",
	},
	check: checkDeclaredRetried,
}

func checkDeclaredRetried(p *pass) {
	for _, o := range p.plan.Operations {
		when := o.Value(policy.RetryWhen)
		for _, r := range o.Spec.Responses {
			if r.Status != 429 && r.Status != 503 || r.Range || !namesWait(r) {
				continue
			}
			status := strconv.Itoa(r.Status)
			if when.Set().Has(r.Status) && retriesMember(o, status) {
				continue
			}
			f := p.operation(o, when, "%s is declared with Retry-After and not retried", status)
			f.near(r.Pos, "it is declared here")
			if o.Repeatable() {
				f.do("write retry.when: {%s: true}", status)
				continue
			}
			f.do("write idempotency.rejects: [%s] with because and owner, if the provider says that nothing was done then", status)
		}
	}
}

// namesWait reports whether an answer is declared with a Retry-After.
func namesWait(r *model.Response) bool {
	for _, h := range r.Headers {
		if strings.EqualFold(h.Wire, "Retry-After") {
			return true
		}
	}
	return false
}
