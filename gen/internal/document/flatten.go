package document

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// flatten puts the path items and operations that the entry keeps in other
// files into its tree, so that an overlay can name what is in them: by the
// letter an overlay sees the entry alone, and behind a $ref there is nothing
// to be named. References within the entry stay: there the overlay can name
// what they lead to.
//
// What is used once is put in as it is, so that a reference into that file
// still finds the same node; each further use gets a copy, so that an overlay
// for one path does not change another.
//
// The maps of paths and components themselves are put in wherever they are
// kept, since all else stands on them.
func (m *mender) flatten(root *shape) {
	f := flattener{mender: m, used: map[*yaml.Node]bool{}}
	f.containers(m.entry.root, root)
	paths := (Node{m.entry.root}).Get("paths").y
	if paths == nil || paths.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(paths.Content); i += 2 {
		item := f.inline(paths.Content[i+1], pathItem)
		paths.Content[i+1] = item
		if item.Kind != yaml.MappingNode {
			continue
		}
		f.spellMethods(item)
		for j := 0; j+1 < len(item.Content); j += 2 {
			if isMethod(item.Content[j].Value) {
				item.Content[j+1] = f.inline(item.Content[j+1], operation)
			}
		}
	}
}

// containers inlines paths, components and the sections.
func (f *flattener) containers(root *yaml.Node, s *shape) {
	holders := map[string]bool{"paths": true}
	for _, section := range sections(s) {
		first, _, _ := strings.Cut(section.name, "/")
		holders[first] = true
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		name := root.Content[i].Value
		if !holders[name] {
			continue
		}
		root.Content[i+1] = f.container(root.Content[i+1], s.fields[name])
		if inner := root.Content[i+1]; name == "components" && inner.Kind == yaml.MappingNode {
			for j := 0; j+1 < len(inner.Content); j += 2 {
				if field := components.fields[inner.Content[j].Value]; field != nil {
					inner.Content[j+1] = f.container(inner.Content[j+1], field)
				}
			}
		}
	}
}

func (f *flattener) container(n *yaml.Node, s *shape) *yaml.Node {
	ref := refOf(n)
	if ref == nil {
		return n
	}
	at, trouble := f.final(ref, s)
	if trouble != nil || !fits(at.node, s) || refOf(at.node) != nil {
		return n
	}
	f.warn(ref, s.inline, "%s stands for %s, where a reference is not foreseen; it was put in its place", quoted(ref.Value), s.name)
	whole := *mergeSiblings(at.node, n) // its own map, as overlays and path items change it
	whole.Content = slices.Clone(whole.Content)
	return &whole
}

// spellMethods writes methods in lower case, and reports what looks like an
// operation under a name that is no method.
func (f *flattener) spellMethods(item *yaml.Node) {
	for i := 0; i+1 < len(item.Content); i += 2 {
		key, value := item.Content[i], item.Content[i+1]
		name := strings.ToLower(key.Value)
		switch {
		case isMethod(key.Value), key.Value == "additionalOperations", strings.HasPrefix(key.Value, "x-"):
		case isMethod(name) && memberIndex(item, name) < 0:
			f.warn(key, "method", "%s is no method; want %s; it was read so", inQuotes(key.Value), name).WithHint("write %s", name)
			spelled := *key
			spelled.Value = name
			item.Content[i] = &spelled
		case (Node{value}).Get("responses").Exists(), (Node{value}).Get("operationId").Exists():
			f.warn(key, "method", "%s is no method that can be sent; the operation was left out", inQuotes(key.Value)).
				WithHint("use one of %s", strings.Join(methods, ", "))
		}
	}
}

type flattener struct {
	*mender
	used map[*yaml.Node]bool
}

// inline returns what stands for a value that is a reference to another file.
// What cannot be followed stays, to be reported with all other references.
func (f *flattener) inline(n *yaml.Node, s *shape) *yaml.Node {
	ref := refOf(n)
	if ref == nil {
		return n
	}
	at, trouble := f.final(ref, s)
	if trouble != nil || at.src == f.entry || !fits(at.node, s) || refOf(at.node) != nil {
		return n
	}
	if s.inline != "" {
		f.warn(ref, s.inline, "%s stands for %s, where a reference is not foreseen; it was put in its place", quoted(ref.Value), s.name)
	}
	node := at.node
	if f.used[node] {
		node = f.clone(node)
	}
	f.used[at.node] = true
	return mergeSiblings(node, n)
}
