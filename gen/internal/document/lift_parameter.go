package document

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// parameter lifts a parameter that is neither a body nor a form field.
func (l *lifter) parameter(n *yaml.Node) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return n
	}
	if ref := refOf(n); ref != nil {
		o := object{Node: n}
		o.set("$ref", l.ref(ref))
		return o.Node
	}
	o := object{Node: n}
	schema := l.value(&o)
	style, explode := l.style(n, schema, (Node{n}).Get("in").Text())
	o.drop("collectionFormat")
	o.set("schema", schema.Node)
	if style != "" {
		at := formatAt(n)
		o.set("style", textAt(at, style))
		o.set("explode", boolAt(at, explode))
	}
	return o.Node
}

func boolAt(at *yaml.Node, v bool) *yaml.Node {
	n := textAt(at, "false")
	if v {
		n.Value = "true"
	}
	n.Tag = "!!bool"
	return n
}

// formatAt is what says how a list is written: the collectionFormat, or the
// parameter where none is written.
func formatAt(n *yaml.Node) *yaml.Node {
	if format := (Node{n}).Get("collectionFormat"); format.Exists() {
		return format.y
	}
	return n
}

// inAnswer is the place of an answer's header.
const inAnswer = "answer"

// header lifts an answer's header. Its lists are always divided by commas in
// 3.0; others stay text.
func (l *lifter) header(n *yaml.Node) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return n
	}
	o := object{Node: n}
	schema := l.value(&o)
	l.style(n, schema, inAnswer)
	o.drop("collectionFormat")
	o.set("schema", schema.Node)
	return o.Node
}

// value moves the fields that describe a value out of a parameter, into a
// schema.
func (l *lifter) value(o *object) *object {
	if given := o.get("schema"); given != nil { // as in 3.0
		return &object{Node: l.schema(given)}
	}
	schema := object{Node: mapAt(o.Node), copied: true}
	for i := 0; i+1 < len(o.Node.Content); i += 2 {
		key, value := o.Node.Content[i], o.Node.Content[i+1]
		_, moves := valueFields[key.Value]
		if moves || strings.HasPrefix(key.Value, "x-enum") || key.Value == "x-nullable" {
			schema.Content = append(schema.Content, key, value)
		}
	}
	for name := range valueFields {
		o.drop(name)
	}
	l.nullable(&schema)
	if items := schema.get("items"); items != nil && items.Kind == yaml.MappingNode {
		inner := object{Node: items}
		schema.set("items", l.items(&inner))
	}
	if kind := schema.get("type"); kind != nil && kind.Value == "file" {
		schema.set("type", textAt(kind, "string"))
		schema.set("format", textAt(kind, "binary"))
	}
	return &schema
}

func (l *lifter) items(o *object) *yaml.Node {
	if inner := o.get("items"); inner != nil && inner.Kind == yaml.MappingNode {
		o.set("items", l.items(&object{Node: inner}))
	}
	o.drop("collectionFormat")
	l.nullable(o)
	return o.Node
}

// style is how 3.0 writes a list as its collectionFormat says. Where 3.0
// cannot, the schema becomes text, which the caller writes as it has to be.
func (l *lifter) style(n *yaml.Node, schema *object, in string) (style string, explode bool) {
	if (Node{n}).Get("type").Text() != "array" {
		return "", false
	}
	format := (Node{n}).Get("collectionFormat")
	nested := (Node{n}).At("items", "type").Text() == "array"
	query := in == "query" || in == inForm
	anywhere := query || in == "path" || in == "header" // what divides the items is no style of these two in 3.0, but plain
	switch name := format.Text(); {
	case nested:
	case name == "" || name == "csv":
		if query {
			return "form", false
		}
		return "simple", false
	case name == "multi" && query:
		return "form", true
	case name == "multi" && in == "header":
		return "simple", false // lines of one name are a list with commas
	case name == "ssv" && anywhere:
		return "spaceDelimited", false
	case name == "pipes" && anywhere:
		return "pipeDelimited", false
	case name == "tsv" && anywhere:
		return "tabDelimited", false // no word of 3.0's, but nothing else says it
	}
	at := formatAt(n)
	if in == inAnswer {
		in = "header"
	}
	what := "collectionFormat " + inQuotes(format.Text())
	if nested {
		what = "a list of lists"
	}
	l.ds.Warnf(pos(at), "collection-format", "%s in %s has no form in OpenAPI 3; the value was read as the whole text", what, orHint(in, "no place")).
		WithHint("write the items and what divides them as one text")
	*schema = object{Node: mapAt(n, textAt(at, "type"), textAt(at, "string")), copied: true}
	return "", false
}

// requestBody makes one body of the body parameter or of the form fields.
func (l *lifter) requestBody(carried []Node, consumes []*yaml.Node) *yaml.Node {
	var form []Node
	for _, p := range carried {
		declared := l.declared(p)
		if place2(declared) == inForm {
			form = append(form, declared)
			continue
		}
		if len(carried) > 1 {
			l.ds.Warnf(declared.Pos(), "body-and-form", "the operation has a body and other parts of a body; want one of them; the body was taken")
		}
		if p.Get("$ref").Exists() && sameTypes(consumes, l.consumes) {
			ref := p.Get("$ref").y
			c := *ref
			c.Value = "#/" + inRequestBodies + strings.TrimPrefix(ref.Value, "#/"+inParameters2)
			return mapAt(p.y, textAt(ref, "$ref"), &c)
		}
		return l.body(declared.y, consumes)
	}
	if len(form) == 0 {
		return nil
	}
	return l.form(form, consumes)
}

