package document

import (
	"path"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A target is a node that references lead to and that therefore gets a name in
// a section of the document.
type target struct {
	place
	shape   *shape
	name    string       // in its section
	ref     string       // see pointer
	root    bool         // the entry's own component
	written string       // the entry's name for it, where root
	gone    bool         // it could not be read; references to it dangle
	home    *yaml.Node   // where the name stands; not node where the component took over what it refers to
	scope   []*yaml.Node // schemas that enclose it, outermost first
}

type targetKey struct {
	node    *yaml.Node
	section string
}

// A linker makes one tree out of the entry and the files that it refers to. It
// works in two passes, so that a node which something refers to is moved
// rather than copied: discover finds all targets, rewrite uses their names. The
// parsed files stay as they are; what rewrite changes it copies.
type linker struct {
	*library
	targets map[targetKey]*target
	order   []*target // in the order of discovery: the entry's components first
	walked  map[targetKey]bool
	landed  map[landKey]landing
	inlined int          // references that discover is within, which will be inlined
	scope   []*yaml.Node // schemas that enclose the one being walked, outermost first
}

// A landing is where a reference ends: the target it gets its name from, or
// the place that is inlined, or the trouble.
type landing struct {
	place
	target  *target
	from    *shape // what the place holds, where that is not what was asked for
	wrap    bool   // the place holds one item where a list was asked for
	trouble *trouble
}

type landKey struct {
	refKey
	shape *shape
	scope *yaml.Node // for references that only make sense within a schema
}

// discover walks a tree by shape and registers whatever references lead to.
func (l *linker) discover(n *yaml.Node, s *shape) {
	if n == nil || s.form == anyForm {
		return
	}
	if ref := refOf(n); ref != nil {
		l.discoverRef(n, ref, s)
		if s.section == "" {
			return
		}
	}
	switch {
	case s == mapping:
		l.discoverMapping(n)
	case n.Kind == yaml.SequenceNode && s.items != nil:
		for _, item := range n.Content {
			l.discover(item, s.items)
		}
	case n.Kind == yaml.SequenceNode && s.isSchema(): // items: [ … ]
		for _, item := range n.Content {
			l.discover(item, s)
		}
	case n.Kind == yaml.MappingNode && s.form == mapForm:
		l.discoverMembers(n, s)
	case n.Kind == yaml.MappingNode && s.items != nil: // one item in place of a list
		l.discover(n, s.items)
	}
}

func (l *linker) discoverMembers(n *yaml.Node, s *shape) {
	defer l.within(n, s)()
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		if value.Kind == yaml.ScalarNode {
			if s.isSchema() {
				l.landRecursive(key, value, s)
			}
			continue // no reference in it
		}
		if field := s.member(key); field != nil {
			l.discover(value, field)
		}
	}
}

// member is the shape of a member, or nil where it is opaque.
func (s *shape) member(key string) *shape {
	if f := s.fields[key]; f != nil {
		return f
	}
	if s.values == nil || !s.named && strings.HasPrefix(key, "x-") {
		return nil
	}
	return s.values
}

// within notes that a walk goes on inside a schema, until the function that it
// returns is called.
func (l *linker) within(n *yaml.Node, s *shape) func() {
	if !s.isSchema() {
		return func() {}
	}
	l.scope = append(l.scope, n)
	return func() { l.scope = l.scope[:len(l.scope)-1] }
}

// landRecursive reads "$recursiveRef" and "$dynamicRef" as references: to the
// outermost enclosing schema, and to the anchor of the name if only one schema
// bears it. Of several, which is meant depends on where the reading began.
func (l *linker) landRecursive(key string, value *yaml.Node, s *shape) (landing, bool) {
	if key != "$recursiveRef" && key != "$dynamicRef" || value.Tag != "!!str" || !strings.HasPrefix(value.Value, "#") {
		return landing{}, false
	}
	if n := l.known().dynamic[value.Value[1:]]; key == "$dynamicRef" && n > 1 {
		return landing{trouble: &trouble{code: "dynamic-ref", message: "may mean any of " + strconv.Itoa(n) + " schemas"}}, true
	}
	return l.land(value, s), true
}

func (l *linker) discoverRef(n, ref *yaml.Node, s *shape) {
	if s.form == textForm && l.isRaw(ref) {
		return
	}
	pop := l.within(n, s)
	land := l.land(ref, s)
	if land.from != nil && land.from.isSchema() {
		l.land(ref, land.from)
	}
	pop()
	if land.wrap {
		l.discover(n, s.items)
		return
	}
	if land.trouble != nil || land.target != nil || land.node == nil {
		return
	}
	walk := s
	if land.from != nil {
		walk = land.from
	}
	key := targetKey{land.node, walk.name}
	if !l.walked[key] && l.inlined < maxChain {
		l.walked[key] = true
		l.inlined++
		l.discover(land.node, walk)
		l.inlined--
	}
	if s.section == "" && len(n.Content) > 2 {
		l.discoverMembers(n, s)
	}
}

