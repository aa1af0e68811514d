package document

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A mender is the second pass over the tree: it writes the names of targets
// into references, puts in what is inlined, and mends what does not have the
// shape of its place. It never changes a node: it returns the same one, or
// another in its place, or nil where the value has to go.
type mender struct {
	*linker
	version  string // "2.0", "3.0" or "3.1"
	inlining []*yaml.Node
	budget   int // nodes that inlining may still make
	gone     int // targets that could not be read
	said     map[saidKey]bool
}

// A saidKey is a node and the format of what was said about it.
type saidKey struct {
	node   *yaml.Node
	format string
}

// An object is a map on its way through a mend.
type object struct {
	*yaml.Node
	shape  *shape
	copied bool
}

// value mends the value of a place.
func (m *mender) value(n *yaml.Node, s *shape) *yaml.Node {
	if s.form == anyForm {
		return n
	}
	if t := m.targets[targetKey{n, s.section}]; s.section != "" && t != nil {
		return refTo(t, n, n)
	}
	return m.body(n, s)
}

// body mends a value that stays where it is.
func (m *mender) body(n *yaml.Node, s *shape) *yaml.Node {
	if len(m.inlining) > 0 {
		if m.budget--; m.budget < 0 {
			return m.spent(n)
		}
	}
	if s == mapping && n.Kind == yaml.MappingNode {
		return m.mappingRefs(n)
	}
	if ref := refOf(n); ref != nil {
		return m.ref(n, ref, s)
	}
	switch s.form {
	case mapForm:
		return m.mapValue(n, s)
	case listForm:
		return m.list(n, s)
	}
	return m.scalar(n, s)
}

func (m *mender) spent(n *yaml.Node) *yaml.Node {
	if m.budget == -1 {
		m.ds.Errorf(pos(n), "limit", "inlined references make more than %d values; want fewer", maxExpanded).
			WithHint("refer to components, which are not inlined")
	}
	return nil
}

func (m *mender) mapValue(n *yaml.Node, s *shape) *yaml.Node {
	switch {
	case n.Kind == yaml.MappingNode:
		return m.members(n, s)
	case s.bool && n.Tag == "!!bool":
		return n
	}
	return m.notMap(n, s)
}

// members mends the members of a map, and then the map as a whole.
func (m *mender) members(n *yaml.Node, s *shape) *yaml.Node {
	defer m.within(n, s)()
	o := object{Node: n, shape: s}
	kept := 0
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		mended := value
		switch field := s.member(key.Value); {
		case key.Value == "$ref" && value.Tag != "!!str" && (!s.named || value.Kind != yaml.MappingNode):
			m.warn(value, "ref-not-text", "$ref is %s; want text; it was dropped", Node{value}.Kind()).WithHint("write a reference, or remove it")
			mended = nil
		case field != nil:
			mended = m.value(value, field)
		}
		if mended != value {
			o.own()
		}
		if mended == nil {
			continue
		}
		if o.copied {
			o.Content[kept], o.Content[kept+1] = key, mended
		}
		kept += 2
	}
	if o.copied {
		o.Content = o.Content[:kept]
	}
	if s.mend != nil {
		s.mend(m, &o)
	}
	return o.Node
}

// own makes the object's map a copy, once, so that it can be changed.
func (o *object) own() {
	if o.copied {
		return
	}
	c := *o.Node
	c.Content = slices.Clone(o.Node.Content)
	o.Node, o.copied = &c, true
}

// get is the value of a member, or nil.
func (o *object) get(name string) *yaml.Node { return Node{o.Node}.Get(name).y }

// set replaces the value of a member, or adds the member.
func (o *object) set(name string, value *yaml.Node) {
	o.own()
	for i := 0; i+1 < len(o.Content); i += 2 {
		if o.Content[i].Value == name {
			o.Content[i+1] = value
			return
		}
	}
	o.Content = append(o.Content, textAt(value, name), value)
}

// drop removes a member.
func (o *object) drop(name string) {
	for i := 0; i+1 < len(o.Content); i += 2 {
		if o.Content[i].Value == name {
			o.own()
			o.Content = slices.Delete(o.Content, i, i+2)
			return
		}
	}
}

func (m *mender) list(n *yaml.Node, s *shape) *yaml.Node {
	if n.Kind != yaml.SequenceNode {
		return m.notList(n, s)
	}
	out := n
	kept := 0
	for _, item := range n.Content {
		mended := m.value(item, s.items)
		if mended != item && out == n {
			c := *n
			c.Content = slices.Clone(n.Content)
			out = &c
		}
		if mended == nil {
			continue
		}
		if out != n {
			out.Content[kept] = mended
		}
		kept++
	}
	if out != n {
		out.Content = out.Content[:kept]
	}
	return out
}

// ref mends a reference at a place of the given shape.
func (m *mender) ref(n, ref *yaml.Node, s *shape) *yaml.Node {
	if s.form == textForm && m.isRaw(ref) {
		return m.rawText(n, ref)
	}
	pop := m.within(n, s)
	land := m.land(ref, s)
	pop()
	switch {
	case land.wrap:
		return m.notList(n, s)
	case land.trouble != nil:
		return m.lost(n, ref, s, land.trouble)
	case land.from != nil:
		return m.convert(n, ref, s, land)
	case land.target != nil:
		return m.point(n, ref, s, land.target)
	}
	return m.inlined(n, ref, s, land)
}

