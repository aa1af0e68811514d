package openapi

import (
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/document"
)

// addConditional takes up what JSON Schema says of an object under a condition.
// The members of then, else and dependentSchemas are there in some values and
// not in others, so that they are optional; what they say of a member that is
// there anyway narrows its values, which no type can hold.
func (l *lowerer) addConditional(out *shape, s schemaAt) *shape {
	schema := s.kin.Value
	object := len(out.props) > 0 || slices.Contains(out.types, "object")
	if !object {
		return out
	}
	added := *out
	take := func(c schemaAt) {
		for _, p := range l.conditionalProps(c) {
			if added.property(p.wire) == nil {
				added.props = append(added.props[:len(added.props):len(added.props)], p)
			}
		}
	}
	take(at(schema.Then, s.node.Get("then")))
	take(at(schema.Else, s.node.Get("else")))
	for name, node := range s.node.Get("dependentSchemas").Members() {
		take(at(schema.DependentSchemas[name.Text()], node))
	}
	if added.extra.kind <= extraUnsaid {
		if e := ownExtra(schema.UnevaluatedProperties, s.node.Get("unevaluatedProperties")); e.kind != extraClosed {
			added.extra = e
		}
	}
	return &added
}

// conditionalProps are the properties of a schema that holds under a condition.
func (l *lowerer) conditionalProps(s schemaAt) []*property {
	switch {
	case s.kin == nil || s.kin.Ref == "" && s.kin.Value == nil:
		return nil
	case s.kin.Ref != "":
		if c := l.component(s.kin.Ref); c == nil || l.folding[c.key] {
			return nil // the schema itself: nothing new
		}
	}
	sh, ok := l.foldOne(s, true)
	if !ok {
		return nil
	}
	return sh.props
}

// conditional reports whether a keyword of a schema adds members under a
// condition.
func conditional(key string, value document.Node) bool {
	switch key {
	case "then", "else":
		return value.Get("properties").Len() > 0 || value.Get("allOf").Len() > 0 || value.Get("$ref").Exists()
	case "dependentSchemas":
		return value.Len() > 0
	case "unevaluatedProperties":
		return value.Kind() == document.Map && value.Len() > 0
	}
	return false
}
