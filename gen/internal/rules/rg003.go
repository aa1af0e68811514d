package rules

import (
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg003 = &rule{
	Rule: Rule{
		ID: "RG003", Name: "key-not-in-contract", Severity: diag.Warn,
		Depends: "warning; error where the key cannot arrive",
		Says:    "An idempotency key is sent that the spec does not declare on the operation, or in a place that takes none.",
	},
	check: checkKeyNotInContract,
}

func checkKeyNotInContract(p *pass) {
	for _, o := range p.plan.Operations {
		if o.Key == nil || cannotArrive(p, o) || takesNoText(p, o) || o.Key.Declared() || deepInBody(o) {
			continue
		}
		p.operationAt(o, keyNamed(o.Key), "the spec declares no %s; a provider that does not know it makes every repeat a second write", carrier(o.Key)).
			do("declare it on the operation, in an overlay if the spec is not yours, once the provider's documentation says that it is honoured")
	}
}

// cannotArrive finds a key in a place that no call can fill, or that the server
// fills itself: whatever is sent there is no key to it.
func cannotArrive(p *pass, o *policy.Operation) bool {
	k := o.Key
	if k.In != policy.KeyInBody {
		return false
	}
	if o.Spec.Body == nil || !slices.ContainsFunc(o.Spec.Body.Contents, func(c *model.Content) bool { return c.Encoding == model.JSON }) {
		p.operationAt(o, keyNamed(k), "the key belongs into a JSON body and the operation takes none; every call would be refused before it is sent").
			as(diag.Error).do("name the header or query parameter that carries the key, or declare the body as JSON")
		return true
	}
	for _, f := range k.Path {
		if f.ReadOnly {
			p.operationAt(o, keyNamed(k), "the spec says that the server fills %s (readOnly); it ignores a key there, and runs every repeat", carrier(k)).
				as(diag.Error).near(f.Pos, "it is declared here").
				do("name what the provider documents as idempotency key; without one write class: unsafe")
			return true
		}
	}
	return false
}

// takesNoText finds a key that is made here, a text, where the spec declares a
// value of another type.
func takesNoText(p *pass, o *policy.Operation) bool {
	if o.Key.Generate == policy.GenerateCaller || o.Key.TakesText() {
		return false
	}
	f := p.operationAt(o, keyNamed(o.Key), "the spec declares %s with values that a key, a text made for the call, is none of; the server refuses it, or does not know it as a key", carrier(o.Key))
	f.do("correct the declared type in an overlay, write generate: caller, or name what carries the key")
	return true
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