func (l *linker) discoverMapping(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if value := n.Content[i+1]; value.Kind == yaml.ScalarNode {
			if ref := l.mappingRef(value); ref != nil {
				l.land(ref, schema)
			}
		}
	}
}

// mappingRef is the reference that a value of a discriminator's mapping
// stands for, or nil where it is the name of one of the entry's schemas.
func (l *linker) mappingRef(value *yaml.Node) *yaml.Node {
	if strings.ContainsAny(value.Value, "#/") || isTreeFile(value.Value) {
		return value
	}
	base := l.base(value)
	if base == l.entry || base.root == nil {
		return nil
	}
	if (Node{base.root}).At("components", "schemas", value.Value).Exists() {
		ref := *value
		ref.Value = "#/components/schemas/" + escapeToken(value.Value)
		return &ref
	}
	return nil
}

func isTreeFile(file string) bool {
	switch path.Ext(file) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// findTargets registers the entry's components, and walks the entry and then
// all that was found, in the order of finding.
func (l *linker) findTargets(root *shape) {
	l.registerComponents(root)
	for l.walkAll(root); l.known().late; l.walkAll(root) { // again, with an $id that a file brought later
		l.ids.late = false
		clear(l.found)
		clear(l.landed)
		clear(l.walked)
	}
	l.assignNames()
}

func (l *linker) walkAll(root *shape) {
	l.discoverMembers(l.entry.root, root)
	for i := 0; i < len(l.order); i++ {
		if t := l.order[i]; !t.root || t.home != t.node {
			l.scope = append(l.scope[:0], t.scope...)
			l.discover(t.node, t.shape)
			l.scope = l.scope[:0]
		}
	}
}

// register makes a target of a place, or finds the one that it is already.
func (l *linker) register(at place, s *shape) *target {
	key := targetKey{at.node, s.section}
	if t := l.targets[key]; t != nil {
		return t
	}
	t := &target{place: at, shape: s, home: at.node, scope: enclosing(at)}
	l.targets[key] = t
	l.order = append(l.order, t)
	return t
}

// enclosing are the schemas around a place deep within a component.
func enclosing(at place) []*yaml.Node {
	if len(at.tokens) < 4 || at.tokens[0] != "components" || at.tokens[1] != "schemas" {
		return nil
	}
	var around []*yaml.Node
	n := at.src.root
	for i, token := range at.tokens[:len(at.tokens)-1] {
		if n = member(n, token); n == nil {
			break
		}
		if i >= 2 {
			around = append(around, n)
		}
	}
	return around
}

// registerComponents gives the entry's own components their names. One that is
// nothing but a reference to elsewhere takes over what it leads to, so that it
// does not become a type beside it.
func (l *linker) registerComponents(root *shape) {
	var aliases []*target
	for _, section := range sections(root) {
		holder := Node{l.entry.root}.At(strings.Split(section.name, "/")...)
		if refOf(holder.y) != nil {
			continue // one that leads nowhere, or it would have been put in
		}
		for key, value := range holder.Members() {
			at := place{node: value.y, src: l.entry, tokens: append(strings.Split(section.name, "/"), key.Text())}
			t := l.register(at, section.shape)
			if !t.root {
				t.root, t.written, t.scope = true, key.Text(), nil
				if refOf(value.y) != nil && len(value.y.Content) == 2 {
					aliases = append(aliases, t)
				}
			}
		}
	}
	for _, t := range aliases {
		at, trouble := l.final(refOf(t.node), t.shape)
		if trouble != nil || l.targets[targetKey{at.node, t.shape.section}] != nil || !fits(at.node, t.shape) {
			continue
		}
		t.place = at
		l.targets[targetKey{at.node, t.shape.section}] = t
	}
}

// A section is a map of components and where it stands in the document.
type section struct {
	name  string // components/schemas
	shape *shape // of its members
}

// sections lists the sections of a document's shape, in the order in which
// names are given.
func sections(root *shape) []section {
	if root == document2 {
		return []section{{inDefinitions, schema2}, {inParameters2, parameter2}, {inResponses2, response2}}
	}
	return []section{
		{inSchemas, schema}, {inResponses, response}, {inParameters, parameter}, {inExamples, example}, {inRequestBodies, requestBody},
		{inHeaders, headerOf}, {inSecuritySchemes, secScheme}, {inLinks, link}, {inCallbacks, callback},
	}
}
