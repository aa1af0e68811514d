package document

import (
	"iter"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A Kind is the JSON kind of a node.
type Kind int

// The kinds. The zero Kind is that of an absent node.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	Text
	List
	Map
)

// String is the word that messages use: "a map", "a list", "text" …
func (k Kind) String() string {
	return [...]string{"nothing", "null", "a boolean", "a number", "text", "a list", "a map"}[k]
}

// A Node is a value in the loaded tree, or nothing. It can be copied and
// compared, and is read only: the tree does not change after Load. The zero
// Node is absent, and every method works on it.
type Node struct{ y *yaml.Node }

// Exists reports whether there is a value, null included.
func (n Node) Exists() bool { return n.y != nil }

// Pos is where the value was written: in the overlay's file where an overlay
// put it there.
func (n Node) Pos() diag.Pos {
	if n.y == nil {
		return diag.Pos{}
	}
	return diag.Pos{File: n.y.FootComment, Line: n.y.Line, Col: n.y.Column}
}

// Kind is the JSON kind of the value.
func (n Node) Kind() Kind {
	if n.y == nil {
		return Absent
	}
	switch n.y.Kind {
	case yaml.MappingNode:
		return Map
	case yaml.SequenceNode:
		return List
	}
	switch n.y.Tag {
	case "!!null":
		return Null
	case "!!bool":
		return Bool
	case "!!int", "!!float":
		return Number
	}
	return Text
}

// Text is a scalar's text: a number with all its digits as written, true,
// false, null. It is empty for maps, lists and absent nodes.
func (n Node) Text() string {
	if n.y == nil {
		return ""
	}
	return n.y.Value
}

// Get is the value of a member of a map, or absent.
func (n Node) Get(key string) Node {
	if n.y == nil || n.y.Kind != yaml.MappingNode {
		return Node{}
	}
	for i := 0; i+1 < len(n.y.Content); i += 2 {
		if n.y.Content[i].Value == key {
			return Node{n.y.Content[i+1]}
		}
	}
	return Node{}
}

// At follows a path of member names.
func (n Node) At(keys ...string) Node {
	for _, k := range keys {
		n = n.Get(k)
	}
	return n
}

// Members are the members of a map in document order: the key's node (for its
// position and text) and the value.
func (n Node) Members() iter.Seq2[Node, Node] {
	return func(yield func(Node, Node) bool) {
		if n.y == nil || n.y.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.y.Content); i += 2 {
			if !yield(Node{n.y.Content[i]}, Node{n.y.Content[i+1]}) {
				return
			}
		}
	}
}

// Items are the items of a list in order.
func (n Node) Items() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.y == nil || n.y.Kind != yaml.SequenceNode {
			return
		}
		for _, item := range n.y.Content {
			if !yield(Node{item}) {
				return
			}
		}
	}
}

// Len is the number of members or items.
func (n Node) Len() int {
	switch n.Kind() {
	case Map:
		return len(n.y.Content) / 2
	case List:
		return len(n.y.Content)
	}
	return 0
}

// Decode decodes the value into out, which is a pointer to one of
// kin-openapi's types or any other that yaml/v4 can fill.
func (n Node) Decode(out any) error { return n.y.Decode(out) }
