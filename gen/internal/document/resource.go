package document

import (
	"bytes"
	"net/url"
	"path"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A resource is a schema with an $id: references in it are read from there, be
// it "#", a name or a pointer.
type resource struct {
	id      *url.URL
	root    *yaml.Node
	src     *source
	anchors map[string]*yaml.Node
}

// Resources are the schemas with an $id of all files that have been read.
type resources struct {
	byID     map[string]*resource     // by absolute $id, without a fragment
	within   map[*yaml.Node]*resource // by the text of a reference in it
	dynamic  map[string]int           // how many schemas bear a $dynamicAnchor of the name
	searched int                      // how many of the library's files
	missed   map[string]bool          // what references asked for before a file had it
	late     bool                     // one of missed has turned up since
}

// bearsIDs reports whether a file may hold an $id or a $dynamicAnchor: most do
// not, and are not searched.
func bearsIDs(data []byte) bool {
	for _, key := range []string{"$id", "$self", "$dynamicAnchor"} {
		if bytes.Contains(data, []byte(key)) {
			return true
		}
	}
	return false
}

// known are the resources of the files that have been read so far.
func (l *library) known() *resources {
	if l.ids == nil {
		l.ids = &resources{byID: map[string]*resource{}, within: map[*yaml.Node]*resource{}, missed: map[string]bool{}, dynamic: map[string]int{}}
	}
	r := l.ids
	for ; r.searched < len(l.files); r.searched++ { // the entry first, then in the order of reading
		src := l.byName[l.files[r.searched]]
		if src != nil && src.ids && src.root != nil {
			r.search(src, src.root, nil)
		}
	}
	return r
}

// address is what a file's own references are relative to: a made-up address
// below which the folder of the description lies.
func (s *source) address() *url.URL { return &url.URL{Scheme: "below", Path: "/" + s.path} }

// search looks for $id below a node that stands in a resource, or in none.
func (r *resources) search(src *source, n *yaml.Node, in *resource) {
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			r.search(src, item, in)
		}
		return
	}
	if n.Kind != yaml.MappingNode {
		return
	}
	if id := ownID(n, n == src.root); id != nil {
		in = r.add(src, n, id, in)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		if key == "$dynamicAnchor" && value.Kind == yaml.ScalarNode {
			r.dynamic[value.Value]++
		}
		switch {
		case in != nil && key == "mapping" && value.Kind == yaml.MappingNode:
			for _, text := range value.Content {
				r.within[text] = in // of a discriminator
			}
		case value.Kind != yaml.ScalarNode:
			r.search(src, value, in)
		case in == nil:
		case key == "$ref", key == "$dynamicRef", key == "$recursiveRef":
			r.within[value] = in
		case key == "$anchor", key == "$dynamicAnchor":
			keepFirst(in.anchors, value.Value, n)
		}
	}
}

// ownID is the $id of a schema, or the $self of a description.
func ownID(n *yaml.Node, root bool) *url.URL {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		if key != "$id" && (key != "$self" || !root) || value.Tag != "!!str" || value.Value == "" || value.Value[0] == '#' {
			continue
		}
		if id, err := url.Parse(value.Value); err == nil {
			return id
		}
	}
	return nil
}

// add notes a resource; a relative $id is relative to that of the resource
// around it, or to the file.
func (r *resources) add(src *source, n *yaml.Node, id *url.URL, around *resource) *resource {
	base := src.address()
	if around != nil {
		base = around.id
	}
	id = base.ResolveReference(id)
	in := &resource{id: id, root: n, src: src, anchors: map[string]*yaml.Node{}}
	name := withoutFragment(id)
	if r.byID[name] == nil {
		r.byID[name] = in
		r.late = r.late || r.missed[name]
	}
	return in
}

func withoutFragment(u *url.URL) string {
	bare := *u
	bare.Fragment, bare.RawFragment = "", ""
	return bare.String()
}

// around is the resource that a reference stands in, or nil.
func (l *library) around(ref *yaml.Node) *resource { return l.known().within[ref] }

// identified finds what a reference means by the $id of schemas: of the one that
// it stands in, and of the one that it names. ok is false where it means a file,
// or a place in one.
func (l *library) identified(ref *yaml.Node, hops int) (at place, ok bool) {
	known, in := l.known(), l.around(ref)
	local := strings.HasPrefix(ref.Value, "#")
	if local && in == nil || ref.Value == "" {
		return place{}, false
	}
	u, err := url.Parse(ref.Value)
	if err != nil {
		return place{}, false
	}
	if !local {
		base := l.base(ref).address()
		if in != nil {
			base = in.id
		}
		u = base.ResolveReference(u)
		name, from := withoutFragment(u), in
		if in = known.byID[name]; in == nil {
			known.missed[name] = true
			return l.besideFile(from, u, hops)
		}
	}
	return l.inResource(in, u.Fragment, ref, hops)
}

// inResource follows the fragment of a reference within a resource.
func (l *library) inResource(in *resource, fragment string, ref *yaml.Node, hops int) (place, bool) {
	at := place{node: in.root, src: in.src, tokens: in.tokens()}
	switch {
	case fragment == "":
		return at, true
	case fragment[0] != '/':
		n := in.anchors[fragment]
		return place{node: n, src: in.src, tokens: []string{fragment}}, n != nil
	}
	var tokens []string
	for token := range strings.SplitSeq(fragment[1:], "/") {
		tokens = append(tokens, tokenUnescaper.Replace(token))
	}
	at, t := l.walk(at, tokens, ref.Value, hops)
	return at, t == nil
}

// tokens name the schema of a resource after the last part of its $id; a whole
// file is named after the file.
func (r *resource) tokens() []string {
	if r.root == r.src.root {
		return nil
	}
	base := path.Base(strings.TrimSuffix(r.id.Path, "/"))
	if base == "." || base == "/" || base == "" {
		base = r.id.Opaque
	}
	return []string{strings.TrimSuffix(base, path.Ext(base))}
}

// besideFile reads an address as a file where the file of the reference has an
// address of its own: what lies beside one lies beside the other.
func (l *library) besideFile(from *resource, u *url.URL, hops int) (place, bool) {
	if from == nil {
		return place{}, false
	}
	home := from.src.address()
	if id := ownID(from.src.root, true); id != nil {
		home = home.ResolveReference(id)
	}
	if home.Scheme != u.Scheme || home.Host != u.Host || home.Opaque != "" || u.RawQuery != "" {
		return place{}, false
	}
	folder := path.Dir(home.Path)
	rest, below := strings.CutPrefix(u.Path, strings.TrimSuffix(folder, "/")+"/")
	if !below || rest == "" {
		return place{}, false
	}
	file := (&url.URL{Path: rest, Fragment: u.Fragment}).String()
	at, t := l.follow(from.src, file, hops)
	return at, t == nil
}
