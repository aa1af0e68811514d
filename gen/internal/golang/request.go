package golang

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// A body is one content of a request body: a field of the request struct.
type body struct {
	content  *model.Content
	field    string
	plain    expr // the value itself
	typ      expr // of the field
	optional bool // it may be left out: it is, or there are others to choose from
}

// bodiesOf are the contents of an operation's request body.
func bodiesOf(spec *model.Operation) []body {
	if spec.Body == nil {
		return nil
	}
	var out []body
	for _, c := range spec.Body.Contents {
		b := body{content: c, field: "Body" + c.Name, optional: !spec.Body.Required || len(spec.Body.Contents) > 1}
		t := contentType(c)
		b.plain = plainType(t)
		switch {
		case b.optional && c.Encoding == model.JSON && nullable(t) && !holdsNull(t):
			b.typ = generic("rt", "Nullable", plainType(t)) // null is a body as well
		case b.optional:
			b.typ = optionalType(t)
		case c.Encoding == model.JSON:
			b.typ = itemType(t)
		default:
			b.typ = b.plain // null has no form there
		}
		out = append(out, b)
	}
	return out
}

var (
	anyValue = &model.Type{Kind: model.Any}
	anyText  = &model.Type{Kind: model.String}
	anyFile  = &model.Type{Kind: model.File}
)

// contentType is the type of a content, also where the specification gives
// none: raw bytes are a file in requests.
func contentType(c *model.Content) *model.Type {
	switch c.Encoding {
	case model.JSON, model.FormURL, model.Multipart:
		if c.Type == nil {
			return anyValue
		}
		return c.Type
	case model.Text:
		if c.Type == nil {
			return anyText
		}
		return c.Type
	case model.Binary, model.EventStream, model.JSONLines:
		return anyFile
	default:
		panic(fmt.Sprintf("golang: encoding %v not handled", c.Encoding))
	}
}

// paramType is the type of a parameter's field: null has no form there, so
// that only what is left out needs a nil.
func paramType(param *model.Param) expr {
	if param.Required {
		return plainType(param.Type)
	}
	return optionalType(param.Type)
}

// declareRequest writes the request struct of an operation.
func declareRequest(f *jen.File, p *pkg, op *operation) {
	doc(f, fmt.Sprintf("%s is the input of [Client.%s].", op.request(), op.spec.Name))
	f.Type().Id(op.request()).StructFunc(func(g *jen.Group) {
		for _, param := range op.params {
			doc(g, paramDoc(param))
			g.Id(param.Name).Add(p.code(paramType(param)))
		}
		for _, b := range op.bodies {
			doc(g, bodyDoc(op, b))
			g.Id(b.field).Add(p.code(b.typ))
			for _, h := range partHeaders(p, b) {
				doc(g, h.doc())
				g.Id(h.param.Name).Add(p.code(paramType(h.param)))
			}
		}
	})
	f.Line()
}

// A partHeader is a header of a part of a multipart body.
type partHeader struct {
	part  *model.FormField
	param *model.Param
}

// partHeaders are the headers that the caller may give the parts of a body.
func partHeaders(p *pkg, b body) (out []partHeader) {
	for _, field := range sentFields(p, b) {
		for _, h := range field.Headers {
			out = append(out, partHeader{field, h})
		}
	}
	return out
}

// doc says what a header is, and of which part.
func (h partHeader) doc() string {
	of := "part "
	if h.part.Repeat {
		of = "each part "
	}
	return joinNotes(paramDoc(h.param), []string{"Sent as the header " + oneLine(h.param.Wire) + " of " + of + quoted(h.part.Field.Wire) + "."})
}

func paramDoc(param *model.Param) string {
	field := model.Field{Description: param.Description, Deprecated: param.Deprecated, Type: param.Type}
	return fieldDoc(&field)
}

func bodyDoc(op *operation, b body) string {
	text := op.spec.Body.Description
	if len(op.bodies) > 1 {
		var others []string
		for _, o := range op.bodies {
			others = append(others, o.field)
		}
		return joinNotes(text, []string{fmt.Sprintf("Sent as %s. Set one of %s.", oneLine(b.content.MediaType), strings.Join(others, ", "))})
	}
	return text
}

