package golang

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/sample"
)

// faultParts fills a multipart body, and the headers that its parts need. It is
// a literal, as files cannot be made of JSON.
func (p *pkg) faultParts(g *jen.Group, maker *sample.Maker, b body) {
	owner := resolve(contentType(b.content))
	fields := neededParts(p, b)
	value := p.code(b.plain).CustomFunc(inline, func(g *jen.Group) {
		for _, f := range fields {
			g.Id(f.Field.Name).Op(":").Add(p.faultPart(maker, f, p.fieldType(owner, f.Field)))
		}
	})
	if b.typ.isPointer() {
		value = jen.Op("&").Add(value)
	}
	g.Id(b.field).Op(":").Add(value)
	for _, f := range fields {
		for _, h := range f.Headers {
			if h.Required {
				g.Id(h.Name).Op(":").Add(p.faultValue(paramType(h), faultText(maker, h.Type, sample.Minimal)))
			}
		}
	}
}

// neededParts are the parts that a body must have; where it needs none, the
// first that it may have, so that there is something to send.
func neededParts(p *pkg, b body) []*model.FormField {
	all := sentFields(p, b)
	needed := slices.DeleteFunc(slices.Clone(all), func(f *model.FormField) bool { return !p.required(f.Field) })
	if len(needed) == 0 {
		return all[:min(1, len(all))]
	}
	return needed
}

// faultPart is the value of a part: a file, or what JSON makes of it. A list has
// an item, as an empty one is no part.
func (p *pkg) faultPart(maker *sample.Maker, f *model.FormField, typ expr) *jen.Statement {
	if t := resolve(f.Field.Type); f.File && t.Kind == model.List {
		return p.wrapped(typ, func(list expr) *jen.Statement {
			return p.code(list).Values(p.faultFile(itemType(t.Elem), f.MediaType))
		})
	}
	if f.File {
		return p.faultFile(typ, f.MediaType)
	}
	return p.faultValue(typ, faultText(maker, f.Field.Type, sample.Full))
}

// faultFile is a file of one byte.
func (p *pkg) faultFile(typ expr, mediaType string) *jen.Statement {
	return p.wrapped(typ, func(file expr) *jen.Statement {
		fields := []jen.Code{jen.Id("Name").Op(":").Lit("sample.bin")}
		if mediaType != "" {
			fields = append(fields, jen.Id("ContentType").Op(":").Lit(concrete(mediaType)))
		}
		return p.code(file).Values(append(fields, jen.Id("Content").Op(":").Add(p.rt("Bytes")).Call(jen.Index().Byte().Call(jen.Lit("x"))))...)
	})
}

// wrapped puts a literal behind the pointer or into the Nullable that its type asks for.
func (p *pkg) wrapped(typ expr, literal func(expr) *jen.Statement) *jen.Statement {
	switch {
	case typ.isPointer():
		return jen.Op("&").Add(literal(*typ.elem))
	case typ.name == "Nullable" && typ.pkg == "rt":
		return p.rt("Some").Call(literal(typ.args[0]))
	}
	return literal(typ)
}

// faultText is a value as JSON; an empty text, which many places refuse, is "x".
func faultText(maker *sample.Maker, t *model.Type, form sample.Form) string {
	if text := string(maker.JSON(t, sample.Request, form)); text != `""` {
		return text
	}
	return `"x"`
}
