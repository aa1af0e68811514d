package rules

import (
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg206 = &rule{
	Rule: Rule{
		ID: "RG206", Name: "slow-is-not-failure", Severity: diag.Warn,
		Says: "A critical dependency has no detection of slow calls, or one that no attempt lasts long enough to reach.",
	},
	check: checkSlowCalls,
}

func checkSlowCalls(p *pass) {
	for _, c := range guarded(p) {
		if c.Criticality != policy.Critical {
			continue
		}
		if enabled := c.Leaves.Get(policy.BreakerSlowCallEnabled); off(enabled) {
			p.compartment(c, enabled, "detection of slow calls is off for a critical dependency; a slow one holds every slot and trips nothing").
				do("take enabled: false out")
			continue
		}
		checkReachable(p, c)
	}
}

// checkReachable finds the slowest calls that count as slow above the longest
// attempt limit of the compartment.
func checkReachable(p *pass, c *policy.Compartment) {
	longest, limited := longestAttempt(c)
	most, _ := longest.Duration()
	for _, v := range slowOver(c) {
		over, counts := v.Duration()
		switch {
		case !counts:
			p.compartment(c, v, "slowCall.over is %s for a critical dependency; a slow one holds every slot and trips nothing", v.Text).
				do("write a duration below the attempt limit")
		case limited && over > most:
			at, other := apart(v, longest)
			p.compartment(c, at, "slowCall.over is %s and no attempt lasts longer than %s; no call is ever slow", v.Text, longest.Text).
				near(other.Origin.Pos, "%s is %s here", other.Leaf, other.Text).
				do("write slowCall.over below %s", longest.Text)
		}
	}
}

// slowOver are the distinct written values of slowCall.over in a compartment.
// An unwritten one is derived to lie below its attempt limit.
func slowOver(c *policy.Compartment) []policy.Value {
	var out []policy.Value
	seen := map[time.Duration]bool{}
	values := policy.Leaves{c.Leaves.Get(policy.BreakerSlowCallOver)}
	for _, o := range c.Operations {
		values = append(values, o.Leaves.Get(policy.BreakerSlowCallOver))
	}
	for _, v := range values {
		if d, _ := v.Duration(); v.Exists() && written(v.Origin) && !seen[d] {
			seen[d] = true
			out = append(out, v)
		}
	}
	return out
}
