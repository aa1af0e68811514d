package openapi

import (
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// lowerSchemes makes the document's security schemes.
func (l *lowerer) lowerSchemes() {
	scope := names.NewScope()
	kins := l.tree.kin.Components.SecuritySchemes
	for key, node := range l.tree.root.At("components", "securitySchemes").Members() {
		kin, node, ok := l.tree.scheme(kins[key.Text()], node)
		if !ok {
			l.diags.Warnf(node.Pos(), "dangling-ref", "security scheme %q leads nowhere; it is left out", key.Text()).WithHint("correct the reference")
			continue
		}
		s := &model.SecurityScheme{Pos: node.Pos(), Wire: key.Text(), Description: kin.Description}
		if !l.schemeKind(s, kin, node) {
			continue // reported
		}
		s.Name = scope.Take(names.Exported(key.Text()), names.ExportedSpelled(key.Text()))
		l.schemes[s.Wire] = s
		l.api.Schemes = append(l.api.Schemes, s)
	}
}

// schemeKind fills in how credentials travel. false: nobody can say.
func (l *lowerer) schemeKind(s *model.SecurityScheme, kin *openapi3.SecurityScheme, node document.Node) bool {
	switch strings.ToLower(kin.Type) {
	case "apikey":
		s.Kind, s.In, s.Param = model.APIKey, places[strings.ToLower(kin.In)], kin.Name
		if s.Param == "" || s.In == 0 || s.In == model.InPath {
			l.diags.Warnf(node.Pos(), "security-scheme", "API key %q is in %q under the name %q; want header, query or cookie and a name; it is left out", s.Wire, kin.In, kin.Name).
				WithHint("say where the key travels")
			return false
		}
	case "http":
		s.HTTPScheme = kin.Scheme
		switch strings.ToLower(kin.Scheme) {
		case "bearer":
			s.Kind = model.Bearer
		case "basic":
			s.Kind = model.Basic
		default:
			s.Kind = model.OtherHTTP
		}
	case "basic":
		s.Kind = model.Basic
	case "bearer":
		s.Kind = model.Bearer
	case "oauth2":
		s.Kind = model.OAuth2
	case "openidconnect":
		s.Kind = model.OpenID
	case "mutualtls":
		s.Kind = model.MutualTLS
	default:
		l.diags.Warnf(node.Pos(), "security-scheme", "security scheme %q has type %q; want apiKey, http, oauth2, openIdConnect or mutualTLS; it is left out", s.Wire, kin.Type).
			WithHint("correct the type")
		return false
	}
	return true
}

// securityOf are the alternatives of an operation: its own, or the document's.
func (l *lowerer) securityOf(op *opSource) []model.Requirement {
	kins, node := l.tree.kin.Security, l.tree.root.Get("security")
	if op.kin.Security != nil {
		kins, node = *op.kin.Security, op.node.Get("security")
	}
	var out []model.Requirement
	i := -1
	for n := range node.Items() {
		if i++; i >= len(kins) {
			break
		}
		r, ok := l.requirement(n)
		if ok {
			out = append(out, r)
		}
	}
	return out
}

// requirement reads one alternative. One that asks for an unknown scheme can
// never be met and is left out.
func (l *lowerer) requirement(node document.Node) (model.Requirement, bool) {
	var r model.Requirement
	ok := true
	for key, scopes := range node.Members() {
		s := l.schemes[key.Text()]
		if s == nil {
			l.diags.Warnf(key.Pos(), "unknown-scheme", "security asks for %q, which is no usable scheme of components.securitySchemes; the alternative is left out", key.Text()).
				WithHint("declare the scheme, or correct its name")
			ok = false
			continue
		}
		use := model.SchemeUse{Scheme: s}
		for scope := range scopes.Items() {
			use.Scopes = append(use.Scopes, scope.Text())
		}
		r.Schemes = append(r.Schemes, use)
	}
	return r, ok
}
