package document

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// run makes one tree out of the entry and all that it refers to. A component
// that cannot be read leaves the tree, which makes references to it dangle,
// which may make other components leave: so it goes on until nothing does.
func (m *mender) run(root *shape) *yaml.Node {
	m.findTargets(root)
	for range maxChain {
		before, gone := len(*m.ds), m.gone
		tree := m.bundle(root)
		if m.gone == gone {
			return tree
		}
		*m.ds = (*m.ds)[:before]
		clear(m.landed)
		clear(m.said)
		m.budget = maxExpanded
	}
	m.ds.Errorf(pos(m.entry.root), "limit", "components that cannot be read depend on each other through more than %d steps; want fewer", maxChain).
		WithHint("mend the components that the description refers to most")
	return m.entry.root
}

// bundle rewrites the entry into one tree: what it says itself, and in its
// sections all targets under their names.
func (m *mender) bundle(root *shape) *yaml.Node {
	out := object{Node: m.members(m.entry.root, m.outline(root)), shape: root}
	for _, s := range sections(root) {
		m.section(&out, s)
	}
	return out.Node
}

// outline is the shape of a document without its sections, which bundle
// rewrites by themselves.
func (m *mender) outline(root *shape) *shape {
	bare := *root
	bare.fields = with(root.fields)
	for _, s := range sections(root) {
		first, rest, nested := strings.Cut(s.name, "/")
		if !nested {
			delete(bare.fields, first)
			continue
		}
		holder := *bare.fields[first]
		holder.fields = with(holder.fields)
		delete(holder.fields, rest)
		bare.fields[first] = &holder
	}
	return &bare
}

// section writes one section: the entry's components in their order, then what
// was found elsewhere in the order of finding.
func (m *mender) section(out *object, s section) {
	path := strings.Split(s.name, "/")
	holder := Node{out.Node}.At(path...).y
	var content []*yaml.Node
	keys := map[string]*yaml.Node{}
	if holder != nil && holder.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(holder.Content); i += 2 {
			keys[holder.Content[i].Value] = holder.Content[i]
		}
	} else if holder != nil {
		m.notMap(holder, s.shape.holder())
	}
	for _, t := range m.order {
		if t.shape.section != s.name {
			continue
		}
		key := keys[t.written]
		if key == nil {
			key = textAt(t.node, t.name)
		}
		if key.Value != t.name {
			renamed := *key
			renamed.Value = t.name
			key = &renamed
		}
		value := m.component(t)
		switch {
		case value != nil:
			content = append(content, key, value)
		case !t.gone:
			t.gone = true
			m.gone++
		}
	}
	m.place(out, path, holder, content)
}

// holder is the shape of the map that a section's components stand in.
func (s *shape) holder() *shape { return mapOf("a section of components", s) }

// component rewrites a target where it lives.
func (m *mender) component(t *target) *yaml.Node {
	m.scope = append(m.scope[:0], t.scope...)
	defer func() { m.scope = m.scope[:0] }()
	return m.body(t.node, t.shape)
}

// place puts a section's content where it belongs.
func (m *mender) place(out *object, path []string, holder *yaml.Node, content []*yaml.Node) {
	if len(content) == 0 && holder == nil {
		return
	}
	at := out.Node
	if holder != nil {
		at = holder
	} else if len(content) > 0 {
		at = content[0]
	}
	whole := mapAt(at, content...)
	if len(path) == 1 {
		out.set(path[0], whole)
		return
	}
	parent := out.get(path[0])
	if parent == nil || parent.Kind != yaml.MappingNode {
		parent = mapAt(at)
	}
	inner := object{Node: parent}
	inner.set(path[1], whole)
	out.set(path[0], inner.Node)
}