// body lifts a body parameter.
func (l *lifter) body(n *yaml.Node, consumes []*yaml.Node) *yaml.Node {
	o := object{Node: n}
	schema := o.get("schema")
	if schema == nil {
		schema = mapAt(n)
	}
	types := slices.DeleteFunc(slices.Clone(consumes), func(t *yaml.Node) bool { return isForm(t.Value) })
	if len(types) == 0 {
		types = consumes
	}
	if len(types) == 0 {
		types = []*yaml.Node{textAt(schema, "application/json")}
	}
	o.drop("in")
	o.drop("name")
	o.drop("schema")
	o.set("content", l.content(schema, types, Node{}))
	return o.Node
}

const (
	multipart  = "multipart/form-data"
	urlencoded = "application/x-www-form-urlencoded"
)

func isForm(mediaType string) bool {
	mediaType, _, _ = strings.Cut(strings.ToLower(mediaType), ";")
	mediaType = strings.TrimSpace(mediaType)
	return mediaType == multipart || mediaType == urlencoded
}

// form makes an object of form fields.
func (l *lifter) form(fields []Node, consumes []*yaml.Node) *yaml.Node {
	at := fields[0].y
	properties, encodings := mapAt(at), mapAt(at)
	var required []*yaml.Node
	files := slices.ContainsFunc(fields, func(p Node) bool { return isFile(p) })
	types := l.formTypes(at, files, consumes)
	for _, p := range fields {
		name := p.Get("name")
		if name.Kind() != Text {
			l.ds.Warnf(p.Pos(), "no-name", "a form field has no name; it was dropped")
			continue
		}
		schema, encoding := l.field(p, types[0].Value)
		properties.Content = append(properties.Content, name.y, schema)
		if encoding != nil {
			encodings.Content = append(encodings.Content, textAt(name.y, name.Text()), encoding)
		}
		if p.Get("required").Text() == "true" {
			required = append(required, name.y)
		}
	}
	object := mapAt(at, textAt(at, "type"), textAt(at, "object"), textAt(at, "properties"), properties)
	body := mapAt(at)
	if len(required) > 0 {
		object.Content = append(object.Content, textAt(at, "required"), listAt(at, required...))
		body.Content = append(body.Content, textAt(at, "required"), boolAt(at, true))
	}
	content := mapAt(at)
	for _, t := range types {
		media := mapAt(at, textAt(at, "schema"), object)
		if len(encodings.Content) > 0 {
			media.Content = append(media.Content, textAt(at, "encoding"), encodings)
		}
		content.Content = append(content.Content, textAt(t, t.Value), media)
	}
	body.Content = append(body.Content, textAt(at, "content"), content)
	return body
}

func isFile(p Node) bool { return p.Get("type").Text() == "file" }

// formTypes are the media types of a form: files need parts. Where a form may
// travel either way the caller chooses.
func (l *lifter) formTypes(at *yaml.Node, files bool, consumes []*yaml.Node) []*yaml.Node {
	var types []*yaml.Node
	for _, t := range consumes {
		if isForm(t.Value) && (!files || strings.HasPrefix(strings.ToLower(t.Value), multipart)) {
			types = append(types, t)
		}
	}
	switch {
	case len(types) > 0:
		return types
	case files:
		return []*yaml.Node{textAt(at, multipart)}
	}
	return []*yaml.Node{textAt(at, urlencoded)}
}

// field lifts a form field to a property and, for lists, its encoding.
func (l *lifter) field(p Node, mediaType string) (schema, encoding *yaml.Node) {
	o := object{Node: p.y}
	value := l.value(&o)
	in := inForm
	parts := strings.HasPrefix(strings.ToLower(mediaType), multipart)
	if parts && p.Get("collectionFormat").Text() != "multi" {
		in = multipart // parts repeat; anything else is one text
	}
	if style, explode := l.partStyle(p, value, in); style != "" && !parts {
		at := formatAt(p.y)
		encoding = mapAt(at, textAt(at, "style"), textAt(at, style), textAt(at, "explode"), boolAt(at, explode))
	}
	for i := 0; i+1 < len(o.Node.Content); i += 2 {
		key, v := o.Node.Content[i], o.Node.Content[i+1]
		if (key.Value == "description" || strings.HasPrefix(key.Value, "x-")) && value.get(key.Value) == nil {
			value.own()
			value.Content = append(value.Content, key, v)
		}
	}
	return value.Node, encoding
}

// partStyle is style, but for lists in a part of a multipart body: there a
// list that is divided by anything is one text.
func (l *lifter) partStyle(p Node, value *object, in string) (string, bool) {
	if in != multipart || p.Get("type").Text() != "array" {
		return l.style(p.y, value, in)
	}
	at := formatAt(p.y)
	l.ds.Warnf(pos(at), "collection-format", "a list in one part of a form has no form in OpenAPI 3; the value was read as the whole text").
		WithHint("write the items and what divides them as one text")
	*value = object{Node: mapAt(p.y, textAt(at, "type"), textAt(at, "string")), copied: true}
	return "", false
}
