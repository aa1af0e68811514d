package openapi

import (
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// fold makes one shape of all the schemas of a use. ok is false where a schema
// is a member of its own allOf, so that there is nothing to fold.
func (l *lowerer) fold(u use) (*shape, bool) {
	var total *shape
	for _, s := range u {
		sh, ok := l.foldOne(s, len(u) > 1)
		if !ok {
			return nil, false
		}
		total = l.merge(total, sh)
	}
	if total == nil {
		total = &shape{node: u.node(), extra: extra{kind: extraUnsaid}}
	}
	return total, true
}

// foldOne is the shape of one schema with its allOf. As a member of an allOf
// (or beside other schemas), a base with a discriminator lends its properties
// and not the choice among its children.
func (l *lowerer) foldOne(s schemaAt, member bool) (*shape, bool) {
	switch {
	case s.shape != nil:
		return s.shape, true
	case s.kin == nil:
		return &shape{node: s.node, extra: extra{kind: extraUnsaid}}, true
	case s.kin.Ref != "":
		return l.foldRef(s, member)
	case s.kin.Value == nil:
		return &shape{node: s.node, extra: extra{kind: extraUnsaid}}, true
	}
	schema := s.kin.Value
	total := l.own(schema, s.node)
	if member && schema.Discriminator != nil {
		total.unions = nil
	}
	own := total.notes
	var members *shape
	for _, m := range allOf(schema, s.node) {
		sh, ok := l.foldOne(m, true)
		if !ok {
			return nil, false
		}
		members = l.merge(members, sh)
	}
	if members == nil {
		return l.addConditional(total, s), true
	}
	bare := !hasOwn(s.node, "allOf") // a wrapper says nothing of its own about null
	nullable := own.nullable || bare && members.nullable
	out := l.merge(members, total)
	out.node = s.node
	out.notes = own
	out.notes.fill(members.notes)
	out.nullable = nullable
	return l.addConditional(out, s), true
}

// foldRef is the shape of a component.
func (l *lowerer) foldRef(s schemaAt, member bool) (*shape, bool) {
	c := l.component(s.kin.Ref)
	if c == nil {
		l.diags.Warnf(s.node.Pos(), "dangling-ref", "$ref %q leads to no schema; the value becomes any value", s.kin.Ref).
			WithHint("correct the reference")
		return &shape{node: s.node, extra: extra{kind: extraUnsaid}}, true
	}
	key := foldKey{c, member}
	if sh := l.folded[key]; sh != nil {
		return sh, true
	}
	if l.folding[c.key] {
		l.diags.Warnf(s.node.Pos(), "allof-cycle", "schema %q is a member of its own allOf; it becomes any value", c.key).
			WithHint("remove the reference to %q", c.key).
			WithRelated(c.schema.node.Pos(), "the schema")
		return nil, false
	}
	l.folding[c.key] = true
	defer delete(l.folding, c.key)
	sh, ok := l.foldOne(c.schema, member)
	if !ok {
		return nil, false
	}
	named := *sh // what a component says of itself is not what the schema around it says
	named.title, named.description, named.deprecated, named.value = "", "", false, document.Node{}
	l.folded[key] = &named
	return &named, true
}

// A foldKey is a component as it is folded: by itself, or as a member.
type foldKey struct {
	component *component
	member    bool
}

// fill takes up what inner notes say where the outer say nothing. Descriptions
// and defaults of a member are its own.
func (n *notes) fill(inner notes) {
	if n.title == "" {
		n.title = inner.title
	}
	if n.description == "" {
		n.description = inner.description
	}
	n.deprecated = n.deprecated || inner.deprecated
	n.readOnly = n.readOnly || inner.readOnly
	n.writeOnly = n.writeOnly || inner.writeOnly
	if !n.value.Exists() {
		n.value = inner.value
	}
}

// merge is what both shapes say. It changes neither; a nil shape says nothing.
func (l *lowerer) merge(a, b *shape) *shape {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	out := &shape{
		notes:    a.notes,
		node:     a.node,
		never:    a.never || b.never,
		nullOnly: a.nullOnly || b.nullOnly,
		encoding: firstText(a.encoding, b.encoding),
		media:    firstText(a.media, b.media),
		tuple:    a.tuple || b.tuple,
		constant: firstNode(a.constant, b.constant),
		unions:   joinUnions(a.unions, b.unions),
		limits:   mergeLimits(a.limits, b.limits),
	}
	out.notes.fill(b.notes)
	out.nullable = a.nullable && b.nullable || a.nullable && b.inert() || b.nullable && a.inert()
	l.mergeTypes(out, a, b)
	mergeProps(out, a, b)
	out.extra = mergeExtra(a.extra, b.extra)
	out.items = joinUses(a.items, b.items)
	mergeEnum(out, a, b)
	return out
}

// mergeTypes keeps the types that both allow, and the format if they agree.
func (l *lowerer) mergeTypes(out, a, b *shape) {
	switch {
	case len(a.types) == 0:
		out.types = b.types
	case len(b.types) == 0:
		out.types = a.types
	default:
		for _, t := range a.types {
			if slices.Contains(b.types, t) || t == "integer" && slices.Contains(b.types, "number") {
				out.types = append(out.types, t)
			} else if t == "number" && slices.Contains(b.types, "integer") {
				out.types = append(out.types, "integer")
			}
		}
		if len(out.types) == 0 {
			l.diags.Warnf(b.node.Pos(), "allof-types", "the members of an allOf are %s and %s, which no value can be; it becomes any value",
				a.types[0], b.types[0]).WithHint("make the types agree").WithRelated(a.node.Pos(), "the other member")
			return
		}
	}
	out.format = firstText(a.format, b.format)
	if a.format != "" && b.format != "" && a.format != b.format {
		out.format = ""
		l.diags.Warnf(b.node.Pos(), "allof-formats", "the members of an allOf have the formats %q and %q; both are left out", a.format, b.format).
			WithHint("make the formats agree").WithRelated(a.node.Pos(), "the other member")
	}
}

// mergeProps joins the properties; one that both name must satisfy both.
func mergeProps(out, a, b *shape) {
	out.props = slices.Clone(a.props)
	for _, p := range b.props {
		i := slices.IndexFunc(out.props, func(q *property) bool { return q.wire == p.wire })
		if i < 0 {
			out.props = append(out.props, p)
			continue
		}
		both := *out.props[i]
		both.value = joinUses(both.value, p.value)
		both.key = p.key
		out.props[i] = &both
	}
	if len(a.required)+len(b.required) == 0 {
		return
	}
	out.required = make(map[string]bool, len(a.required)+len(b.required))
	for name := range a.required {
		out.required[name] = true
	}
	for name := range b.required {
		out.required[name] = true
	}
}

// mergeExtra keeps what says most about further members. A member that is
// closed says nothing about those that the other one names, so that it does not
// close the whole: nobody who writes it means that.
func mergeExtra(a, b extra) extra {
	switch {
	case a.kind == extraTyped && b.kind == extraTyped:
		return extra{kind: extraTyped, value: joinUses(a.value, b.value)}
	case a.kind == extraTyped:
		return a
	case b.kind == extraTyped:
		return b
	case a.kind == extraOpen || b.kind == extraOpen:
		return extra{kind: extraOpen}
	case a.kind == extraClosed && b.kind == extraClosed:
		return a
	}
	return extra{kind: extraUnsaid}
}

// mergeEnum keeps the values that both allow.
func mergeEnum(out, a, b *shape) {
	switch {
	case a.enum == nil:
		out.enum, out.values = b.enum, b.values
	case b.enum == nil:
		out.enum, out.values = a.enum, a.values
	default:
		allowed := map[string]bool{}
		for _, n := range b.enum {
			allowed[literal(n)] = true
		}
		for i, n := range a.enum {
			if allowed[literal(n)] {
				out.enum = append(out.enum, n)
				out.values = append(out.values, a.values[i])
			}
		}
		if len(out.enum) == 0 {
			out.enum, out.values = a.enum, a.values // they exclude each other: an open enum takes any
		}
	}
}

// joinUses is both uses, without what both took from the same place (a base
// that is reached on two ways).
func joinUses(a, b use) use {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.ContainsFunc(out, func(o schemaAt) bool { return o.node.Exists() && o.node == s.node && o.shape == s.shape }) {
			out = append(out, s)
		}
	}
	return out
}

