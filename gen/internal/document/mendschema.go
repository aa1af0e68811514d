package document

import (
	"slices"

	"go.yaml.in/yaml/v4"
)

// isType reports whether a text is one of JSON Schema's types.
func isType(name string) bool {
	return slices.Contains([]string{"string", "number", "integer", "boolean", "array", "object", "null"}, name)
}

// mendSchema mends a schema as a whole, after its members.
func mendSchema(m *mender, o *object) {
	for _, key := range []string{"$recursiveRef", "$dynamicRef"} {
		m.recursive(o, key)
	}
	types := typesOf(o)
	if slices.Contains(types, "array") && o.get("items") == nil && o.get("prefixItems") == nil && refOf(o.Node) == nil {
		if m.version != "3.1" {
			m.warn(o.get("type"), "missing-items", "an array without items; want the schema of an item; any item is taken").WithHint("add items: {}")
		}
		o.set("items", mapAt(o.get("type")))
	}
	if len(types) > 0 {
		m.values(o, types)
	}
}

// recursive reads a $recursiveRef or $dynamicRef as a $ref to what it means
// where nothing extends the schema.
func (m *mender) recursive(o *object, key string) {
	value := o.get(key)
	if value == nil {
		return
	}
	land, ok := m.landRecursive(key, value, o.shape)
	if ok && land.trouble != nil && land.trouble.code == "dynamic-ref" {
		m.warn(value, "dynamic-ref", "%s %s %s; any of them is taken", key, shown(value), land.trouble.message).
			WithHint("refer to the schema that is meant with $ref")
		o.drop(key)
		return
	}
	if !ok || land.target == nil || len(m.scope) == 1 && land.node == m.scope[0] {
		m.warn(value, "dynamic-ref", "%s %s cannot be followed; the rest of the schema was taken", key, shown(value))
		o.drop(key)
		return
	}
	m.warn(value, "dynamic-ref", "%s %s was read as a $ref to the schema %s", key, shown(value), inQuotes(land.target.name))
	o.drop(key)
	o.set("$ref", textAt(value, land.target.pointer()))
}

func typesOf(o *object) []string {
	n := o.get("type")
	if n == nil {
		return nil
	}
	if n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	var types []string
	for _, item := range n.Content {
		types = append(types, item.Value)
	}
	return types
}

// values makes the values that a schema lists be of the kind that it says.
func (m *mender) values(o *object, types []string) {
	if list := o.get("enum"); list != nil && list.Kind == yaml.SequenceNode {
		var items []*yaml.Node
		changed := 0
		for _, item := range list.Content {
			fitted := fitted(item, types)
			if fitted != item {
				changed++
			}
			items = append(items, fitted)
		}
		if changed > 0 {
			m.warn(list, "enum-kind", "%d of %d values of the enum are not of the type %s; they were read as such", changed, len(items), types[0])
			o.set("enum", listAt(list, items...))
		}
	}
	for _, name := range []string{"const", "default"} {
		value := o.get(name)
		if value == nil {
			continue
		}
		if fitted := fitted(value, types); fitted != value {
			m.warn(value, name+"-kind", "the %s %s is not of the type %s; it was read as such", name, shown(value), types[0]).Hint = ""
			o.set(name, fitted)
		}
	}
}

// fitted is a scalar as a value of the one type that a schema allows: 5 as the
// text "5", "5" as the number 5. What fits already or cannot is unchanged.
func fitted(n *yaml.Node, types []string) *yaml.Node {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return n
	}
	only := ""
	for _, t := range types {
		switch {
		case t == "null":
		case only != "":
			return n
		default:
			only = t
		}
	}
	switch {
	case only == "string" && n.Tag != "!!str":
		return asText(n)
	case (only == "integer" || only == "number") && n.Tag == "!!str":
		tag, value := coreScalarOf(n.Value)
		if tag == "!!int" || tag == "!!float" && only == "number" {
			c := *n
			c.Tag, c.Value, c.Style = tag, value, 0
			return &c
		}
	case only == "boolean" && n.Tag == "!!str" && isBool(n.Value):
		c := *n
		c.Tag, c.Style = "!!bool", 0
		return &c
	}
	return n
}

// itemsList reads a list in place of a schema, the old way of describing a
// tuple: one schema is that of all items, several are any item.
func (m *mender) itemsList(n *yaml.Node, s *shape) *yaml.Node {
	if len(n.Content) == 1 {
		m.warn(n, "items-list", "a list of one schema stands where a schema is wanted; the one was taken").WithHint("write the schema without a list")
		return m.value(n.Content[0], s)
	}
	m.warn(n, "items-list", "a list of %d schemas stands where a schema is wanted; any value is taken", len(n.Content)).
		WithHint("use prefixItems for a tuple, or oneOf for a choice")
	return mapAt(n)
}
