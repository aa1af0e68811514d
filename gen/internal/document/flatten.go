package document

import "go.yaml.in/yaml/v4"

// flatten puts the path items and operations that the entry keeps in other
// files into its tree, so that an overlay can name what is in them: by the
// letter an overlay sees the entry alone, and behind a $ref there is nothing
// to be named. References within the entry stay: there the overlay can name
// what they lead to.
//
// What is used once is put in as it is, so that a reference into that file
// still finds the same node; each further use gets a copy, so that an overlay
// for one path does not change another.
func (m *mender) flatten() {
	paths := (Node{m.entry.root}).Get("paths").y
	if paths == nil || paths.Kind != yaml.MappingNode {
		return
	}
	f := flattener{mender: m, used: map[*yaml.Node]bool{}}
	for i := 0; i+1 < len(paths.Content); i += 2 {
		item := f.inline(paths.Content[i+1], pathItem)
		paths.Content[i+1] = item
		if item.Kind != yaml.MappingNode {
			continue
		}
		for j := 0; j+1 < len(item.Content); j += 2 {
			if isMethod(item.Content[j].Value) {
				item.Content[j+1] = f.inline(item.Content[j+1], operation)
			}
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
