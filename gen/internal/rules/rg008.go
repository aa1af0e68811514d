package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg008 = &rule{
	Rule: Rule{
		ID: "RG008", Name: "correlation-id-as-key", Severity: diag.Error,
		Says: "A header that names a request for logs is used as idempotency key.",
	},
	check: checkCorrelationID,
}

func checkCorrelationID(p *pass) {
	for _, o := range p.plan.Operations {
		if o.Key == nil || o.Key.In != policy.KeyInHeader || !policy.IsCorrelationHeader(o.Key.Name) {
			continue
		}
		p.operationAt(o, keyNamed(o.Key), "%s is a correlation id: servers log it, and run the write again all the same", o.Key.Name).
			do("name the header that the provider documents for idempotency; without one write class: unsafe")
	}
}
