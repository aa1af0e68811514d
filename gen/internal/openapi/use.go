package openapi

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
)

// A schemaAt is a schema as it stands at one place. Exactly one of ref and
// shape is set where there is a schema at all: a reference or an inline schema
// as decoded, or one that was put together here.
type schemaAt struct {
	kin   *openapi3.SchemaRef
	node  document.Node
	shape *shape // a schema made by folding others; kin is nil then
}

// inline is the schema written at the place, or nil: for a reference, for
// nothing, and for null.
func (s schemaAt) inline() *openapi3.Schema {
	if s.kin == nil || s.kin.Ref != "" {
		return nil
	}
	return s.kin.Value
}

// at pairs a child of kin with the node it was decoded from.
func at(kin *openapi3.SchemaRef, node document.Node) schemaAt {
	return schemaAt{kin: kin, node: node}
}

// A use is what a place says about a value: all of its schemas hold. Most
// places have one.
type use []schemaAt

// one is the use of a single schema.
func one(kin *openapi3.SchemaRef, node document.Node) use { return use{at(kin, node)} }

// node is the place itself.
func (u use) node() document.Node {
	for _, s := range u {
		if s.node.Exists() {
			return s.node
		}
	}
	return document.Node{}
}

// notes are what a place says about a value besides its type.
type notes struct {
	title       string
	description string
	deprecated  bool
	readOnly    bool
	writeOnly   bool
	nullable    bool
	value       document.Node // default
}

// add takes up what an inner schema says, unless an outer one has said it.
func (n *notes) add(s *openapi3.Schema, node document.Node) {
	if n.title == "" {
		n.title = s.Title
	}
	if n.description == "" {
		n.description = s.Description
	}
	n.deprecated = n.deprecated || s.Deprecated
	n.readOnly = n.readOnly || s.ReadOnly
	n.writeOnly = n.writeOnly || s.WriteOnly
	n.nullable = n.nullable || saysNull(s, node)
	if !n.value.Exists() {
		n.value = node.Get("default")
	}
}

// saysNull reports whether the schema itself allows null: nullable, x-nullable,
// a type list with null, or null among its enum's values.
func saysNull(s *openapi3.Schema, node document.Node) bool {
	if s.Nullable || node.Get("x-nullable").Text() == "true" {
		return true
	}
	if s.Type != nil {
		for _, t := range *s.Type {
			if t == "null" {
				return true
			}
		}
	}
	for item := range node.Get("enum").Items() {
		if item.Kind() == document.Null {
			return true
		}
	}
	return false
}

// simplify strips a use of everything that only comments on it: annotations
// beside a reference, allOf with one member, unions of one type and null. What
// is left are the schemas that say what the value is.
func (l *lowerer) simplify(u use) (use, notes) {
	var n notes
	core := l.strip(u, &n, 0)
	if len(core) != 1 {
		return core, n
	}
	if s := core[0].inline(); s != nil {
		n.add(s, core[0].node)
	}
	if core[0].kin != nil && core[0].kin.Ref != "" {
		readOnly, writeOnly := l.directions(core[0])
		n.readOnly, n.writeOnly = n.readOnly || readOnly, n.writeOnly || writeOnly
	}
	return core, n
}

// directions reports whether the component that is referred to says of itself
// that it only travels one way.
func (l *lowerer) directions(s schemaAt) (readOnly, writeOnly bool) {
	for range maxChain {
		if s.kin == nil || s.kin.Ref == "" {
			break
		}
		c := l.component(s.kin.Ref)
		if c == nil {
			return false, false
		}
		s = c.schema
	}
	if schema := s.inline(); schema != nil {
		return schema.ReadOnly, schema.WriteOnly
	}
	return false, false
}

// maxNesting bounds how deep wrappers may stand in each other.
const maxNesting = 50

func (l *lowerer) strip(u use, n *notes, depth int) use {
	var core, weak use
	for _, s := range u {
		for _, part := range l.unwrap(s, n, depth) {
			switch weight(part) {
			case weightNothing:
			case weightObject:
				weak = append(weak, part)
			default:
				if !contains(core, part) {
					core = append(core, part)
				}
			}
		}
	}
	if len(core) == 0 && len(weak) > 0 {
		return weak[:1]
	}
	return core
}

