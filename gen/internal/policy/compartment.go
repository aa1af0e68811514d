package policy

import (
	"net/url"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// streams is the compartment that streaming operations share by default.
const streams = "streams"

// A beginning is where an operation's compartment begins, and how much of the
// operation's chain reaches that place.
type beginning struct {
	name       string
	start, end int // layers of the place in the chain; for the document, 0 and its end
	origin     Origin
	place      *annotation // nil: the document
}

// begin finds where an operation's compartment begins: at the nearest place
// that names one, else at the document.
func (m *merger) begin(c chain, s spot, streaming bool) beginning {
	for _, at := range []struct {
		start, end int
		place      *annotation
	}{{c.path, c.op, s.op}, {c.doc, c.path, s.path}} {
		for i := at.end - 1; i >= at.start; i-- {
			if w, ok := c.layers[i].ann.leaf(keyCompartment); ok {
				return beginning{name: w.text, start: at.start, end: at.end, origin: c.layers[i].origin(w.pos, w.via), place: at.place}
			}
		}
	}
	b := beginning{end: c.doc, origin: Origin{Layer: LayerDocument}}
	if m.root != nil {
		b.origin.Pos, b.origin.Via = m.root.pos, m.root.via
	}
	if streaming {
		b.name, b.start, b.origin = streams, c.doc, Origin{Layer: LayerDerived}
	}
	return b
}

// A seat is what tells compartments apart before they are made.
type seat struct {
	place      *annotation // nil: the document
	name, host string
}

// compartment is the plan's compartment that begins there, made the first time.
func (m *merger) compartment(p *Plan, op *model.Operation, s spot, c chain, b beginning) *Compartment {
	at := seat{b.place, b.name, host(op, p.API)}
	known := m.seats[at]
	if known == nil {
		known = m.makeCompartment(p, op, s, c, b)
		m.seats[at] = known
	}
	return known
}

func (m *merger) makeCompartment(p *Plan, op *model.Operation, s spot, c chain, b beginning) *Compartment {
	made := &Compartment{Dependency: p.Dependency, Host: host(op, p.API), Name: b.name, Begins: b.origin, Owner: p.Owner, OwnerOrigin: p.OwnerOrigin, Criticality: p.Criticality, CriticalityOrigin: p.CriticalityOrigin}
	if b.place != nil {
		around := s
		if b.place == s.path {
			around.op = nil
		}
		made.Criticality, made.CriticalityOrigin = around.criticality(p.Criticality, p.CriticalityOrigin)
		made.Owner, made.OwnerOrigin = around.owner(p.Owner, p.OwnerOrigin)
	}
	skip := map[Leaf]int{ExpectRate: b.start, ExpectErrorRate: b.start}
	made.Leaves = m.merge(c.layers[:b.end], made.Criticality, true, skip)
	if v, written := m.single(c.layers[:b.end], TimeoutEnabled); written {
		made.Leaves = made.Leaves.with(v)
	}
	made.Leaves = m.fitBreaker(switchOffState(made.Leaves))
	for _, known := range p.Compartments {
		if known.Name == made.Name {
			m.compare(known, made, op.Pos)
			if known.Host == made.Host {
				return known
			}
		}
	}
	p.Compartments = append(p.Compartments, made)
	return made
}

// single is the merged value of one leaf.
func (m *merger) single(layers []layer, l Leaf) (Value, bool) {
	var v Value
	for _, layer := range layers {
		if w, ok := layer.ann.leaf(l); ok {
			v = layer.over(v, w)
		}
	}
	return v, v.Exists()
}

// compare complains where two places name one compartment and resolve to
// different values. The position is the operation's, for a place without one.
func (m *merger) compare(known, made *Compartment, op diag.Pos) {
	if known.Begins.Pos == made.Begins.Pos && known.Begins.Layer == made.Begins.Layer {
		return // one place, seen from two operations
	}
	leaf, here, there := difference(known.Leaves, made.Leaves)
	if leaf == "" {
		return
	}
	pos := made.Begins.Pos
	if !pos.IsValid() {
		pos = op
	}
	d := m.errorf(pos, "compartment %s has %s %s here and %s where it is named before; want the same values", made.Name, leaf, here, there).
		WithHint("write its leaves in one named policy and use it in both places, or give one of them another name")
	if known.Begins.Pos.IsValid() {
		d.WithRelated(known.Begins.Pos, "named before")
	} else if len(known.Operations) > 0 {
		d.WithRelated(known.Operations[0].Spec.Pos, "the compartment of streaming operations")
	}
}

// difference is the first leaf of which two compartments differ.
func difference(known, made Leaves) (leaf Leaf, here, there string) {
	text := func(v Value) string {
		if !v.Exists() {
			return "not set"
		}
		return v.Text
	}
	for _, row := range words.rows {
		a, b := known.Get(row.Leaf), made.Get(row.Leaf)
		if a.Text != b.Text || a.Exists() != b.Exists() {
			return row.Leaf, text(b), text(a)
		}
	}
	return "", "", ""
}

// criticality is the nearest one written, else the document's.
func (s spot) criticality(document Criticality, origin Origin) (Criticality, Origin) {
	for _, a := range []*annotation{s.op, s.path} {
		if a == nil {
			continue
		}
		if w, ok := a.leaf(keyCriticality); ok {
			return Criticality(index(criticalities, w.text)), layer{ann: a}.origin(w.pos, w.via)
		}
	}
	return document, origin
}

// owner is the nearest one written, else the document's.
func (s spot) owner(document string, origin Origin) (string, Origin) {
	for _, a := range []*annotation{s.op, s.path} {
		if a == nil {
			continue
		}
		if owner, at := a.owner(); owner != "" {
			return owner, at
		}
	}
	return document, origin
}

// host is scheme and host of the operation's first server with its variables'
// defaults, empty where the spec names none.
func host(op *model.Operation, api *model.API) string {
	servers := op.Servers
	if servers == nil {
		servers = api.Servers
	}
	if len(servers) == 0 {
		return ""
	}
	text := servers[0].URL
	for _, v := range servers[0].Variables {
		text = strings.ReplaceAll(text, "{"+v.Wire+"}", v.Default)
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return ""
	}
	if u.Scheme == "" {
		return "//" + strings.ToLower(u.Host)
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Host)
}

// orderCompartments puts the document's own first, then those in the order of
// their first operation, and drops those without one.
func orderCompartments(all []*Compartment) []*Compartment {
	out := slices.DeleteFunc(all, func(c *Compartment) bool { return len(c.Operations) == 0 })
	slices.SortStableFunc(out, func(a, b *Compartment) int {
		switch {
		case a.Name == "" && b.Name != "":
			return -1
		case a.Name != "" && b.Name == "":
			return 1
		}
		return 0
	})
	return out
}
