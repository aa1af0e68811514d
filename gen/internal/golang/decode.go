package golang

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// A decoder is a function from an answer to a result, shared by the operations
// whose answers are declared alike.
type decoder struct {
	name   string
	params []jen.Code // (a *wire.Answer)
	result *jen.Statement
	body   []jen.Code
}

// A decoderSet holds the distinct decoders by their text.
type decoderSet struct {
	byText map[string]*decoder
	list   []*decoder
}

// decoderOf finds or makes the decoder of an operation.
func (p *pkg) decoderOf(op *operation) *decoder {
	d := &decoder{params: []jen.Code{jen.Id("a").Op("*").Add(p.wire("Answer"))}}
	if op.result.kind == ResultNone {
		d.result = jen.Error()
	} else {
		d.result = jen.Params(p.code(op.result.typ), jen.Error())
	}
	d.body = p.decodeBody(op)
	text := codeText([]jen.Code{jen.Func().Id("f").Params(d.params...).Add(d.result).Block(d.body...)})
	if known := p.decoders.byText[text]; known != nil {
		return known
	}
	d.name = p.private.Take("decode" + op.spec.Name)
	p.decoders.byText[text] = d
	p.decoders.list = append(p.decoders.list, d)
	return d
}

// declareDecoder writes a decoder.
func declareDecoder(f *jen.File, d *decoder) {
	f.Func().Id(d.name).Params(d.params...).Add(d.result).Block(d.body...)
	f.Line()
}

// A branch is what happens for a set of statuses.
type branch struct {
	statuses []int
	ranges   []int // first digits
	code     []jen.Code
	text     string
}

// decodeBody is a decoder's body: exact statuses, then ranges, then the rest,
// which is the operation's failure.
func (p *pkg) decodeBody(op *operation) []jen.Code {
	var branches []branch
	for _, resp := range op.spec.Successes() {
		code := p.decodeSuccess(op, resp)
		b := branch{code: code, text: codeText(code)}
		switch {
		case resp.Default():
			b.ranges = []int{2}
		case resp.Range && resp.Redirect:
			if b.statuses = unfollowed(op.spec); b.statuses == nil {
				continue
			}
		case resp.Range:
			b.ranges = []int{resp.Status / 100}
		default:
			b.statuses = []int{resp.Status}
		}
		branches = merge(branches, b)
	}
	return p.decodeFailure(op, branches)
}

// unfollowed are the statuses that a 3XX of a write stands for and that end its
// call, but for those that are declared by themselves. A 307 or 308 that is not
// followed has done nothing.
func unfollowed(spec *model.Operation) (out []int) {
	for _, status := range []int{http.StatusMultipleChoices, http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther} {
		if !slices.ContainsFunc(spec.Responses, func(r *model.Response) bool { return r.Status == status && !r.Range }) {
			out = append(out, status)
		}
	}
	return out
}

// decodeFailure ends a decoder: with the shared function where other
// operations fail alike, else with the failures themselves.
func (p *pkg) decodeFailure(op *operation, branches []branch) []jen.Code {
	back := returnError
	if op.result.kind != ResultNone {
		back = func(err *jen.Statement) jen.Code { return jen.Return(p.zero(op.result), err) }
	}
	if op.failure != "" && p.failures.byText[op.failure].uses > 1 {
		return append(statusSwitch(branches, nil), back(jen.Id(p.failureName(op)).Call(jen.Id("a"))))
	}
	failed, rest := p.failuresOf(op, back)
	return statusSwitch(append(branches, failed...), p.readErrors(rest, back))
}

// zero is the zero value of a result, for the side of an error.
func (p *pkg) zero(r result) *jen.Statement {
	if r.typ.prefix != "" {
		return jen.Nil()
	}
	for _, c := range r.cases {
		if c.content != nil {
			return p.zeroOf(contentType(c.content))
		}
	}
	panic("golang: a plain result without a content")
}

