package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg102 = &rule{
	Rule: Rule{
		ID: "RG102", Name: "timeout-order", Severity: diag.Error,
		Says: "An attempt may take longer than its call, or a connection longer than any attempt of its compartment.",
	},
	check: checkTimeoutOrder,
}

func checkTimeoutOrder(p *pass) {
	for _, o := range p.plan.Operations {
		attempt, total := o.Value(policy.TimeoutAttempt), o.Value(policy.TimeoutTotal)
		if !attemptOutlasts(o) {
			continue
		}
		at, other := apart(attempt, total)
		p.operation(o, at, "attempt is %s and total %s; an attempt cannot outlast its call", attempt.Text, total.Text).
			near(other.Origin.Pos, "%s is %s here", other.Leaf, other.Text).
			do("write attempt: %s or less, or a longer total", total.Text)
	}
	for _, c := range p.plan.Compartments {
		checkConnect(p, c)
	}
}

// attemptOutlasts reports whether an attempt may take longer than its call.
func attemptOutlasts(o *policy.Operation) bool {
	attempt, limited := o.Value(policy.TimeoutAttempt).Duration()
	total, bounded := o.Value(policy.TimeoutTotal).Duration()
	return limited && bounded && attempt > total
}

func checkConnect(p *pass, c *policy.Compartment) {
	connect := c.Leaves.Get(policy.TimeoutConnect)
	d, limited := connect.Duration()
	longest, bounded := longestAttempt(c)
	most, _ := longest.Duration()
	if !limited || !bounded || d <= most {
		return
	}
	at, other := apart(connect, longest)
	p.compartment(c, at, "connect is %s and the longest attempt %s; a connection cannot be waited for longer than that", connect.Text, longest.Text).
		near(other.Origin.Pos, "%s is %s here", other.Leaf, other.Text).
		do("write connect: %s or less, or a longer attempt", longest.Text)
}

// apart are the leaf at fault of two and the other one.
func apart(a, b policy.Value) (at, other policy.Value) {
	if at = fault(a, b); at.Leaf == a.Leaf {
		return at, b
	}
	return at, a
}