// point makes a reference say the name of its target.
func (m *mender) point(n, ref *yaml.Node, s *shape, t *target) *yaml.Node {
	out := n
	if len(n.Content) > 2 {
		out = m.members(n, s)
	}
	to := t.pointer()
	if ref.Value == to {
		return out
	}
	o := object{Node: out, shape: s, copied: out != n}
	renamed := *ref
	renamed.Value = to
	o.set("$ref", &renamed)
	return o.Node
}

// pointer is the reference to a target.
func (t *target) pointer() string {
	if t.ref == "" {
		t.ref = "#/" + t.shape.section + "/" + escapeToken(t.name)
	}
	return t.ref
}

// inlined puts what a reference leads to in its place.
func (m *mender) inlined(n, ref *yaml.Node, s *shape, land landing) *yaml.Node {
	if slices.Contains(m.inlining, land.node) {
		m.ds.Errorf(pos(ref), "ref-loop", "%s leads back to itself through what it stands for; want a value that ends", quoted(ref.Value)).
			WithHint("make what repeats a component of its own")
		return nil
	}
	if len(m.inlining) >= maxChain {
		m.ds.Errorf(pos(ref), "limit", "%s is put in where more than %d others already are, each within the last; want fewer", quoted(ref.Value), maxChain).
			WithHint("refer to components, which are not put in")
		return nil
	}
	if s.inline != "" {
		m.warn(ref, s.inline, "%s stands for %s, where a reference is not foreseen; it was put in its place", quoted(ref.Value), s.name)
	}
	m.inlining = append(m.inlining, land.node)
	out := m.body(mergeSiblings(land.node, n), s)
	if out != nil && s.loses && s.form == mapForm {
		out = m.clone(out) // two operations, though written once
	}
	m.inlining = m.inlining[:len(m.inlining)-1]
	return out
}

// clone copies a tree within the budget.
func (m *mender) clone(n *yaml.Node) *yaml.Node {
	if m.budget--; m.budget < 0 {
		return n
	}
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = m.clone(child)
	}
	return &c
}

// mergeSiblings puts the members beside a $ref over what it stands for, level
// by level; where both say something, the one beside the $ref wins.
func mergeSiblings(under, over *yaml.Node) *yaml.Node {
	if over.Kind != yaml.MappingNode || under.Kind != yaml.MappingNode {
		return under
	}
	o := object{Node: under}
	for i := 0; i+1 < len(over.Content); i += 2 {
		key, value := over.Content[i], over.Content[i+1]
		if key.Value == "$ref" && value.Tag == "!!str" {
			continue
		}
		if below := o.get(key.Value); below != nil {
			if value.Kind == yaml.MappingNode && below.Kind == yaml.MappingNode {
				value = mergeSiblings(below, value)
			}
			o.set(key.Value, value)
			continue
		}
		o.own()
		o.Content = append(o.Content, key, value)
	}
	return o.Node
}

// mappingRefs mends the values of a discriminator's mapping.
func (m *mender) mappingRefs(n *yaml.Node) *yaml.Node {
	o := object{Node: n, shape: mapping}
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := n.Content[i+1]
		mended := m.text(value, text)
		if mended == nil || n.Content[i].Value == "$ref" {
			o.drop(n.Content[i].Value)
			continue
		}
		if mended != value {
			value = mended
			o.set(n.Content[i].Value, value)
		}
		ref := m.mappingRef(value)
		if ref == nil {
			continue
		}
		land := m.land(ref, schema)
		if land.target == nil {
			why := "leads to no schema"
			if land.trouble != nil {
				why = strings.TrimPrefix(land.trouble.message, quoted(ref.Value)+" ")
			}
			m.warn(value, "dangling-ref", "the mapping's %s %s; it was dropped", quoted(ref.Value), why)
			o.drop(n.Content[i].Value)
			continue
		}
		if to := land.target.pointer(); to != value.Value {
			renamed := *value
			renamed.Value, renamed.Tag = to, "!!str"
			o.set(n.Content[i].Value, &renamed)
		}
	}
	return o.Node
}

// textAt is a text node at another node's position.
func textAt(at *yaml.Node, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, FootComment: at.FootComment, Line: at.Line, Column: at.Column}
}

// mapAt is a map node at another node's position.
func mapAt(at *yaml.Node, content ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: content, FootComment: at.FootComment, Line: at.Line, Column: at.Column}
}

// listAt is a list node at another node's position.
func listAt(at *yaml.Node, items ...*yaml.Node) *yaml.Node {
	n := mapAt(at, items...)
	n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
	return n
}

// refTo is a reference to a target, at the positions of what it replaces.
func refTo(t *target, at, value *yaml.Node) *yaml.Node {
	return mapAt(at, textAt(at, "$ref"), textAt(value, t.pointer()))
}

// warn reports a mend once, however often the node is put in somewhere.
func (m *mender) warn(n *yaml.Node, code, format string, args ...any) *diag.Diagnostic {
	key := saidKey{n, format}
	if m.said[key] {
		return &diag.Diagnostic{}
	}
	m.said[key] = true
	return m.ds.Warnf(pos(n), code, format, args...)
}
