package openapi_test

import (
	"fmt"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// words of the model's enumerations, for goldens.
var (
	kindWords = map[model.Kind]string{model.Any: "any", model.Bool: "bool", model.Int: "int", model.BigInt: "bigint", model.Float: "float",
		model.Number: "number", model.String: "string", model.Bytes: "bytes", model.Date: "date", model.DateTime: "datetime", model.Enum: "enum",
		model.List: "list", model.Map: "map", model.Struct: "struct", model.Union: "union", model.Null: "null", model.Alias: "alias", model.File: "file"}
	placeWords = map[model.In]string{model.InPath: "path", model.InQuery: "query", model.InHeader: "header", model.InCookie: "cookie"}
	styleWords = map[model.Style]string{model.Simple: "simple", model.Label: "label", model.Matrix: "matrix", model.Form: "form",
		model.SpaceDelimited: "space", model.PipeDelimited: "pipe", model.DeepObject: "deep", model.TabDelimited: "tab"}
	encodingWords = map[model.Encoding]string{model.JSON: "json", model.FormURL: "form", model.Multipart: "multipart", model.Text: "text",
		model.Binary: "binary", model.EventStream: "events", model.JSONLines: "lines"}
	schemeWords = map[model.SchemeKind]string{model.APIKey: "apikey", model.Bearer: "bearer", model.Basic: "basic", model.OAuth2: "oauth2",
		model.OpenID: "openid", model.MutualTLS: "mtls", model.OtherHTTP: "http"}
)

// printer writes a model as lines that a golden can be read by.
type printer struct{ strings.Builder }

func (p *printer) line(format string, args ...any) {
	p.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// word is a word where it holds.
func word(holds bool, word string) string {
	if holds {
		return " " + word
	}
	return ""
}

func text(label, s string) string {
	if s == "" {
		return ""
	}
	return fmt.Sprintf(" %s=%q", label, s)
}

// describe prints the whole model.
func describe(api *model.API) string {
	var p printer
	for _, s := range api.Servers {
		p.server("", s)
	}
	for _, s := range api.Schemes {
		p.line("scheme %s %s %s%s%s%s", s.Wire, s.Name, schemeWords[s.Kind], word(s.In != 0, placeWords[s.In]), text("param", s.Param), text("scheme", s.HTTPScheme))
	}
	for _, o := range api.Operations {
		p.operation(o)
	}
	for _, t := range api.Types {
		p.typ(t)
	}
	return p.String()
}

func (p *printer) server(indent string, s model.Server) {
	p.line("%sserver %s %s", indent, s.Name, s.URL)
	for _, v := range s.Variables {
		given := ""
		if v.Given {
			given = " given"
		}
		p.line("%s  variable %s %s default=%q %v%s", indent, v.Wire, v.Name, v.Default, v.Enum, given)
	}
}

func (p *printer) operation(o *model.Operation) {
	p.line("%s %s%s %s%s%s%s %v", o.Method, o.Path, text("?", o.FixedQuery), o.Name, text("request", o.Request), text("result", o.Result), word(o.Deprecated, "deprecated"), o.Tags)
	var segments []string
	for _, s := range o.Segments {
		if s.Param != nil {
			segments = append(segments, "{"+s.Param.Name+"}")
		} else {
			segments = append(segments, s.Literal)
		}
	}
	if path := strings.Join(segments, ""); path != o.Path {
		p.line("  segments %s", path)
	}
	for _, q := range o.Params {
		p.param("  ", q)
	}
	if o.Body != nil {
		p.line("  body%s", word(o.Body.Required, "required"))
		p.contents(o.Body.Contents)
	}
	for _, r := range o.Responses {
		p.line("  %d%s %s%s%s", r.Status, word(r.Range, "range"), r.Stem, text("error", r.Name), text("headers", r.HeadersName))
		for _, h := range r.Headers {
			p.param("    ", h)
		}
		p.contents(r.Contents)
	}
	for _, r := range o.Security {
		var uses []string
		for _, s := range r.Schemes {
			uses = append(uses, s.Scheme.Wire+fmt.Sprint(s.Scopes))
		}
		p.line("  security %s", strings.Join(uses, " "))
	}
	for _, s := range o.Servers {
		p.server("  ", s)
	}
}

func (p *printer) param(indent string, q *model.Param) {
	p.line("%s%s %s %s %s %s%s%s%s%s%s%s%s", indent, placeWords[q.In], q.Wire, q.Name, expr(q.Type), styleWords[q.Style],
		word(q.Explode, "explode"), word(q.Required, "required"), word(q.Deprecated, "deprecated"),
		word(q.AllowReserved, "reserved"), word(q.AllowEmpty, "empty"), word(q.SeveralSegments, "several"), text("content", q.Content))
}

func (p *printer) contents(contents []*model.Content) {
	for _, c := range contents {
		p.line("    %s %s%s %s", c.MediaType, encodingWords[c.Encoding], text("name", c.Name), expr(c.Type))
		for _, f := range c.Fields {
			p.line("      %s %s%s%s%s%s%s", f.Field.Wire, styleWords[f.Style], word(f.Explode, "explode"), word(f.AllowReserved, "reserved"),
				text("type", f.MediaType), word(f.File, "file"), word(f.Repeat, "repeat"))
			for _, h := range f.Headers {
				p.param("        ", h)
			}
		}
	}
}

// expr is a type where it is used.
func expr(t *model.Type) string {
	if t == nil {
		return "-"
	}
	null := word(t.Nullable, "")
	if t.Nullable {
		null = "?"
	}
	switch {
	case t.Name != "":
		return t.Name
	case t.Kind == model.Alias:
		return expr(t.Elem) + null
	case t.Kind == model.List:
		return "[]" + expr(t.Elem) + null
	case t.Kind == model.Map:
		return "map[" + expr(t.Elem) + "]" + null
	}
	s := kindWords[t.Kind]
	if t.Format != "" {
		s += ":" + t.Format
	}
	return s + null
}

func (p *printer) typ(t *model.Type) {
	of := ""
	switch t.Kind {
	case model.Enum, model.List, model.Map, model.Alias:
		of = " of " + expr(t.Elem)
	}
	p.line("type %s %s%s%s%s%s%s %v", t.Name, kindWords[t.Kind], of, text("schema", t.Schema), word(t.Nullable, "nullable"), word(t.Failure, "failure"),
		word(t.Deprecated, "deprecated"), t.Tags)
	if t.Const != nil {
		p.line("  const %s", t.Const.JSON)
	}
	for _, f := range t.Fields {
		p.line("  %q %s %s%s%s%s%s", f.Wire, f.Name, expr(f.Type), word(f.Required, "required"), word(f.ReadOnly, "readonly"), word(f.WriteOnly, "writeonly"), word(f.Deprecated, "deprecated"))
	}
	if t.Extra != nil {
		p.line("  extra %s", expr(t.Extra))
	}
	for _, v := range t.Enum {
		p.line("  %s = %s", v.Name, v.Value.JSON)
	}
	if d := t.Discriminator; d != nil {
		p.line("  by %q %s", d.Wire, kindWords[d.Kind])
	}
	for _, v := range t.Variants {
		p.line("  | %s %s %q", v.Name, expr(v.Type), v.Values)
	}
}
