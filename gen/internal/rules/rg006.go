package rules

import (
	"strconv"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg006 = &rule{
	Rule: Rule{
		ID: "RG006", Name: "stored-answer-retried", Severity: diag.Warn,
		Says: "`when` holds a server error that the server stores under the key and gives again for ever: the leaf has no effect.",
	},
	check: checkStoredRetried,
}

func checkStoredRetried(p *pass) {
	for _, o := range p.plan.Operations {
		if o.Key == nil || o.Key.Stores != policy.StoresErrors || attempts(o) < 2 {
			continue
		}
		when := o.Value(policy.RetryWhen)
		for _, m := range when.Members {
			if !m.In || !written(m.Origin) || !stored(m.Text) || takenElsewhere(p.plan, m) {
				continue
			}
			f := p.operationAt(o, m.Origin, "%s is retried and the server stores errors under the key; every repeat gets the same answer", m.Text)
			f.near(o.Key.Leaves.Get(policy.KeyStores).Origin.Pos, "stores: errors is stated here")
			f.do("take %s out of when, or write stores: success if the provider runs failures again", m.Text)
		}
	}
}

// stored reports whether a member of `when` is a server error that comes from
// the application, and so is kept: any but those of a gateway.
func stored(text string) bool {
	if digit, isRange := rangeDigit(text); isRange {
		return digit == 5
	}
	status, err := strconv.Atoi(text)
	if err != nil || status < 500 {
		return false
	}
	return status < 502 || status > 504
}

// takenElsewhere reports whether the member, written for several operations,
// has an effect on another one.
func takenElsewhere(plan *policy.Plan, m policy.Member) bool {
	for _, o := range plan.Operations {
		if o.Key != nil && o.Key.Stores == policy.StoresErrors || !retriesMember(o, m.Text) {
			continue
		}
		for _, other := range o.Value(policy.RetryWhen).Members {
			if other.In && other.Text == m.Text && other.Origin.Pos == m.Origin.Pos {
				return true
			}
		}
	}
	return false
}
