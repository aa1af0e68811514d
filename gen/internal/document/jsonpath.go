package document

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/theory/jsonpath/parser"
	"github.com/theory/jsonpath/registry"
	"github.com/theory/jsonpath/spec"
	"go.yaml.in/yaml/v4"
)

// A match is a value that a path selects, and where it hangs.
type match struct {
	node   *yaml.Node
	parent *yaml.Node // nil for the root
}

// A finder evaluates JSONPath (RFC 9535) on nodes, in document order. Only
// filters see plain values; those of one node are made once, and are good for
// as long as the tree does not change.
type finder struct {
	root  *yaml.Node
	plain map[*yaml.Node]any
}

func newFinder(root *yaml.Node) *finder {
	return &finder{root: root, plain: map[*yaml.Node]any{}}
}

// A miss says where a path stops matching: at which segment, and the values
// that this segment was applied to.
type miss struct {
	segment *spec.Segment
	from    []match
}

// find returns what a path selects, each value once, or where it stops.
func (f *finder) find(query *spec.PathQuery) ([]match, miss) {
	found := []match{{node: f.root}}
	for _, segment := range query.Segments() {
		from := found
		if found = f.segment(segment, from); len(found) == 0 {
			return nil, miss{segment, from}
		}
	}
	return found, miss{}
}

func (f *finder) segment(segment *spec.Segment, from []match) []match {
	c := collector{seen: map[*yaml.Node]bool{}}
	var visited map[*yaml.Node]bool
	if len(from) > 1 { // one may lie within another
		visited = map[*yaml.Node]bool{}
	}
	for _, m := range from {
		if segment.IsDescendant() {
			f.descend(segment, m.node, visited, &c)
			continue
		}
		f.selectors(segment, m.node, &c)
	}
	return c.found
}

func (f *finder) descend(segment *spec.Segment, n *yaml.Node, visited map[*yaml.Node]bool, c *collector) {
	if visited[n] || n.Kind == yaml.ScalarNode {
		return
	}
	if visited != nil {
		visited[n] = true
	}
	f.selectors(segment, n, c)
	for _, child := range children(n) {
		f.descend(segment, child, visited, c)
	}
}

// A collector keeps what was selected, each value once.
type collector struct {
	found []match
	seen  map[*yaml.Node]bool
}

func (c *collector) add(parent, n *yaml.Node) {
	if !c.seen[n] {
		c.seen[n] = true
		c.found = append(c.found, match{node: n, parent: parent})
	}
}

// children are the values of a map or the items of a list.
func children(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	values := make([]*yaml.Node, 0, len(n.Content)/2)
	for i := 1; i < len(n.Content); i += 2 {
		values = append(values, n.Content[i])
	}
	return values
}

func (f *finder) selectors(segment *spec.Segment, n *yaml.Node, c *collector) {
	for _, selector := range segment.Selectors() {
		switch s := selector.(type) {
		case spec.Name:
			if v := (Node{n}).Get(string(s)); v.Exists() {
				c.add(n, v.y)
			}
		case spec.WildcardSelector:
			for _, child := range children(n) {
				c.add(n, child)
			}
		case spec.Index:
			if i := index(int(s), n); i >= 0 {
				c.add(n, n.Content[i])
			}
		case spec.SliceSelector:
			slice(s, n, c)
		case *spec.FilterSelector:
			f.filter(s, n, c)
		default:
			panic(fmt.Sprintf("document: selector %T is not known", selector))
		}
	}
}

// index is an index from the front, or -1 where the list has none such.
func index(i int, n *yaml.Node) int {
	if n.Kind != yaml.SequenceNode {
		return -1
	}
	if i < 0 {
		i += len(n.Content)
	}
	if i < 0 || i >= len(n.Content) {
		return -1
	}
	return i
}

func slice(s spec.SliceSelector, n *yaml.Node, c *collector) {
	if n.Kind != yaml.SequenceNode {
		return
	}
	lower, upper := s.Bounds(len(n.Content))
	step := s.Step()
	for i := lower; step > 0 && i < upper; {
		c.add(n, n.Content[i])
		if step > upper-i {
			break
		}
		i += step
	}
	for i := upper; step < 0 && i > lower; {
		c.add(n, n.Content[i])
		if step < lower-i {
			break
		}
		i += step
	}
}

func (f *finder) filter(s *spec.FilterSelector, n *yaml.Node, c *collector) {
	var root any
	if strings.Contains(s.String(), "$") {
		root = f.value(f.root)
	}
	for _, child := range children(n) {
		if s.Eval(f.value(child), root) {
			c.add(n, child)
		}
	}
}

// value is a node as a plain value. Numbers stay text, so that they compare by
// value and not by spelling.
func (f *finder) value(n *yaml.Node) any {
	switch (Node{n}).Kind() {
	case Number:
		return json.Number(n.Value)
	case Bool:
		return n.Value == "true"
	case Null:
		return nil
	case Text:
		return n.Value
	}
	if v, ok := f.plain[n]; ok {
		return v
	}
	var v any
	switch n.Kind {
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = f.value(n.Content[i+1])
		}
		v = m
	default:
		l := make([]any, len(n.Content))
		for i, item := range n.Content {
			l[i] = f.value(item)
		}
		v = l
	}
	f.plain[n] = v
	return v
}

// A pathError says what is wrong with a JSONPath.
type pathError struct {
	message string
	offset  int // in bytes; -1 where unknown
}

const longestPath = 10_000 // characters

var positionInPath = regexp.MustCompile(`^(.*) at (?:position )?(\d+)$`)

// parsePath parses a JSONPath.
func parsePath(path string) (*spec.PathQuery, *pathError) {
	if len(path) > longestPath {
		return nil, &pathError{fmt.Sprintf("it has %d characters; want at most %d", len(path), longestPath), -1}
	}
	query, err := parser.Parse(registry.New(), path)
	if err == nil {
		return query, nil
	}
	message := strings.TrimPrefix(err.Error(), "jsonpath: ")
	if m := positionInPath.FindStringSubmatch(message); m != nil {
		at, err := strconv.Atoi(m[2])
		if err == nil && at > 0 && at <= len(path)+1 {
			return nil, &pathError{m[1], at - 1}
		}
		message = m[1]
	}
	return nil, &pathError{message, -1}
}

var (
	dashedName = regexp.MustCompile(`\.[A-Za-z_][A-Za-z0-9_]*-[A-Za-z0-9_-]*`)
	numberName = regexp.MustCompile(`\.[0-9][A-Za-z0-9_-]*`)
)

// hintForPath says how to write what RFC 9535 does not allow.
func hintForPath(path string) string {
	for _, name := range []string{dashedName.FindString(path), numberName.FindString(path)} {
		if name != "" {
			return "write ['" + name[1:] + "'] instead of " + name
		}
	}
	switch {
	case !strings.HasPrefix(path, "$"):
		return "begin with $, the root of the document"
	case strings.Contains(path, "=~"):
		return "write match(@.name, 'pattern') instead of =~"
	case strings.HasSuffix(path, "~"):
		return "RFC 9535 has no ~: select the values, not their names"
	case strings.Contains(path, "/"):
		return "put names that hold / in brackets and quotes: $.paths['/x']"
	}
	return "write a JSONPath as in RFC 9535, such as $.paths['/x'].get"
}
