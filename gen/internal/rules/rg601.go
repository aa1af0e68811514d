package rules

import (
	"strconv"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg601 = &rule{
	Rule: Rule{
		ID: "RG601", Name: "retriable-not-declared", Severity: diag.Info,
		Says: "A status is retried that the spec does not declare on the operation.",
	},
	check: checkRetriableDeclared,
}

func checkRetriableDeclared(p *pass) {
	for _, o := range p.plan.Operations {
		if attempts(o) < 2 {
			continue
		}
		when := o.Value(policy.RetryWhen)
		var undeclared []string
		for _, status := range when.Set().Statuses() {
			if retriesMember(o, strconv.Itoa(status)) && !declares(o.Spec, status) {
				undeclared = append(undeclared, strconv.Itoa(status))
			}
		}
		if len(undeclared) == 0 {
			continue
		}
		p.operation(o, when, "retried and not declared: %s", strings.Join(undeclared, ", ")).
			do("declare them, so that readers of the spec know of them; nothing else depends on it")
	}
}

// declares reports whether the spec knows of a status: exactly, by its range,
// or by a default response.
func declares(o *model.Operation, status int) bool {
	for _, r := range o.Responses {
		if r.Default() || r.Status == status || r.Range && r.Status/100 == status/100 {
			return true
		}
	}
	return false
}
