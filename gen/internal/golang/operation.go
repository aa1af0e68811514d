package golang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// declareOperation writes an operation: its request struct, its result struct,
// the headers that it is the first to declare, and its method.
func declareOperation(f *jen.File, p *pkg, op *operation) {
	if op.hasRequest() {
		declareRequest(f, p, op)
	}
	declareResult(f, p, op)
	for _, h := range op.headers {
		if h.first {
			declareHeaders(f, p, h.set)
		}
	}
	doc(f, operationDoc(op))
	f.Comment("//")
	f.Comment("//resgen:operation class=" + op.plan.Class.String())
	f.Func().Params(jen.Id("c").Op("*").Id("Client")).Add(p.signature(op)).BlockFunc(func(g *jen.Group) {
		buildRequest(g, p, op)
		g.Return(p.do(op))
	})
	f.Line()
}

// signature is a method's name, parameters and results.
func (p *pkg) signature(op *operation) *jen.Statement {
	params := []jen.Code{jen.Id("ctx").Qual("context", "Context")}
	if op.hasRequest() {
		params = append(params, jen.Id("req").Id(op.request()))
	}
	if op.key {
		params = append(params, jen.Id("key").Add(p.rt("Key")))
	}
	params = append(params, jen.Id("opts").Op("...").Add(p.rt(op.option())))
	s := jen.Id(op.spec.Name).Params(params...)
	if op.result.kind == ResultNone {
		return s.Error()
	}
	return s.Params(p.code(op.result.typ), jen.Error())
}

// do is the call that carries the request out.
func (p *pkg) do(op *operation) *jen.Statement {
	opts := jen.Id("opts")
	if op.key {
		opts = jen.Append(jen.Index().Add(p.rt(op.option())).Values(p.rt("WithIdempotencyKey").Call(jen.Id("key"))), jen.Id("opts").Op("..."))
	}
	args := []jen.Code{jen.Id("ctx"), jen.Id("c").Dot("core"), jen.Op("&").Id(op.policy.name), jen.Id("r"), opts}
	decode := jen.Id(op.decoder.name)
	switch {
	case op.result.kind == ResultNone:
		return p.wire("DoNone").Call(append(args, decode)...)
	case op.result.live != nil && op.result.kind == ResultStruct:
		return p.wire("DoLive").Call(append(args, textList(op.result.live), decode)...)
	case op.result.live != nil:
		return p.wire(liveFuncs[op.result.typ.elem.name]).Call(append(args, decode)...)
	case op.hasFallback():
		bound := jen.Id("c").Dot(fallbackField(op))
		if op.hasRequest() {
			bound = p.wire("Bind").Call(bound, jen.Id("req"))
		}
		return p.wire("DoWithFallback").Call(append(args, decode, bound)...)
	default:
		return p.wire("Do").Call(append(args, decode)...)
	}
}

var liveFuncs = map[string]string{"Stream": "DoStream", "Events": "DoEvents", "Lines": "DoLines"}

// operationDoc documents a method: what it does, how it goes out, how often
// and why, and what it fails with.
func operationDoc(op *operation) string {
	spec := op.spec
	text := sentence(spec.Name, spec.Summary)
	switch {
	case text == "":
		text = sentence(spec.Name, spec.Description)
	case spec.Description != "" && strings.TrimSpace(spec.Description) != strings.TrimSpace(spec.Summary):
		text += "\n\n" + spec.Description
	}
	route := spec.Method + " " + oneLine(spec.Path)
	parts := []string{text, "```\n" + route + "\n```", sentDoc(op)}
	switch {
	case text == "":
		parts = []string{spec.Name + " calls " + route + ".", sentDoc(op)}
	case endsInList(text): // indented, the route would be part of its last item
		parts[1], parts[2] = parts[2], parts[1]
	}
	if errs := failuresDoc(op); errs != "" {
		parts = append(parts, errs)
	}
	if text := headersDoc(op); text != "" {
		parts = append(parts, text)
	}
	if text := assumedDoc(spec); text != "" {
		parts = append(parts, text)
	}
	if op.result.live != nil {
		parts = append(parts, "The answer is handed on as it arrives: close it.")
	}
	if spec.Deprecated {
		parts = append(parts, deprecated)
	}
	return strings.Join(parts, "\n\n")
}

