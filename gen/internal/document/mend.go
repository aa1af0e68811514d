package document

import (
	"path"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

func init() {
	schema.substitute = func(at *yaml.Node) *yaml.Node { return mapAt(at) }
	response.substitute = func(at *yaml.Node) *yaml.Node { return mapAt(at, textAt(at, "description"), textAt(at, "")) }
	// Any bytes of any media type: the operation stays callable, and nothing is
	// left out of a request without the caller's knowledge.
	requestBody.substitute = func(at *yaml.Node) *yaml.Node {
		return mapAt(at, textAt(at, "content"), mapAt(at, textAt(at, "*/*"), mapAt(at)))
	}
}

// instead says what a substitute means.
func (s *shape) instead() string {
	switch {
	case s.isSchema():
		return "it was read as any value"
	case s == response, s == response2:
		return "it was read as an answer without a body"
	case s == requestBody:
		return "it was read as any bytes"
	}
	return "it was dropped"
}

// lost mends a reference that leads nowhere.
func (m *mender) lost(n, ref *yaml.Node, s *shape, t *trouble) *yaml.Node {
	if s.loses {
		m.ds.Errorf(pos(ref), t.code, "%s; %s is lost", t.message, s.name).WithHint("%s", orHint(t.hint, "correct the reference, or remove "+s.name))
		return nil
	}
	m.warn(ref, t.code, "%s; %s", t.message, s.instead()).
		WithHint("%s", orHint(t.hint, "correct the reference in the description, or mend it by an overlay"))
	if s.substitute == nil {
		return nil
	}
	if s.isSchema() && len(n.Content) > 2 {
		o := object{Node: n, shape: s}
		o.drop("$ref")
		return m.members(o.Node, s)
	}
	return s.substitute(n)
}

func orHint(hint, otherwise string) string {
	if hint != "" {
		return hint
	}
	return otherwise
}

// isRaw reports whether a reference in place of a text leads to a file of
// plain text, such as a description in Markdown.
func (l *library) isRaw(ref *yaml.Node) bool {
	return ref.Value != "" && !strings.Contains(ref.Value, "#") && !isTreeFile(strings.ToLower(ref.Value))
}

// rawText puts a file of plain text in the place of a reference to it.
func (m *mender) rawText(n, ref *yaml.Node) *yaml.Node {
	name, t := localFile(ref.Value, ref.Value, path.Dir(m.base(ref).path))
	if t != nil {
		return m.lost(n, ref, text, t)
	}
	src := m.byPath[name]
	if src == nil {
		src = &source{path: name, name: m.from.display(name)}
		m.byPath[name] = src
		data, t := m.read(name, ref.Value)
		if t != nil {
			src.trouble = t
		} else if data, ok := decodeText(src.name, data, &diag.List{}); !ok {
			src.trouble = dangling(quoted(ref.Value) + " leads to a file that is not in UTF-8")
		} else {
			m.byName[src.name] = src
			m.files = append(m.files, src.name)
			src.root = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: string(data), FootComment: src.name, Line: 1, Column: 1}
		}
	}
	if src.trouble != nil {
		return m.lost(n, ref, text, src.trouble)
	}
	m.warn(ref, "ref-text", "%s stands for a text, where a reference is not foreseen; it was put in its place", quoted(ref.Value))
	return src.root
}

// convert reads a component of another section than the one wanted, where
// what is meant is clear.
func (m *mender) convert(n, ref *yaml.Node, s *shape, land landing) *yaml.Node {
	from := land.from
	out := m.converted(n, ref, s, land)
	if out == nil {
		return m.lost(n, ref, s, dangling(quoted(ref.Value)+" leads to "+from.name+"; want "+s.name))
	}
	m.warn(ref, "wrong-kind", "%s leads to %s; want %s; what both have was taken", quoted(ref.Value), from.name, s.name)
	return out
}

func (m *mender) converted(n, ref *yaml.Node, s *shape, land landing) *yaml.Node {
	from := land.from
	if from.isSchema() {
		return m.wrapSchema(n, ref, s, from)
	}
	body := m.body(land.node, from)
	if body == nil || body.Kind != yaml.MappingNode {
		return nil
	}
	o := object{Node: body, shape: from}
	switch {
	case s == headerOf && from == parameter:
		o.drop("name")
		o.drop("in")
		return o.Node
	case s == response && from == requestBody, s == requestBody && from == response:
		content := o.get("content")
		if content == nil {
			return nil
		}
		return mapAt(body, textAt(body, "description"), textAt(body, ""), textAt(content, "content"), content)
	case s.isSchema():
		return schemaOf(body)
	}
	return nil
}

