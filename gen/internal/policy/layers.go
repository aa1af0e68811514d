package policy

import (
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A layer is an annotation with the way by which it got its place in a chain.
type layer struct {
	ann *annotation
	use *Use // of a named policy
}

func (l layer) origin(pos diag.Pos, via string) Origin {
	return Origin{Layer: l.ann.layer, Name: l.ann.name, Pos: pos, Via: via, Use: l.use}
}

// A chain is the layers that reach a place, the outermost first. The counts
// say how many of them belong to the places around the operation.
type chain struct {
	layers               []layer
	files, doc, path, op int // ends of the four places in layers
}

// A merger knows what all chains begin with, and puts the chains together.
type merger struct {
	*reader
	named  map[string][]*annotation // the outermost first
	files  []layer
	root   *annotation
	places map[*annotation][]layer // what each annotation amounts to with what it uses
	seats  map[seat]*Compartment
}

func (r *reader) merger(files []*annotation, root *annotation) *merger {
	m := &merger{reader: r, root: root, named: map[string][]*annotation{}, places: map[*annotation][]layer{}, seats: map[seat]*Compartment{}}
	for _, f := range files {
		m.files = append(m.files, layer{ann: f})
		m.name(f.policies)
	}
	if root != nil {
		m.name(root.policies)
	}
	return m
}

func (m *merger) name(policies []*annotation) {
	for _, p := range policies {
		m.named[p.name] = append(m.named[p.name], p)
	}
}

// chain is what reaches an operation; path and op may be nil.
func (m *merger) chain(path, op *annotation) chain {
	c := chain{layers: slices.Clone(m.files)}
	c.files = len(c.layers)
	c.layers = append(c.layers, m.place(m.root)...)
	c.doc = len(c.layers)
	c.layers = append(c.layers, m.place(path)...)
	c.path = len(c.layers)
	c.layers = append(c.layers, m.place(op)...)
	c.op = len(c.layers)
	return c
}

// place is an annotation's own layer above that of the policy that it uses.
// What is wrong with the use is said the first time.
func (m *merger) place(a *annotation) []layer {
	if a == nil {
		return nil
	}
	if known, ok := m.places[a]; ok {
		return known
	}
	var out []layer
	if use, ok := a.leaf(keyUse); ok {
		for _, p := range m.used(use) {
			out = append(out, layer{ann: p, use: &Use{Layer: a.layer, Pos: use.pos, Via: use.via}})
		}
		m.checkUse(a, use, out)
	}
	out = append(out, layer{ann: a})
	m.checkState(a, out)
	m.places[a] = out
	return out
}

func (m *merger) used(use written) []*annotation {
	policies := m.named[use.text]
	if len(policies) > 0 {
		return policies
	}
	names := make([]string, 0, len(m.named))
	for name := range m.named {
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) == 0 {
		m.errorf(use.pos, "use is %q; there are no named policies", use.text).WithHint("write policies: {%s: {…}} at the document's root", use.text)
		return nil
	}
	d := m.errorf(use.pos, "use is %q; want the name of a policy: %s", use.text, choice(names))
	if w := near(use.text, names); w != "" {
		d.WithHint("write %s", w)
	}
	return nil
}

// checkUse complains of leaves that a named policy cannot bring to a place.
func (m *merger) checkUse(a *annotation, use written, policies []layer) {
	for _, p := range policies {
		for _, w := range p.ann.written {
			switch {
			case w.row.Leaf == keyCompartment && a.place == OnDocument:
				m.errorf(use.pos, "use: %s brings compartment to the document's root; want it on a path item or an operation", p.ann.name).
					WithHint("use the policy there").WithRelated(w.pos, "compartment stands here")
			case w.row.Places&OnOperation != 0 && w.row.Places&OnPath == 0 && a.place != OnOperation:
				m.errorf(use.pos, "use: %s brings %s to %s; want it on an operation", p.ann.name, w.row.Leaf, a.place.phrase()).
					WithHint("use the policy on each operation").WithRelated(w.pos, "%s stands here", w.row.Leaf)
			}
		}
	}
}

// checkState complains of a compartment's leaves where no compartment begins.
func (m *merger) checkState(a *annotation, layers []layer) {
	if a.place != OnPath && a.place != OnOperation {
		return
	}
	if slices.ContainsFunc(layers, func(l layer) bool { return l.ann.text(keyCompartment) != "" }) {
		return
	}
	for _, l := range layers {
		for _, w := range l.ann.written {
			switch {
			case !w.row.State:
			case l.use == nil:
				m.errorf(w.key, "%s stands on %s that begins no compartment; want it where one begins", w.row.Leaf, a.place.phrase()).
					WithHint("write compartment: NAME beside it, or move it to the document's root")
			default:
				m.errorf(l.use.Pos, "use: %s brings %s to %s that begins no compartment", l.ann.name, w.row.Leaf, a.place.phrase()).
					WithHint("write compartment: NAME beside the use, or take the leaf out of the policy").WithRelated(w.pos, "%s stands here", w.row.Leaf)
			}
		}
	}
}

// merge puts layers over the defaults, for the leaves that belong to a
// compartment or for the others. Leaves named in skip are not taken from the
// layers before their index.
func (m *merger) merge(layers []layer, c Criticality, state bool, skip map[Leaf]int) Leaves {
	values := slices.Clone(m.words.defaults[c][state])
	for i, l := range layers {
		for _, w := range l.ann.written {
			if w.row.State == state && i >= skip[w.row.Leaf] && w.row.holds() {
				at := m.words.order[w.row.Leaf]
				values[at] = l.over(values[at], w)
			}
		}
	}
	return slices.DeleteFunc(values, func(v Value) bool { return !v.Exists() })
}

// holds reports whether the row is a leaf that an operation can have a value of.
func (r *Row) holds() bool {
	switch r.Leaf {
	case keyDependency, keyCriticality, keyUse, keyPolicies, keyCompartment, keyWaive:
		return false
	}
	return true
}

func defaultValue(row *Row, text string) Value {
	v := Value{Leaf: row.Leaf, Text: text, Origin: Origin{Layer: LayerDefault}}
	if row.Kind != KindStatuses && row.Kind != KindNames {
		return v
	}
	set := parseSet(text)
	for _, t := range set.Texts {
		v.Members = append(v.Members, Member{Text: t, In: true, Origin: v.Origin})
	}
	for _, t := range set.Not {
		v.Members = append(v.Members, Member{Text: t, Origin: v.Origin})
	}
	return v
}

// over is the value with what the layer wrote put over it.
func (l layer) over(outer Value, w written) Value {
	v := Value{Leaf: w.row.Leaf, Text: w.text, Origin: l.origin(w.pos, w.via), Reason: l.ann.reason(w.row.Leaf.section())}
	switch w.row.Kind {
	case KindStatuses, KindNames:
		inner := slices.Clone(w.members)
		for i := range inner {
			inner[i].Origin.Use, inner[i].Reason = l.use, v.Reason
		}
		v.Members = mergeMembers(w.row.Kind, outer.Members, inner, w.list)
		v.Text = setText(w.row.Kind, v.Members)
	case KindMeanings:
		v.Means = mergeMeanings(outer.Means, w.means, l.use)
		v.Text = meaningsText(v.Means)
	}
	return v
}
