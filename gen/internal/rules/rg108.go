package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg108 = &rule{
	Rule: Rule{
		ID: "RG108", Name: "timeout-far-above-p99", Severity: diag.Info,
		Says: "The attempt limit is more than ten times the expected p99: a hang holds a slot that long.",
	},
	check: checkTimeoutFarAbove,
}

func checkTimeoutFarAbove(p *pass) {
	for _, o := range p.plan.Operations {
		p99 := o.Compartment.Expect(policy.ExpectP99)
		d, known := p99.Duration()
		limit, limited := o.Value(policy.TimeoutAttempt).Duration()
		if !known || d <= 0 || !limited || !exceeds(int64(limit), 1, int64(d), 10) {
			continue
		}
		p.operation(o, attemptLeaf(o), "the attempt limit of %s is more than ten times the expected p99 of %s; a hang holds a slot that long",
			o.Value(policy.TimeoutAttempt).Text, p99.Text).
			near(p99.Origin.Pos, "p99 is %s here", p99.Text).
			do("write an attempt of about three times the p99")
	}
}
