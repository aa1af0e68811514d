package openapi

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// A shape is what one or several schemas together say about a value: the
// members of allOf folded into one, references to them followed.
type shape struct {
	notes
	node document.Node // where the schema stands
	id   useID         // the use that it was folded from

	never    bool     // the false schema: no value fits
	types    []string // names of JSON types without "null"; empty: any
	nullOnly bool     // the only type is null
	format   string
	exact    bool   // a number whose digits matter
	encoding string // contentEncoding
	media    string // contentMediaType

	props    []*property // document order
	required map[string]bool
	extra    extra
	items    use
	tuple    bool // items differ by position

	enum     []document.Node // nil: no enum
	values   []enumNote      // names and descriptions of the enum's values
	constant document.Node

	unions []union
	limits model.Limits
}

// An extra is what a shape says about members that it does not name.
type extra struct {
	kind  extraKind
	value use // extraTyped
}

type extraKind int

const (
	extraUnsaid extraKind = iota + 1
	extraClosed           // additionalProperties: false
	extraOpen             // additionalProperties: true, or an empty schema
	extraTyped
)

// A property is a named member of an object.
type property struct {
	wire  string
	key   document.Node // its name in the document
	value use
}

// A union is one oneOf or anyOf.
type union struct {
	node          document.Node
	variants      []use
	discriminator *discriminator // nil: none
}

// A discriminator is the OpenAPI object of that name.
type discriminator struct {
	node    document.Node
	wire    string
	mapping []mappingEntry // document order
}

type mappingEntry struct {
	value     string
	component string // key in components.schemas; "" where it leads nowhere
	node      document.Node
}

// property finds a property by its name.
func (s *shape) property(wire string) *property {
	for _, p := range s.props {
		if p.wire == wire {
			return p
		}
	}
	return nil
}

// empty reports whether the shape says no more of a value, its unions aside,
// than that it is an object.
func (s *shape) empty() bool {
	objectOnly := len(s.types) == 0 || len(s.types) == 1 && s.types[0] == "object"
	return objectOnly && s.format == "" && len(s.props) == 0 && len(s.required) == 0 && s.extra.kind <= extraOpen &&
		s.enum == nil && !s.constant.Exists() && s.items == nil && !s.never
}

// inert reports whether the shape says nothing about the value at all that a type could hold.
func (s *shape) inert() bool {
	return len(s.types) == 0 && s.empty() && len(s.unions) == 0 && !s.nullOnly
}

// typeList is a schema's type keyword without "null".
func typeList(s *openapi3.Schema) (types []string, null bool) {
	if s.Type == nil {
		return nil, false
	}
	for _, t := range *s.Type {
		switch {
		case t == "null":
			null = true
		case t != "" && !slices.Contains(types, t):
			types = append(types, t)
		}
	}
	return types, null
}

// intOrString is the format by which Kubernetes means that a text may as well
// be an integer.
const intOrString = "int-or-string"

// own is the shape of what the schema itself says, its allOf aside.
func (l *lowerer) own(s *openapi3.Schema, node document.Node) *shape {
	sh := &shape{node: node, extra: extra{kind: extraUnsaid}}
	sh.notes.add(s, node)
	if s.Always != nil {
		sh.never = !*s.Always
		return sh
	}
	var null bool
	sh.types, null = l.knownTypes(s, node)
	sh.nullOnly = null && len(sh.types) == 0
	sh.format, sh.encoding, sh.media = s.Format, s.ContentEncoding, s.ContentMediaType
	if strings.EqualFold(s.Format, intOrString) && len(sh.types) == 1 && sh.types[0] == "string" {
		sh.types, sh.format = []string{"integer", "string"}, ""
	}
	sh.constant = node.Get("const")
	l.ownObject(sh, s, node)
	l.ownItems(sh, s, node)
	l.ownEnum(sh, s, node)
	l.ownUnions(sh, s, node)
	sh.limits = l.limitsOf(s, node)
	return sh
}

