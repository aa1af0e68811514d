package openapi

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// ownDiscriminator reads a schema's discriminator; nil where it names no property.
func (l *lowerer) ownDiscriminator(s *openapi3.Schema, node document.Node) *discriminator {
	if s.Discriminator == nil {
		return nil
	}
	n := node.Get("discriminator")
	if s.Discriminator.PropertyName == "" {
		l.diags.Warnf(n.Pos(), "discriminator", "the discriminator names no property; it is left out").WithHint("add propertyName")
		return nil
	}
	d := &discriminator{node: n, wire: s.Discriminator.PropertyName}
	for key, target := range n.Get("mapping").Members() {
		name := l.tree.componentName("schemas", target.Text())
		if name == "" {
			if _, ok := l.tree.nodes["schemas"][target.Text()]; ok {
				name = target.Text()
			}
		}
		if name == "" {
			l.diags.Warnf(target.Pos(), "discriminator", "the discriminator maps %q to %q, which is no schema; the entry is left out", key.Text(), target.Text()).
				WithHint("name a schema of components.schemas")
			continue
		}
		d.mapping = append(d.mapping, mappingEntry{value: key.Text(), component: name, node: target})
	}
	return d
}

// discriminate tells the variants of a union apart by a property. Arms and
// variants stand in the same order.
func (l *lowerer) discriminate(t *model.Type, arms []arm, d *discriminator) {
	t.Discriminator = &model.Discriminator{Wire: d.wire, Kind: discriminatorKind(l, arms, d.wire)}
	mapped := map[*model.Variant]bool{}
	for _, e := range d.mapping {
		i := slices.IndexFunc(arms, func(a arm) bool { return a.ref != nil && l.isComponent(a.ref, e.component, map[*component]bool{}) })
		if i < 0 || i >= len(t.Variants) {
			l.addMapped(t, e)
			continue
		}
		v := t.Variants[i]
		mapped[v] = true
		v.Values = append(v.Values, e.value)
	}
	for i, a := range arms {
		if i >= len(t.Variants) || mapped[t.Variants[i]] {
			continue
		}
		v := t.Variants[i]
		if v.Values = l.allowedMarks(a, d.wire, map[document.Node]bool{}); len(v.Values) == 0 && a.ref != nil {
			v.Values = []string{a.ref.key}
		}
	}
}

// addMapped makes a variant of a schema that the mapping names and the union
// does not.
func (l *lowerer) addMapped(t *model.Type, e mappingEntry) {
	typ := l.lowerComponent(l.components[e.component])
	for _, v := range t.Variants {
		if v.Type == typ {
			v.Values = append(v.Values, e.value)
			return
		}
	}
	if resolved(typ) == t {
		return
	}
	l.diags.Warnf(e.node.Pos(), "discriminator", "the discriminator maps %q to %q, which is no variant of the union; taken as one", e.value, e.component).
		WithHint("add %q to oneOf", e.component)
	name := typ.Name
	for slices.ContainsFunc(t.Variants, func(v *model.Variant) bool { return v.Name == name }) || name == "Raw" {
		name += "Mapped"
	}
	t.Variants = append(t.Variants, &model.Variant{Name: name, Type: typ, Values: []string{e.value}})
}

// isComponent reports whether c is the component of that key, refers to it, or
// is a union that has it as a variant.
func (l *lowerer) isComponent(c *component, key string, seen map[*component]bool) bool {
	if c.key == key {
		return true
	}
	if seen[c] {
		return false
	}
	seen[c] = true
	core, _ := l.simplify(use{c.schema})
	if len(core) != 1 {
		return false
	}
	if core[0].kin != nil && core[0].kin.Ref != "" {
		next := l.component(core[0].kin.Ref)
		return next != nil && l.isComponent(next, key, seen)
	}
	s := core[0].inline()
	if s == nil {
		return false
	}
	for _, v := range append(slices.Clone(s.OneOf), s.AnyOf...) {
		if v == nil || v.Ref == "" {
			continue
		}
		if next := l.component(v.Ref); next != nil && l.isComponent(next, key, seen) {
			return true
		}
	}
	return false
}

