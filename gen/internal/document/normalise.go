package document

import (
	"math/big"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A normaliser makes a tree of plain values out of what yaml/v4 parsed: file
// names on all nodes, text keys, no aliases, no merge keys, and the tags of
// YAML 1.2's core schema. It changes the nodes it is given.
type normaliser struct {
	name    string
	end     diag.Pos // of the text
	budget  int      // nodes that aliases and merges may still copy
	stopped bool
	open    []*yaml.Node // lists and maps around the current node
	ds      *diag.List
	members members
}

func (z *normaliser) node(n *yaml.Node, depth int) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return z.alias(n, depth)
	}
	n.HeadComment, n.LineComment, n.FootComment = "", "", z.name
	n.Line, n.Column = max(n.Line, 1), max(n.Column, 1)
	if n.Line > z.end.Line { // an absent value, which yaml/v4 puts behind the end
		n.Line, n.Column = z.end.Line, z.end.Col
	}
	n.Anchor = ""
	if depth > maxDepth {
		if !z.stopped {
			z.stopped = true
			z.tooDeep(pos(n))
		}
		return z.null(n)
	}
	z.localTag(n)
	switch n.Kind {
	case yaml.ScalarNode:
		retag(n)
		return n
	case yaml.SequenceNode:
		n.Tag, n.Style = "!!seq", 0
		z.open = append(z.open, n)
		for i, item := range n.Content {
			n.Content[i] = z.node(item, depth+1)
		}
		z.open = z.open[:len(z.open)-1]
	case yaml.MappingNode:
		n.Tag, n.Style = "!!map", 0
		z.open = append(z.open, n)
		z.mapping(n, depth)
		z.open = z.open[:len(z.open)-1]
	}
	return n
}

func (z *normaliser) mapping(n *yaml.Node, depth int) {
	merges := false
	content := n.Content[:0:0]
	content = slices.Grow(content, len(n.Content))
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if isMergeKey(key) {
			merges = true
			key.FootComment, key.HeadComment, key.LineComment, key.Tag = z.name, "", "", "!!merge"
			content = append(content, key, z.node(n.Content[i+1], depth+1))
			continue
		}
		key = z.key(key)
		z.members.enter(key)
		value := z.node(n.Content[i+1], depth+1)
		z.members.leave(key)
		content = append(content, key, value)
	}
	n.Content = content
	if merges {
		z.merge(n)
	}
	z.members.unique(n)
}

func isMergeKey(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && (key.Tag == "!!merge" || key.Tag == "" && key.Style == 0)
}

// key makes a key text. A number or a date keeps its spelling, so that 200 is
// "200" and 1.10 stays "1.10".
func (z *normaliser) key(key *yaml.Node) *yaml.Node {
	if key.Kind == yaml.AliasNode && key.Alias.Kind == yaml.ScalarNode {
		copied := *key.Alias
		copied.Anchor, copied.Line, copied.Column = "", key.Line, key.Column
		key = &copied
	}
	key.HeadComment, key.LineComment, key.FootComment = "", "", z.name
	key.Line, key.Column = max(key.Line, 1), max(key.Column, 1)
	if key.Kind != yaml.ScalarNode {
		z.ds.Errorf(pos(key), "complex-key", "a key is %s; want text", Node{key}.Kind()).
			WithHint("write the key as text")
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", FootComment: z.name, Line: key.Line, Column: key.Column}
	}
	if key.Tag == "!!null" && key.Style&^yaml.TaggedStyle == 0 {
		z.ds.Warnf(pos(key), "null-key", "a key is null; it was read as the text %q", key.Value).
			WithHint("put the key in quotes")
	}
	key.Tag = "!!str"
	return key
}

// alias copies what the alias stands for. The copy keeps the positions of the
// place where it was written.
func (z *normaliser) alias(n *yaml.Node, depth int) *yaml.Node {
	p := diag.Pos{File: z.name, Line: n.Line, Col: n.Column}
	if slices.Contains(z.open, n.Alias) {
		z.ds.Errorf(p, "cyclic-alias", "the alias *%s stands within its own anchor; want a value that ends", short(n.Value)).
			WithHint("use a $ref for what contains itself")
		return z.null(n)
	}
	if z.stopped {
		return z.null(n)
	}
	values, levels := extent(n.Alias, z.budget+1)
	z.budget -= values
	switch {
	case depth+levels-1 > maxDepth:
		z.stopped = true
		z.tooDeep(p)
	case z.budget < 0:
		z.stopped = true
		z.ds.Errorf(p, "limit", "aliases expand to more than %d values; want fewer", maxExpanded).
			WithHint("use $ref instead of aliases")
	default:
		return cloned(n.Alias)
	}
	return z.null(n)
}

func (z *normaliser) null(n *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null", FootComment: z.name, Line: n.Line, Column: n.Column}
}

// extent counts the values in a tree, up to a limit, and its levels.
func extent(n *yaml.Node, limit int) (values, levels int) {
	values = 1
	for _, child := range n.Content {
		if values >= limit {
			break
		}
		v, l := extent(child, limit-values)
		values += v
		levels = max(levels, l)
	}
	return values, levels + 1
}

func cloned(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = cloned(child)
	}
	return &c
}

func (z *normaliser) tooDeep(p diag.Pos) {
	z.ds.Errorf(p, "limit", "more than %d levels of nesting; want at most %d", maxDepth, maxDepth).
		WithHint("nest less deep")
}