func joinUnions(a, b []union) []union {
	out := slices.Clone(a)
	for _, u := range b {
		if !slices.ContainsFunc(out, func(o union) bool { return o.node == u.node }) {
			out = append(out, u)
		}
	}
	return out
}

func firstText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func firstNode(a, b document.Node) document.Node {
	if a.Exists() {
		return a
	}
	return b
}

// mergeLimits keeps the first of two limits: they are documentation.
func mergeLimits(a, b model.Limits) model.Limits {
	if a.Minimum == "" {
		a.Minimum, a.ExclusiveMinimum = b.Minimum, b.ExclusiveMinimum
	}
	if a.Maximum == "" {
		a.Maximum, a.ExclusiveMaximum = b.Maximum, b.ExclusiveMaximum
	}
	a.MultipleOf = firstText(a.MultipleOf, b.MultipleOf)
	a.Pattern = firstText(a.Pattern, b.Pattern)
	a.MinLength, a.MaxLength = firstInt(a.MinLength, b.MinLength), firstInt(a.MaxLength, b.MaxLength)
	a.MinItems, a.MaxItems = firstInt(a.MinItems, b.MinItems), firstInt(a.MaxItems, b.MaxItems)
	a.Unique = a.Unique || b.Unique
	return a
}

func firstInt(a, b *int) *int {
	if a != nil {
		return a
	}
	return b
}
