package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg009 = &rule{
	Rule: Rule{
		ID: "RG009", Name: "body-cannot-replay", Severity: diag.Warn,
		Says: "An operation that is to be retried takes a streamed request body, which can be sent only once.",
	},
	check: checkBodyReplay,
}

func checkBodyReplay(p *pass) {
	for _, o := range p.plan.Operations {
		c := streamed(o.Spec.Body)
		if c == nil || !retried(o) {
			continue
		}
		p.operation(o, o.Value(policy.RetryMaxAttempts),
			"the %s body is streamed and %d attempts are allowed; from a plain reader only the first can be made", c.MediaType, attempts(o)).
			near(c.Pos, "the body is declared here").
			do("give the call a file or bytes, which can be read again, and waive this; or write maxAttempts: 1 on the operation")
	}
}

// streamed is the content of a body that is handed on as bytes, or nil.
func streamed(b *model.Body) *model.Content {
	if b == nil {
		return nil
	}
	for _, c := range b.Contents {
		if c.Encoding == model.Binary {
			return c
		}
	}
	return nil
}
