package document

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// scalar mends a value at a place for a scalar or for a list of texts.
func (m *mender) scalar(n *yaml.Node, s *shape) *yaml.Node {
	switch s.form {
	case textForm:
		return m.text(n, s)
	case textsForm, typesForm:
		return m.texts(n, s)
	case boolForm:
		return m.boolean(n)
	case numForm:
		return m.number(n)
	case countForm:
		return m.count(n)
	case boundForm:
		if n.Tag == "!!bool" || n.Tag == "!!str" && isBool(n.Value) {
			return m.boolean(n)
		}
		return m.number(n)
	}
	panic(fmt.Sprintf("document: form %d is no scalar's", s.form))
}

// text reads numbers and booleans as the text that was written.
func (m *mender) text(n *yaml.Node, s *shape) *yaml.Node {
	switch kind := (Node{n}).Kind(); kind {
	case Text:
		return n
	case Number, Bool:
		m.warn(n, "not-a-string", "%s stands where text is wanted; it was read as text", short(asWritten(n))).WithHint("put it in quotes")
		return asText(n)
	case Null:
		m.warn(n, "not-a-string", "null stands where text is wanted; it was dropped")
	default:
		m.warn(n, "wrong-shape", "%s stands where %s is wanted; it was dropped", kind, s.form.want())
	}
	return nil
}

// asText is a scalar as the text that was written.
func asText(n *yaml.Node) *yaml.Node {
	c := *n
	c.Tag, c.Value, c.HeadComment = "!!str", asWritten(n), ""
	return &c
}

// texts reads a list of texts; a text alone is a list of one.
func (m *mender) texts(n *yaml.Node, s *shape) *yaml.Node {
	kind := Node{n}.Kind()
	switch {
	case kind == List:
	case s.form == typesForm && kind == Null:
		m.warn(n, "null-type", `type is null; want the text "null"; it was read so`).WithHint(`write "null" in quotes`)
		return textAt(n, "null")
	case s.form == typesForm && kind == Text:
		return n
	case kind == Null && s == scopeNames:
		return listAt(n)
	case kind == Text, kind == Number:
		m.warn(n, "not-a-list", "%s stands where a list is wanted; it was read as a list of one", shown(n))
		return listAt(n, asText(n))
	case kind == Null:
		m.warn(n, "not-a-list", "null stands where a list is wanted; it was dropped")
		return nil
	default:
		m.warn(n, "not-a-list", "%s stands where %s is wanted; it was dropped", shown(n), s.form.want())
		return nil
	}
	return m.textItems(n, s)
}

func (m *mender) textItems(n *yaml.Node, s *shape) *yaml.Node {
	out := n
	var items []*yaml.Node
	for _, item := range n.Content {
		mended := item
		switch {
		case refOf(item) != nil:
			mended = m.value(item, text)
		case item.Tag == "!!null" && s.form == typesForm:
			m.warn(item, "null-type", `type is null; want the text "null"; it was read so`).WithHint(`write "null" in quotes`)
			mended = textAt(item, "null")
		default:
			mended = m.text(item, text)
		}
		if mended != item {
			out = nil
		}
		if mended != nil {
			items = append(items, mended)
		}
	}
	if out == nil {
		out = listAt(n, items...)
	}
	return out
}

func isBool(text string) bool { return text == "true" || text == "false" }

func (m *mender) boolean(n *yaml.Node) *yaml.Node {
	switch {
	case n.Tag == "!!bool":
		return n
	case n.Tag == "!!str" && isBool(strings.ToLower(n.Value)):
		m.warn(n, "not-a-boolean", "%s is text; want a boolean; it was read as one", shown(n)).WithHint("remove the quotes")
		c := *n
		c.Tag, c.Style, c.Value = "!!bool", 0, strings.ToLower(n.Value)
		return &c
	}
	m.warn(n, "not-a-boolean", "%s stands where a boolean is wanted; it was dropped", shown(n))
	return nil
}

func (m *mender) number(n *yaml.Node) *yaml.Node {
	if isNumber(n) && finite(n.Value) {
		return n
	}
	if n.Tag == "!!str" {
		if tag, value := coreScalarOf(n.Value); (tag == "!!int" || tag == "!!float") && finite(value) {
			m.warn(n, "not-a-number", "%s is text; want a number; it was read as one", shown(n)).WithHint("remove the quotes")
			c := *n
			c.Tag, c.Value, c.Style = tag, value, 0
			return &c
		}
	}
	m.warn(n, "not-a-number", "%s stands where a number is wanted; it was dropped", shown(n))
	return nil
}

func coreScalarOf(text string) (tag, value string) {
	return coreScalar(strings.TrimSpace(text))
}

func isNumber(n *yaml.Node) bool { return n.Tag == "!!int" || n.Tag == "!!float" }

// finite reports whether a number's text fits a float64.
func finite(text string) bool {
	v, err := strconv.ParseFloat(text, 64)
	return err == nil && !math.IsInf(v, 0)
}

// count reads a whole number from 0, which may be written with a fraction of
// zeros or an exponent.
func (m *mender) count(n *yaml.Node) *yaml.Node {
	if n.Tag == "!!int" {
		if _, err := strconv.ParseUint(n.Value, 10, 64); err == nil {
			return n
		}
	}
	if n = m.number(n); n == nil {
		return nil
	}
	v, err := strconv.ParseFloat(n.Value, 64)
	const exact = 1 << 53
	if err == nil && v >= 0 && v <= exact && v == math.Trunc(v) {
		c := *n
		c.Tag, c.Value = "!!int", strconv.FormatUint(uint64(v), 10)
		return &c
	}
	m.warn(n, "not-a-number", "%s stands where %s is wanted; it was dropped", short(asWritten(n)), countForm.want())
	return nil
}
