package openapi

import (
	"iter"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
)

// A tree is the document twice over: as kin's types and as the nodes that they
// were decoded from, with an index over the components.
type tree struct {
	kin   *openapi3.T
	root  document.Node
	nodes map[string]map[string]document.Node // section -> name -> node
}

func newTree(root document.Node, kin *openapi3.T) *tree {
	if kin.Components == nil {
		kin.Components = &openapi3.Components{}
	}
	t := &tree{kin: kin, root: root, nodes: map[string]map[string]document.Node{}}
	for section, members := range root.Get("components").Members() {
		byName := make(map[string]document.Node, members.Len())
		for name, n := range members.Members() {
			byName[name.Text()] = n
		}
		t.nodes[section.Text()] = byName
	}
	return t
}

// componentName is the name that a reference to a component of the section
// names, or "".
func (t *tree) componentName(section, ref string) string {
	name, ok := strings.CutPrefix(ref, "#/components/"+section+"/")
	if !ok {
		return ""
	}
	for _, candidate := range [...]string{unescape(name), unescape(percentDecoded(name))} {
		if _, ok := t.nodes[section][candidate]; ok {
			return candidate
		}
	}
	return ""
}

func percentDecoded(s string) string {
	if d, err := url.PathUnescape(s); err == nil {
		return d
	}
	return s
}

func unescape(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// pointer appends a token to a JSON pointer.
func pointer(base string, tokens ...string) string {
	for _, t := range tokens {
		base += "/" + strings.ReplaceAll(strings.ReplaceAll(t, "~", "~0"), "/", "~1")
	}
	return base
}

// maxChain is how many references may follow each other: the loader refuses
// longer ones, so that reaching it means a circle.
const maxChain = 100

// resolve follows references within a section to the object itself. ok is false
// where they lead nowhere or in a circle.
func resolve[K any](t *tree, section string, kin K, node document.Node,
	split func(K) (ref string, ok bool), get func(name string) (K, bool)) (K, document.Node, bool) {
	for range maxChain {
		ref, isRef := split(kin)
		if !isRef {
			return kin, node, true
		}
		name := t.componentName(section, ref)
		next, ok := get(name)
		if name == "" || !ok {
			return kin, node, false
		}
		kin, node = next, t.nodes[section][name]
	}
	return kin, node, false
}

// parameter follows a parameter's references.
func (t *tree) parameter(p *openapi3.ParameterRef, node document.Node) (*openapi3.Parameter, document.Node, bool) {
	p, node, ok := resolve(t, "parameters", p, node,
		func(p *openapi3.ParameterRef) (string, bool) { return refOf(p != nil, func() string { return p.Ref }) },
		func(name string) (*openapi3.ParameterRef, bool) {
			r, ok := t.kin.Components.Parameters[name]
			return r, ok
		})
	if !ok || p == nil || p.Value == nil {
		return nil, node, false
	}
	return p.Value, node, true
}

// header follows a header's references.
func (t *tree) header(h *openapi3.HeaderRef, node document.Node) (*openapi3.Header, document.Node, bool) {
	h, node, ok := resolve(t, "headers", h, node,
		func(h *openapi3.HeaderRef) (string, bool) { return refOf(h != nil, func() string { return h.Ref }) },
		func(name string) (*openapi3.HeaderRef, bool) { r, ok := t.kin.Components.Headers[name]; return r, ok })
	if !ok || h == nil || h.Value == nil {
		return nil, node, false
	}
	return h.Value, node, true
}

// requestBody follows a request body's references; name is the last component's.
func (t *tree) requestBody(b *openapi3.RequestBodyRef, node document.Node) (body *openapi3.RequestBody, at document.Node, name string, ok bool) {
	b, node, ok = resolve(t, "requestBodies", b, node,
		func(b *openapi3.RequestBodyRef) (string, bool) {
			return refOf(b != nil, func() string { name = t.nameOr(name, "requestBodies", b.Ref); return b.Ref })
		},
		func(n string) (*openapi3.RequestBodyRef, bool) {
			r, ok := t.kin.Components.RequestBodies[n]
			return r, ok
		})
	if !ok || b == nil || b.Value == nil {
		return nil, node, name, false
	}
	return b.Value, node, name, true
}

// response follows a response's references; name is the last component's.
func (t *tree) response(r *openapi3.ResponseRef, node document.Node) (response *openapi3.Response, at document.Node, name string, ok bool) {
	r, node, ok = resolve(t, "responses", r, node,
		func(r *openapi3.ResponseRef) (string, bool) {
			return refOf(r != nil, func() string { name = t.nameOr(name, "responses", r.Ref); return r.Ref })
		},
		func(n string) (*openapi3.ResponseRef, bool) { r, ok := t.kin.Components.Responses[n]; return r, ok })
	if !ok || r == nil || r.Value == nil {
		return nil, node, name, false
	}
	return r.Value, node, name, true
}

// scheme follows a security scheme's references.
func (t *tree) scheme(s *openapi3.SecuritySchemeRef, node document.Node) (*openapi3.SecurityScheme, document.Node, bool) {
	s, node, ok := resolve(t, "securitySchemes", s, node,
		func(s *openapi3.SecuritySchemeRef) (string, bool) {
			return refOf(s != nil, func() string { return s.Ref })
		},
		func(name string) (*openapi3.SecuritySchemeRef, bool) {
			r, ok := t.kin.Components.SecuritySchemes[name]
			return r, ok
		})
	if !ok || s == nil || s.Value == nil {
		return nil, node, false
	}
	return s.Value, node, true
}

func refOf(exists bool, ref func() string) (string, bool) {
	if !exists {
		return "", false
	}
	r := ref()
	return r, r != ""
}

func (t *tree) nameOr(old, section, ref string) string {
	if ref == "" {
		return old
	}
	return t.componentName(section, ref)
}

// facts are the members of a map that are no extensions, in document order.
func facts(n document.Node) iter.Seq2[string, document.Node] {
	return func(yield func(string, document.Node) bool) {
		for key, value := range n.Members() {
			if strings.HasPrefix(key.Text(), "x-") {
				continue // other tools' extensions
			}
			if !yield(key.Text(), value) {
				return
			}
		}
	}
}
