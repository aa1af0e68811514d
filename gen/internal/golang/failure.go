package golang

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// A failure is a function from an answer that is no success to its error,
// shared by the operations that declare the same failures.
type failure struct {
	name  string // empty while it stands in the decoder of its one operation
	body  []jen.Code
	uses  int
	first *operation
}

// A failureSet holds the distinct failures by their text, and what the failing
// responses of the operations hold.
type failureSet struct {
	byText map[string]*failure
	groups map[*model.Response][]errorGroup
	types  []errorGroup    // whose types are made here, in document order
	own    map[string]bool // types of the model that are errors themselves
}

// An errorGroup is a set of contents of a failing response that are read as
// the same error type.
type errorGroup struct {
	name  string      // Go type, an error
	of    *model.Type // what it is made of; nil: the type itself is an error
	read  string      // function of package wire
	types []string    // media types
}

// A giveBack makes a return statement of an error expression.
type giveBack func(err *jen.Statement) jen.Code

func returnError(err *jen.Statement) jen.Code { return jen.Return(err) }

// failuresOf are the branches of an operation's declared failures, and the
// errors of all other statuses.
func (p *pkg) failuresOf(op *operation, back giveBack) (branches []branch, rest []errorGroup) {
	var bare []branch
	for _, resp := range op.spec.Responses {
		if resp.Success() || resp.Redirect {
			continue
		}
		groups := p.errorGroups(op.spec, resp)
		if resp.Default() {
			rest = groups
			continue
		}
		b := branch{code: p.readErrors(groups, back)}
		b.text = codeText(b.code)
		if resp.Range {
			b.ranges = []int{resp.Status / 100}
		} else {
			b.statuses = []int{resp.Status}
		}
		if len(groups) == 0 {
			bare = merge(bare, b)
		} else {
			branches = merge(branches, b)
		}
	}
	if len(rest) > 0 || slices.ContainsFunc(branches, func(b branch) bool { return len(b.ranges) > 0 }) {
		branches = append(branches, bare...) // a status without a body must not be read as a range or the default
	}
	return branches, rest
}

// countFailures notes how many operations fail alike: those get a function.
func (p *pkg) countFailures(op *operation) {
	branches, rest := p.failuresOf(op, returnError)
	if len(branches) == 0 && len(rest) <= 1 {
		return // one expression
	}
	body := statusSwitch(branches, p.readErrors(rest, returnError))
	op.failure = codeText(body)
	f := p.failures.byText[op.failure]
	if f == nil {
		f = &failure{body: body}
		p.failures.byText[op.failure] = f
	}
	f.uses++
}

// readErrors are the statements that return the error of one response.
func (p *pkg) readErrors(groups []errorGroup, back giveBack) []jen.Code {
	if len(groups) <= 1 {
		return []jen.Code{back(p.readError(groups))}
	}
	args := []jen.Code{jen.Id("a")}
	var cases []jen.Code
	for i, g := range groups {
		args = append(args, jen.Lit(g.types[0]))
		if i > 0 {
			cases = append(cases, jen.Case(jen.Lit(i)).Block(back(p.readError(groups[i:i+1]))))
		}
	}
	cases = append(cases, jen.Default().Block(back(p.readError(groups[:1]))))
	return []jen.Code{jen.Switch(p.wire("Match").Call(args...)).Block(cases...)}
}

// readError is the expression of one group, or of an answer that is not declared.
func (p *pkg) readError(groups []errorGroup) *jen.Statement {
	if len(groups) == 0 {
		return jen.Id("a").Dot("Unexpected").Call()
	}
	g := groups[0]
	return p.wire(g.read).Types(jen.Id(g.name)).Call(append([]jen.Code{jen.Id("a")}, texts(g.types)...)...)
}

