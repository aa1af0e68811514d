package openapi

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// places are the places of parameters by their word.
var places = map[string]model.In{"path": model.InPath, "query": model.InQuery, "header": model.InHeader, "cookie": model.InCookie}

// placeWords tell parameters of one name apart.
var placeWords = map[model.In]string{model.InPath: "Path", model.InQuery: "Query", model.InHeader: "Header", model.InCookie: "Cookie"}

// styles are the styles by their word.
var styles = map[string]model.Style{
	"simple": model.Simple, "label": model.Label, "matrix": model.Matrix, "form": model.Form, "spaceDelimited": model.SpaceDelimited,
	"pipeDelimited": model.PipeDelimited, "deepObject": model.DeepObject, "tabDelimited": model.TabDelimited,
}

// stylesOf are the styles that fit a place; the first is the default. Lists in
// paths and headers are divided by other characters than commas in Swagger 2.0
// only.
var stylesOf = map[model.In][]model.Style{
	model.InPath:   {model.Simple, model.Label, model.Matrix, model.SpaceDelimited, model.PipeDelimited, model.TabDelimited},
	model.InQuery:  {model.Form, model.SpaceDelimited, model.PipeDelimited, model.DeepObject, model.TabDelimited},
	model.InHeader: {model.Simple, model.SpaceDelimited, model.PipeDelimited, model.TabDelimited},
	model.InCookie: {model.Form},
}

// ignoredHeaders are header parameters that OpenAPI says to ignore: they are
// described by other means.
var ignoredHeaders = []string{"Accept", "Content-Type", "Authorization"}

// lowerParams makes the parameters of an operation: the path item's, those that
// the operation overrides replaced in their place, then the operation's.
func (l *lowerer) lowerParams(op *opSource) []*model.Param {
	var out []*model.Param
	var own []bool // whether out[i] is the operation's
	add := func(list openapi3.Parameters, nodes document.Node, base string, isOwn bool) {
		i := -1
		for node := range nodes.Items() {
			if i++; i >= len(list) {
				break
			}
			p := l.lowerParam(op, list[i], node, pointer(base, "parameters", itoa(i)))
			if p == nil {
				continue // reported
			}
			j := slices.IndexFunc(out, func(q *model.Param) bool { return q.In == p.In && sameParam(q, p) })
			switch {
			case j < 0:
				out, own = append(out, p), append(own, isOwn)
			case own[j] == isOwn:
				l.diags.Warnf(node.Pos(), "duplicate-parameter", "parameter %q is declared twice; the first counts", p.Wire).
					WithHint("remove one").WithRelated(out[j].Pos, "the first")
			default:
				out[j], own[j] = p, isOwn
			}
		}
	}
	add(op.item.Parameters, op.itemAt.Get("parameters"), pointer("/paths", op.path.Text()), false)
	add(op.kin.Parameters, op.node.Get("parameters"), op.pointer, true)
	return out
}

// sameParam compares names as the place does: headers without regard to case.
func sameParam(a, b *model.Param) bool {
	return a.Wire == b.Wire || a.In == model.InHeader && strings.EqualFold(a.Wire, b.Wire)
}

// lowerParam makes one parameter; nil where it is none.
func (l *lowerer) lowerParam(op *opSource, ref *openapi3.ParameterRef, node document.Node, at string) *model.Param {
	kin, node, ok := l.tree.parameter(ref, node)
	if !ok {
		l.diags.Warnf(node.Pos(), "dangling-ref", "this parameter of %s leads nowhere; it is left out", op.out.ID).WithHint("correct the reference")
		return nil
	}
	in, ok := places[strings.ToLower(kin.In)]
	if !ok || kin.Name == "" {
		l.diags.Warnf(node.Pos(), "parameter", "parameter %q of %s is in %q; want a name, and path, query, header or cookie; it is left out", kin.Name, op.out.ID, kin.In).
			WithHint("write where it travels")
		return nil
	}
	if in == model.InHeader && slices.ContainsFunc(ignoredHeaders, func(h string) bool { return strings.EqualFold(h, kin.Name) }) {
		l.diags.Infof(node.Pos(), "ignored-header", "header parameter %q is ignored, as OpenAPI says: media types and credentials are described elsewhere", kin.Name)
		return nil
	}
	p := &model.Param{
		Pos: node.Pos(), Wire: kin.Name, Name: overrideName(node), In: in, Required: kin.Required || in == model.InPath,
		Deprecated: kin.Deprecated, Description: kin.Description,
		AllowReserved: kin.AllowReserved, AllowEmpty: kin.AllowEmptyValue,
	}
	owner := op.out.Name
	if ref.Ref != "" {
		owner = ""
	}
	l.paramValue(p, kin, node, l.paramPlace(owner, ref.Ref, p.Wire, at))
	p.Style, p.Explode = l.styleOf(kin, node, in)
	return p
}

