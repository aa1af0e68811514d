package golang

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// An authSet is a list of alternatives that operations share.
type authSet struct {
	field string // of Client
	text  string
	need  []model.Requirement
}

// authOf finds or makes the set of an operation's requirements; nil where it
// needs none.
func (p *pkg) authOf(spec *model.Operation) *authSet {
	text := requirementsText(spec.Security)
	if strings.Trim(text, "|") == "" {
		return nil
	}
	for _, a := range p.auths {
		if a.text == text {
			return a
		}
	}
	a := &authSet{text: text, need: spec.Security}
	field := "auth"
	for i, r := range spec.Security {
		if i > 0 {
			field += "Or"
		}
		if len(r.Schemes) == 0 {
			field += "None"
		}
		for _, use := range r.Schemes {
			p.useScheme(use.Scheme)
			field += use.Scheme.Name
		}
	}
	if len(field) > 40 {
		field = "auth" + spec.Name
	}
	a.field = p.private.Take(field, "auth"+spec.Name)
	p.auths = append(p.auths, a)
	return a
}

func (p *pkg) useScheme(s *model.SecurityScheme) {
	for _, known := range p.schemes {
		if known.Wire == s.Wire {
			return
		}
	}
	p.schemes = append(p.schemes, s)
}

func requirementsText(rs []model.Requirement) string {
	var b strings.Builder
	for _, r := range rs {
		for _, use := range r.Schemes {
			b.WriteString(use.Scheme.Wire + "&")
		}
		b.WriteByte('|')
	}
	return b.String()
}

// declareAuth writes Auth: a field a scheme that some operation asks for.
func declareAuth(f *jen.File, p *pkg) {
	if len(p.schemes) == 0 {
		return
	}
	doc(f, "Auth holds the credentials of a client, a field a security scheme. Schemes that are left out are not used.")
	f.Type().Id("Auth").StructFunc(func(g *jen.Group) {
		for _, s := range p.schemes {
			if s.Kind == model.MutualTLS {
				continue // the transport shows it
			}
			doc(g, schemeDoc(s))
			g.Id(s.Name).Add(p.rt(sourceTypes[s.Kind]))
		}
	})
	f.Line()
}

var sourceTypes = map[model.SchemeKind]string{
	model.APIKey: "TokenSource", model.Bearer: "TokenSource", model.OAuth2: "TokenSource", model.OpenID: "TokenSource",
	model.Basic: "BasicSource", model.OtherHTTP: "Authorizer",
}

func schemeDoc(s *model.SecurityScheme) string {
	var what string
	switch s.Kind {
	case model.APIKey:
		place := map[model.In]string{model.InHeader: "header", model.InQuery: "query parameter", model.InCookie: "cookie"}[s.In]
		what = fmt.Sprintf("%s is sent as the %s %s.", s.Name, place, oneLine(s.Param))
	case model.Bearer:
		what = s.Name + " is sent as a bearer token."
	case model.Basic:
		what = s.Name + " is sent as user name and password."
	case model.OAuth2:
		what = s.Name + " gives OAuth2 access tokens."
	case model.OpenID:
		what = s.Name + " gives OpenID Connect tokens."
	case model.OtherHTTP:
		what = fmt.Sprintf("%s sets the Authorization header of scheme %s.", s.Name, oneLine(s.HTTPScheme))
	default:
		panic(fmt.Sprintf("golang: scheme kind %v not handled", s.Kind))
	}
	if s.Description == "" {
		return what
	}
	return what + "\n\n" + s.Description
}

// credentialVar is the local of NewClient that holds a scheme's credential.
func credentialVar(s *model.SecurityScheme) string {
	return names.Uncapital(s.Name) + "Credential"
}

// credential is the wire.Credential of a scheme.
func (p *pkg) credential(s *model.SecurityScheme) *jen.Statement {
	source := jen.Id("config").Dot("Auth").Dot(s.Name)
	scheme := jen.Lit(s.Wire)
	switch s.Kind {
	case model.APIKey:
		fn := map[model.In]string{model.InHeader: "HeaderKey", model.InQuery: "QueryKey", model.InCookie: "CookieKey"}[s.In]
		return p.wire(fn).Call(scheme, jen.Lit(s.Param), source)
	case model.Bearer, model.OAuth2, model.OpenID:
		return p.wire("Bearer").Call(scheme, source)
	case model.Basic:
		return p.wire("Basic").Call(scheme, source)
	case model.OtherHTTP:
		return p.wire("Custom").Call(scheme, source)
	case model.MutualTLS:
		return p.wire("Transport").Call(scheme)
	default:
		panic(fmt.Sprintf("golang: scheme kind %v not handled", s.Kind))
	}
}

// requirement is the wire.Auth of a set of alternatives.
func (p *pkg) requirement(a *authSet) *jen.Statement {
	alternatives := make([]jen.Code, len(a.need))
	for i, r := range a.need {
		alternatives[i] = jen.Index().Add(p.wire("Credential")).CustomFunc(inline, func(g *jen.Group) {
			for _, use := range r.Schemes {
				g.Id(credentialVar(use.Scheme))
			}
		})
	}
	return p.wire("Require").Call(alternatives...)
}

// fallbacks are the operations whose fallback is a function of the caller's.
func (p *pkg) fallbacks() []*operation {
	var out []*operation
	for _, op := range p.ops {
		if op.hasFallback() {
			out = append(out, op)
		}
	}
	return out
}

func (op *operation) hasFallback() bool {
	return op.plan.Value(policy.FallbackKind).Text == "caller" && op.result.kind != ResultNone && op.result.live == nil
}

func fallbackField(op *operation) string { return "fallback" + op.spec.Name }

// fallbackType is the function type of a caller's fallback.
func (p *pkg) fallbackType(op *operation) *jen.Statement {
	params := []jen.Code{jen.Qual("context", "Context")}
	if op.hasRequest() {
		params = append(params, jen.Id(op.request()))
	}
	params = append(params, jen.Op("*").Add(p.rt("CallError")))
	return jen.Func().Params(params...).Params(p.code(op.result.typ), jen.Error())
}

// declareFallbacks writes Fallbacks: a function an operation of kind caller.
func declareFallbacks(f *jen.File, p *pkg) {
	ops := p.fallbacks()
	if len(ops) == 0 {
		return
	}
	doc(f, "Fallbacks are the functions that answer for an operation when the dependency does not. Each is told why, and runs on the caller's context. Without one the call's error stands.")
	f.Type().Id("Fallbacks").StructFunc(func(g *jen.Group) {
		for _, op := range ops {
			doc(g, "For [Client."+op.spec.Name+"].")
			g.Id(op.spec.Name).Add(p.fallbackType(op))
		}
	})
	f.Line()
}
