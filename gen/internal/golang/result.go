package golang

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// A result is what a method returns before its error.
type result struct {
	kind  ResultKind
	typ   expr // as returned, pointers included; zero for ResultNone
	cases []successCase
	live  []string // media types that are streamed; nil: none
	kept  []string // the other media types of successes
}

// A successCase is one way to succeed: a declared status with one of its
// contents, or with no body.
type successCase struct {
	response *model.Response
	content  *model.Content // nil: no body
	field    string         // of a result struct; empty without a body
	typ      expr           // of the value, pointers included
	nullable bool
}

// resultOf finds what an operation returns: the type that all its successes
// have in common, or a struct that tells them apart.
func resultOf(p *pkg, spec *model.Operation) result {
	var r result
	for _, resp := range spec.Successes() {
		contents := answerContents(spec, resp)
		if len(contents) == 0 {
			r.cases = append(r.cases, successCase{response: resp})
		}
		for _, c := range contents {
			typ, null := answerType(c)
			r.cases = append(r.cases, successCase{response: resp, content: c, field: resp.Stem + c.Name, typ: typ, nullable: null})
			if resp.Redirect {
				continue // only a 2xx is streamed
			}
			if streamed(c) {
				r.live = append(r.live, c.MediaType)
			} else if !slices.Contains(r.kept, c.MediaType) {
				r.kept = append(r.kept, c.MediaType)
			}
		}
	}
	r.settle(p, spec)
	return r
}

// settle chooses the kind and the type of a result from its cases.
func (r *result) settle(p *pkg, spec *model.Operation) {
	none, same := true, true
	for _, c := range r.cases {
		none = none && c.content == nil
		same = same && c.typ.String() == r.cases[0].typ.String()
	}
	switch {
	case none:
		r.kind = ResultNone
	case same && spec.Result == "":
		r.typ = r.cases[0].typ
		r.kind = ResultValue
		if r.typ.isPointer() && r.typ.elem.pkg == "" {
			r.kind = ResultPointer
		}
	default:
		name := spec.Result
		if name == "" {
			name = p.exported.Take(spec.Name + "Result")
		}
		r.kind = ResultStruct
		r.typ = pointer(named(name))
	}
}

// firstSuccess is the lowest status with which an operation succeeds; 200
// where the specification names none.
func firstSuccess(spec *model.Operation) int {
	status := 0
	for _, r := range spec.Successes() {
		if status == 0 || r.Status < status {
			status = r.Status
		}
	}
	if status == 0 {
		return 200
	}
	return status
}

// answerContents are the contents that an answer can really have: none to a
// HEAD, and none with a 204 or 205, whatever is declared.
func answerContents(spec *model.Operation, r *model.Response) []*model.Content {
	if spec.Method == "HEAD" || r.Status == 204 || r.Status == 205 {
		return nil
	}
	return r.Contents
}

// streamed reports whether a content is handed to the caller as it arrives.
func streamed(c *model.Content) bool {
	switch c.Encoding {
	case model.Binary, model.Multipart, model.EventStream, model.JSONLines:
		return true
	case model.JSON, model.FormURL, model.Text:
		return false
	default:
		panic(fmt.Sprintf("golang: encoding %v not handled", c.Encoding))
	}
}

// answerType is the type of an answer's value as methods return it: pointers
// to objects, other values by themselves.
func answerType(c *model.Content) (typ expr, null bool) {
	switch c.Encoding {
	case model.Binary, model.Multipart:
		return pointer(qualified("rt", "Stream")), false
	case model.EventStream:
		return pointer(generic("wire", "Events", plainType(eventType(c, anyText)))), false
	case model.JSONLines:
		return pointer(generic("wire", "Lines", plainType(eventType(c, anyValue)))), false
	case model.JSON, model.FormURL, model.Text:
	default:
		panic(fmt.Sprintf("golang: encoding %v not handled", c.Encoding))
	}
	t := contentType(c)
	null = nullable(t) && !holdsNull(t) && c.Encoding == model.JSON
	switch k := resolve(t).Kind; {
	case k == model.Struct || k == model.Union || null && !hasNil(t):
		return pointer(plainType(t)), null
	default:
		return plainType(t), null
	}
}

func eventType(c *model.Content, unknown *model.Type) *model.Type {
	if c.Type == nil {
		return unknown
	}
	return c.Type
}

// declareResult writes the result struct of an operation whose successes differ.
func declareResult(f *jen.File, p *pkg, op *operation) {
	if op.result.kind != ResultStruct {
		return
	}
	name := op.result.typ.elem.name
	telling := "Status says which field is set"
	if op.result.ambiguous() {
		telling = "the status and the media type of the answer decide which field is set"
	}
	doc(f, fmt.Sprintf("%s is what [Client.%s] returns: %s.", name, op.spec.Name, telling))
	f.Type().Id(name).StructFunc(func(g *jen.Group) {
		g.Id("Status").Int()
		if op.result.redirected() {
			doc(g, "Location is where the answer points to, as the server wrote it; empty with a status that points nowhere.")
			g.Id("Location").String()
		}
		for _, c := range op.result.cases {
			if c.content == nil {
				continue // the status says it all
			}
			doc(g, joinNotes(c.response.Description, []string{statusText(c.response) + ", " + oneLine(c.content.MediaType) + "."}))
			g.Id(c.field).Add(p.code(c.fieldType()))
		}
	})
	f.Line()
}

// redirected reports whether a redirect is among the successes.
func (r result) redirected() bool {
	return slices.ContainsFunc(r.cases, func(c successCase) bool { return c.response.Redirect })
}

// ambiguous reports whether one status has several fields.
func (r result) ambiguous() bool {
	seen := map[*model.Response]bool{}
	return slices.ContainsFunc(r.cases, func(c successCase) bool {
		again := seen[c.response]
		seen[c.response] = true
		return again && c.content != nil
	})
}

// fieldType is the type of a case's field in a result struct: nil where
// another status was answered.
func (c successCase) fieldType() expr {
	if c.typ.prefix != "" || holdsNull(contentType(c.content)) || c.typ.isPointer() {
		return c.typ
	}
	if hasNil(contentType(c.content)) {
		return c.typ
	}
	return pointer(c.typ)
}

// statusText names a response's statuses in a sentence: "200", "2XX", "any other status".
func statusText(r *model.Response) string {
	switch {
	case r.Default():
		return "any other status"
	case r.Range:
		return fmt.Sprintf("%dXX", r.Status/100)
	default:
		return fmt.Sprintf("%d", r.Status)
	}
}