// allowedMarks are the values that an arm itself allows its property to have,
// those of the unions inside it included.
func (l *lowerer) allowedMarks(a arm, wire string, seen map[document.Node]bool) []string {
	out := l.shapeMarks(a.shape, wire)
	for _, g := range a.shape.unions {
		if seen[g.node] {
			continue
		}
		seen[g.node] = true
		inner, _ := l.arms(&shape{extra: extra{kind: extraUnsaid}}, g.variants, 0)
		for _, b := range inner {
			for _, v := range l.allowedMarks(b, wire, seen) {
				if !slices.Contains(out, v) {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// shapeMarks are the values of a property, references followed.
func (l *lowerer) shapeMarks(sh *shape, wire string) []string {
	prop := sh.property(wire)
	if prop == nil {
		return nil
	}
	value, ok := l.fold(prop.value)
	if !ok {
		return nil
	}
	if value.constant.Exists() {
		return []string{value.constant.Text()}
	}
	var out []string
	for _, n := range value.enum {
		out = append(out, n.Text())
	}
	return out
}

// discriminatorKind is the JSON kind of the property: String unless the arms
// say Bool or Int.
func discriminatorKind(l *lowerer, arms []arm, wire string) model.Kind {
	for _, a := range arms {
		prop := a.shape.property(wire)
		if prop == nil {
			continue
		}
		value, ok := l.fold(prop.value)
		if !ok {
			continue
		}
		switch scalarName(value) {
		case "boolean":
			return model.Bool
		case "integer", "number":
			return model.Int
		}
	}
	return model.String
}

// findChildren looks for the schemas that inherit by allOf from a base with a
// discriminator and without oneOf, also through others.
func (l *lowerer) findChildren() {
	for _, base := range l.order {
		s := base.schema.inline()
		if s == nil || s.Discriminator == nil || s.Discriminator.PropertyName == "" || len(s.OneOf)+len(s.AnyOf) > 0 {
			continue
		}
		for _, c := range l.order {
			if c != base && l.inherits(c.schema, base, map[*component]bool{}) {
				l.children[base.key] = append(l.children[base.key], c)
			}
		}
		for target := range base.schema.node.At("discriminator", "mapping").Members() {
			l.addMappedChild(base, base.schema.node.At("discriminator", "mapping", target.Text()).Text())
		}
	}
}

// addMappedChild adds a schema that the base's mapping names.
func (l *lowerer) addMappedChild(base *component, target string) {
	c := l.component(target)
	if c == nil {
		c = l.components[target]
	}
	if c != nil && c != base && !slices.Contains(l.children[base.key], c) {
		l.children[base.key] = append(l.children[base.key], c)
	}
}

// inherits reports whether the schema's allOf leads to the base.
func (l *lowerer) inherits(s schemaAt, base *component, seen map[*component]bool) bool {
	schema := s.inline()
	if schema == nil {
		return false
	}
	for _, m := range schema.AllOf {
		if m == nil {
			continue
		}
		if m.Ref == "" {
			if l.inherits(schemaAt{kin: m}, base, seen) {
				return true
			}
			continue
		}
		c := l.component(m.Ref)
		if c == base {
			return true
		}
		if c == nil || seen[c] {
			continue
		}
		seen[c] = true
		if l.inherits(c.schema, base, seen) {
			return true
		}
	}
	return false
}

// inheritsOnly reports whether a component is an allOf of a base and nothing
// else: a type of its own, not another name of the base's union.
func (l *lowerer) inheritsOnly(c *component) bool {
	s := c.schema.inline()
	if s == nil || len(s.AllOf) == 0 {
		return false
	}
	core, _ := l.simplify(use{c.schema})
	if len(core) != 1 || core[0].kin == nil || core[0].kin.Ref == "" {
		return false
	}
	base := l.component(core[0].kin.Ref)
	return base != nil && len(l.children[base.key]) > 0
}

// lowerBase makes the union of a base with a discriminator: its children, and
// the base itself as a struct.
func (l *lowerer) lowerBase(c *component, p place) {
	sh, ok := l.fold(use{c.schema})
	if !ok {
		l.anyTarget(p)
		return
	}
	t := l.newType(p, sh, model.Union)
	d := l.ownDiscriminator(c.schema.inline(), c.schema.node)
	plain := *sh
	plain.unions = nil
	plain.nullable = false
	plain.description = strings.TrimSpace("Fields that all kinds of " + c.typ.Name + " have.")
	base := l.lowerShape(&plain, p.named(c.typ.Name+"Base", c.typ.Name+"Fields"))
	var arms []arm
	for _, child := range l.children[c.key] {
		told, ok := l.fold(use{child.schema})
		if !ok {
			told = &shape{node: child.schema.node, extra: extra{kind: extraUnsaid}}
		}
		arms = append(arms, arm{ref: child, shape: told})
		typ := l.lowerComponent(child)
		t.Variants = append(t.Variants, &model.Variant{Name: typ.Name, Type: typ})
	}
	arms = append(arms, arm{ref: c, shape: &plain})
	t.Variants = append(t.Variants, &model.Variant{Name: "Base", Type: base})
	l.discriminateBase(t, arms, d)
}

// discriminateBase tells base and children apart: by the mapping, else by what
// a child's own property allows, else by the schema's name.
func (l *lowerer) discriminateBase(t *model.Type, arms []arm, d *discriminator) {
	inherited := l.shapeMarks(arms[len(arms)-1].shape, d.wire)
	t.Discriminator = &model.Discriminator{Wire: d.wire, Kind: discriminatorKind(l, arms, d.wire)}
	for i, v := range t.Variants {
		for _, e := range d.mapping {
			if e.component == arms[i].ref.key {
				v.Values = append(v.Values, e.value)
			}
		}
		if len(v.Values) > 0 {
			continue
		}
		if own := l.shapeMarks(arms[i].shape, d.wire); i < len(arms)-1 && len(own) > 0 && !slices.Equal(own, inherited) {
			v.Values = own
			continue
		}
		v.Values = []string{arms[i].ref.key}
	}
}
