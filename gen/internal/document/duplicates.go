package document

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A level is what the members of a map are, as far as two maps of the same name
// can be two parts of one.
type level int

// The levels. The zero level is of maps that cannot be joined.
const (
	single     level = iota
	wholeLevel       // the document
	pathsLevel       // path items
	itemLevel        // operations
	partsLevel       // the sections of components
	namedLevel       // components of one section
)

// below is the level of a member.
func (l level) below(name string) level {
	switch l {
	case single, itemLevel, namedLevel:
		return single
	case wholeLevel:
		switch name {
		case "paths", "webhooks":
			return pathsLevel
		case "components":
			return partsLevel
		case "definitions", "parameters", "responses", "securityDefinitions":
			return namedLevel
		}
		return single
	case pathsLevel:
		return itemLevel
	case partsLevel:
		return namedLevel
	}
	panic(fmt.Sprintf("document: level %d of a map not handled", l))
}

// A merger joins maps that came twice and do not speak of the same thing: all
// the paths, a path with other methods, components of other names.
type merger struct {
	ds     *diag.List
	levels map[*yaml.Node]level
	into   map[*yaml.Node]*yaml.Node // where the members of a dropped map went
}

// mergeDuplicates joins what came twice and is one. It reports what would lose
// an operation.
func (s *source) mergeDuplicates(ds *diag.List) {
	if s.root == nil || len(s.dups) == 0 {
		return
	}
	m := merger{ds: ds, levels: map[*yaml.Node]level{}, into: map[*yaml.Node]*yaml.Node{}}
	m.note(s.root, wholeLevel)
	for _, d := range slices.Backward(s.dups) { // a map is read before the one that it is in
		in, l := d.in, m.levels[d.in]
		if to := m.into[in]; to != nil {
			in = to
		}
		if m.member(in, l, d.key, d.value) {
			m.reword(d)
		}
	}
}

// note remembers the levels of a map and the maps in it.
func (m *merger) note(n *yaml.Node, l level) {
	if l == single || n.Kind != yaml.MappingNode {
		return
	}
	m.levels[n] = l
	for key, value := range (Node{n}).Members() {
		m.note(value.y, l.below(key.Text()))
	}
}

// member puts a member that was dropped back, as far as the map does not have
// it otherwise. It reports whether it could.
func (m *merger) member(in *yaml.Node, l level, key, value *yaml.Node) bool {
	there := (Node{in}).Get(key.Value).y
	below := l.below(key.Value)
	switch {
	case there == nil:
		in.Content = slices.Insert(in.Content, 0, key, value)
		m.note(value, below)
		return true
	case l == itemLevel && isMethod(key.Value):
		lostOperation(there, key, m.ds)
		return false
	case below == single || there.Kind != yaml.MappingNode:
		return false
	case value.Kind != yaml.MappingNode:
		return (Node{value}).Kind() == Null
	}
	m.levels[value], m.into[value] = below, there
	for i := len(value.Content) - 2; i >= 0; i -= 2 {
		m.member(there, below, value.Content[i], value.Content[i+1])
	}
	return true
}

// reword says of a duplicate that it was not dropped.
func (m *merger) reword(d duplicate) {
	for i := range *m.ds {
		known := &(*m.ds)[i]
		if known.Code == "duplicate-key" && known.Severity == diag.Warn && len(known.Related) == 1 && known.Related[0].Pos == pos(d.key) {
			known.Message = inQuotes(d.key.Value) + " comes twice in one map; the two were read as one, where the later counts for what both have"
			known.Related[0].Message = "it comes first here"
		}
	}
}
