package openapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// lowerResponses makes the declared answers, in document order.
func (l *lowerer) lowerResponses(op *opSource) {
	o := op.out
	kins := op.kin.Responses.Map() // none of nil
	type source struct {
		r    *model.Response
		kin  *openapi3.Response
		node document.Node
		name string
		key  string
	}
	var sources []source
	scope := names.NewScope("Status") // of the result struct
	taken := map[string]document.Node{}
	for key, node := range facts(op.node.Get("responses")) {
		status, isRange, ok := statusOf(key)
		if !ok {
			l.diags.Warnf(node.Pos(), "status", "%q is no status of an answer of %s; it is left out", key, o.ID).WithHint("write 200, 2XX or default")
			continue
		}
		id := strconv.Itoa(status) + strconv.FormatBool(isRange)
		if first, twice := taken[id]; twice {
			l.diags.Warnf(node.Pos(), "status", "%q of %s is declared twice; the first counts", key, o.ID).WithHint("remove one").WithRelated(first.Pos(), "the first")
			continue
		}
		taken[id] = node
		kin, node, name, found := l.tree.response(kins[key], node)
		if !found {
			l.diags.Warnf(node.Pos(), "dangling-ref", "answer %s of %s leads nowhere; its body is not declared", key, o.ID).WithHint("correct the reference")
			kin = &openapi3.Response{}
		}
		r := &model.Response{Pos: node.Pos(), Status: status, Range: isRange, Stem: scope.Take(statusStem(status, isRange))}
		if kin.Description != nil {
			r.Description = *kin.Description
		}
		o.Responses = append(o.Responses, r)
		sources = append(sources, source{r, kin, node, name, key})
	}
	l.assumeSuccess(op, scope)
	for _, s := range sources {
		l.lowerResponse(op, s.r, s.kin, s.node, s.name, s.key)
	}
	l.nameAnswers(o)
}

// statusOf reads the key of an answer.
func statusOf(key string) (status int, isRange, ok bool) {
	if strings.EqualFold(key, "default") {
		return 0, false, true
	}
	if len(key) == 3 && strings.EqualFold(key[1:], "XX") && key[0] >= '1' && key[0] <= '5' {
		return int(key[0]-'0') * 100, true, true
	}
	n, err := strconv.Atoi(key)
	return n, false, err == nil && len(key) == 3 && n >= 100 && n <= 999
}

// statusStem is the Go name of a status.
func statusStem(status int, isRange bool) string {
	switch {
	case status == 0:
		return "Default"
	case isRange:
		return [...]string{"Informational", "Success", "Redirect", "ClientError", "ServerError"}[status/100-1]
	case status == http.StatusTeapot:
		return "Teapot"
	case http.StatusText(status) != "":
		return names.Exported(http.StatusText(status))
	}
	return "Status" + strconv.Itoa(status)
}

// bodiless reports whether an answer has no body whatever is declared.
func bodiless(method string, status int) bool {
	return method == http.MethodHead || status == http.StatusNoContent || status == http.StatusResetContent || status == http.StatusNotModified ||
		status >= 100 && status < 200
}

func (l *lowerer) lowerResponse(op *opSource, r *model.Response, kin *openapi3.Response, node document.Node, name, key string) {
	o := op.out
	at := pointer(op.pointer, "responses", key)
	of := contentOf{op: op, subject: "answer " + key + " of " + o.ID, wishes: l.answerNames(o, r), role: failed}
	if r.Success() || r.Redirect || r.Default() && !declaresSuccess(o) {
		of.role = answered
	}
	where := place{wishes: []string{o.Name}, pointer: at}
	if name != "" {
		at = pointer("/components/responses", name)
		plain := names.Exported(name)
		of.wishes = []string{plain, plain + "Response"}
		if !strings.HasSuffix(plain, "Response") {
			of.wishes = []string{plain + "Response", plain + "Answer"}
		}
		where = place{wishes: []string{plain}, pointer: at}
	}
	r.Headers = l.lowerHeaders(kin.Headers, node.Get("headers"), where)
	if bodiless(o.Method, r.Status) {
		if node.Get("content").Len() > 0 {
			l.diags.Infof(node.Get("content").Pos(), "no-body", "answer %s of %s never has a body; the declared one is not read", key, o.ID)
		}
		return
	}
	r.Contents = l.lowerContents(kin.Content, node.Get("content"), at, of)
	if r.Redirect {
		l.dropStreams(r, of)
	}
}