// errorGroups are the typed errors of a failing response. Contents that are
// raw bytes are none: the bytes are in the call's error.
func (p *pkg) errorGroups(spec *model.Operation, resp *model.Response) []errorGroup {
	if spec.Method == "HEAD" {
		return nil
	}
	if known, ok := p.failures.groups[resp]; ok {
		return known
	}
	var groups []errorGroup
	for _, c := range resp.Contents {
		g := errorGroup{of: contentType(c), types: []string{c.MediaType}}
		switch c.Encoding {
		case model.JSON:
			g.read = "DecodeError"
		case model.Text:
			g.read = "DecodeTextError"
		default:
			continue
		}
		if own := ownError(g.of); own != "" {
			g.name, g.of = own, nil
			p.failures.own[own] = true
		}
		groups = addGroup(groups, g)
	}
	for i := range groups {
		if groups[i].of == nil {
			continue
		}
		name := resp.Name
		if name == "" || i > 0 && groups[0].name == name {
			name = p.exported.Take(spec.Name + resp.Stem + "Error")
		}
		groups[i].name = name
		p.failures.types = append(p.failures.types, groups[i])
	}
	p.failures.groups[resp] = groups
	return groups
}

// ownError is the name of the type if it can be an error by itself: it is
// declared in the package and a method on it loses nothing.
func ownError(t *model.Type) string {
	for t.Name == "" && t.Kind == model.Alias {
		t = t.Elem
	}
	if t.Name == "" || t.Const != nil {
		return ""
	}
	switch r := resolve(t); {
	case (r.Kind == model.Struct || r.Kind == model.Union) && r.Failure:
		return r.Name
	case t.Kind == model.List || t.Kind == model.Map || t.Kind == model.Enum && !holdsNull(t) || basicAlias(t):
		return t.Name
	}
	return ""
}

// basicAlias reports whether a named alias stands for a basic type of Go, so
// that it can be a type of its own.
func basicAlias(t *model.Type) bool {
	if t.Kind != model.Alias || t.Elem.Name != "" {
		return false
	}
	switch t.Elem.Kind {
	case model.String, model.Bool, model.Int, model.Float:
		return true
	}
	return false
}

// addGroup adds a content to the group that reads the same type the same way.
func addGroup(groups []errorGroup, g errorGroup) []errorGroup {
	for i := range groups {
		same := groups[i].name == g.name && (g.of == nil) == (groups[i].of == nil)
		if g.of != nil && groups[i].of != nil {
			same = plainType(g.of).String() == plainType(groups[i].of).String()
		}
		if same && groups[i].read == g.read {
			groups[i].types = append(groups[i].types, g.types...)
			return groups
		}
	}
	return append(groups, g)
}

// failureName names the shared function of an operation's failures after the
// operation that came first.
func (p *pkg) failureName(op *operation) string {
	f := p.failures.byText[op.failure]
	if f.name == "" {
		f.name = p.private.Take("fail" + op.spec.Name)
		f.first = op
	}
	return f.name
}

// declareFailure writes a shared failure.
func declareFailure(f *jen.File, p *pkg, fail *failure) {
	f.Func().Id(fail.name).Params(jen.Id("a").Op("*").Add(p.wire("Answer"))).Error().Block(fail.body...)
	f.Line()
}

// declareErrorType writes the error type of a group whose own type is none: a
// defined type where nothing is lost by that, else a struct around it.
func declareErrorType(f *jen.File, p *pkg, g errorGroup) {
	doc(f, g.name+" is the error of answers that are "+plainType(g.of).String()+": errors.As finds it.")
	switch t := resolve(g.of); {
	case t.Const != nil || holdsNull(t) || t.Kind == model.Union || t.Kind == model.Struct ||
		t.Kind == model.Number || t.Kind == model.BigInt || t.Kind == model.Date || t.Kind == model.DateTime:
		f.Type().Id(g.name).Struct(p.code(plainType(g.of)))
	default:
		f.Type().Id(g.name).Add(p.code(underlying(t)))
	}
	errorMethod(f, p, g.name)
}

// declareErrorMethod makes a type an error where it is one, so that errors.As
// takes it.
func declareErrorMethod(f *jen.File, p *pkg, t *model.Type) {
	if t.Failure || p.failures.own[t.Name] {
		errorMethod(f, p, t.Name)
	}
}

func errorMethod(f *jen.File, p *pkg, name string) {
	f.Comment("// Error names the type. The status is in the [rt.CallError] around it.")
	f.Func().Params(jen.Id(name)).Id("Error").Params().String().
		Add(oneLineBlock(jen.Return(jen.Lit(p.opts.Package + ": the server answered with " + name))))
	f.Line()
}
