package openapi

// alike makes one object of inline variants that have the same members and
// differ in the values of plain ones only, as lists of error codes do: nobody
// would write a type for each. ok is false where they are not alike.
func (l *lowerer) alike(arms []arm) (*shape, bool) {
	if len(arms) < 2 {
		return nil, false
	}
	first := arms[0].shape
	for _, a := range arms {
		if a.ref != nil || !sameMembers(first, a.shape) {
			return nil, false
		}
	}
	out := &shape{node: first.node, types: []string{"object"}, extra: first.extra, required: map[string]bool{}}
	for _, prop := range first.props {
		value, ok := l.alikeValue(arms, prop.wire)
		if !ok {
			return nil, false
		}
		required := true
		for _, a := range arms {
			required = required && a.shape.required[prop.wire]
		}
		if required {
			out.required[prop.wire] = true
		}
		out.props = append(out.props, &property{wire: prop.wire, key: prop.key, value: value})
	}
	return out, true
}

// sameMembers reports whether two shapes are objects with the same properties
// and nothing else.
func sameMembers(a, b *shape) bool {
	if len(b.unions) > 0 || b.enum != nil || b.constant.Exists() || len(a.props) == 0 || len(a.props) != len(b.props) ||
		typeName(b) != "object" || b.extra.kind == extraTyped || b.nullable {
		return false
	}
	for _, prop := range a.props {
		if b.property(prop.wire) == nil {
			return false
		}
	}
	return true
}

// alikeValue is what a property of all the arms holds, where that is one plain
// type or one component.
func (l *lowerer) alikeValue(arms []arm, wire string) (use, bool) {
	var values []arm
	class, refs := "", 0
	for i, a := range arms {
		core, n := l.simplify(a.shape.property(wire).value)
		v := arm{use: core}
		if len(core) == 1 && core[0].kin != nil && core[0].kin.Ref != "" {
			v.ref = l.component(core[0].kin.Ref)
			if i == 0 || values[0].ref == v.ref {
				refs++
			}
		}
		sh, ok := l.fold(core)
		if !ok || n.nullable {
			return nil, false
		}
		v.shape = sh
		values = append(values, v)
		if c := scalarClass(v); i == 0 {
			class = c
		} else if c != class {
			class = ""
		}
	}
	switch {
	case refs == len(arms):
		return arms[0].shape.property(wire).value, true
	case class == "":
		return nil, false
	}
	joined := joinScalars(class, values)
	if plain := joined.shape; joined.ref == nil && (plain.enum != nil) != (values[0].shape.enum != nil) {
		return nil, false
	}
	return joined.use, true
}