func (p *pkg) zeroOf(t *model.Type) *jen.Statement {
	r := resolve(t)
	if r.Const != nil {
		return p.code(plainType(t)).Values()
	}
	switch r.Kind {
	case model.Enum:
		return p.zeroOf(r.Elem)
	case model.Bool:
		return jen.False()
	case model.Int, model.Float:
		return jen.Lit(0)
	case model.String, model.BigInt, model.Number:
		return jen.Lit("")
	case model.Date, model.DateTime, model.File, model.Struct, model.Union:
		return p.code(plainType(t)).Values()
	default:
		return jen.Nil()
	}
}

// merge adds a branch, or its statuses to the one that does the same.
func merge(branches []branch, b branch) []branch {
	for i := range branches {
		if branches[i].text == b.text && (len(branches[i].ranges) > 0) == (len(b.ranges) > 0) {
			branches[i].statuses = append(branches[i].statuses, b.statuses...)
			branches[i].ranges = append(branches[i].ranges, b.ranges...)
			return branches
		}
	}
	return append(branches, b)
}

// codeText is code as text that tells it from other code. It is not formatted,
// which would cost more than all the rest.
func codeText(code []jen.Code) string {
	f := jen.NewFile("x")
	f.NoFormat = true
	for _, c := range code {
		f.Add(c)
	}
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		panic(fmt.Sprintf("golang: code that cannot be rendered: %v", err)) // only jennifer's own misuse gets here
	}
	return b.String()
}

// statusSwitch writes branches over a.Status: an if for one, else a switch in
// which exact statuses stand before ranges. rest is the default's code, or nil.
func statusSwitch(branches []branch, rest []jen.Code) []jen.Code {
	slices.SortStableFunc(branches, func(a, b branch) int { return min(len(a.ranges), 1) - min(len(b.ranges), 1) })
	ranged := slices.ContainsFunc(branches, func(b branch) bool { return len(b.ranges) > 0 })
	switch {
	case len(branches) == 0:
		return rest
	case len(branches) == 1 && len(branches[0].statuses)+len(branches[0].ranges) == 1:
		return append([]jen.Code{jen.If(branches[0].condition()).Block(branches[0].code...)}, rest...)
	}
	var cases []jen.Code
	for _, b := range branches {
		if ranged {
			cases = append(cases, jen.Case(b.condition()).Block(b.code...))
			continue
		}
		slices.Sort(b.statuses)
		cases = append(cases, jen.Case(ints(b.statuses)...).Block(b.code...))
	}
	sw := jen.Switch()
	if !ranged {
		sw = jen.Switch(jen.Id("a").Dot("Status"))
	}
	return append([]jen.Code{sw.Block(cases...)}, rest...)
}

func ints(ns []int) []jen.Code {
	out := make([]jen.Code, len(ns))
	for i, n := range ns {
		out[i] = jen.Lit(n)
	}
	return out
}

// condition is the branch's statuses as a condition over a.Status.
func (b branch) condition() *jen.Statement {
	var out *jen.Statement
	or := func(c *jen.Statement) {
		if out == nil {
			out = c
		} else {
			out = out.Op("||").Add(c)
		}
	}
	slices.Sort(b.statuses)
	for _, s := range b.statuses {
		or(jen.Id("a").Dot("Status").Op("==").Lit(s))
	}
	for _, r := range b.ranges {
		or(jen.Id("a").Dot("Status").Op("/").Lit(100).Op("==").Lit(r))
	}
	return out
}

// decodeSuccess is the code that reads one success response.
func (p *pkg) decodeSuccess(op *operation, resp *model.Response) []jen.Code {
	var cases []successCase
	for _, c := range op.result.cases {
		if c.response == resp && c.content != nil {
			cases = append(cases, c)
		}
	}
	if op.result.kind == ResultStruct {
		return p.decodeStruct(op, resp, cases)
	}
	if len(cases) == 0 {
		return []jen.Code{jen.Return(jen.Nil())}
	}
	if code, ok := p.decodeAlike(cases); ok {
		return []jen.Code{jen.Return(code)}
	}
	return p.matchContents(cases, func(c successCase) jen.Code { return jen.Return(p.decodeContent(c)) })
}

