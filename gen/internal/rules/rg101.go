package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg101 = &rule{
	Rule: Rule{
		ID: "RG101", Name: "no-timeout", Severity: diag.Error,
		Says: "An attempt, an idle read or a call has no limit.",
	},
	check: checkNoTimeout,
}

func checkNoTimeout(p *pass) {
	limits := []struct {
		leaf policy.Leaf
		what string
	}{
		{policy.TimeoutAttempt, "an attempt"},
		{policy.TimeoutIdle, "an idle read"},
		{policy.TimeoutTotal, "a call"},
	}
	for _, o := range p.plan.Operations {
		for _, l := range limits {
			v := o.Value(l.leaf)
			if _, limited := v.Duration(); !v.Exists() || limited {
				continue
			}
			p.operation(o, v, "%s is %s; %s that hangs is never given up", l.leaf, v.Text, l.what).
				do("write the longest time that the caller can wait, such as %s: 5s", lastWord(l.leaf))
		}
	}
}
