package openapi

import (
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// A component is one of components.schemas.
type component struct {
	key    string // as written
	schema schemaAt
	typ    *model.Type // named before anything is lowered
	begun  bool        // its type is being made, or has been
}

// component finds the component that a reference names, or nil.
func (l *lowerer) component(ref string) *component {
	return l.components[l.tree.componentName("schemas", ref)]
}

// nameComponents gives every component of the document its plain name, in
// document order, before anything is synthesised. Names by x-go-name come first.
func (l *lowerer) nameComponents() {
	schemas := l.tree.kin.Components.Schemas
	for key, node := range l.tree.root.At("components", "schemas").Members() {
		name := key.Text()
		c := &component{key: name, schema: at(schemas[name], node)}
		c.typ = &model.Type{Pos: node.Pos(), Schema: name, Pointer: pointer("/components/schemas", name)}
		l.components[name] = c
		l.order = append(l.order, c)
		if own := overrideName(node); own != "" {
			c.typ.Name = l.scope.Take(own, own+"Model")
		}
	}
	for _, c := range l.order {
		if c.typ.Name == "" {
			plain := names.Exported(c.key)
			c.typ.Name = l.scope.Take(plain, names.ExportedSpelled(c.key), plain+"Model")
		}
	}
	l.findChildren()
}

// overrideName is the Go name that x-go-name asks for, if it is one that can be
// exported.
func overrideName(node document.Node) string {
	n := node.Get("x-go-name")
	if n.Kind() != document.Text || n.Text() == "" || names.Exported(n.Text()) != n.Text() {
		return ""
	}
	return n.Text()
}

// lowerComponent makes the type of a component, once. While it is being made
// the type is there already, so that it can refer to itself.
func (l *lowerer) lowerComponent(c *component) *model.Type {
	if c.begun {
		return c.typ
	}
	c.begun = true
	expanding, open := l.expanding, l.open // a component is made once, whatever is being made around it
	l.expanding, l.open = map[document.Node]bool{}, map[useID]bool{}
	defer func() { l.expanding, l.open = expanding, open }()
	l.api.Types = append(l.api.Types, c.typ)
	p := place{wishes: []string{c.typ.Name}, target: c.typ, pointer: c.typ.Pointer}
	switch {
	case len(l.children[c.key]) > 0:
		l.lowerBase(c, p)
	case l.inheritsOnly(c):
		if sh, ok := l.fold(use{c.schema}); ok {
			l.finishTarget(p, l.lowerShape(sh, p), sh.notes)
		} else {
			l.anyTarget(p)
		}
	default:
		t, n := l.lowerNoted(use{c.schema}, p)
		l.finishTarget(p, t, n)
	}
	return c.typ
}

// lowerComponents makes the types of the components that no operation uses.
func (l *lowerer) lowerComponents() {
	for _, c := range l.order {
		l.lowerComponent(c)
	}
}

// finishTarget turns a component whose value is a type of another place, or a
// plain one, into an alias of it.
func (l *lowerer) finishTarget(p place, t *model.Type, n notes) {
	c := p.target
	if t == c && c.Kind != 0 {
		l.nameScalar(c)
		return
	}
	for e := t; e != nil && e.Kind == model.Alias; e = e.Elem {
		if e.Elem == c {
			l.refuseCircle(p)
			return
		}
	}
	if t == c {
		l.refuseCircle(p)
		return
	}
	c.Kind, c.Elem = model.Alias, t
	c.Description, c.Deprecated = firstText(n.description, n.title), n.deprecated
	c.Nullable = n.nullable && !isNullable(t)
}

// refuseCircle makes any value of a component that is defined by itself alone.
func (l *lowerer) refuseCircle(p place) {
	l.diags.Warnf(p.target.Pos, "ref-cycle", "schema %q refers to itself and nothing else; it becomes any value", p.target.Schema).
		WithHint("say what the value is")
	l.anyTarget(p)
}

// nameScalar makes an alias of a component that is a plain value: the name is
// the component's, the value a type without one.
func (l *lowerer) nameScalar(t *model.Type) {
	switch t.Kind {
	case model.Struct, model.Union, model.Enum, model.List, model.Map, model.Alias:
		return
	}
	if t.Const != nil {
		return
	}
	elem := &model.Type{Pos: t.Pos, Kind: t.Kind, Pointer: t.Pointer, Format: t.Format, Limits: t.Limits}
	t.Kind, t.Elem = model.Alias, elem
}

// anyTarget gives the place any value.
func (l *lowerer) anyTarget(p place) {
	p.target.Kind = model.Alias
	p.target.Elem = &model.Type{Pos: p.target.Pos, Kind: model.Any, Pointer: p.pointer}
}