// ownObject reads the keywords of objects.
func (l *lowerer) ownObject(sh *shape, s *openapi3.Schema, node document.Node) {
	properties := node.Get("properties")
	for key, value := range properties.Members() {
		kin := s.Properties[key.Text()]
		if value.Kind() == document.Bool && value.Text() == "false" {
			continue // the property is never there
		}
		sh.props = append(sh.props, &property{wire: key.Text(), key: key, value: one(kin, value)})
	}
	for _, name := range s.Required {
		if name != "" {
			if sh.required == nil {
				sh.required = map[string]bool{}
			}
			sh.required[name] = true
		}
	}
	sh.extra = ownExtra(s.AdditionalProperties, node.Get("additionalProperties"))
	if len(s.PatternProperties) > 0 {
		sh.extra = l.patterns(sh.extra, s, node)
	}
}

func ownExtra(bs openapi3.BoolSchema, node document.Node) extra {
	switch {
	case bs.Has != nil && *bs.Has:
		return extra{kind: extraOpen}
	case bs.Has != nil:
		return extra{kind: extraClosed}
	case bs.Schema == nil:
		return extra{kind: extraUnsaid}
	case bs.Schema.Ref == "" && (bs.Schema.Value == nil || node.Len() == 0):
		return extra{kind: extraOpen}
	}
	return extra{kind: extraTyped, value: one(bs.Schema, node)}
}

// patterns reads patternProperties beside what additionalProperties says of
// the members that no pattern fits: one schema gives all of them their type,
// several are any value.
func (l *lowerer) patterns(others extra, s *openapi3.Schema, node document.Node) extra {
	var found []use
	for key, value := range node.Get("patternProperties").Members() {
		found = append(found, one(s.PatternProperties[key.Text()], value))
	}
	further := others.kind == extraTyped || others.kind == extraOpen
	switch {
	case len(found) == 0:
		return others
	case len(found) == 1 && !further:
		return extra{kind: extraTyped, value: found[0]}
	}
	schemas := len(found)
	if others.kind == extraTyped {
		schemas++
	}
	if schemas > 1 {
		l.diags.Warnf(node.Get("patternProperties").Pos(), "pattern-properties",
			"%d schemas apply to members by their names; the members become any value", schemas).
			WithHint("use one pattern, or additionalProperties, to give them a type")
	}
	return extra{kind: extraOpen}
}

// ownItems reads the keywords of arrays.
func (l *lowerer) ownItems(sh *shape, s *openapi3.Schema, node document.Node) {
	if node.Get("prefixItems").Len() > 0 {
		l.ownTuple(sh, s, node)
		return
	}
	if n := node.Get("items"); n.Exists() && s.Items != nil {
		sh.items = one(s.Items, n)
	}
}

// ownUnions reads oneOf and anyOf.
func (l *lowerer) ownUnions(sh *shape, s *openapi3.Schema, node document.Node) {
	d := l.ownDiscriminator(s, node)
	for _, keyword := range [...]string{"oneOf", "anyOf"} {
		kins := s.OneOf
		if keyword == "anyOf" {
			kins = s.AnyOf
		}
		list := node.Get(keyword)
		if list.Len() == 0 {
			continue
		}
		u := union{node: list, discriminator: d}
		i := 0
		for item := range list.Items() {
			if i < len(kins) {
				u.variants = append(u.variants, one(kins[i], item))
			}
			i++
		}
		sh.unions = append(sh.unions, u)
	}
}

// variants are the variants of a schema's oneOf or anyOf that are not null,
// and whether null was among them.
func (l *lowerer) variants(s *openapi3.Schema, node document.Node) (variants []use, null bool) {
	keyword, kins := "oneOf", s.OneOf
	if len(kins) == 0 {
		keyword, kins = "anyOf", s.AnyOf
	}
	i := 0
	for item := range node.Get(keyword).Items() {
		if i >= len(kins) {
			break
		}
		u := one(kins[i], item)
		i++
		if isNull(u) {
			null = true
			continue
		}
		variants = append(variants, u)
	}
	return variants, null
}

// isNull reports whether the use is the schema of null: {type: "null"},
// {enum: [null]} or {const: null}.
func isNull(u use) bool {
	if len(u) != 1 {
		return false
	}
	s := u[0].inline()
	if s == nil {
		return false
	}
	if types, null := typeList(s); null && len(types) == 0 {
		return true
	}
	node := u[0].node
	if node.Get("const").Kind() == document.Null {
		return true
	}
	enum := node.Get("enum")
	if enum.Len() != 1 || s.Type != nil {
		return false
	}
	for item := range enum.Items() {
		return item.Kind() == document.Null
	}
	return false
}
