package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// A headerSet is a set of declared headers, shared by the answers that declare
// the same: a struct and the function that reads it.
type headerSet struct {
	params []*model.Param
	typ    string // named after the first header, whichever operation has it
	read   string
}

// headers are the declared headers of one response.
type headers struct {
	response *model.Response
	set      *headerSet
	first    bool // this is where the set is declared
}

// headersOf finds or makes the header sets of an operation's answers.
func headersOf(p *pkg, spec *model.Operation) []headers {
	var out []headers
	for _, r := range spec.Responses {
		if len(r.Headers) == 0 {
			continue
		}
		text := headersText(r.Headers)
		set := p.headerSets[text]
		first := set == nil
		if first {
			name := p.exported.Take(names.Exported(r.Headers[0].Wire) + "Headers")
			set = &headerSet{params: r.Headers, typ: name, read: p.exported.Take("Read" + name)}
			p.headerSets[text] = set
		}
		out = append(out, headers{response: r, set: set, first: first})
	}
	return out
}

// headersText is what makes two sets of headers the same, their order aside.
func headersText(params []*model.Param) string {
	lines := make([]string, len(params))
	for i, param := range params {
		lines[i] = fmt.Sprint(strings.ToLower(param.Wire), paramType(param), param.Style, param.Explode, param.Content, param.Name)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// declareHeaders writes a header struct and its reader.
func declareHeaders(f *jen.File, p *pkg, set *headerSet) {
	doc(f, set.typ+" are headers that answers declare. Those that are absent are nil or zero.")
	f.Type().Id(set.typ).StructFunc(func(g *jen.Group) {
		for _, param := range set.params {
			doc(g, paramDoc(param))
			g.Id(param.Name).Add(p.code(paramType(param)))
		}
	})
	f.Line()
	doc(f, set.read+" reads them from the Header of an [rt.Info] or an [rt.CallError].")
	f.Func().Id(set.read).Params(jen.Id("h").Qual("net/http", "Header")).Params(jen.Id("v").Id(set.typ), jen.Err().Error()).BlockFunc(func(g *jen.Group) {
		var reads []jen.Code
		for _, param := range set.params {
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

// headersDoc tells an operation's reader where its declared headers are read.
func headersDoc(op *operation) string {
	var parts []string
	for _, h := range op.headers {
		parts = append(parts, fmt.Sprintf("%s of %s", "["+h.set.read+"]", statusText(h.response)))
	}
	if len(parts) == 0 {
		return ""
	}
	if len(parts) > 1 && sameSet(op.headers) {
		return "[" + op.headers[0].set.read + "] reads the headers that its answers declare."
	}
	return "Declared headers are read by " + enumerate(parts) + "."
}

func sameSet(hs []headers) bool {
	for _, h := range hs {
		if h.set != hs[0].set {
			return false
		}
	}
	return true
}

// readHeader is the call that reads one header.
func (p *pkg) readHeader(param *model.Param) *jen.Statement {
	dst := jen.Op("&").Id("v").Dot(param.Name)
	if param.Content != "" {
		return p.wire("HeaderContentValue").Call(jen.Id("h"), jen.Lit(param.Wire), dst)
	}
	return p.wire("HeaderValue").Call(jen.Id("h"), jen.Lit(param.Wire), p.style(param.Style, param.Explode, false), dst)
}
