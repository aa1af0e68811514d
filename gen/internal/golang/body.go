package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// sendBodies writes the lines that send the request body: the one there is, or
// the one of several that the caller set.
func sendBodies(g *jen.Group, p *pkg, op *operation) {
	switch {
	case len(op.bodies) == 0:
	case len(op.bodies) > 1:
		g.Switch().BlockFunc(func(g *jen.Group) { chooseBody(g, p, op) })
	case op.bodies[0].optional:
		g.If(isSet(p, op.bodies[0])).BlockFunc(func(g *jen.Group) { sendBody(g, p, op.bodies[0]) })
	default:
		sendBody(g, p, op.bodies[0])
	}
}

func isSet(p *pkg, b body) *jen.Statement {
	if b.typ.isPointer() || b.typ.prefix != "" {
		return jen.Id("req").Dot(b.field).Op("!=").Nil()
	}
	return p.wire("IsSet").Call(jen.Id("req").Dot(b.field))
}

// chooseBody writes the cases of a switch over several contents: two at once
// are refused, and none where one is required.
func chooseBody(g *jen.Group, p *pkg, op *operation) {
	var fields []string
	var both *jen.Statement
	for i, b := range op.bodies {
		fields = append(fields, b.field)
		for _, other := range op.bodies[:i] {
			pair := isSet(p, other).Op("&&").Add(isSet(p, b))
			if both == nil {
				both = pair
			} else {
				both = both.Op("||").Add(pair)
			}
		}
	}
	list := strings.Join(fields, ", ")
	g.Case(both).Block(jen.Id("r").Dot("Refuse").Call(jen.Lit("body: more than one of " + list + " is set; set one")))
	for _, b := range op.bodies {
		g.Case(isSet(p, b)).BlockFunc(func(g *jen.Group) { sendBody(g, p, b) })
	}
	if op.spec.Body.Required {
		g.Default().Block(jen.Id("r").Dot("Refuse").Call(jen.Lit("body: none of " + list + " is set; set one")))
	}
}

// sendBody writes the lines that send one content.
func sendBody(g *jen.Group, p *pkg, b body) {
	value := jen.Id("req").Dot(b.field)
	args := []jen.Code{jen.Id("r"), jen.Lit(b.content.MediaType), value}
	switch b.content.Encoding {
	case model.JSON:
		g.Add(p.wire("JSON")).Call(args...)
	case model.Text:
		g.Add(p.wire("Text")).Call(args...)
	case model.Binary, model.EventStream, model.JSONLines:
		if b.typ.isPointer() {
			args[2] = jen.Op("*").Add(value)
		}
		g.Add(p.wire("Binary")).Call(args...)
	case model.FormURL:
		fieldsOf(g, p, b, "FormBody", formField, "FormMembers", "form")
	case model.Multipart:
		fieldsOf(g, p, b, "MultipartBody", partField, "PartMembers", "parts")
	default:
		panic(fmt.Sprintf("golang: encoding %v not handled", b.content.Encoding))
	}
}

// fieldsOf begins a form or multipart body and writes a line per property; one
// without any is only begun.
func fieldsOf(g *jen.Group, p *pkg, b body, begin string, one func(*jen.Group, *pkg, formLine), members, to string) {
	start := jen.Add(p.wire(begin)).Call(jen.Id("r"), jen.Lit(b.content.MediaType))
	t := resolve(contentType(b.content))
	_, extra := extraType(t)
	if t.Kind == model.Struct && !extra && len(sentFields(p, b)) == 0 {
		g.Add(start)
		return
	}
	g.Id(to).Op(":=").Add(start)
	sendFields(g, p, b, one, members, to)
}

// sentFields are the properties that have a line of their own: the others are
// members of Extra, or the engine writes them.
func sentFields(p *pkg, b body) []*model.FormField {
	var out []*model.FormField
	for _, field := range b.content.Fields {
		if taggable(field.Field.Wire) && !p.keyFields[field.Field] {
			out = append(out, field)
		}
	}
	return out
}

// sendFields writes a line per property of a form or multipart body. A body
// that is no struct is sent member by member.
func sendFields(g *jen.Group, p *pkg, b body, one func(*jen.Group, *pkg, formLine), members, to string) {
	t := resolve(contentType(b.content))
	value := jen.Id("req").Dot(b.field)
	if t.Kind != model.Struct {
		g.Add(p.wire(members)).Call(jen.Id(to), value)
		return
	}
	for _, field := range sentFields(p, b) {
		one(g, p, formLine{field: field, typ: p.fieldType(t, field.Field), value: value.Clone().Dot(field.Field.Name)})
	}
	if _, ok := extraType(t); ok {
		g.Add(p.wire(members)).Call(jen.Id(to), value.Clone().Dot(extraName(t)))
	}
}

