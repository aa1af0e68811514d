package golang

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// headers are the declared headers of one response: a struct and the function
// that reads it.
type headers struct {
	response *model.Response
	typ      string
	read     string
}

func headersOf(p *pkg, spec *model.Operation) []headers {
	var out []headers
	for _, r := range spec.Responses {
		if r.HeadersName != "" && len(r.Headers) > 0 {
			out = append(out, headers{response: r, typ: r.HeadersName, read: p.exported.Take("Read" + r.HeadersName)})
		}
	}
	return out
}

// declareHeaders writes a response's header struct and its reader.
func declareHeaders(f *jen.File, p *pkg, op *operation, h headers) {
	doc(f, fmt.Sprintf("%s are the declared headers of [Client.%s]'s answer %s.", h.typ, op.spec.Name, statusText(h.response)))
	f.Type().Id(h.typ).StructFunc(func(g *jen.Group) {
		for _, param := range h.response.Headers {
			doc(g, paramDoc(param))
			g.Id(param.Name).Add(p.code(paramType(param)))
		}
	})
	f.Line()
	doc(f, fmt.Sprintf("%s reads them from the Header of an [rt.Info] or an [rt.CallError]. Headers that are absent stay zero.", h.read))
	f.Func().Id(h.read).Params(jen.Id("h").Qual("net/http", "Header")).Params(jen.Id("v").Id(h.typ), jen.Err().Error()).BlockFunc(func(g *jen.Group) {
		var reads []jen.Code
		for _, param := range h.response.Headers {
			reads = append(reads, p.readHeader(param))
		}
		if len(reads) == 1 {
			g.Err().Op("=").Add(reads[0])
		} else {
			g.Err().Op("=").Qual("errors", "Join").Custom(jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}, reads...)
		}
		g.Return(jen.Id("v"), jen.Err())
	})
	f.Line()
}

// readHeader is the call that reads one header.
func (p *pkg) readHeader(param *model.Param) *jen.Statement {
	dst := jen.Op("&").Id("v").Dot(param.Name)
	if param.Content != "" {
		return p.wire("HeaderContentValue").Call(jen.Id("h"), jen.Lit(param.Wire), dst)
	}
	return p.wire("HeaderValue").Call(jen.Id("h"), jen.Lit(param.Wire), p.style(param.Style, param.Explode, false), dst)
}
