package golang

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// declareUnion writes a oneOf or anyOf: a struct with a pointer a variant, the
// table by which package wire tells them apart, and the JSON methods.
func declareUnion(f *jen.File, p *pkg, t *model.Type) {
	doc(f, typeDoc(t))
	f.Type().Id(t.Name).StructFunc(func(g *jen.Group) {
		for _, v := range t.Variants {
			doc(g, variantDoc(v))
			g.Id(v.Name).Op("*").Add(p.code(plainType(v.Type)))
		}
		g.Id("Raw").Add(p.rt("Value"))
	})
	f.Line()
	table := unionTable(t)
	f.Var().Id(table).Op("=").Add(p.wire("Union")).CustomFunc(multi, func(g *jen.Group) {
		if t.Discriminator != nil {
			g.Id("Property").Op(":").Lit(t.Discriminator.Wire)
		}
		g.Id("Variants").Op(":").Index().Add(p.wire("Variant")).CustomFunc(multi, func(g *jen.Group) {
			for _, v := range t.Variants {
				g.CustomFunc(inline, func(g *jen.Group) { p.variantRule(g, t, v) })
			}
		})
	})
	f.Line()
	declareJSONMethods(f, p, t.Name, unionMethods(table))
	declareErrorMethod(f, p, t)
}

func variantDoc(v *model.Variant) string {
	if v.Type.Name == "" || v.Type.Kind == model.Alias {
		return v.Type.Description
	}
	return ""
}

// variantRule is one variant in a union's table: its field, and what tells it
// from its siblings.
func (p *pkg) variantRule(g *jen.Group, t *model.Type, v *model.Variant) {
	r := resolve(v.Type)
	g.Id("Field").Op(":").Lit(v.Name)
	if r.Kind == model.Union && r.Name != "" && !unionLeadsTo(r, t, map[*model.Type]bool{}) {
		g.Id("Union").Op(":").Op("&").Id(unionTable(r))
	}
	if t.Discriminator != nil && len(v.Values) > 0 {
		g.Id("Tags").Op(":").Add(textList(v.Values))
		return // the discriminator decides
	}
	if r.Kind == model.Enum {
		g.Id("Values").Op(":").Index().String().Custom(inline, rawTexts(enumTexts(r))...)
	}
	if members := enumMembers(r); len(members) > 0 {
		g.Id("Members").Op(":").Index().Add(p.wire("Member")).CustomFunc(inline, func(g *jen.Group) {
			for _, field := range members {
				g.CustomFunc(inline, func(g *jen.Group) {
					g.Id("Name").Op(":").Lit(field.Wire)
					g.Id("Values").Op(":").Index().String().Custom(inline, rawTexts(enumTexts(resolve(field.Type)))...)
				})
			}
		})
	}
}

// unionLeadsTo reports whether a union is t, or has it among its variants, near
// or far: tables that lead to each other could not be initialised.
func unionLeadsTo(u, t *model.Type, seen map[*model.Type]bool) bool {
	if u == t || seen[u] {
		return u == t
	}
	seen[u] = true
	return slices.ContainsFunc(u.Variants, func(v *model.Variant) bool {
		r := resolve(v.Type)
		return r.Kind == model.Union && unionLeadsTo(r, t, seen)
	})
}

// unionTable is the name of a union's table; the type's name is unique, and no
// other helper starts so.
func unionTable(t *model.Type) string { return "union" + t.Name }

// enumMembers are the members of an object whose values are enumerated: they
// tell it from its siblings where a type alone does not.
func enumMembers(t *model.Type) []*model.Field {
	if t.Kind != model.Struct {
		return nil
	}
	var out []*model.Field
	for _, field := range t.Fields {
		if r := resolve(field.Type); r.Kind == model.Enum && r.Const == nil && field.Required && taggable(field.Wire) {
			out = append(out, field)
		}
	}
	return out
}

func enumTexts(t *model.Type) []string {
	out := make([]string, len(t.Enum))
	for i, v := range t.Enum {
		out[i] = v.Value.JSON
	}
	return out
}

func textList(ss []string) *jen.Statement { return jen.Index().String().Custom(inline, texts(ss)...) }

// rawText is a JSON text as a string literal, between backquotes where it can
// stand there as it is.
func rawText(text string) *jen.Statement {
	if strings.Contains(text, `"`) && strconv.CanBackquote(text) {
		return jen.Op("`" + text + "`")
	}
	return jen.Lit(text)
}

func rawTexts(list []string) []jen.Code {
	out := make([]jen.Code, len(list))
	for i, text := range list {
		out[i] = rawText(text)
	}
	return out
}

