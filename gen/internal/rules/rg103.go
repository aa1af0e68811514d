package rules

import (
	"fmt"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg103 = &rule{
	Rule: Rule{
		ID: "RG103", Name: "last-attempt-cannot-start", Severity: diag.Warn,
		Says: "If every attempt times out, the last one never starts: the call ends before.",
	},
	check: checkLastAttempt,
}

func checkLastAttempt(p *pass) {
	for _, o := range p.plan.Operations {
		n, ok := starting(o)
		if !ok || n >= attempts(o) || !retried(o) || !o.Value(policy.RetryWhen).Set().HasWord("timeout") {
			continue // they all start, or no attempt follows one that timed out
		}
		if attemptOutlasts(o) {
			continue // RG102
		}
		most, attempt, total := o.Value(policy.RetryMaxAttempts), o.Value(policy.TimeoutAttempt), o.Value(policy.TimeoutTotal)
		at := fault(most, attempt, total)
		f := p.operation(o, at, "maxAttempts is %s, but if each takes its %s only %s within %s",
			most.Text, attempt.Text, start(n), total.Text)
		for _, v := range []policy.Value{most, attempt, total} {
			if v.Leaf != at.Leaf {
				f.near(v.Origin.Pos, "%s is %s here", v.Leaf, v.Text)
			}
		}
		f.do("write maxAttempts: %d, a shorter attempt, or a longer total", n)
	}
}

func start(n int) string {
	if n == 1 {
		return "1 starts"
	}
	return fmt.Sprintf("%d start", n)
}
