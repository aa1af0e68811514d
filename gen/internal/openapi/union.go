package openapi

import (
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// An arm is one variant of a union before it has a type.
type arm struct {
	use   use
	ref   *component // the component that it is, or nil
	shape *shape     // what it says, references followed
}

// lowerUnions makes the type of a shape with oneOf or anyOf.
func (l *lowerer) lowerUnions(sh *shape, p place) *model.Type {
	base := *sh
	base.unions = nil
	var groups []union
	for _, g := range sh.unions {
		live, null := l.liveVariants(g)
		base.nullable = base.nullable || null
		said := slices.ContainsFunc(groups, func(o union) bool { return literal(o.node) == literal(g.node) })
		if g.variants = live; len(live) > 0 && !said && !l.narrowing(&base, live) {
			groups = append(groups, g)
		}
	}
	switch {
	case len(groups) == 0:
		return l.lowerShape(&base, p)
	case len(groups) > 1:
		l.diags.Warnf(sh.node.Pos(), "unions", "%d oneOf or anyOf hold at once; what they choose among is kept as any value", len(groups)).
			WithHint("write the combinations as one oneOf")
		if len(base.props) > 0 {
			base.extra = extra{kind: extraOpen}
			return l.lowerShape(&base, p)
		}
		return l.newType(p, &base, model.Any)
	}
	if l.expanding[groups[0].node] || len(l.api.Types) > maxTypes {
		return l.refuseUnion(&base, groups[0], p)
	}
	l.expanding[groups[0].node] = true
	defer delete(l.expanding, groups[0].node)
	arms, null := l.arms(&base, groups[0].variants, 0)
	base.nullable = base.nullable || null
	return l.lowerArms(&base, arms, groups[0].discriminator, p)
}

// refuseUnion keeps what stands beside a union that leads back to itself, or to
// more types than anybody can use, with any further members.
func (l *lowerer) refuseUnion(base *shape, g union, p place) *model.Type {
	l.diags.Warnf(g.node.Pos(), "union-cycle", "this union leads back to itself with further members each time; what it chooses among is kept as any value").
		WithHint("give the variants schemas that do not refer back")
	if len(base.props) > 0 {
		open := *base
		open.extra = extra{kind: extraOpen}
		return l.lowerShape(&open, p)
	}
	return l.newType(p, base, model.Any)
}

// liveVariants are a union's variants without null and without those that fit
// no value.
func (l *lowerer) liveVariants(g union) (live []use, null bool) {
	for _, v := range g.variants {
		if isNull(v) {
			null = true
			continue
		}
		if s := v[0].inline(); s != nil && s.Always != nil && !*s.Always {
			continue // the false schema
		}
		live = append(live, v)
	}
	return live, null
}

// narrowing reports whether every variant only narrows the object it stands
// on: demands members, or restricts ones that the object has. Such a union
// chooses nothing that a type could tell.
func (l *lowerer) narrowing(base *shape, variants []use) bool {
	for _, v := range variants {
		s := v[0]
		if len(v) != 1 || s.inline() == nil || hasOwn(s.node, "required", "type", "properties", "additionalProperties") {
			return false
		}
		if s.node.Get("type").Exists() && !onlyObject(s.inline()) {
			return false
		}
		for key := range s.node.Get("properties").Members() {
			if base.property(key.Text()) == nil {
				return false
			}
		}
		if !s.node.Get("required").Exists() && !s.node.Get("properties").Exists() && s.node.Get("type").Exists() && base.inert() {
			return false
		}
	}
	return len(base.props) > 0 || slices.ContainsFunc(variants, func(v use) bool { return v[0].node.Get("required").Exists() })
}

// arms reads the variants: each together with what stands beside the union,
// unions without a discriminator inside unions opened.
func (l *lowerer) arms(base *shape, variants []use, depth int) (out []arm, null bool) {
	beside := *base
	beside.notes = notes{nullable: true} // null is the variants' to allow
	for _, v := range variants {
		core, n := l.simplify(v)
		null = null || n.nullable
		if len(core) == 1 && core[0].inline() != nil && base.empty() && depth < maxNesting {
			if inner, ok := l.opened(core[0]); ok {
				more, innerNull := l.arms(base, inner, depth+1)
				out, null = append(out, more...), null || innerNull
				continue
			}
		}
		if l.excluded(base, core) {
			continue // no value can be both
		}
		a := arm{use: v}
		if len(core) == 1 && core[0].kin != nil && core[0].kin.Ref != "" {
			a.ref = l.component(core[0].kin.Ref)
		}
		if !base.empty() {
			a.use = append(use{{node: base.node, shape: &beside}}, v...)
			if a.ref != nil && l.covers(v, base) {
				a.use = v
			} else {
				a.ref = nil
			}
		}
		sh, ok := l.fold(a.use)
		if !ok {
			sh = &shape{node: v.node(), extra: extra{kind: extraUnsaid}}
		}
		a.shape = sh
		if a.ref != nil && slices.ContainsFunc(out, func(o arm) bool { return o.ref == a.ref }) {
			continue // named twice
		}
		out = append(out, a)
	}
	return out, null
}

// excluded reports whether a variant is of another JSON type than what stands
// beside the union. A bare "type: object" there excludes nothing: it is written
// beside unions of anything.
func (l *lowerer) excluded(base *shape, v use) bool {
	if len(base.types) == 0 || base.empty() {
		return false
	}
	sh, ok := l.fold(v)
	if !ok || len(sh.types) == 0 {
		return false
	}
	return !slices.ContainsFunc(sh.types, func(t string) bool {
		return slices.Contains(base.types, t) || t == "integer" && slices.Contains(base.types, "number") || t == "number" && slices.Contains(base.types, "integer")
	})
}

// covers reports whether a variant says already all that stands beside the
// union, as a schema does that inherits from where the union stands.
func (l *lowerer) covers(v use, base *shape) bool {
	if base.enum != nil || base.constant.Exists() {
		return false
	}
	sh, ok := l.fold(v)
	if !ok {
		return false
	}
	for _, prop := range base.props {
		if have := sh.property(prop.wire); have == nil || !slices.ContainsFunc(have.value, func(s schemaAt) bool { return s.node == prop.value.node() }) {
			return false
		}
	}
	for name := range base.required {
		if !sh.required[name] {
			return false
		}
	}
	return true
}

// opened are the variants of an inline schema that is nothing but a union.
func (l *lowerer) opened(s schemaAt) ([]use, bool) {
	schema := s.inline()
	if schema.Discriminator != nil || (len(schema.OneOf) > 0) == (len(schema.AnyOf) > 0) || hasOwn(s.node, "oneOf", "anyOf") {
		return nil, false
	}
	variants, _ := l.variants(schema, s.node)
	return variants, true
}

// lowerTypes makes the type of a type list: a union of one variant a type.
func (l *lowerer) lowerTypes(sh *shape, p place) *model.Type {
	has := func(t string) bool { return slices.Contains(sh.types, t) }
	if has("string") && has("boolean") && has("object") && has("array") && (has("number") || has("integer")) {
		return l.newType(p, sh, model.Any) // a list of all types
	}
	var arms []arm
	for _, t := range sh.types {
		alone := &shape{node: sh.node, types: []string{t}, format: sh.format, extra: extra{kind: extraUnsaid}, limits: sh.limits}
		switch t {
		case "object":
			alone.props, alone.required, alone.extra, alone.format = sh.props, sh.required, sh.extra, ""
		case "array":
			alone.items, alone.format = sh.items, ""
		case "boolean":
			alone.format = ""
		}
		arms = append(arms, arm{use: use{{node: sh.node, shape: alone}}, shape: alone})
	}
	return l.lowerArms(sh, arms, nil, p)
}

// lowerArms makes a union of the arms, or the one type that holds them all.
func (l *lowerer) lowerArms(sh *shape, arms []arm, d *discriminator, p place) *model.Type {
	if d == nil || !slices.ContainsFunc(arms, func(a arm) bool { return a.ref != nil || len(a.shape.props) > 0 }) {
		arms = l.collapse(arms)
	}
	if slices.ContainsFunc(arms, func(a arm) bool { return a.shape.inert() && a.ref == nil }) && len(arms) > 1 {
		return l.newType(p, sh, model.Any) // one of them takes anything
	}
	if len(arms) == 1 {
		return l.lowerOnly(sh, arms[0], p)
	}
	if len(arms) == 0 {
		return l.newType(p, sh, model.Any)
	}
	if d == nil {
		if one, ok := l.alike(arms); ok {
			one.notes = sh.notes
			return l.lowerShape(one, p)
		}
	}
	t := l.declare(p, sh, model.Union, "Union")
	scope := names.NewScope(append(jsonMethods[:len(jsonMethods):len(jsonMethods)], "Raw", "Err")...)
	var kept []arm
	for i, a := range arms {
		stem := firstText(variantStem(a, d), ownMember(arms, i))
		typ := l.lower(a.use, place{wishes: []string{names.Join(t.Name, firstText(stem, kindStems[scalarName(a.shape)]))}, pointer: a.pointer(p, i)})
		if resolved(typ) == t {
			l.diags.Warnf(a.use.node().Pos(), "union-cycle", "a variant of this union is the union itself; it is left out").
				WithHint("remove the variant")
			continue
		}
		t.Nullable = t.Nullable || isNullable(typ)
		v := &model.Variant{Type: typ}
		if typ.Name != "" && typ.Schema != "" {
			v.Name = scope.Take(typ.Name)
		} else {
			v.Name = scope.Take(variantName(typ, stem))
		}
		t.Variants = append(t.Variants, v)
		kept = append(kept, a)
	}
	if d != nil {
		l.discriminate(t, kept, d)
	}
	return t
}

// lowerOnly makes the type of a union with one arm.
func (l *lowerer) lowerOnly(sh *shape, a arm, p place) *model.Type {
	t, n := l.lowerNoted(a.use, p)
	n.nullable = n.nullable || sh.nullable
	if n.nullable && !isNullable(t) {
		if t.Schema == "" && t.Name != "" || t == p.target {
			t.Nullable = true
			return t
		}
		return noted(t, n)
	}
	return t
}

// pointer is where an arm stands: as good as is known.
func (a arm) pointer(p place, i int) string {
	if a.ref != nil {
		return a.ref.typ.Pointer
	}
	return pointer(p.pointer, "variants", itoa(i))
}

// resolved follows aliases.
func resolved(t *model.Type) *model.Type {
	for t.Kind == model.Alias && t.Elem != nil {
		t = t.Elem
	}
	return t
}