// assumedDoc says that a success is assumed, not declared.
func assumedDoc(spec *model.Operation) string {
	i := slices.IndexFunc(spec.Responses, func(r *model.Response) bool { return r.Assumed })
	switch {
	case i < 0:
		return ""
	case slices.ContainsFunc(spec.Responses, func(r *model.Response) bool { return r.Redirect }):
		return "Its specification declares a redirect and no 2xx. A redirect is not followed, and a success; any 2xx is one too."
	case slices.ContainsFunc(spec.Responses, func(r *model.Response) bool { return r.Status/100 == 3 && r.Status != 304 }):
		return "Its specification declares a redirect and no 2xx. The redirect is followed; any 2xx is a success."
	}
	return "Its specification declares no success, so that any 2xx is one."
}

// failuresDoc names the declared error types.
func failuresDoc(op *operation) string {
	var list []string
	seen := map[string]bool{}
	for _, resp := range op.spec.Responses {
		for _, g := range op.errors[resp] {
			if !seen[g.name] {
				seen[g.name] = true
				list = append(list, "["+g.name+"]")
			}
		}
	}
	switch len(list) {
	case 0:
		return ""
	case 1:
		return "Its declared failure is " + list[0] + ", found with errors.As."
	default:
		return "Its declared failures are " + enumerate(list) + ", found with errors.As."
	}
}

// sentDoc says how often a call reaches the server, and why.
func sentDoc(op *operation) string {
	if !op.plan.Repeatable() {
		return onceDoc(op.plan)
	}
	attempts := op.plan.Value(policy.RetryMaxAttempts).Int()
	when := whenText(op.plan)
	if attempts <= 1 || when == "" || !on(op.plan.Value(policy.RetryEnabled)) {
		return "It is sent once" + within(op.plan) + ": its policy asks for no retry."
	}
	return fmt.Sprintf("It is sent at most %s%s: again after %s. %s", times(attempts), within(op.plan), when, whyRepeat(op.plan))
}

// onceDoc is sentDoc for an operation that may not be repeated.
func onceDoc(op *policy.Operation) string {
	text := "It reaches the server at most once" + within(op) + ": "
	if len(op.Rejects.Texts) > 0 {
		text += fmt.Sprintf("it writes, and is sent again only after %s, of which the provider says that nothing was done. Its options are [rt.Option], which no retry option implements.", enumerate(op.Rejects.Texts))
		return text
	}
	why := "it writes, and the specification declares no idempotency key"
	if op.ClassOrigin.Layer != policy.LayerDefault {
		why = "it is declared unsafe"
	}
	return text + why + ", so its options are [rt.Option], which no retry option implements."
}

// whyRepeat says why sending twice does no harm.
func whyRepeat(op *policy.Operation) string {
	because := ""
	if reason := oneLine(op.ClassReason.Because); reason != "" {
		because = " (" + reason + ")"
	}
	switch op.Class {
	case policy.Safe:
		return "It changes nothing" + because + "."
	case policy.Idempotent:
		return "Sending it twice does as much as sending it once" + because + "."
	case policy.Keyed:
		if op.Key != nil && op.Key.Generate == policy.GenerateCaller {
			return "A write is repeated here only because every attempt carries the caller's idempotency key" + because + "."
		}
		return "A write is repeated here only because every attempt carries the same idempotency key" + because + "."
	default:
		panic(fmt.Sprintf("golang: class %v not handled", op.Class))
	}
}

func within(op *policy.Operation) string {
	if total, limited := op.Value(policy.TimeoutTotal).Duration(); limited {
		return " within " + durationText(total)
	}
	return ""
}

func times(n int) string { return strconv.Itoa(n) + " times" }

// whenText lists what is worth another attempt.
func whenText(op *policy.Operation) string {
	set := op.Value(policy.RetryWhen).Set()
	var parts []string
	for _, text := range set.Texts {
		if text != "timeout" && text != "connection" {
			parts = append(parts, text)
		}
	}
	if attempt, limited := op.Value(policy.TimeoutAttempt).Duration(); set.HasWord("timeout") && limited {
		parts = append(parts, "a time-out of "+durationText(attempt))
	}
	if set.HasWord("connection") {
		parts = append(parts, "a broken connection")
	}
	if len(parts) == 0 {
		return ""
	}
	last := parts[len(parts)-1]
	if len(parts) == 1 {
		return last
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " or " + last
}

func enumerate(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