// A formLine is one property of a form or multipart body with the Go value
// that holds it.
type formLine struct {
	field *model.FormField
	typ   expr
	value *jen.Statement
}

// formField writes the line of a field of an urlencoded form.
func formField(g *jen.Group, p *pkg, l formLine) {
	name := jen.Lit(l.field.Field.Wire)
	if isJSON(l.field.MediaType) {
		g.Add(p.wire("FormJSON")).Call(jen.Id("form"), name, l.value)
		return
	}
	style := l.field.Style
	if style == 0 {
		style = model.Form
	}
	g.Add(p.wire("FormField")).Call(jen.Id("form"), name, l.value, p.style(style, l.field.Explode, l.field.AllowReserved))
}

// partField writes the line of a part, or of the parts, of a multipart body.
func partField(g *jen.Group, p *pkg, l formLine) {
	t := resolve(l.field.Field.Type)
	item := t
	if t.Kind == model.List {
		item = resolve(t.Elem)
	}
	call := func(g *jen.Group, fn string, value *jen.Statement) {
		g.Add(p.wire(fn)).Call(jen.Id("parts"), jen.Lit(l.field.Field.Wire), value, jen.Lit(l.field.MediaType))
		for _, h := range l.field.Headers {
			g.Add(p.sendPartHeader(h))
		}
	}
	switch {
	case item.Kind == model.File && t.Kind == model.List && nullable(t.Elem):
		unwrapped(g, l, func(g *jen.Group, v *jen.Statement) {
			g.For(jen.List(jen.Id("_"), jen.Id("file")).Op(":=").Range().Add(v)).BlockFunc(func(g *jen.Group) { call(g, "PartFile", jen.Id("file")) })
		})
	case item.Kind == model.File && t.Kind == model.List:
		unwrapped(g, l, func(g *jen.Group, v *jen.Statement) { call(g, "PartFiles", v) })
	case item.Kind == model.File:
		unwrapped(g, l, func(g *jen.Group, v *jen.Statement) { call(g, "PartFile", v) })
	case t.Kind == model.List && (isJSON(l.field.MediaType) || structured(item)) && l.field.Repeat:
		unwrapped(g, l, func(g *jen.Group, v *jen.Statement) { call(g, "PartJSONEach", v) })
	case isJSON(l.field.MediaType) || structured(item):
		call(g, "PartJSON", l.value)
	default:
		call(g, "PartText", l.value)
	}
}

// sendPartHeader is the line that sends a header of the part, or the parts, that
// the line before it adds.
func (p *pkg) sendPartHeader(h *model.Param) *jen.Statement {
	value := jen.Id("req").Dot(h.Name)
	if h.Content != "" {
		return p.wire("PartHeaderContent").Call(jen.Id("parts"), jen.Lit(h.Wire), value)
	}
	return p.wire("PartHeader").Call(jen.Id("parts"), jen.Lit(h.Wire), value, p.style(h.Style, h.Explode, false))
}

// unwrapped writes lines over a value that functions without a type parameter
// take: out of its Nullable or its pointer to a list.
func unwrapped(g *jen.Group, l formLine, lines func(*jen.Group, *jen.Statement)) {
	switch {
	case l.typ.name == "Nullable" && l.typ.pkg == "rt":
		g.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Add(l.value).Dot("Get").Call(), jen.Id("ok")).BlockFunc(func(g *jen.Group) {
			lines(g, jen.Id("v"))
		})
	case l.typ.isPointer() && l.typ.elem.prefix == "[]":
		g.If(l.value.Clone().Op("!=").Nil()).BlockFunc(func(g *jen.Group) { lines(g, jen.Op("*").Add(l.value)) })
	default:
		lines(g, l.value)
	}
}

// structured reports whether a part of the type is JSON unless told otherwise.
// Unions may hold each other.
func structured(t *model.Type) bool { return structuredBeside(t, nil) }

func structuredBeside(t *model.Type, around []*model.Type) bool {
	switch t.Kind {
	case model.Struct, model.Map, model.Any:
		return true
	case model.Union:
		if slices.Contains(around, t) {
			return false // the others decide
		}
		around = append(around, t)
		return slices.ContainsFunc(t.Variants, func(v *model.Variant) bool { return structuredBeside(resolve(v.Type), around) })
	}
	return false
}

// isJSON reports whether a media type is JSON.
func isJSON(mediaType string) bool {
	base, _, _ := strings.Cut(mediaType, ";")
	base = strings.ToLower(strings.TrimSpace(base))
	return base == "application/json" || base == "text/json" || strings.HasSuffix(base, "+json")
}
