package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg502 = &rule{
	Rule: Rule{
		ID: "RG502", Name: "no-jitter", Severity: diag.Warn,
		Says: "The waits between attempts have no jitter or do not grow: clients that failed together come back together.",
	},
	check: checkJitter,
}

func checkJitter(p *pass) {
	for _, o := range p.plan.Operations {
		if !retried(o) {
			continue
		}
		jitter := o.Value(policy.RetryBackoffJitter)
		if jitter.Text == "none" {
			p.operation(o, jitter, "backoff has no jitter; clients that failed together come back together").
				do("write jitter: full")
		}
		if attempts(o) > 2 {
			checkGrowth(p, o, jitter)
		}
	}
}

// checkGrowth finds waits that do not grow from one repeat to the next.
// Decorrelated ones grow by themselves, whatever the multiplier.
func checkGrowth(p *pass, o *policy.Operation, jitter policy.Value) {
	initial, most, factor := o.Value(policy.RetryBackoffInitial), o.Value(policy.RetryBackoffMax), o.Value(policy.RetryBackoffMultiplier)
	first, _ := initial.Duration()
	limit, limited := most.Duration()
	switch {
	case limited && limit <= first && most.Exists():
		at, other := apart(most, initial)
		p.operation(o, at, "backoff starts at %s and stays there: max is %s", initial.Text, most.Text).
			near(other.Origin.Pos, "%s is %s here", other.Leaf, other.Text).
			do("write a max of several times the initial")
	case factor.Exists() && factor.Factor() == 1000 && jitter.Text != "decorrelated":
		p.operation(o, factor, "multiplier is %s, so that backoff stays at %s", factor.Text, initial.Text).
			do("write multiplier: 2")
	}
}
