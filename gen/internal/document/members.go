package document

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// An ownership says whose mistakes a file holds: what cannot be changed by the
// one who runs resgen is mended, what can is refused.
type ownership int

// The ownerships. The zero ownership is not valid.
const (
	_       ownership = iota
	foreign           // a description of an API, often somebody else's
	ours              // an overlay, a policy file, resgen.yaml
)

// The extension whose content is the user's own even in a foreign file.
const annotation = "x-resilience"

// A duplicate is a member that was dropped because its name came again.
type duplicate struct {
	in         *yaml.Node // the map
	key, value *yaml.Node // as dropped
}

// members finds names that come twice in one map.
type members struct {
	own       ownership
	ds        *diag.List
	annotated int // open maps below the annotation
	dups      []duplicate
}

func newMembers(own ownership, ds *diag.List) members { return members{own: own, ds: ds} }

func (m *members) enter(key *yaml.Node) {
	if key.Value == annotation {
		m.annotated++
	}
}

func (m *members) leave(key *yaml.Node) {
	if key.Value == annotation {
		m.annotated--
	}
}

// Maps up to this size are compared member by member, which is faster than a
// table of names.
const smallMap = 12

// unique drops all but the last of the members of the same name: that is what
// readers of JSON do. In a file of ours it is an error.
func (m *members) unique(n *yaml.Node) {
	if len(n.Content) <= 2*smallMap {
		for i := 0; i < len(n.Content); i += 2 {
			for j := i + 2; j < len(n.Content); j += 2 {
				if n.Content[i].Value == n.Content[j].Value {
					m.dropEarlier(n)
					return
				}
			}
		}
		return
	}
	seen := make(map[string]struct{}, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		seen[n.Content[i].Value] = struct{}{}
	}
	if len(seen) < len(n.Content)/2 {
		m.dropEarlier(n)
	}
}

func (m *members) dropEarlier(n *yaml.Node) {
	last := make(map[string]int, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		last[n.Content[i].Value] = i
	}
	old := slices.Clone(n.Content)
	n.Content = n.Content[:0]
	for i := 0; i < len(old); i += 2 {
		key, keep := old[i], last[old[i].Value]
		if keep == i {
			n.Content = append(n.Content, key, old[i+1])
			continue
		}
		m.report(key, old[keep])
		m.dups = append(m.dups, duplicate{in: n, key: key, value: old[i+1]})
	}
}

func (m *members) report(first, last *yaml.Node) {
	if m.own == ours || m.annotated > 0 {
		m.ds.Errorf(pos(last), "duplicate-key", "%s comes twice in one map; want it once", inQuotes(last.Value)).
			WithHint("remove one of the two").
			WithRelated(pos(first), "it comes first here")
		return
	}
	m.ds.Warnf(pos(last), "duplicate-key", "%s comes twice in one map; the later one was taken", inQuotes(last.Value)).
		WithRelated(pos(first), "this one was dropped")
}

// pos is where a node was written.
func pos(n *yaml.Node) diag.Pos { return Node{n}.Pos() }
