package document

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// land finds where a reference at a place of the given shape ends. The answer
// is kept, so that each reference is followed once.
func (l *linker) land(ref *yaml.Node, s *shape) landing {
	key := landKey{refKey: refKey{l.base(ref), l.around(ref), ref.Value}, shape: s}
	if strings.HasPrefix(ref.Value, "#") && !strings.HasPrefix(ref.Value, "#/components/") && len(l.scope) > 0 {
		key.scope = l.scope[len(l.scope)-1]
	}
	if found, ok := l.landed[key]; ok {
		return found
	}
	found := l.landAnew(ref, s)
	l.landed[key] = found
	return found
}

func (l *linker) landAnew(ref *yaml.Node, s *shape) landing {
	at, t := l.step(ref, s)
	if t != nil {
		return landing{trouble: t}
	}
	// References that are nothing else are followed to their end, but for the
	// entry's own components, which keep their names.
	for hops := maxChain; ; hops-- {
		t := l.targets[targetKey{at.node, s.section}]
		if s.section != "" && t != nil && t.root && refOf(t.home) != nil {
			return l.whole(ref, t, s)
		}
		inner := refOf(at.node)
		if inner == nil || len(at.node.Content) > 2 && s.section != "" {
			break
		}
		if hops == 0 {
			return landing{trouble: loop(ref)}
		}
		var trouble *trouble
		if at, trouble = l.step(inner, s); trouble != nil {
			return landing{trouble: trouble}
		}
	}
	if from := l.holds(at, s); from != nil {
		return landing{place: at, from: from}
	}
	if s.form == listForm && at.node.Kind == yaml.MappingNode && s.items.form == mapForm {
		return landing{place: at, wrap: true}
	}
	if !fits(at.node, s) {
		return landing{trouble: misfit(ref, at.node, s)}
	}
	if s.section == "" {
		return landing{place: at}
	}
	return l.named(ref, l.register(at, s))
}

// named is the landing at a target, unless that could not be read.
func (l *linker) named(ref *yaml.Node, t *target) landing {
	if t.gone {
		return landing{trouble: dangling(quoted(ref.Value) + " leads to a component that could not be read")}
	}
	return landing{place: t.place, target: t}
}

func misfit(ref, n *yaml.Node, s *shape) *trouble {
	return dangling(quoted(ref.Value) + " leads to " + Node{n}.Kind().String() + "; want " + s.name)
}

func loop(ref *yaml.Node) *trouble {
	return &trouble{code: "ref-loop", message: quoted(ref.Value) + " leads through more than 100 references or in a circle; want a value"}
}

// whole is the landing at an entry's component that is a reference itself,
// unless that leads in a circle, or nowhere with nothing to stand in for it.
func (l *linker) whole(ref *yaml.Node, t *target, s *shape) landing {
	if t.home != t.node {
		return l.named(ref, t)
	}
	at, trouble := l.final(refOf(t.home), s)
	switch {
	case trouble != nil && (trouble.code == "ref-loop" || s.substitute == nil):
		return landing{trouble: trouble}
	case trouble == nil && !fits(at.node, s) && s.substitute == nil:
		return landing{trouble: misfit(ref, at.node, s)}
	}
	return l.named(ref, t)
}

// step follows a reference once. One that leads nowhere by the letter may mean
// something all the same.
func (l *linker) step(ref *yaml.Node, s *shape) (place, *trouble) {
	at, t := l.resolve(ref)
	if len(l.scope) > 0 && s.isSchema() && strings.HasPrefix(ref.Value, "#") {
		if t != nil || at.node == at.src.root && isDescription(at.node) {
			if inner, ok := l.inScope(ref); ok {
				return inner, nil
			}
		}
	}
	if t != nil && t.code != "ref-loop" {
		if meant, ok := l.guess(ref, s); ok {
			return meant, nil
		}
	}
	return at, t
}

// inScope follows a pointer from the enclosing schemas, the outermost first:
// that is what "#" and "#/$defs/x" mean inside a schema of an OpenAPI document.
func (l *linker) inScope(ref *yaml.Node) (place, bool) {
	r, bad := parseReference(ref.Value, "")
	if bad != nil || r.anchor != "" {
		return place{}, false
	}
	for _, enclosing := range l.scope {
		node := enclosing
		for _, token := range r.tokens {
			if node = member(node, token); node == nil {
				break
			}
		}
		if node != nil {
			return place{node: node, src: l.base(enclosing), tokens: append([]string{"schema"}, r.tokens...)}, true
		}
	}
	return place{}, false
}

func isDescription(root *yaml.Node) bool {
	return Node{root}.Get("openapi").Exists() || Node{root}.Get("swagger").Exists()
}

// final follows a reference to its very end.
func (l *linker) final(ref *yaml.Node, s *shape) (place, *trouble) {
	start := ref
	for range maxChain {
		at, t := l.step(ref, s)
		if t != nil {
			return at, t
		}
		next := refOf(at.node)
		if next == nil || len(at.node.Content) > 2 {
			return at, nil
		}
		ref = next
	}
	return place{}, loop(start)
}

// fits reports whether a node can be what a place of the shape wants, perhaps
// after a mend.
func fits(n *yaml.Node, s *shape) bool {
	switch s.form {
	case anyForm:
		return true
	case mapForm:
		return n.Kind == yaml.MappingNode || s.bool && n.Tag == "!!bool" || (n.Tag == "!!null" || isEmptyList(n)) && !s.silent()
	case listForm, textsForm, typesForm:
		return n.Kind != yaml.MappingNode
	}
	return n.Kind == yaml.ScalarNode
}

// holds tells that a place is a component of another section than the one
// asked for: a header where a parameter stands, say. Nil means that it is not.
func (l *linker) holds(at place, s *shape) *shape {
	if s.section == "" || len(at.tokens) < 2 || !isDescription(at.src.root) {
		return nil
	}
	root := document3
	if (Node{at.src.root}).Get("swagger").Exists() {
		root = document2
	}
	for _, other := range sections(root) {
		name := strings.Split(other.name, "/")
		if len(at.tokens) == len(name)+1 && slices.Equal(at.tokens[:len(name)], name) && other.shape.section != s.section {
			return other.shape
		}
	}
	return nil
}
