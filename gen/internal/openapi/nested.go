package openapi

import (
	"fmt"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// warnNested points to parameters whose values go deeper than their style can
// write: the runtime refuses to send those.
func warnNested(o *model.Operation, ds *diag.List) {
	for _, p := range o.Params {
		if what := tooDeep(p); what != "" {
			ds.Warnf(p.Pos, "parameter-nested", "%s parameter %q of %s holds %s, which its style has no way to write; sending one is an error",
				placeNames[p.In], p.Wire, o.ID, what).
				WithHint("declare how the server reads it: style deepObject in a query, or content application/json")
		}
	}
}

// placeNames are the places as OpenAPI calls them.
var placeNames = map[model.In]string{model.InPath: "path", model.InQuery: "query", model.InHeader: "header", model.InCookie: "cookie"}

// tooDeep is what a parameter's style cannot write of its value; empty: nothing,
// as far as the type tells.
func tooDeep(p *model.Param) string {
	if p.Content != "" || p.Style == model.DeepObject {
		return ""
	}
	lists := p.Style == model.Form && p.Explode // a list as a member goes out as a pair an item
	switch t := resolved(p.Type); t.Kind {
	case model.List:
		if what := inner(t.Elem, false); what != "" {
			return "a list of " + what
		}
	case model.Map:
		if what := inner(t.Elem, lists); what != "" {
			return "an object of " + what
		}
	case model.Struct:
		for _, f := range t.Fields {
			if what := inner(f.Type, lists); what != "" {
				return fmt.Sprintf("%s as its member %q", what, f.Wire)
			}
		}
	}
	return ""
}

// inner names the kind of a type that has members or items of its own. lists is
// set where a list of plain values can be written.
func inner(t *model.Type, lists bool) string {
	switch t = resolved(t); t.Kind {
	case model.List:
		if !lists {
			return "lists"
		}
		if what := inner(t.Elem, false); what != "" {
			return "lists of " + what
		}
	case model.Map, model.Struct:
		return "objects"
	}
	return ""
}
