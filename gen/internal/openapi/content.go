package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// A contentOf says for what a content is made: who speaks of it, and what to
// call types made for it.
type contentOf struct {
	op      *opSource
	subject string   // "the request body of createCharge", for messages
	wishes  []string // names of the type where there is one content
	role    role
}

// A role is what a content is for.
type role int

const (
	_ role = iota
	asked
	answered
	failed
)

// A mediaAt is a content together with what it is made from.
type mediaAt struct {
	out  *model.Content
	kin  *openapi3.MediaType
	node document.Node
}

// lowerContents makes the contents of a body or an answer, in document order.
func (l *lowerer) lowerContents(kins openapi3.Content, node document.Node, at string, of contentOf) []*model.Content {
	var all []mediaAt
	for media, n := range node.Members() {
		kin := kins[media.Text()]
		if kin == nil {
			kin = &openapi3.MediaType{}
		}
		c := &model.Content{Pos: media.Pos(), MediaType: media.Text(), Encoding: encodingOf(media.Text())}
		l.encodeByShape(c, kin, n)
		all = append(all, mediaAt{c, kin, n})
	}
	all = l.fitting(all, of)
	out := make([]*model.Content, 0, len(all))
	for _, m := range all {
		out = append(out, m.out)
	}
	nameContents(out)
	for _, m := range all {
		l.lowerContent(m.out, m.kin, m.node, pointer(at, "content", m.out.MediaType), of)
	}
	return out
}

// encodeByShape settles what the media type leaves open. Under a wildcard
// values with a structure travel as JSON, text as text, and the rest as bytes;
// under a type that is text without saying so, a plain string is one.
func (l *lowerer) encodeByShape(c *model.Content, kin *openapi3.MediaType, node document.Node) {
	m := essence(c.MediaType)
	wild := m == "*/*" || m == "application/*"
	if !wild && !(c.Encoding == model.Binary && textual(m)) || kin.Schema == nil {
		return
	}
	sh, ok := l.fold(one(kin.Schema, node.Get("schema")))
	if !ok || sh.inert() {
		return
	}
	switch name := scalarName(sh); {
	case name == "string" && scalarKind(name, sh) == model.File:
		c.Encoding = model.Binary
	case name == "string":
		c.Encoding = model.Text
	case wild:
		c.Encoding = model.JSON
	}
}

// lowerContent gives a content its type.
func (l *lowerer) lowerContent(c *model.Content, kin *openapi3.MediaType, node document.Node, at string, of contentOf) {
	value, where := one(kin.Schema, node.Get("schema")), pointer(at, "schema")
	if kin.ItemSchema != nil && (c.Encoding == model.EventStream || c.Encoding == model.JSONLines) {
		value, where = one(kin.ItemSchema, node.Get("itemSchema")), pointer(at, "itemSchema")
	}
	if !value.node().Exists() {
		if c.Encoding == model.FormURL || c.Encoding == model.Multipart {
			c.Encoding = model.Binary // nothing is known of its parts
		}
		return
	}
	wishes := of.wishes
	if c.Name != "" {
		wishes = nil
		for _, w := range of.wishes {
			wishes = append(wishes, contentName(w, c.Name))
		}
	}
	switch c.Encoding {
	case model.JSON, model.EventStream, model.JSONLines:
		c.Type, _ = l.lowerOnce(value, place{wishes: wishes, pointer: where})
	case model.FormURL, model.Multipart:
		l.lowerForm(c, kin, node, value, place{wishes: wishes, pointer: where}, of)
	case model.Text:
		l.lowerText(c, value, place{wishes: wishes, pointer: where}, of)
	case model.Binary:
		l.lowerBinary(c, value, of)
	default:
		panic(fmt.Sprintf("openapi: encoding %d not handled", c.Encoding))
	}
}

// contentName puts a content's name into the name of its type: before Body or
// Response, which ends it.
func contentName(wish, name string) string {
	for _, end := range [...]string{"Body", "Response"} {
		if stem, ok := strings.CutSuffix(wish, end); ok && stem != "" {
			return names.Join(stem, name, end)
		}
	}
	return names.Join(wish, name)
}

// lowerText makes the type of a plain text: a scalar. Anything with a structure
// has no form as text, so that it stays text.
func (l *lowerer) lowerText(c *model.Content, value use, p place, of contentOf) {
	if sh, ok := l.fold(value); ok && scalarClass(arm{shape: sh}) != "" {
		t, _ := l.lowerOnce(value, p)
		c.Type = paramType(t)
		return
	} else if ok && !sh.inert() {
		l.diags.Warnf(c.Pos, "text-structure", "%s is %s, but its schema has a structure that has no form as text; it becomes text", of.subject, c.MediaType).
			WithHint("give it a media type that says how it is written, or the type string")
	}
	c.Type = &model.Type{Pos: c.Pos, Kind: model.String, Pointer: p.pointer}
}

