package golang

import (
	"slices"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// extraTag makes a map hold the members that no field knows. The JSON module
// knows "embed", the standard library's experiment in Go 1.26 "inline"; each
// ignores the other's word.
const extraTag = ",inline,embed"

// declareStruct writes an object's type.
func declareStruct(f *jen.File, p *pkg, t *model.Type) {
	doc(f, typeDoc(t))
	f.Type().Id(t.Name).StructFunc(func(g *jen.Group) {
		for _, field := range p.fields(t) {
			doc(g, p.keyDoc(field, fieldDoc(field)))
			g.Id(field.Name).Add(p.code(p.fieldType(t, field))).Tag(p.jsonTag(t, field))
		}
		if elem, ok := extraType(t); ok {
			doc(g, extraDoc(t))
			g.Id(extraName(t)).Add(p.code(mapOf(elem))).Tag(map[string]string{"json": extraTag})
		}
	})
	f.Line()
	if _, open := extraType(t); open || slices.ContainsFunc(p.fields(t), oldUnreadable) {
		declareJSONMethods(f, p, t.Name, openMethods)
	}
	declareErrorMethod(f, p, t)
}

// fieldType is the type of a struct's field: decisions about absent and null.
func (p *pkg) fieldType(owner *model.Type, field *model.Field) expr {
	t := field.Type
	null := nullable(t) && !holdsNull(t)
	switch {
	case !p.required(field) && null && p.cycles.has(owner, t):
		return generic("rt", "Nullable", pointer(plainType(t)))
	case !p.required(field) && null:
		return generic("rt", "Nullable", plainType(t))
	case !p.required(field):
		return optionalType(t)
	case null || p.cycles.has(owner, t):
		return pointer(plainType(t))
	default:
		return plainType(t)
	}
}

// keyDoc adds to a field's documentation that the engine writes it.
func (p *pkg) keyDoc(field *model.Field, text string) string {
	if _, key := p.keyFields[field]; !key {
		return text
	}
	return joinNotes(text, []string{"Operations with an idempotency key write it themselves: see rt.WithIdempotencyKey."})
}

// jsonTag is the struct tag of a field. A time that is there is sent even where
// it is Go's zero time, the year 1, which omitzero would ask it for.
func (p *pkg) jsonTag(owner *model.Type, field *model.Field) map[string]string {
	tag := field.Wire
	switch {
	case !p.required(field) && p.fieldType(owner, field).isPointer() && isTime(field.Type):
		tag += ",omitempty"
	case !p.required(field):
		tag += ",omitzero"
	}
	return map[string]string{"json": tag}
}

// isTime reports whether a type's Go type has a zero that it calls nothing.
func isTime(t *model.Type) bool {
	k := resolve(t).Kind
	return k == model.DateTime || k == model.Date
}

// taggable reports whether a struct tag can spell a member's name. A name with
// one of these characters, an empty one or a lone minus cannot be written there
// in a way that both JSON libraries, and linters, read alike.
func taggable(wire string) bool {
	return wire != "" && wire != "-" && !strings.ContainsAny(wire, ",\\'\"`") && clean(wire) == wire
}

// oldUnreadable reports whether encoding/json takes a field's tag for none: it
// knows letters, digits and some signs, but no combining marks or emoji. Such a
// struct is handed to JSON v2 by its methods.
func oldUnreadable(field *model.Field) bool {
	return strings.ContainsFunc(field.Wire, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}

// extraType is the type of the members that no field knows; ok is false where
// none are kept. Members whose names no tag can spell are kept there too.
func extraType(t *model.Type) (elem expr, ok bool) {
	for _, field := range t.Fields {
		if !taggable(field.Wire) {
			return qualified("rt", "Value"), true
		}
	}
	if t.Extra == nil {
		return expr{}, false
	}
	return itemType(t.Extra), true
}

// extraName is the name of the field for further members: Extra, unless a
// property took that.
func extraName(t *model.Type) string {
	name := "Extra"
	for i := 0; i < len(t.Fields); i++ {
		if t.Fields[i].Name == name {
			name, i = name+"Members", -1
		}
	}
	return name
}

func extraDoc(t *model.Type) string {
	var odd []string
	for _, field := range t.Fields {
		if !taggable(field.Wire) {
			odd = append(odd, quoted(field.Wire))
		}
	}
	text := "Members that the fields above do not name."
	if len(odd) > 0 {
		text += " " + strings.Join(odd, ", ") + " is found here, as no field's tag can spell it."
	}
	return text
}