// paramPlace names types made for a parameter: after the operation, or after
// the component where operations share it.
func (l *lowerer) paramPlace(owner, ref, wire, at string) place {
	if owner != "" {
		return place{wishes: []string{names.Join(owner, names.Part(wire)), names.Join(owner, names.Part(wire), "Param")}, pointer: at}
	}
	name := ref[strings.LastIndexByte(ref, '/')+1:]
	plain := names.Exported(unescape(name))
	return place{wishes: []string{plain, plain + "Param"}, pointer: strings.TrimPrefix(ref, "#")}
}

// paramValue fills in the type: of the schema, of the one content, or text.
// Content that is not JSON is text as it stands.
func (l *lowerer) paramValue(p *model.Param, kin *openapi3.Parameter, node document.Node, where place) {
	value := one(kin.Schema, node.Get("schema"))
	where.pointer = pointer(where.pointer, "schema")
	other := document.Node{} // a media type that is not JSON
	for media, n := range node.Get("content").Members() {
		if encodingOf(media.Text()) == model.JSON {
			p.Content = media.Text()
		} else {
			other = media
		}
		if c := kin.Content[media.Text()]; c != nil {
			value = one(c.Schema, n.Get("schema"))
		}
		break // one is allowed
	}
	t, n := l.lowerOnce(value, where)
	p.Description = firstText(p.Description, n.description)
	p.Deprecated = p.Deprecated || n.deprecated
	switch {
	case other.Exists() && !isScalar(t):
		l.diags.Warnf(other.Pos(), "text-structure", "parameter %q is %s, but its schema has a structure that has no form as text; it becomes text", p.Wire, other.Text()).
			WithHint("declare application/json, or the type string")
		fallthrough
	case t.Kind == model.Any && !value.node().Exists() && p.Content == "":
		t = &model.Type{Pos: p.Pos, Kind: model.String, Pointer: where.pointer}
	case t.Kind == model.Any && !value.node().Exists():
		t = &model.Type{Pos: p.Pos, Kind: model.Any, Pointer: where.pointer}
	}
	p.Type = paramType(t)
}

// paramType is the type of a value that travels as text: null is left out, and
// bytes without a file are text.
func paramType(t *model.Type) *model.Type {
	if t.Kind == model.Alias && t.Name == "" {
		t = t.Elem
	}
	if t.Name != "" || !t.Nullable && t.Kind != model.File {
		return t
	}
	plain := *t
	plain.Nullable = false
	if plain.Kind == model.File {
		plain.Kind = model.String
	}
	return &plain
}

// styleOf is the serialisation style, by place where none is written or the
// written one does not fit.
func (l *lowerer) styleOf(kin *openapi3.Parameter, node document.Node, in model.In) (model.Style, bool) {
	fit := stylesOf[in]
	style := fit[0]
	if kin.Style != "" {
		written, known := styles[kin.Style]
		if known && slices.Contains(fit, written) {
			style = written
		} else {
			l.diags.Warnf(node.Get("style").Pos(), "parameter-style", "style %q does not fit a parameter in %s; the default is taken", kin.Style, kin.In).
				WithHint("remove it")
		}
	}
	explode := style == model.Form || style == model.DeepObject
	if kin.Explode != nil {
		explode = *kin.Explode
	}
	return style, explode || style == model.DeepObject
}

// nameParams gives the parameters, and the headers of parts, their field names,
// in document order. Where two would be one, the place tells them apart.
func nameParams(o *model.Operation) {
	scope := names.NewScope("Body")
	if o.Body != nil {
		for _, c := range o.Body.Contents {
			scope.Reserve("Body" + c.Name)
		}
	}
	for _, p := range o.Params {
		if p.Name != "" {
			p.Name = scope.Take(p.Name) // x-go-name
		}
	}
	holder := map[string]model.In{} // who has the plain name
	for _, p := range o.Params {
		if p.Name != "" {
			continue
		}
		plain := names.Exported(p.Wire)
		wishes := []string{plain}
		if holder[plain] != p.In {
			wishes = append(wishes, names.Join(plain, placeWords[p.In]))
		}
		p.Name = scope.Take(append(wishes, names.ExportedSpelled(p.Wire))...)
		if p.Name == plain {
			holder[plain] = p.In
		}
	}
	if o.Body != nil {
		namePartHeaders(o.Body, scope)
	}
}

// namePartHeaders names the headers of parts after part and header.
func namePartHeaders(b *model.Body, scope *names.Scope) {
	for _, c := range b.Contents {
		for _, f := range c.Fields {
			for _, h := range f.Headers {
				name := names.Join(names.Part(f.Field.Wire), names.Part(h.Wire))
				h.Name = scope.Take(name, names.Join(name, "Header"), names.Join(c.Name, name))
			}
		}
	}
}
