package document

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

func (l *lifter) paths(paths Node) *yaml.Node {
	out := mapAt(paths.y)
	for key, item := range paths.Members() {
		value := item.y
		if !strings.HasPrefix(key.Text(), "x-") && item.Kind() == Map {
			value = l.pathItem(item)
		}
		out.Content = append(out.Content, key.y, value)
	}
	return out
}

// pathItem lifts a path item. Bodies and form fields that it declares for all
// its operations go into each of them.
func (l *lifter) pathItem(item Node) *yaml.Node {
	plain, carried := l.split(item.Get("parameters"))
	out := mapAt(item.y)
	for key, value := range item.Members() {
		lifted := value.y
		switch {
		case key.Text() == "parameters":
			if len(plain) == 0 {
				continue
			}
			lifted = listAt(value.y, l.all(plain)...)
		case isMethod(key.Text()) && value.Kind() == Map:
			lifted = l.operation(value, carried)
		}
		out.Content = append(out.Content, key.y, lifted)
	}
	return out
}

// The places of a parameter that are no place in 3.0.
const (
	inBody = "body"
	inForm = "formData"
)

func place2(parameter Node) string {
	in := parameter.Get("in").Text()
	if strings.EqualFold(in, inForm) {
		return inForm
	}
	return in
}

// declared follows a reference to one of the document's parameters.
func (l *lifter) declared(parameter Node) Node {
	if name, ok := strings.CutPrefix(parameter.Get("$ref").Text(), "#/"+inParameters2+"/"); ok {
		return l.parameters.Get(unescapeToken(name))
	}
	return parameter
}

// split separates the parameters that stay parameters from those that make
// the body. References stay references.
func (l *lifter) split(list Node) (plain, carried []Node) {
	for p := range list.Items() {
		switch place2(l.declared(p)) {
		case inBody, inForm:
			carried = append(carried, p)
		default:
			plain = append(plain, p)
		}
	}
	return plain, carried
}

func (l *lifter) all(parameters []Node) []*yaml.Node {
	out := make([]*yaml.Node, len(parameters))
	for i, p := range parameters {
		out[i] = l.parameter(p.y)
	}
	return out
}

func (l *lifter) operation(op Node, inherited []Node) *yaml.Node {
	consumes, produces := l.consumes, l.produces
	if own := op.Get("consumes"); own.Exists() {
		consumes = l.mediaTypes(own)
	}
	if own := op.Get("produces"); own.Exists() {
		produces = l.mediaTypes(own)
	}
	plain, carried := l.split(op.Get("parameters"))
	carried = append(l.notOverridden(inherited, carried), carried...)
	out := object{Node: mapAt(op.y), copied: true}
	for key, value := range op.Members() {
		lifted := value.y
		switch key.Text() {
		case "consumes", "produces", "requestBody":
			continue
		case "schemes":
			if lifted = l.servers(value); lifted == nil || l.root.Get("host").Text() == "" {
				continue
			}
			out.Content = append(out.Content, textAt(key.y, "servers"), lifted)
			continue
		case "parameters":
			if len(plain) == 0 {
				continue
			}
			lifted = listAt(value.y, l.all(plain)...)
		case "responses":
			lifted = l.answers(value, produces)
		}
		out.Content = append(out.Content, key.y, lifted)
	}
	if body := l.requestBody(carried, consumes); body != nil {
		out.Content = append(out.Content, textAt(body, "requestBody"), body)
	}
	return out.Node
}

// notOverridden are the inherited parts of a body that an operation does not
// declare itself.
func (l *lifter) notOverridden(inherited, own []Node) []Node {
	var out []Node
	for _, p := range inherited {
		same := func(q Node) bool {
			a, b := l.declared(p), l.declared(q)
			return place2(b) == inBody || place2(a) == place2(b) && a.Get("name").Text() == b.Get("name").Text()
		}
		if !slices.ContainsFunc(own, same) {
			out = append(out, p)
		}
	}
	return out
}

func (l *lifter) answers(responses Node, produces []*yaml.Node) *yaml.Node {
	out := mapAt(responses.y)
	for status, answer := range responses.Members() {
		lifted := answer.y
		if !strings.HasPrefix(status.Text(), "x-") {
			lifted = l.response(answer.y, produces)
		}
		out.Content = append(out.Content, status.y, lifted)
	}
	return out
}

// response lifts an answer. One of the document's that is referred to has the
// document's media types; where the operation has others, it gets a copy.
func (l *lifter) response(n *yaml.Node, produces []*yaml.Node) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return n
	}
	if ref := refOf(n); ref != nil {
		name, _ := strings.CutPrefix(ref.Value, "#/"+inResponses2+"/")
		shared := l.responses.Get(unescapeToken(name))
		if shared.Get("schema").Exists() && !sameTypes(produces, l.produces) {
			return l.response(shared.y, produces)
		}
		o := object{Node: n}
		o.set("$ref", l.ref(ref))
		return o.Node
	}
	o := object{Node: n}
	body, examples := o.get("schema"), Node{o.get("examples")}
	o.drop("schema")
	o.drop("examples")
	if headers := o.get("headers"); headers != nil {
		o.set("headers", l.each(headers, l.header))
	}
	if body != nil {
		o.set("content", l.content(body, l.answerTypes(body, produces), examples))
	}
	return o.Node
}

func sameTypes(a, b []*yaml.Node) bool {
	return slices.EqualFunc(a, b, func(x, y *yaml.Node) bool { return x.Value == y.Value })
}

// answerTypes are the media types of an answer. Where an operation says that
// it gives only files, its errors that are objects still are JSON.
func (l *lifter) answerTypes(body *yaml.Node, produces []*yaml.Node) []*yaml.Node {
	kind := (Node{body}).Get("type").Text()
	switch {
	case len(produces) == 0 && kind == "file":
		return []*yaml.Node{textAt(body, "application/octet-stream")}
	case len(produces) == 0:
		return []*yaml.Node{textAt(body, "application/json")}
	case kind == "file" || kind == "string" || slices.ContainsFunc(produces, holdsObjects):
		return produces
	}
	l.ds.Infof(pos(body), "media-type", "an answer of %s cannot be %s; it was read as JSON too", orHint(kind, "this schema"), inQuotes(produces[0].Value))
	return append([]*yaml.Node{textAt(body, "application/json")}, produces...)
}

// holdsObjects reports whether values of any schema are told in a media type.
func holdsObjects(mediaType *yaml.Node) bool {
	name := strings.ToLower(mediaType.Value)
	for _, word := range []string{"json", "xml", "yaml", "form", "*/*", "ndjson", "event-stream"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// content is a body of one schema under each of its media types.
func (l *lifter) content(body *yaml.Node, mediaTypes []*yaml.Node, examples Node) *yaml.Node {
	lifted := l.schema(body)
	out := mapAt(body)
	for _, t := range mediaTypes {
		if memberIndex(out, t.Value) >= 0 {
			continue // named twice
		}
		media := mapAt(body, textAt(body, "schema"), lifted)
		if example := examples.Get(t.Value); example.Exists() {
			media.Content = append(media.Content, textAt(example.y, "example"), example.y)
		}
		out.Content = append(out.Content, textAt(t, t.Value), media)
	}
	return out
}
