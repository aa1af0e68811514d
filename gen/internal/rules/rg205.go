package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg205 = &rule{
	Rule: Rule{
		ID: "RG205", Name: "reopens-too-early", Severity: diag.Warn,
		Says: "The circuit is tried again before the dependency is expected to have recovered.",
	},
	check: checkReopensTooEarly,
}

func checkReopensTooEarly(p *pass) {
	for _, c := range guarded(p) {
		openFor, recovery := c.Leaves.Get(policy.BreakerOpenFor), c.Expect(policy.ExpectRecovery)
		d, limited := openFor.Duration()
		r, known := recovery.Duration()
		if !limited || !known || d >= r {
			continue
		}
		p.compartment(c, openFor, "openFor is %s and recovery is expected to take %s; the probes hit a dependency that is still down", openFor.Text, recovery.Text).
			near(recovery.Origin.Pos, "recovery is %s here", recovery.Text).
			do("write openFor: %s or more, or correct what is expected", recovery.Text)
	}
}