// buildRequest writes the lines that turn the request struct into a request.
func buildRequest(g *jen.Group, p *pkg, op *operation) {
	spec := op.spec
	g.Id("r").Op(":=").Add(p.wire("NewRequest")).Call(jen.Lit(operationLabel(spec)), method(spec.Method), jen.Id("c").Dot(op.server.field))
	g.Id("r").Dot("Path").Call(jen.Lit(pathTemplate(spec)))
	if spec.FixedQuery != "" {
		g.Id("r").Dot("FixedQuery").Call(jen.Lit(spec.FixedQuery))
	}
	for _, param := range op.params {
		g.Add(sendParam(p, param))
	}
	if op.auth != nil {
		g.Id("r").Dot("Auth").Call(jen.Id("c").Dot(op.auth.field))
	}
	sendBodies(g, p, op)
	if accept := accepted(spec); len(accept) > 0 {
		g.Id("r").Dot("Accept").Call(texts(accept)...)
	}
	if op.result.live != nil && op.result.kept != nil {
		g.Id("r").Dot("Kept").Call(texts(op.result.kept)...)
	}
}

// operationLabel is the bounded name of the operation in errors, events and metrics.
func operationLabel(spec *model.Operation) string { return oneLine(spec.ID) }

// method is the constant of net/http for a method, or its text.
func method(m string) *jen.Statement {
	switch m {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE":
		return jen.Qual("net/http", "Method"+m[:1]+strings.ToLower(m[1:]))
	}
	return jen.Lit(m)
}

var placeFuncs = map[model.In]string{
	model.InPath: "PathParam", model.InQuery: "Query", model.InHeader: "Header", model.InCookie: "Cookie",
}

var contentFuncs = map[model.In]string{
	model.InPath: "PathContent", model.InQuery: "QueryContent", model.InHeader: "HeaderContent", model.InCookie: "CookieContent",
}

// sendParam is the one line that sends a parameter.
func sendParam(p *pkg, param *model.Param) *jen.Statement {
	value := jen.Id("req").Dot(param.Name)
	if param.Content != "" {
		return p.wire(contentFuncs[param.In]).Call(jen.Id("r"), jen.Lit(param.Wire), value)
	}
	style := p.style(param.Style, param.Explode, param.AllowReserved)
	if param.AllowEmpty {
		style.Op("|").Add(p.wire("AllowEmpty"))
	}
	if param.SeveralSegments {
		style.Op("|").Add(p.wire("SeveralSegments"))
	}
	return p.wire(placeFuncs[param.In]).Call(jen.Id("r"), jen.Lit(param.Wire), value, style)
}

// pathTemplate is the path with each parameter's name in braces, whatever else
// the description writes there.
func pathTemplate(spec *model.Operation) string {
	var b strings.Builder
	for _, s := range spec.Segments {
		if s.Param != nil {
			b.WriteString("{" + s.Param.Wire + "}")
			continue
		}
		b.WriteString(s.Literal)
	}
	return b.String()
}

var styleNames = map[model.Style]string{
	model.Simple: "Simple", model.Label: "Label", model.Matrix: "Matrix", model.Form: "Form", model.SpaceDelimited: "SpaceDelimited",
	model.PipeDelimited: "PipeDelimited", model.DeepObject: "DeepObject", model.TabDelimited: "TabDelimited",
}

// style is a style with its flags.
func (p *pkg) style(s model.Style, explode, reserved bool) *jen.Statement {
	name, ok := styleNames[s]
	if !ok {
		panic(fmt.Sprintf("golang: style %v not handled", s))
	}
	code := p.wire(name)
	if explode {
		code.Op("|").Add(p.wire("Explode"))
	}
	if reserved {
		code.Op("|").Add(p.wire("AllowReserved"))
	}
	return code
}

// accepted are the media types of all declared answers, successes first.
func accepted(spec *model.Operation) []string {
	var out []string
	seen := map[string]bool{}
	for _, success := range [...]bool{true, false} {
		for _, r := range spec.Responses {
			if r.Success() != success {
				continue
			}
			for _, c := range r.Contents {
				if !seen[c.MediaType] {
					seen[c.MediaType] = true
					out = append(out, c.MediaType)
				}
			}
		}
	}
	return out
}

func texts(ss []string) []jen.Code {
	out := make([]jen.Code, len(ss))
	for i, s := range ss {
		out[i] = jen.Lit(s)
	}
	return out
}