// merge replaces the merge keys of a map by the members they stand for: the
// map's own members win, then what is merged first.
func (z *normaliser) merge(n *yaml.Node) {
	taken := make(map[string]bool, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Tag != "!!merge" {
			taken[n.Content[i].Value] = true
		}
	}
	var content []*yaml.Node
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Tag != "!!merge" {
			content = append(content, key, value)
			continue
		}
		from := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			from = value.Content
		}
		for _, m := range from {
			if m.Kind != yaml.MappingNode {
				z.ds.Errorf(pos(key), "merge-key", "<< merges %s; want a map or a list of maps", Node{m}.Kind()).
					WithHint("merge a map, or put << in quotes if it is the name of a member")
				continue
			}
			for j := 0; j < len(m.Content); j += 2 {
				if !taken[m.Content[j].Value] {
					taken[m.Content[j].Value] = true
					content = append(content, m.Content[j], m.Content[j+1])
				}
			}
		}
	}
	n.Content = content
}

// localTag points to a tag that is an instruction to some other tool: !include,
// !Ref.
func (z *normaliser) localTag(n *yaml.Node) {
	if n.Style&yaml.TaggedStyle == 0 || len(n.Tag) < 2 || n.Tag[0] != '!' || n.Tag[1] == '!' {
		return
	}
	z.ds.Warnf(pos(n), "local-tag", "the tag %s means nothing in OpenAPI; the value was read without it", n.Tag).
		WithHint("use $ref, or run the tool that the tag is for first")
}

// retag gives a scalar the tag of YAML 1.2's core schema, in JSON's spelling:
// 0x1F becomes 31 and .5 becomes 0.5. Dates, local tags and what JSON cannot
// say (.inf, .nan, 017) are text. As written is kept in HeadComment where the
// spelling changed.
func retag(n *yaml.Node) {
	style := n.Style
	quoted := style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	tagged := style&yaml.TaggedStyle != 0
	n.Style = 0
	if quoted {
		n.Style = yaml.DoubleQuotedStyle
	}
	tag, value := "!!str", n.Value
	switch {
	case tagged && !coreTag(n.Tag), !tagged && quoted:
	case tagged:
		if found, spelled := coreScalar(n.Value); found == n.Tag || found == "!!int" && n.Tag == "!!float" {
			tag, value = n.Tag, spelled
		}
	default:
		tag, value = coreScalar(n.Value)
	}
	if value != n.Value {
		n.HeadComment, n.Value = n.Value, value
	}
	n.Tag = tag
	if tag != "!!str" {
		n.Style = 0
	}
}

// asWritten is a scalar's text before its spelling was changed.
func asWritten(n *yaml.Node) string {
	if n.HeadComment != "" {
		return n.HeadComment
	}
	return n.Value
}

func coreTag(tag string) bool {
	return tag == "!!int" || tag == "!!float" || tag == "!!bool" || tag == "!!null"
}

// coreScalar reads a plain scalar by the core schema.
func coreScalar(text string) (tag, value string) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return "!!null", "null"
	case "true", "True", "TRUE":
		return "!!bool", "true"
	case "false", "False", "FALSE":
		return "!!bool", "false"
	}
	if c := text[0]; c != '-' && c != '+' && c != '.' && (c < '0' || c > '9') {
		return "!!str", text
	}
	if number, ok := basedNumber(text); ok {
		text = number
	}
	return decimal(text)
}

// basedNumber reads 0x1F and 0o17 into decimal digits.
func basedNumber(text string) (string, bool) {
	base := 0
	switch {
	case strings.HasPrefix(text, "0x"):
		base = 16
	case strings.HasPrefix(text, "0o"):
		base = 8
	}
	if base == 0 || len(text) > 100 || len(text) < 3 || strings.ContainsAny(text[2:], "+-_") {
		return "", false
	}
	v, ok := new(big.Int).SetString(text[2:], base)
	if !ok {
		return "", false
	}
	return v.String(), true
}

// decimal reads [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? and writes
// it as JSON does. A number with leading zeros is more often a code than a
// number, and stays text.
func decimal(text string) (tag, value string) {
	rest := text
	sign := ""
	if rest[0] == '-' || rest[0] == '+' {
		if rest[0] == '-' {
			sign = "-"
		}
		rest = rest[1:]
	}
	whole := leadingDigits(rest)
	rest = rest[len(whole):]
	fraction, isFloat := "", false
	if strings.HasPrefix(rest, ".") {
		isFloat = true
		fraction = leadingDigits(rest[1:])
		rest = rest[1+len(fraction):]
	}
	if whole == "" && fraction == "" || len(whole) > 1 && whole[0] == '0' {
		return "!!str", text
	}
	exponent := ""
	if rest != "" {
		digits := strings.TrimLeft(rest[1:], "+-")
		if rest[0] != 'e' && rest[0] != 'E' || len(rest[1:])-len(digits) > 1 || digits == "" || leadingDigits(digits) != digits {
			return "!!str", text
		}
		isFloat, exponent = true, rest
	}
	if whole == "" {
		whole = "0"
	}
	value = sign + whole
	if fraction != "" {
		value += "." + fraction
	}
	value += exponent
	return numberTag(value, isFloat), value
}

// numberTag is the tag of a number as JSON writes it. One beyond every float64
// stays text, as no reader could hold it; -0 is no integer to yaml/v4.
func numberTag(value string, isFloat bool) string {
	switch {
	case !isFloat && value != "-0" && fits64(value):
		return "!!int"
	case !finite(value):
		return "!!str"
	default:
		return "!!float"
	}
}

func leadingDigits(text string) string {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	return text[:end]
}