// lowerBinary notes where bytes stand for something that has a schema.
func (l *lowerer) lowerBinary(c *model.Content, value use, of contentOf) {
	sh, ok := l.fold(value)
	if !ok || sh.inert() || scalarName(sh) == "string" {
		return
	}
	l.diags.Warnf(c.Pos, "media-type", "%s is %s, which resgen does not encode; it becomes raw bytes", of.subject, c.MediaType).
		WithHint("send and read the bytes yourself, or declare application/json if the service takes it")
}

// lowerForm makes the fields of a form or multipart body.
func (l *lowerer) lowerForm(c *model.Content, kin *openapi3.MediaType, node document.Node, value use, p place, of contentOf) {
	if of.role == answered && c.Encoding == model.FormURL {
		if t, _ := l.lowerOnce(value, p); flat(t) {
			c.Type = t
			return
		}
	}
	if of.role != asked {
		c.Encoding = model.Binary
		l.diags.Warnf(c.Pos, "media-type", "%s is %s, which resgen does not read; it becomes raw bytes", of.subject, c.MediaType).
			WithHint("read the bytes yourself")
		return
	}
	t, _ := l.lowerOnce(value, p)
	s := resolved(t)
	if s.Kind != model.Struct {
		if s.Kind == model.Map && c.Encoding == model.FormURL && isScalar(s.Elem) {
			c.Type = t // pairs of any name
			return
		}
		c.Encoding = model.Binary
		l.diags.Warnf(c.Pos, "form-structure", "%s is %s, but its schema is no object with properties; it becomes raw bytes", of.subject, c.MediaType).
			WithHint("describe the form as an object")
		return
	}
	c.Type = t
	for _, f := range s.Fields {
		c.Fields = append(c.Fields, l.formField(c, f, kin.Encoding[f.Wire], node.At("encoding", f.Wire), p))
	}
}

// flat reports whether a type is pairs of names and plain values, or lists of them.
func flat(t *model.Type) bool {
	plain := func(t *model.Type) bool {
		if t = resolved(t); t.Kind == model.List {
			t = t.Elem
		}
		return isScalar(t)
	}
	t = resolved(t)
	switch t.Kind {
	case model.Map:
		return plain(t.Elem)
	case model.Struct:
		return !slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return !plain(f.Type) }) && (t.Extra == nil || plain(t.Extra))
	}
	return false
}

func isScalar(t *model.Type) bool {
	switch t = resolved(t); t.Kind {
	case model.List, model.Map, model.Struct, model.Union, model.Any, model.Null, model.File:
		return false
	}
	return true
}

// formField is how one property of a form travels.
func (l *lowerer) formField(c *model.Content, f *model.Field, kin *openapi3.Encoding, node document.Node, p place) *model.FormField {
	ff := &model.FormField{Field: f, Style: model.Form, Explode: true}
	if c.Encoding == model.Multipart {
		l.fileAmong(f)
		if kin != nil {
			fileByType(f, kin.ContentType)
		}
	}
	t := resolved(f.Type)
	item := t
	if t.Kind == model.List {
		item = resolved(t.Elem)
		ff.Repeat = true
	}
	ff.File = item.Kind == model.File && c.Encoding == model.Multipart
	structured := item.Kind == model.Struct || item.Kind == model.Map || item.Kind == model.Any || item.Kind == model.List ||
		item.Kind == model.Union && !scalarUnion(item)
	if ff.File {
		ff.MediaType = item.Media
	}
	if kin != nil {
		ff.AllowReserved = kin.AllowReserved
		ff.MediaType = firstText(kin.ContentType, ff.MediaType)
		l.formStyle(ff, kin, node)
		if ff.MediaType != "" && encodingOf(ff.MediaType) == model.JSON && c.Encoding == model.FormURL {
			ff.Repeat = false // the whole list is one JSON text
		}
		if c.Encoding == model.Multipart {
			ff.Headers = l.partHeaders(kin, node, f, p)
		}
	}
	styled := kin != nil && (kin.Style != "" || kin.Explode != nil)
	if structured && ff.MediaType == "" && !styled {
		ff.MediaType = "application/json"
		ff.Repeat = ff.Repeat && c.Encoding == model.Multipart
	}
	return ff
}

// partHeaders are the headers that the caller may give a part. Its disposition
// follows from the part, and a header is needed only where the part is.
func (l *lowerer) partHeaders(kin *openapi3.Encoding, node document.Node, f *model.Field, p place) (out []*model.Param) {
	for _, h := range l.lowerHeaders(kin.Headers, node.Get("headers"), p) {
		if strings.EqualFold(h.Wire, "Content-Disposition") {
			l.diags.Infof(h.Pos, "ignored-header", "part %q declares the header %s, which is made from its name and its file's", f.Wire, h.Wire)
			continue
		}
		h.Required = h.Required && f.Required
		out = append(out, h)
	}
	return out
}