// declareConst writes a type with only one value: its zero value is sent as
// the constant, and nothing else is read.
func declareConst(f *jen.File, p *pkg, t *model.Type) {
	doc(f, typeDoc(t)+"\n\nIts zero value is that value.")
	f.Type().Id(t.Name).Struct()
	f.Line()
	declareJSONMethods(f, p, t.Name, constMethods(t.Const.JSON))
	declareErrorMethod(f, p, t)
}

// jsonMethods are the bodies of a type's four JSON methods. The receiver is
// v, the encoder or decoder is j, and b are bytes.
type jsonMethods struct {
	before                             []jen.Code // of the type; a declaration
	encode, decode, marshal, unmarshal func(p *pkg) *jen.Statement
	anonymous                          bool // the receiver is not used
}

// declareJSONMethods writes the methods for both JSON libraries, a line each.
func declareJSONMethods(f *jen.File, p *pkg, name string, m func(name string) jsonMethods) {
	methods := m(name)
	for _, b := range methods.before {
		f.Add(b)
		f.Line()
	}
	value, ptr := jen.Id("v").Id(name), jen.Id("v").Op("*").Id(name)
	if methods.anonymous {
		value, ptr = jen.Id(name), jen.Op("*").Id(name)
	}
	f.Func().Params(value.Clone()).Id("MarshalJSONTo").Params(jen.Id("j").Op("*").Add(p.wire("Encoder"))).Error().Add(oneLineBlock(jen.Return(methods.encode(p))))
	f.Func().Params(ptr.Clone()).Id("UnmarshalJSONFrom").Params(jen.Id("j").Op("*").Add(p.wire("Decoder"))).Error().Add(oneLineBlock(jen.Return(methods.decode(p))))
	f.Func().Params(value.Clone()).Id("MarshalJSON").Params().Params(jen.Index().Byte(), jen.Error()).Add(oneLineBlock(jen.Return(methods.marshal(p))))
	f.Func().Params(ptr.Clone()).Id("UnmarshalJSON").Params(jen.Id("b").Index().Byte()).Error().Add(oneLineBlock(jen.Return(methods.unmarshal(p))))
	f.Line()
}

func unionMethods(table string) func(string) jsonMethods {
	return func(string) jsonMethods {
		return jsonMethods{
			encode:    func(*pkg) *jen.Statement { return jen.Id(table).Dot("Encode").Call(jen.Id("j"), jen.Op("&").Id("v")) },
			decode:    func(*pkg) *jen.Statement { return jen.Id(table).Dot("Decode").Call(jen.Id("j"), jen.Id("v")) },
			marshal:   func(*pkg) *jen.Statement { return jen.Id(table).Dot("Marshal").Call(jen.Op("&").Id("v")) },
			unmarshal: func(*pkg) *jen.Statement { return jen.Id(table).Dot("Unmarshal").Call(jen.Id("b"), jen.Id("v")) },
		}
	}
}

// openMethods are those of a struct with further members: they hand it on as a
// type of the same fields without methods.
func openMethods(name string) jsonMethods {
	bare := "plain" + name
	as := func(of jen.Code) *jen.Statement { return jen.Parens(jen.Op("*").Id(bare)).Call(of) }
	return jsonMethods{
		before:    []jen.Code{jen.Type().Id(bare).Id(name)},
		encode:    func(p *pkg) *jen.Statement { return p.wire("Encode").Call(jen.Id("j"), as(jen.Op("&").Id("v"))) },
		decode:    func(p *pkg) *jen.Statement { return p.wire("Decode").Call(jen.Id("j"), as(jen.Id("v"))) },
		marshal:   func(p *pkg) *jen.Statement { return p.wire("Marshal").Call(as(jen.Op("&").Id("v"))) },
		unmarshal: func(p *pkg) *jen.Statement { return p.wire("Unmarshal").Call(jen.Id("b"), as(jen.Id("v"))) },
	}
}

func constMethods(text string) func(string) jsonMethods {
	return func(string) jsonMethods {
		return jsonMethods{
			anonymous: true,
			encode:    func(p *pkg) *jen.Statement { return p.wire("EncodeConst").Call(jen.Id("j"), rawText(text)) },
			decode:    func(p *pkg) *jen.Statement { return p.wire("DecodeConst").Call(jen.Id("j"), rawText(text)) },
			marshal:   func(*pkg) *jen.Statement { return jen.List(jen.Index().Byte().Call(rawText(text)), jen.Nil()) },
			unmarshal: func(p *pkg) *jen.Statement { return p.wire("UnmarshalConst").Call(jen.Id("b"), rawText(text)) },
		}
	}
}

// oneLineBlock is a function body on one line, as far as gofmt leaves it there.
func oneLineBlock(code ...jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "{ ", Close: " }", Separator: "; "}, code...)
}
