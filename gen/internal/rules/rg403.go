package rules

import (
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg403 = &rule{
	Rule: Rule{
		ID: "RG403", Name: "stale-without-limit", Severity: diag.Error,
		Says: "A stale answer has no age limit, or is kept against a no-store that the spec declares.",
	},
	check: checkStaleLimit,
}

func checkStaleLimit(p *pass) {
	for _, o := range p.plan.Operations {
		kind := o.Value(policy.FallbackKind)
		if kind.Text != "stale" {
			continue
		}
		age := o.Value(policy.FallbackMaxAge)
		if _, limited := age.Duration(); !limited {
			at := kind
			if age.Exists() && written(age.Origin) {
				at = age
			}
			p.operation(o, at, "a stale answer may be of any age; want a maxAge").
				do("write maxAge: the age at which no answer is better than an old one")
		}
		if h := noStore(o.Spec); h != nil {
			p.operation(o, kind, "a stale answer is kept and the spec declares Cache-Control: no-store").
				near(h.Pos, "it is declared here").
				do("write fallback: {kind: none, because: …} on the operation")
		}
	}
}

// noStore is a declared Cache-Control header of a success whose every declared
// value forbids to keep the answer, or nil.
func noStore(o *model.Operation) *model.Param {
	for _, r := range o.Responses {
		if !r.Success() {
			continue
		}
		for _, h := range r.Headers {
			if strings.EqualFold(h.Wire, "Cache-Control") && forbidsKeeping(h.Type) {
				return h
			}
		}
	}
	return nil
}

func forbidsKeeping(t *model.Type) bool {
	if t == nil {
		return false
	}
	var values []model.Literal
	for _, v := range t.Enum {
		values = append(values, v.Value)
	}
	for _, l := range []*model.Literal{t.Const, t.Default} {
		if l != nil {
			values = append(values, *l)
		}
	}
	for _, v := range values {
		if !strings.Contains(strings.ToLower(v.JSON), "no-store") {
			return false
		}
	}
	return len(values) > 0
}
