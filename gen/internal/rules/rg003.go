package rules

import (
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg003 = &rule{
	Rule: Rule{
		ID: "RG003", Name: "key-not-in-contract", Severity: diag.Warn,
		Says: "An idempotency key is sent that the spec does not declare on the operation.",
	},
	check: checkKeyNotInContract,
}

func checkKeyNotInContract(p *pass) {
	for _, o := range p.plan.Operations {
		if o.Key == nil || o.Key.Declared() || deepInBody(o) {
			continue
		}
		p.operationAt(o, keyNamed(o.Key), "the spec declares no %s; a provider that does not know it makes every repeat a second write", carrier(o.Key)).
			do("declare it on the operation, in an overlay if the spec is not yours, once the provider's documentation says that it is honoured")
	}
}

// carrier is what carries a key, in words: `header Idempotency-Key`.
func carrier(k *policy.Key) string {
	switch k.In {
	case policy.KeyInHeader:
		return "header " + k.Name
	case policy.KeyInQuery:
		return "query parameter " + k.Name
	case policy.KeyInBody:
		return "body property " + k.Pointer
	}
	panic("rules: place of a key " + k.In.String())
}

// keyNamed is where the key's name is written, or where the key is.
func keyNamed(k *policy.Key) policy.Origin {
	for _, l := range []policy.Leaf{policy.KeyName, policy.KeyPointer, policy.KeyPlace} {
		if v := k.Leaves.Get(l); v.Exists() && written(v.Origin) {
			return v.Origin
		}
	}
	return k.Origin
}

// deepInBody reports whether a key's pointer leads, below the top of the body,
// to a property that the spec declares or into a value of which it says nothing.
func deepInBody(o *policy.Operation) bool {
	if o.Key.In != policy.KeyInBody || o.Spec.Body == nil {
		return false
	}
	steps := strings.Split(strings.TrimPrefix(o.Key.Pointer, "/"), "/")
	for _, c := range o.Spec.Body.Contents {
		if c.Encoding == model.JSON && holds(c.Type, steps) {
			return true
		}
	}
	return false
}

// holds reports whether a value of the type may have a member at the path.
func holds(t *model.Type, steps []string) bool {
	for t != nil && t.Kind == model.Alias {
		t = t.Elem
	}
	switch {
	case len(steps) == 0, t == nil, t.Kind == model.Any, t.Kind == model.Union:
		return true // declared; or nothing is known that speaks against it
	case t.Kind == model.Map:
		return holds(t.Elem, steps[1:])
	case t.Kind != model.Struct:
		return false
	}
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(steps[0])
	for _, f := range t.Fields {
		if f.Wire == name {
			return holds(f.Type, steps[1:])
		}
	}
	return false
}
