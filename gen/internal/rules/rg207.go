package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg207 = &rule{
	Rule: Rule{
		ID: "RG207", Name: "never-trips", Severity: diag.Warn,
		Says: "At the expected rate the window never holds minimumCalls: the circuit cannot open.",
	},
	check: checkNeverTrips,
}

func checkNeverTrips(p *pass) {
	for _, c := range guarded(p) {
		window, least, rate := c.Leaves.Get(policy.BreakerWindow), c.Leaves.Get(policy.BreakerMinimumCalls), c.Expect(policy.ExpectRate)
		d, limited := window.Duration()
		if !limited || !rate.Exists() || c.Leaves.Get(policy.BreakerConsecutive).Int() > 0 {
			continue // a row of failures opens it at any rate
		}
		if rate.Rate().In(d) >= int64(least.Int())*million {
			continue
		}
		at, other := apart(least, window)
		p.compartment(c, at, "at %s a window of %s never holds %s calls; the circuit cannot open", rate.Text, window.Text, least.Text).
			near(other.Origin.Pos, "%s is %s here", other.Leaf, other.Text).
			near(rate.Origin.Pos, "rate is %s here", rate.Text).
			do("write a longer window, a lower minimumCalls, or consecutive: 5")
	}
}
