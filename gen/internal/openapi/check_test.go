package openapi_test

import (
	"go/token"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// checkModel holds what the stages after this one rely on: every type is
// finished, every name is an identifier and unique in its scope, every named
// type that is used is listed.
func checkModel(t *testing.T, api *model.API) {
	t.Helper()
	c := modelCheck{t: t, level: scope{}, listed: map[*model.Type]bool{}}
	for _, typ := range api.Types {
		c.listed[typ] = true
		c.level.take(t, typ.Name, "type of "+typ.Pointer)
		for _, v := range typ.Enum {
			c.level.take(t, v.Name, "constant of "+typ.Name)
		}
	}
	methods := scope{}
	for _, o := range api.Operations {
		methods.take(t, o.Name, o.ID)
		c.operation(o)
	}
	for _, typ := range api.Types {
		typ.Walk(c.typ)
	}
}

type scope map[string]string

func (s scope) take(t *testing.T, name, what string) {
	t.Helper()
	if !token.IsIdentifier(name) || !token.IsExported(name) {
		t.Errorf("%q, %s, is no exported identifier", name, what)
	}
	if other, taken := s[name]; taken {
		t.Errorf("%q is %s and %s", name, other, what)
	}
	s[name] = what
}

type modelCheck struct {
	t      *testing.T
	level  scope
	listed map[*model.Type]bool
	seen   map[*model.Type]bool
}

func (c *modelCheck) operation(o *model.Operation) {
	if o.Request != "" {
		c.level.take(c.t, o.Request, "request of "+o.ID)
	}
	if o.Result != "" {
		c.level.take(c.t, o.Result, "result of "+o.ID)
	}
	fields := scope{}
	for _, p := range o.Params {
		fields.take(c.t, p.Name, "parameter "+p.Wire+" of "+o.ID)
		if p.Type == nil || p.Style == 0 || p.In == 0 {
			c.t.Errorf("parameter %s of %s is not finished", p.Wire, o.ID)
		}
	}
	stems := scope{}
	for _, r := range o.Responses {
		stems.take(c.t, r.Stem, "answer of "+o.ID)
		if r.Name != "" {
			c.level.take(c.t, r.Name, "error of "+o.ID)
		}
		if r.HeadersName != "" {
			c.level.take(c.t, r.HeadersName, "headers of "+o.ID)
		}
	}
	o.Types(c.typ)
}

// typ checks one type; it is a visit of Walk.
func (c *modelCheck) typ(typ *model.Type) bool {
	if c.seen == nil {
		c.seen = map[*model.Type]bool{}
	}
	if c.seen[typ] {
		return false
	}
	c.seen[typ] = true
	switch {
	case typ.Kind == 0:
		c.t.Errorf("type %q at %s has no kind", typ.Name, typ.Pointer)
	case typ.Name != "" && !c.listed[typ]:
		c.t.Errorf("type %s at %s is used and not listed", typ.Name, typ.Pointer)
	case typ.Name == "" && (typ.Kind == model.Struct || typ.Kind == model.Union || typ.Kind == model.Enum || typ.Const != nil && typ.Kind != model.Null):
		c.t.Errorf("the %s at %s has no name", kindWords[typ.Kind], typ.Pointer)
	case typ.Elem == nil && (typ.Kind == model.List || typ.Kind == model.Map || typ.Kind == model.Alias || typ.Kind == model.Enum):
		c.t.Errorf("the %s %s at %s has no element", kindWords[typ.Kind], typ.Name, typ.Pointer)
	case typ.Kind == model.Union && len(typ.Variants) < 1:
		c.t.Errorf("union %s at %s has no variants", typ.Name, typ.Pointer)
	case !typ.Pos.IsValid():
		c.t.Errorf("type %s at %s has no position", typ.Name, typ.Pointer)
	}
	fields := scope{}
	for _, f := range typ.Fields {
		fields.take(c.t, f.Name, "field "+f.Wire+" of "+typ.Name)
	}
	variants := scope{}
	for _, v := range typ.Variants {
		variants.take(c.t, v.Name, "variant of "+typ.Name)
	}
	return true
}
