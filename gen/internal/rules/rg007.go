package rules

import (
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg007 = &rule{
	Rule: Rule{
		ID: "RG007", Name: "key-required-not-sent", Severity: diag.Error,
		Says: "The spec requires an idempotency key and the policy gives none.",
	},
	check: checkKeyRequired,
}

func checkKeyRequired(p *pass) {
	for _, o := range p.plan.Operations {
		if o.Class == policy.Safe {
			continue // of a read a declared key is an ordinary parameter
		}
		for _, param := range o.Spec.Params {
			if param.In == model.InHeader && param.Required && policy.IsKeyHeader(param.Wire) && !sends(o, param) {
				f := notSent(p, o, "header "+param.Wire, param.Pos, "write idempotency.class: keyed with key: {in: header, name: "+param.Wire+"}")
				f.chosen(param.Pos)
			}
		}
		if f := requiredBodyKey(o); f != nil && o.Key == nil {
			notSent(p, o, "body property "+f.Wire, f.Pos, "write idempotency.class: keyed with key: {in: body, pointer: /"+f.Wire+"}")
		}
	}
}

// notSent stands at what keeps the key away: the class, or a key of another
// name. Where nobody wrote either it is an info.
func notSent(p *pass, o *policy.Operation, what string, declared diag.Pos, hint string) *finding {
	at := o.ClassOrigin
	if o.Key != nil {
		at = keyNamed(o.Key)
	}
	return p.operationAt(o, at, "the spec requires %s and the policy gives no key for it", what).
		near(declared, "it is declared here").do("%s", hint)
}

func sends(o *policy.Operation, param *model.Param) bool {
	if o.Key == nil {
		return false
	}
	if o.Key.In == policy.KeyInHeader && strings.EqualFold(o.Key.Name, param.Wire) {
		return true
	}
	for _, other := range o.Key.Params {
		if other == param {
			return true
		}
	}
	return false
}

// requiredBodyKey is a required property at the top of a JSON body that bears
// the name which providers give to a key there, or nil.
func requiredBodyKey(o *policy.Operation) *model.Field {
	if o.Spec.Body == nil {
		return nil
	}
	for _, c := range o.Spec.Body.Contents {
		t := c.Type
		for t != nil && t.Kind == model.Alias {
			t = t.Elem
		}
		if c.Encoding != model.JSON || t == nil {
			continue
		}
		for _, f := range t.Fields {
			if f.Required && policy.IsKeyProperty(f.Wire) {
				return f
			}
		}
	}
	return nil
}