// declaresSuccess reports whether a 2xx is declared.
func declaresSuccess(o *model.Operation) bool {
	return slices.ContainsFunc(o.Responses, (*model.Response).Success)
}

// answerNames are names for an inline type of an answer: the operation's
// Response where it is the one success, else by status.
func (l *lowerer) answerNames(o *model.Operation, r *model.Response) []string {
	byStatus := names.Join(o.Name, r.Stem)
	successes := 0
	for _, other := range o.Responses {
		if other.Success() && !bodiless(o.Method, other.Status) {
			successes++
		}
	}
	switch {
	case r.Success() && successes == 1, r.Default() && len(o.Responses) == 1:
		return []string{o.Name + "Response", byStatus}
	case r.Default():
		return []string{o.Name + "Error", byStatus}
	}
	return []string{byStatus, byStatus + "Response"}
}

// nameAnswers names what is made beside the types: header structs, and error
// types for bodies that cannot be errors themselves.
func (l *lowerer) nameAnswers(o *model.Operation) {
	success := map[*model.Response]bool{}
	for _, r := range o.Successes() {
		success[r] = true
	}
	withHeaders, ofSuccess := 0, 0
	for _, r := range o.Responses {
		if len(r.Headers) > 0 {
			withHeaders++
			if success[r] {
				ofSuccess++
			}
		}
	}
	for _, r := range o.Responses {
		if len(r.Headers) > 0 {
			byStatus := names.Join(o.Name, r.Stem, "Headers")
			wishes := []string{byStatus}
			if withHeaders == 1 || success[r] && ofSuccess == 1 {
				wishes = []string{o.Name + "Headers", byStatus}
			}
			r.HeadersName = l.scope.Take(wishes...)
		}
		if r.Success() || success[r] && !r.Default() {
			continue
		}
		l.nameFailure(o, r)
	}
}

// nameFailure marks the types of a failure's bodies as errors, and names an
// error type where one cannot be.
func (l *lowerer) nameFailure(o *model.Operation, r *model.Response) {
	needs := false
	for _, c := range r.Contents {
		if c.Type == nil {
			continue
		}
		switch t := resolved(c.Type); t.Kind {
		case model.Struct, model.Union:
			t.Failure = true
		default:
			needs = true
		}
	}
	if !needs {
		return
	}
	stem := r.Stem
	if r.Default() {
		stem = ""
	}
	if !strings.HasSuffix(stem, "Error") {
		stem += "Error"
	}
	r.Name = l.scope.Take(names.Join(o.Name, stem), names.Join(o.Name, r.Stem, "Failure"))
}

// lowerHeaders makes declared headers. Content-Type is described by the content.
func (l *lowerer) lowerHeaders(kins openapi3.Headers, node document.Node, p place) []*model.Param {
	var out []*model.Param
	scope := names.NewScope()
	for key, n := range node.Members() {
		wire := key.Text()
		if strings.EqualFold(wire, "Content-Type") {
			continue // OpenAPI says to ignore it
		}
		kin, n, ok := l.tree.header(kins[wire], n)
		if !ok {
			l.diags.Warnf(n.Pos(), "dangling-ref", "header %q leads nowhere; it is left out", wire).WithHint("correct the reference")
			continue
		}
		h := &model.Param{
			Pos: key.Pos(), Wire: wire, In: model.InHeader, Required: kin.Required, Deprecated: kin.Deprecated, Description: kin.Description,
		}
		plain := names.Exported(wire)
		h.Name = scope.Take(plain, names.ExportedSpelled(wire))
		at := place{wishes: nil, pointer: pointer(p.pointer, "headers", wire)}
		for _, w := range p.wishes {
			at.wishes = append(at.wishes, names.Join(w, names.Part(wire)), names.Join(w, names.Part(wire), "Header"))
		}
		l.paramValue(h, &kin.Parameter, n, at)
		h.Style = model.Simple
		h.Explode = kin.Explode != nil && *kin.Explode
		out = append(out, h)
	}
	return out
}
