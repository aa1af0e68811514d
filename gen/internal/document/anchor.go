package document

import "go.yaml.in/yaml/v4"

// anchors are the schemas of a file that bear an $anchor or a $dynamicAnchor,
// by its name.
func (s *source) anchors() map[string]*yaml.Node {
	s.index()
	return s.byAnchor
}

// index looks for $anchor once, the first in document order winning.
func (s *source) index() {
	if s.byAnchor != nil {
		return
	}
	s.byAnchor = map[string]*yaml.Node{}
	if s.root != nil {
		s.indexBelow(s.root)
	}
}

func (s *source) indexBelow(n *yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			s.indexBelow(item)
		}
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := n.Content[i+1]
		switch {
		case value.Kind != yaml.ScalarNode:
			s.indexBelow(value)
		case n.Content[i].Value == "$anchor", n.Content[i].Value == "$dynamicAnchor":
			keepFirst(s.byAnchor, value.Value, n)
		}
	}
}

func keepFirst(index map[string]*yaml.Node, name string, n *yaml.Node) {
	if index[name] == nil {
		index[name] = n
	}
}
