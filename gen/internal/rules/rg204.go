package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg204 = &rule{
	Rule: Rule{
		ID: "RG204", Name: "trips-on-nothing", Severity: diag.Warn,
		Says: "One or two failures open the circuit, or its failure rate is at or below the errors that are expected anyway.",
	},
	check: checkTripsOnNothing,
}

const million = 1_000_000 // shares and rates count in millionths

func checkTripsOnNothing(p *pass) {
	for _, c := range guarded(p) {
		rate, least := c.Leaves.Get(policy.BreakerFailureRate), c.Leaves.Get(policy.BreakerMinimumCalls)
		if n := failuresToTrip(least.Int(), rate.Share()); rate.Exists() && least.Int() > 0 && n <= 2 {
			at, other := apart(least, rate)
			p.compartment(c, at, "%d of %s calls open the circuit at %s; so few fail on a good day", n, least.Text, rate.Text).
				near(other.Origin.Pos, "%s is %s here", other.Leaf, other.Text).
				do("write a higher minimumCalls, such as 10, or a higher failureRate")
		}
		if row := c.Leaves.Get(policy.BreakerConsecutive); row.Int() == 1 || row.Int() == 2 {
			p.compartment(c, row, "consecutive is %s; so few fail on a good day", row.Text).
				do("write 5 or more, or leave it to the failure rate")
		}
		expected := c.Expect(policy.ExpectErrorRate)
		if rate.Exists() && expected.Exists() && rate.Share() <= expected.Share() {
			p.compartment(c, rate, "failureRate is %s and %s of the calls are expected to fail; the circuit opens when all is as usual", rate.Text, expected.Text).
				near(expected.Origin.Pos, "errorRate is %s here", expected.Text).
				do("write a failureRate well above the expected one, or correct what is expected")
		}
	}
}

// failuresToTrip is how many of the least number of calls must fail for a
// share in millionths: rounded up, at least 1.
func failuresToTrip(calls int, share int64) int64 {
	return max(1, (int64(calls)*share+million-1)/million)
}
