package openapi

import (
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// lower makes the type of a use. Notes of the place that the type itself does
// not say are put on an alias without a name.
func (l *lowerer) lower(u use, p place) *model.Type {
	t, n := l.lowerNoted(u, p)
	if n.nullable && !isNullable(t) {
		return noted(t, n)
	}
	return t
}

// lowerNoted is lower for those who keep the notes themselves.
func (l *lowerer) lowerNoted(u use, p place) (*model.Type, notes) {
	core, n := l.simplify(u)
	if len(core) == 1 {
		s := core[0]
		if s.kin != nil && s.kin.Ref != "" {
			if c := l.component(s.kin.Ref); c != nil {
				return l.lowerComponent(c), n
			}
		}
	}
	if len(core) == 0 {
		sh := &shape{node: u.node(), notes: n, extra: extra{kind: extraUnsaid}}
		return l.newType(p, sh, model.Any), n
	}
	id := l.identity(core)
	if id != 0 && p.target == nil {
		if t := l.again(id, core, n, p); t != nil {
			return t, n
		}
		l.open[id] = true
		defer delete(l.open, id)
	}
	sh, ok := l.fold(core)
	if !ok {
		return l.newType(p, &shape{node: u.node(), notes: n}, model.Any), n
	}
	whole := *sh
	whole.id = id
	whole.notes = n
	whole.notes.fill(sh.notes)
	whole.nullable = n.nullable || sh.nullable
	return l.lowerShape(&whole, p), whole.notes
}

// A made is what lowerOnce has made at a place.
type made struct {
	t *model.Type
	n notes
}

// lowerOnce is lowerNoted for schemas of parameters, bodies, answers and
// headers, which operations share by references and path items: the same schema
// gives the same type.
func (l *lowerer) lowerOnce(u use, p place) (*model.Type, notes) {
	node := u.node()
	if have, ok := l.made[node]; ok && node.Exists() {
		return have.t, have.n
	}
	t, n := l.lowerNoted(u, p)
	if n.nullable && !isNullable(t) {
		t = noted(t, n)
	}
	l.made[node] = made{t, n}
	return t, n
}

// isNullable reports whether null is a value of the type already.
func isNullable(t *model.Type) bool {
	for ; t != nil; t = t.Elem {
		if t.Nullable || t.Kind == model.Null {
			return true
		}
		if t.Kind != model.Alias {
			return false
		}
	}
	return false
}

// noted is a type with null among its values.
func noted(t *model.Type, n notes) *model.Type {
	return &model.Type{Pos: t.Pos, Kind: model.Alias, Pointer: t.Pointer, Elem: t, Nullable: n.nullable}
}

// lowerShape makes the type of a folded schema.
func (l *lowerer) lowerShape(sh *shape, p place) *model.Type {
	switch {
	case sh.never:
		l.diags.Warnf(sh.node.Pos(), "never", "no value fits this schema; it becomes any value").
			WithHint("remove it, or say what the value may be")
		return l.newType(p, sh, model.Any)
	case sh.constant.Exists():
		return l.lowerConst(sh, p)
	case sh.enum != nil && !l.enumOfItems(sh):
		return l.lowerEnum(sh, p)
	case len(sh.unions) > 0:
		return l.lowerUnions(sh, p)
	case sh.nullOnly:
		return l.newType(p, sh, model.Null)
	case len(sh.types) > 1:
		return l.lowerTypes(sh, p)
	}
	switch name := typeName(sh); name {
	case "":
		return l.newType(p, sh, model.Any)
	case "object":
		return l.lowerObject(sh, p)
	case "array":
		return l.lowerList(sh, p)
	default:
		return l.newType(p, sh, scalarKind(name, sh))
	}
}

// typeName is the JSON type of a shape, or what its keywords show where it
// names none; "" is any.
func typeName(sh *shape) string {
	switch {
	case len(sh.types) == 1:
		return sh.types[0]
	case len(sh.props) > 0 || sh.extra.kind == extraTyped || sh.extra.kind == extraOpen:
		return "object"
	case sh.items != nil || sh.tuple:
		return "array"
	}
	return ""
}

// enumOfItems reports whether the enum stands on a list but speaks of its
// items, which people write often: a list is never one of plain values.
func (l *lowerer) enumOfItems(sh *shape) bool {
	if typeName(sh) != "array" {
		return false
	}
	l.diags.Warnf(sh.enum[0].Pos(), "enum-of-list", "the enum stands on a list but names plain values; read as the values of its items").
		WithHint("move enum under items")
	return true
}

// lowerList makes a list.
func (l *lowerer) lowerList(sh *shape, p place) *model.Type {
	t := l.newType(p, sh, model.List)
	items := sh.items
	if sh.enum != nil {
		itemShape := &shape{node: sh.node, enum: sh.enum, values: sh.values, extra: extra{kind: extraUnsaid}}
		items = append(items[:len(items):len(items)], schemaAt{node: sh.node, shape: itemShape})
	}
	if items == nil {
		t.Elem = &model.Type{Pos: t.Pos, Kind: model.Any, Pointer: pointer(p.pointer, "items")}
		return t
	}
	t.Elem = l.lower(items, p.item())
	return t
}

// lowerConst makes the type of a constant.
func (l *lowerer) lowerConst(sh *shape, p place) *model.Type {
	kind := valueKind(sh.constant)
	text := literal(sh.constant)
	switch {
	case kind == model.Int && len(sh.types) == 1 && sh.types[0] == "number":
		kind = model.Float
	case kind == model.Null:
		t := l.newType(p, sh, model.Null)
		t.Const = &model.Literal{JSON: text}
		return t
	}
	t := l.declare(p, sh, kind, "Const")
	if kind != model.Int && kind != model.Float {
		t.Format = ""
	}
	t.Const = &model.Literal{JSON: text}
	return t
}

// literalOf is a node as a literal, or nil where there is none.
func literalOf(n document.Node) *model.Literal {
	if !n.Exists() {
		return nil
	}
	return &model.Literal{JSON: literal(n)}
}