// wrapSchema makes a body of a schema that stands where a body is wanted.
func (m *mender) wrapSchema(n, ref *yaml.Node, s, from *shape) *yaml.Node {
	t := m.land(ref, from).target
	if t == nil {
		return nil
	}
	pointer := refTo(t, n, ref)
	switch s {
	case response2:
		return mapAt(n, textAt(n, "description"), textAt(n, ""), textAt(n, "schema"), pointer)
	case response, requestBody:
		media := mapAt(n, textAt(n, "application/json"), mapAt(n, textAt(n, "schema"), pointer))
		return mapAt(n, textAt(n, "description"), textAt(n, ""), textAt(n, "content"), media)
	}
	return nil
}

// schemaOf is the schema of a parameter, a header or a body.
func schemaOf(n *yaml.Node) *yaml.Node {
	whole := Node{n}
	if direct := whole.Get("schema"); direct.Exists() {
		return direct.y
	}
	for _, media := range whole.Get("content").Members() {
		return media.Get("schema").y
	}
	return nil
}

// notMap mends a value where a map is wanted.
func (m *mender) notMap(n *yaml.Node, s *shape) *yaml.Node {
	switch kind := (Node{n}).Kind(); {
	case kind == Null && s.silent():
		m.warn(n, "null-object", "%s is null; want a map; it was dropped", s.name).WithHint("write it out, or remove its name")
		return nil
	case isEmptyList(n) && s.silent() && s != requirement:
		m.warn(n, "empty-list", "%s is an empty list; want a map; it was dropped", s.name).WithHint("write it out, or remove its name")
		return nil
	case isEmptyList(n): // how PHP writes an empty map
		m.warn(n, "empty-list", "%s is an empty list; want a map; it was read as an empty one", s.name)
		return m.members(mapAt(n), s)
	case s.bool && kind == Text && isBool(strings.ToLower(n.Value)):
		return m.boolean(n)
	case kind == Null:
		m.warn(n, "null-object", "%s is null; want a map; it was read as an empty one", s.name)
		return m.members(mapAt(n), s)
	case s.isSchema() && kind == List:
		return m.itemsList(n, s)
	case s.isSchema() && kind == Text && isType(n.Value), kind == Text && s.words != "" && !s.isSchema():
		m.warn(n, "wrong-shape", "%s is %s; want a map; the text was read as its %s", s.name, shown(n), s.words)
		return mapAt(n, textAt(n, s.words), n)
	case s == example:
		m.warn(n, "wrong-shape", "%s is %s; want a map; it was read as its value", s.name, shown(n))
		return mapAt(n, textAt(n, "value"), n)
	case s == requirement && kind == Text:
		m.warn(n, "wrong-shape", "%s is %s; want a map; the text was read as the name of a scheme", s.name, shown(n))
		return mapAt(n, n, listAt(n))
	}
	return m.wrongShape(n, s)
}

func isEmptyList(n *yaml.Node) bool { return n.Kind == yaml.SequenceNode && len(n.Content) == 0 }

// silent reports whether null in place of such an object says nothing, so that
// it is as good as absent.
func (s *shape) silent() bool {
	switch s {
	case requestBody, parameter, parameter2, secScheme, secScheme2, callback, link, example, requirement, server, tag:
		return true
	}
	return false
}

// wrongShape drops what cannot be read, or puts the most general thing in its
// place.
func (m *mender) wrongShape(n *yaml.Node, s *shape) *yaml.Node {
	if s.loses {
		m.ds.Errorf(pos(n), "wrong-shape", "%s is %s; want %s", s.name, shown(n), s.form.want()).WithHint("write %s, or remove it", s.form.want())
		return nil
	}
	m.warn(n, "wrong-shape", "%s is %s; want %s; %s", s.name, shown(n), s.form.want(), s.instead())
	if s.substitute != nil {
		return s.substitute(n)
	}
	return nil
}

// notList mends a value where a list is wanted.
func (m *mender) notList(n *yaml.Node, s *shape) *yaml.Node {
	if (Node{n}).Kind() == Null {
		m.warn(n, "null-object", "%s is null; want a list; it was dropped", s.name)
		return nil
	}
	item := m.value(n, s.items)
	if item == nil {
		return nil
	}
	m.warn(n, "not-a-list", "%s is %s; want a list; it was read as a list of one", s.name, shown(n))
	return listAt(n, item)
}

// shown is a value as a message shows it: a short text in quotes, else its
// kind.
func shown(n *yaml.Node) string {
	const longest = 60
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || len(n.Value) > longest {
		return Node{n}.Kind().String()
	}
	if n.Tag == "!!str" {
		return inQuotes(n.Value)
	}
	return short(asWritten(n))
}
