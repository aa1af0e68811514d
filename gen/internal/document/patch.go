package document

import (
	"slices"

	"github.com/theory/jsonpath/spec"
	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A patcher applies an overlay's actions to the entry's tree, in place. What
// it puts in keeps the position that it has in the overlay.
type patcher struct {
	*library
	overlay *source
	budget  int // nodes that it may still put in
}

func (p *patcher) apply(a action) {
	f := newFinder(p.entry.root)
	targets, stop := f.find(a.query)
	if len(targets) == 0 {
		p.noMatch(a.target, stop)
		return
	}
	if a.remove {
		for _, t := range targets {
			remove(t)
		}
		return
	}
	update := a.update.y
	if a.from != nil {
		found, stop := f.find(a.from)
		switch len(found) {
		case 0:
			p.noMatch(a.copy, stop)
			return
		case 1:
			update = found[0].node
		default:
			p.ds.Errorf(a.copy.Pos(), "overlay", "copy %s matches %d values; want one", inQuotes(a.copy.Text()), len(found)).
				WithHint("name one value").WithRelated(pos(found[0].node), "the first").WithRelated(pos(found[1].node), "the second")
			return
		}
		update = p.clone(update) // it may hold its own target
	}
	if p.mixed(a, targets) {
		return
	}
	for _, t := range targets {
		p.put(t, update)
	}
}

// remove takes a value out of the map or list that it stands in.
func remove(t match) {
	i := slices.Index(t.parent.Content, t.node)
	switch {
	case i < 0: // gone already, with something around it or before
	case t.parent.Kind == yaml.SequenceNode:
		t.parent.Content = slices.Delete(t.parent.Content, i, i+1)
	default:
		t.parent.Content = slices.Delete(t.parent.Content, i-1, i+1)
	}
}

// mixed reports targets of several kinds: one update cannot mean both.
func (p *patcher) mixed(a action, targets []match) bool {
	first := targets[0].node
	for _, t := range targets {
		if t.node.Kind != first.Kind {
			p.ds.Errorf(a.target.Pos(), "overlay", "target %s matches %s and %s; want values of one kind", inQuotes(a.target.Text()), Node{first}.Kind(), Node{t.node}.Kind()).
				WithHint("split it into an action for each").
				WithRelated(pos(first), "%s", Node{first}.Kind()).WithRelated(pos(t.node), "%s", Node{t.node}.Kind())
			return true
		}
	}
	return false
}

// put merges an update into one target.
func (p *patcher) put(t match, update *yaml.Node) {
	switch t.node.Kind {
	case yaml.MappingNode:
		if update.Kind != yaml.MappingNode {
			p.mismatch(t.node, update, "")
			return
		}
		p.merge(t.node, update)
	case yaml.SequenceNode:
		p.appendTo(t.node, update)
	default:
		if update.Kind != yaml.ScalarNode {
			p.mismatch(t.node, update, "")
			return
		}
		if i := slices.Index(t.parent.Content, t.node); i >= 0 {
			t.parent.Content[i] = p.clone(update)
		}
	}
}

// within reports whether n lies below a member that is the annotation.
func within(root, n *yaml.Node, inside bool) bool {
	if root == n {
		return inside
	}
	if root.Kind == yaml.SequenceNode {
		for _, item := range root.Content {
			if within(item, n, inside) {
				return true
			}
		}
		return false
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if v := root.Content[i+1]; v.Kind != yaml.ScalarNode && within(v, n, inside || root.Content[i].Value == annotation) {
			return true
		}
	}
	return false
}

func (p *patcher) appendTo(list, update *yaml.Node) {
	if update.Kind != yaml.SequenceNode {
		list.Content = append(list.Content, p.clone(update))
		return
	}
	for _, item := range update.Content {
		list.Content = append(list.Content, p.clone(item))
	}
}

// merge puts the members of an update over those of a map: maps are merged,
// lists are joined, and scalars replaced together with their keys, so that
// both have the overlay's position.
func (p *patcher) merge(base, update *yaml.Node) {
	for i := 0; i+1 < len(update.Content); i += 2 {
		key, value := update.Content[i], update.Content[i+1]
		at := memberIndex(base, key.Value)
		switch {
		case at < 0:
			base.Content = append(base.Content, p.clone(key), p.clone(value))
		case base.Content[at+1].Tag == "!!null": // nothing was said there
			base.Content[at], base.Content[at+1] = p.clone(key), p.clone(value)
		case base.Content[at+1].Kind != value.Kind:
			p.mismatch(base.Content[at+1], value, key.Value)
		case value.Kind == yaml.MappingNode:
			p.merge(base.Content[at+1], value)
		case value.Kind == yaml.SequenceNode:
			p.appendTo(base.Content[at+1], value)
		default:
			base.Content[at], base.Content[at+1] = p.clone(key), p.clone(value)
		}
	}
}

// memberIndex is the place of a member's key in a map's content, or -1.
func memberIndex(n *yaml.Node, name string) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return i
		}
	}
	return -1
}

func (p *patcher) clone(n *yaml.Node) *yaml.Node {
	p.budget--
	if p.budget == -1 {
		p.ds.Errorf(diag.Pos{File: p.overlay.name}, "limit", "the overlay puts more than %d values into the document; want fewer", maxExpanded).
			WithHint("name fewer targets")
	}
	c := *n
	if p.budget < 0 {
		c.Content = nil
		return &c
	}
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = p.clone(child)
	}
	return &c
}

// mismatch reports an update of another kind than what it meets.
func (p *patcher) mismatch(base, update *yaml.Node, name string) {
	what := "the update"
	if name != "" {
		what = "the update of " + inQuotes(name)
	}
	d := p.ds.Errorf(pos(update), "overlay", "%s is %s; want %s, as in the document", what, Node{update}.Kind(), Node{base}.Kind()).
		WithHint("remove the old value by an action of its own first").
		WithRelated(pos(base), "the document has %s here", Node{base}.Kind())
	if base.Kind == yaml.SequenceNode && update.Kind == yaml.MappingNode && within(p.entry.root, base, false) {
		d.WithHint("remove the list %s by an action of its own first, then write the whole set as a map", name)
	}
}

// noMatch reports a path that selects nothing, and where it stopped.
func (p *patcher) noMatch(at Node, stop miss) {
	d := p.ds.Errorf(at.Pos(), "overlay", "%s matches nothing; want at least one value", inQuotes(at.Text()))
	for _, m := range stop.from {
		if ref := refOf(m.node); ref != nil {
			d.WithHint("the path ends at %s: name what it leads to", quoted(ref.Value)).WithRelated(pos(ref), "the reference is here")
			return
		}
	}
	d.WithRelated(pos(stop.from[0].node), "the path was followed up to here")
	d.WithHint("correct the path, or remove the action")
	name, ok := stop.segment.Selectors()[0].(spec.Name)
	if !ok || len(stop.segment.Selectors()) > 1 {
		return
	}
	var there []string
	for key := range (Node{stop.from[0].node}).Members() {
		there = append(there, key.Text())
	}
	if near := nearest(string(name), there); near != "" {
		d.WithHint("write %s instead of %s", inQuotes(near), inQuotes(string(name)))
	}
}