// fileAmong makes a file, or a list of files, of a part that may be a file or
// something else: a part cannot say which of several types it is.
func (l *lowerer) fileAmong(f *model.Field) {
	u := resolved(f.Type)
	if u.Kind != model.Union {
		return
	}
	files, lists := 0, 0
	for _, v := range u.Variants {
		switch t := resolved(v.Type); {
		case t.Kind == model.File:
			files++
		case t.Kind == model.List && resolved(t.Elem).Kind == model.File:
			lists++
		}
	}
	if files+lists == 0 {
		return
	}
	if files+lists < len(u.Variants) {
		l.diags.Warnf(f.Pos, "form-union", "part %q may be a file or something else; it becomes a file", f.Wire).
			WithHint("describe the other form by a media type of its own")
	}
	f.Type = fileType(u)
	if lists > 0 {
		f.Type = &model.Type{Pos: u.Pos, Kind: model.List, Pointer: u.Pointer, Elem: fileType(u)}
	}
}

// fileByType makes a file, or a list of files, of a part of any value whose
// media type is neither JSON nor text: that is how OpenAPI 3.1 describes one.
func fileByType(f *model.Field, mediaType string) {
	first, _, _ := strings.Cut(mediaType, ",")
	if first == "" || encodingOf(first) != model.Binary {
		return
	}
	switch t := resolved(f.Type); {
	case t.Kind == model.Any:
		f.Type = fileType(t)
	case t.Kind == model.List && resolved(t.Elem).Kind == model.Any:
		f.Type = &model.Type{Pos: t.Pos, Kind: model.List, Pointer: t.Pointer, Elem: fileType(resolved(t.Elem))}
	}
}

// fileType is a file in the place of another type.
func fileType(t *model.Type) *model.Type {
	return &model.Type{Pos: t.Pos, Kind: model.File, Pointer: t.Pointer, Description: t.Description, Format: "binary"}
}

// scalarUnion reports whether every variant of a union is a plain value.
func scalarUnion(t *model.Type) bool {
	return !slices.ContainsFunc(t.Variants, func(v *model.Variant) bool { return !isScalar(v.Type) })
}

// formStyle takes over the style of an encoding object.
func (l *lowerer) formStyle(ff *model.FormField, kin *openapi3.Encoding, node document.Node) {
	if kin.Style != "" {
		written, ok := styles[kin.Style]
		if ok && slices.Contains(stylesOf[model.InQuery], written) {
			ff.Style = written
		} else {
			l.diags.Warnf(node.Get("style").Pos(), "parameter-style", "style %q does not fit a form field; the default is taken", kin.Style).WithHint("remove it")
		}
	}
	ff.Explode = ff.Style == model.Form || ff.Style == model.DeepObject
	if kin.Explode != nil {
		ff.Explode = *kin.Explode || ff.Style == model.DeepObject
	}
	if !ff.Explode {
		ff.Repeat = false
	}
}

// lowerBody makes the request body.
func (l *lowerer) lowerBody(op *opSource) {
	if op.kin.RequestBody == nil {
		return
	}
	node := op.node.Get("requestBody")
	kin, node, name, ok := l.tree.requestBody(op.kin.RequestBody, node)
	if !ok {
		l.diags.Warnf(node.Pos(), "dangling-ref", "the request body of %s leads nowhere; the operation takes raw bytes", op.out.ID).WithHint("correct the reference")
		op.out.Body = &model.Body{Pos: node.Pos(), Contents: []*model.Content{{Pos: node.Pos(), MediaType: "application/octet-stream", Encoding: model.Binary}}}
		return
	}
	of := contentOf{op: op, subject: "the request body of " + op.out.ID, wishes: []string{op.out.Name + "Body"}, role: asked}
	at := pointer(op.pointer, "requestBody")
	if name != "" {
		plain := names.Exported(name)
		of.wishes = []string{plain, plain + "Body"}
		if strings.HasSuffix(plain, "Body") {
			of.wishes = []string{plain}
		}
		at = pointer("/components/requestBodies", name)
	}
	contents := l.lowerContents(kin.Content, node.Get("content"), at, of)
	if len(contents) == 0 {
		l.diags.Warnf(node.Pos(), "empty-body", "the request body of %s has no content; it is left out", op.out.ID).WithHint("add a media type, or remove requestBody")
		return
	}
	op.out.Body = &model.Body{Pos: node.Pos(), Required: kin.Required, Description: kin.Description, Contents: contents}
}