// contains reports whether the use names the same component already.
func contains(u use, s schemaAt) bool {
	if s.kin == nil || s.kin.Ref == "" {
		return false
	}
	for _, other := range u {
		if other.kin != nil && other.kin.Ref == s.kin.Ref {
			return true
		}
	}
	return false
}

// unwrap takes the wrappers off one schema.
func (l *lowerer) unwrap(s schemaAt, n *notes, depth int) use {
	if s.shape != nil || s.kin == nil || depth > maxNesting {
		return use{s}
	}
	if s.kin.Ref != "" {
		return l.unwrapRef(s, n, depth)
	}
	schema := s.kin.Value
	if schema == nil || schema.Always != nil {
		return use{s}
	}
	switch {
	case len(schema.AllOf) > 0 && (!hasOwn(s.node, "allOf") || onlyObject(schema) && !hasOwn(s.node, "allOf", "type")):
		n.add(schema, s.node)
		return l.strip(allOf(schema, s.node), n, depth+1)
	case (len(schema.OneOf) > 0) != (len(schema.AnyOf) > 0) && !hasOwn(s.node, "oneOf", "anyOf") && schema.Discriminator == nil:
		variants, null := l.variants(schema, s.node)
		if len(variants) == 1 {
			n.add(schema, s.node)
			n.nullable = n.nullable || null
			return l.strip(variants[0], n, depth+1)
		}
	}
	if !constrains(s.node) {
		n.add(schema, s.node)
	}
	return use{s}
}

// unwrapRef parts a reference from the keywords beside it.
func (l *lowerer) unwrapRef(s schemaAt, n *notes, depth int) use {
	if s.node.Len() <= 1 {
		return use{s}
	}
	var beside openapi3.Schema
	if err := s.node.Decode(&beside); err != nil {
		l.diags.Warnf(s.node.Pos(), "ref-siblings", "the keywords beside $ref %q cannot be read and are left out", s.kin.Ref).
			WithHint("remove them, or put both into an allOf")
		return use{s}
	}
	plain := schemaAt{kin: &openapi3.SchemaRef{Ref: s.kin.Ref}, node: s.node}
	rest := schemaAt{kin: &openapi3.SchemaRef{Value: &beside}, node: s.node}
	return append(use{plain}, l.unwrap(rest, n, depth+1)...)
}

// allOf are the members of a schema's allOf as one use.
func allOf(schema *openapi3.Schema, node document.Node) use {
	var u use
	i := 0
	for item := range node.Get("allOf").Items() {
		if i < len(schema.AllOf) {
			u = append(u, at(schema.AllOf[i], item))
		}
		i++
	}
	return u
}

// How much a schema says about the value.
const (
	weightNothing = iota + 1 // annotations only
	weightObject             // that it is an object, and no more
	weightAll                // something that makes a type
)

func weight(s schemaAt) int {
	schema := s.inline()
	if schema == nil {
		if s.shape == nil && (s.kin == nil || s.kin.Ref == "") {
			return weightNothing // nothing, or null
		}
		return weightAll
	}
	switch {
	case schema.Always != nil && *schema.Always:
		return weightNothing
	case schema.Always != nil:
		return weightAll
	case !constrains(s.node):
		return weightNothing
	case onlyObject(schema) && !hasOwn(s.node, "type"):
		return weightObject
	}
	return weightAll
}

// onlyObject reports whether the schema's type is object, or object and null.
func onlyObject(schema *openapi3.Schema) bool {
	types, _ := typeList(schema)
	return len(types) == 1 && types[0] == "object"
}

// shaping are the keywords that say what a value looks like, as far as a type can
// hold it.
var shaping = [...]string{"type", "format", "properties", "required", "additionalProperties", "patternProperties", "items",
	"prefixItems", "enum", "const", "oneOf", "anyOf", "allOf", "contentEncoding", "contentMediaType"}

// constrains reports whether the schema says what the value looks like.
func constrains(node document.Node) bool { return hasOwn(node) }

// hasOwn reports whether the schema says what the value looks like by other
// keywords than the given.
func hasOwn(node document.Node, but ...string) bool {
next:
	for key, value := range node.Members() {
		for _, b := range but {
			if key.Text() == b {
				continue next
			}
		}
		for _, k := range shaping {
			if key.Text() == k {
				return true
			}
		}
		if conditional(key.Text(), value) {
			return true
		}
	}
	return false
}