// decodeAlike reads contents that differ in nothing but their media type.
func (p *pkg) decodeAlike(cases []successCase) (code *jen.Statement, ok bool) {
	first := cases[0]
	types := make([]string, len(cases))
	for i, c := range cases {
		types[i] = c.content.MediaType
		if c.content.Encoding != first.content.Encoding || c.typ.String() != first.typ.String() || c.nullable != first.nullable {
			return nil, false
		}
	}
	return p.decodeCall(first, types), true
}

func (p *pkg) decodeContent(c successCase) *jen.Statement {
	return p.decodeCall(c, []string{c.content.MediaType})
}

// decodeCall is the call of package wire that reads a content.
func (p *pkg) decodeCall(c successCase, mediaTypes []string) *jen.Statement {
	args := append([]jen.Code{jen.Id("a")}, texts(mediaTypes)...)
	switch c.content.Encoding {
	case model.JSON:
		if c.nullable {
			return p.wire("DecodeNullable").Types(p.code(c.typ)).Call(args...)
		}
		return p.wire("DecodeJSON").Types(p.code(c.typ)).Call(args...)
	case model.Text:
		return p.wire("DecodeText").Types(p.code(c.typ)).Call(args...)
	case model.FormURL:
		return p.wire("DecodeForm").Types(p.code(c.typ)).Call(args...)
	case model.Binary, model.Multipart:
		return p.wire("DecodeStream").Call(args...)
	case model.EventStream:
		return p.wire("DecodeEvents").Types(p.code(c.typ.elem.args[0])).Call(args...)
	case model.JSONLines:
		return p.wire("DecodeLines").Types(p.code(c.typ.elem.args[0])).Call(args...)
	default:
		panic(fmt.Sprintf("golang: encoding %v not handled", c.content.Encoding))
	}
}

// decodeStruct reads a response into its field of a result struct.
func (p *pkg) decodeStruct(op *operation, resp *model.Response, cases []successCase) []jen.Code {
	fields := []jen.Code{jen.Id("Status").Op(":").Id("a").Dot("Status")}
	if resp.Redirect {
		fields = append(fields, jen.Id("Location").Op(":").Id("a").Dot("Header").Dot("Get").Call(jen.Lit("Location")))
	}
	lit := jen.Op("&").Add(p.code(*op.result.typ.elem)).Values(fields...)
	if len(cases) == 0 {
		return []jen.Code{jen.Return(lit, jen.Nil())}
	}
	store := func(c successCase) jen.Code {
		decode := p.decodeContent(c)
		if c.fieldType().String() != c.typ.String() { // a plain value behind a pointer
			decode = p.decodeContent(successCase{content: c.content, typ: c.fieldType(), nullable: c.nullable})
		}
		return jen.Return(jen.Id("res"), p.wire("Into").Call(jen.Op("&").Id("res").Dot(c.field)).Call(decode))
	}
	code := []jen.Code{jen.Id("res").Op(":=").Add(lit)}
	if len(cases) == 1 {
		return append(code, store(cases[0]))
	}
	return append(code, p.matchContents(cases, store)...)
}

// matchContents chooses among contents by the answer's own media type. What
// matches none is read as the first, which says what was expected.
func (p *pkg) matchContents(cases []successCase, read func(successCase) jen.Code) []jen.Code {
	types := make([]string, len(cases))
	for i, c := range cases {
		types[i] = c.content.MediaType
	}
	var branches []jen.Code
	for i, c := range cases[1:] {
		branches = append(branches, jen.Case(jen.Lit(i+1)).Block(read(c)))
	}
	match := p.wire("Match").Call(append([]jen.Code{jen.Id("a")}, texts(types)...)...)
	return []jen.Code{jen.Switch(match).Block(append(branches, jen.Default().Block(read(cases[0])))...)}
}
