package openapi

import (
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// lowerObject makes a struct of an object with properties, and a map of one
// without.
func (l *lowerer) lowerObject(sh *shape, p place) *model.Type {
	if len(sh.props) == 0 && sh.extra.kind != extraClosed {
		return l.lowerMap(sh, p)
	}
	t := l.declare(p, sh, model.Struct, "Object")
	for _, prop := range sh.props {
		t.Fields = append(t.Fields, l.lowerField(t, sh, prop, p))
	}
	switch sh.extra.kind {
	case extraTyped:
		t.Extra = l.lower(sh.extra.value, place{wishes: []string{t.Name + "Extra"}, pointer: pointer(p.pointer, "additionalProperties")})
	case extraOpen:
		t.Extra = &model.Type{Pos: t.Pos, Kind: model.Any, Pointer: pointer(p.pointer, "additionalProperties")}
	}
	for name := range sh.required {
		if sh.property(name) == nil && t.Extra == nil {
			t.Extra = &model.Type{Pos: t.Pos, Kind: model.Any, Pointer: p.pointer} // a required member that nobody describes must be sent somehow
			break
		}
	}
	return t
}

// lowerMap makes a map of an object without properties: of any value, unless
// its members have a schema.
func (l *lowerer) lowerMap(sh *shape, p place) *model.Type {
	t := l.newType(p, sh, model.Map)
	if sh.extra.kind == extraTyped {
		t.Elem = l.lower(sh.extra.value, p.value())
		return t
	}
	t.Elem = &model.Type{Pos: t.Pos, Kind: model.Any, Pointer: pointer(p.pointer, "additionalProperties")}
	return t
}

// lowerField makes a struct's field. Its Go name comes last, in finish.
func (l *lowerer) lowerField(owner *model.Type, sh *shape, prop *property, p place) *model.Field {
	typ, n := l.lowerNoted(prop.value, p.member(owner.Name, prop.wire))
	if n.nullable && !isNullable(typ) {
		typ = noted(typ, n)
	}
	f := &model.Field{
		Pos:        prop.key.Pos(),
		Wire:       prop.wire,
		Name:       overrideName(prop.value.node()),
		Deprecated: n.deprecated,
		ReadOnly:   n.readOnly,
		WriteOnly:  n.writeOnly,
		Required:   sh.required[prop.wire] && !n.readOnly && !n.writeOnly,
		Type:       typ,
	}
	f.Description = firstText(n.description, n.title)
	if f.Type.Name != "" && f.Type.Schema == "" && f.Description == f.Type.Description && f.Description != "" {
		f.Type.Description = "" // said at the field
	}
	return f
}
