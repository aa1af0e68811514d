package rules

import (
	"fmt"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg302 = &rule{
	Rule: Rule{
		ID: "RG302", Name: "bulkhead-against-littles-law", Severity: diag.Warn,
		Says: "maxConcurrent is below the expected rate × p99, so that normal load is refused, or more than ten times above it.",
	},
	check: checkLittlesLaw,
}

func checkLittlesLaw(p *pass) {
	for _, c := range p.plan.Compartments {
		limit, rate, p99 := c.Leaves.Get(policy.BulkheadMaxConcurrent), c.Expect(policy.ExpectRate), c.Expect(policy.ExpectP99)
		d, known := p99.Duration()
		if !known || !rate.Exists() || !limit.Exists() || off(c.Leaves.Get(policy.BulkheadEnabled)) {
			continue
		}
		busy := rate.Rate().In(d) // calls in flight at the p99, in millionths
		have := int64(limit.Int()) * million
		says := ""
		switch {
		case have < busy:
			says = "maxConcurrent is %s and %s at %s need %s in flight; normal load is refused"
		case exceeds(have, 1, max(busy, million), 10):
			says = "maxConcurrent is %s and %s at %s need %s in flight; a hang may take more than ten times that"
		default:
			continue
		}
		p.compartment(c, limit, says, limit.Text, rate.Text, p99.Text, inFlightText(busy)).
			near(rate.Origin.Pos, "rate is %s here", rate.Text).
			near(p99.Origin.Pos, "p99 is %s here", p99.Text).
			do("write a maxConcurrent of two to five times the rate × p99, or correct what is expected")
	}
}

// inFlightText is a number of calls in millionths, rounded up to a tenth.
func inFlightText(millionths int64) string {
	tenths := (millionths + million/10 - 1) / (million / 10)
	if tenths%10 == 0 {
		return fmt.Sprint(tenths / 10)
	}
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}
