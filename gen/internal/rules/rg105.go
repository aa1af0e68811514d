package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg105 = &rule{
	Rule: Rule{
		ID: "RG105", Name: "timeout-near-p99", Severity: diag.Error,
		Depends: "warning above 70 % of the limit, error above it",
		Says:    "The expected p99 comes near the attempt limit, or the expected p999 lies above it: calls that would succeed are cut off.",
	},
	check: checkTimeoutNearP99,
}

func checkTimeoutNearP99(p *pass) {
	for _, o := range p.plan.Operations {
		limit, limited := o.Value(policy.TimeoutAttempt).Duration()
		if !limited {
			continue
		}
		p99, p999 := o.Compartment.Expect(policy.ExpectP99), o.Compartment.Expect(policy.ExpectP999)
		d, known := p99.Duration()
		d999, known999 := p999.Duration()
		switch {
		case known && d > limit:
			nearLimit(p, o, p99, "the expected p99 of %s is above the attempt limit of %s; more than 1 call in 100 is cut off")
		case known && exceeds(int64(d), 100, int64(limit), 70):
			nearLimit(p, o, p99, "the expected p99 of %s is above 70 %% of the attempt limit of %s").as(diag.Warn)
		case known999 && d999 > limit:
			nearLimit(p, o, p999, "the expected p999 of %s is above the attempt limit of %s; more than 1 call in 1000 is cut off").as(diag.Warn)
		}
	}
}

func nearLimit(p *pass, o *policy.Operation, expected policy.Value, format string) *finding {
	limit := o.Value(policy.TimeoutAttempt)
	return p.operation(o, attemptLeaf(o), format, expected.Text, limit.Text).
		near(expected.Origin.Pos, "%s is expected here", expected.Text).
		do("write a longer attempt, within the total, or correct what is expected")
}

// attemptLeaf is the leaf that sets an operation's attempt limit: its own or,
// where that is derived, what it is derived from.
func attemptLeaf(o *policy.Operation) policy.Value {
	v := o.Value(policy.TimeoutAttempt)
	if v.Origin.Layer != policy.LayerDerived {
		return v
	}
	return fault(v, o.Value(policy.TimeoutTotal), o.Value(policy.RetryMaxAttempts))
}
