package document

import (
	"errors"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A reference is a $ref taken apart: a file and a pointer into it.
type reference struct {
	file   string   // slash-separated, within the root folder; empty: the file that holds the reference
	tokens []string // of the JSON pointer, unescaped; none: the whole file
	anchor string   // a plain-name fragment, as of $anchor
}

// A trouble says why a reference leads nowhere. The code is that of the
// diagnostic; the hint may be empty.
type trouble struct {
	code, message, hint string
}

func (t *trouble) Error() string { return t.message }

func refused(hint, message string) *trouble {
	return &trouble{code: "refused-ref", message: message, hint: hint}
}

func dangling(message string) *trouble { return &trouble{code: "dangling-ref", message: message} }

// parseReference takes a reference apart, from the point of view of a file in
// the folder dir. It refuses whatever does not name a file below the root.
func parseReference(ref, dir string) (reference, *trouble) {
	file, fragment, _ := strings.Cut(ref, "#")
	var r reference
	if file != "" {
		name, t := localFile(ref, file, dir)
		if t != nil {
			return r, t
		}
		r.file = name
	}
	decoded, err := url.PathUnescape(fragment)
	if err != nil {
		return r, dangling(quoted(ref) + " has a bad percent escape after #")
	}
	switch {
	case decoded == "" || decoded == "/" && file != "":
	case decoded[0] != '/':
		r.anchor = decoded
	default:
		for token := range strings.SplitSeq(decoded[1:], "/") {
			r.tokens = append(r.tokens, tokenUnescaper.Replace(token))
		}
	}
	return r, nil
}

var (
	tokenEscaper   = strings.NewReplacer("~", "~0", "/", "~1", "%", "%25")
	tokenUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
	nameUnescaper  = strings.NewReplacer("~1", "/", "~0", "~", "%25", "%")
)

// escapeToken writes a name as a token of a JSON pointer in a URI.
func escapeToken(name string) string { return tokenEscaper.Replace(name) }

// unescapeToken reads what escapeToken wrote.
func unescapeToken(token string) string { return nameUnescaper.Replace(token) }

// localFile is the path within the root of the file that a reference names.
func localFile(ref, file, dir string) (string, *trouble) {
	const download = "save the file beside the description and refer to it there"
	decoded, err := url.PathUnescape(file)
	if err != nil {
		return "", dangling(quoted(ref) + " has a bad percent escape")
	}
	switch {
	case strings.HasPrefix(decoded, "//"), hasScheme(decoded):
		return "", refused(download, quoted(ref)+" leads out to the network; want a file below the folder of the description")
	case strings.ContainsAny(decoded, "\\\x00"):
		return "", refused("write the path with /", quoted(ref)+" holds a backslash or a NUL; want a path with /")
	case strings.HasPrefix(decoded, "/"):
		return "", refused("write a relative path", quoted(ref)+" is an absolute path; want one relative to the file")
	}
	name := path.Join(dir, decoded)
	if name == ".." || strings.HasPrefix(name, "../") {
		return "", refused("allow it with --ref-root DIR", quoted(ref)+" leaves the folder of the description; want a file below it")
	}
	if !fs.ValidPath(name) {
		return "", dangling(quoted(ref) + " names no file")
	}
	return name, nil
}

// hasScheme reports whether a path begins like an absolute URI or with a drive
// letter: letters, then a colon before any slash.
func hasScheme(file string) bool {
	before, _, found := strings.Cut(file, ":")
	return found && !strings.Contains(before, "/")
}

// quoted is a reference as messages show it.
func quoted(ref string) string { return "$ref " + inQuotes(ref) }

// inQuotes is a text of the user's in quotes, cut where it is long.
func inQuotes(text string) string { return strconv.Quote(cut(text)) }

// short is a text of the user's without quotes, on one line.
func short(text string) string { return strings.Map(printable, cut(text)) }

func cut(text string) string {
	const longest = 200
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

func printable(r rune) rune {
	if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
		return ' '
	}
	return r
}

// A place is a node together with where a reference found it.
type place struct {
	node   *yaml.Node
	src    *source
	tokens []string // from the root of src
}

// refOf is the value of a map's $ref, or nil where there is none that is text.
func refOf(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "$ref" {
			if v := n.Content[i+1]; v.Kind == yaml.ScalarNode && v.Tag == "!!str" {
				return v
			}
			return nil
		}
	}
	return nil
}

// A library holds the files of one document. Each is read and parsed once.
type library struct {
	from   opener
	entry  *source
	byPath map[string]*source
	byName map[string]*source // by display name, as stamped on the nodes
	files  []string           // as displayed, in the order of reading
	size   int64
	found  map[refKey]refFound
	names  map[*yaml.Node]map[string]*yaml.Node // see member
	ids    *resources                           // see known
	ds     *diag.List
}

// forget drops what was found about references and names, after the tree has
// changed.
func (l *library) forget() {
	clear(l.found)
	clear(l.names)
	l.ids = nil
	for _, src := range l.byPath {
		src.byAnchor = nil
	}
}

type refKey struct {
	base   *source
	within *resource // or nil
	ref    string
}

type refFound struct {
	at      place
	trouble *trouble
}

// base is the file from which a reference is read: the one that its node was
// written in, and the entry for what an overlay wrote.
func (l *library) base(n *yaml.Node) *source {
	if src := l.byName[n.FootComment]; src != nil {
		return src
	}
	return l.entry
}

// resolve finds what a $ref's text leads to: one step, so that it may be a
// reference again.
func (l *library) resolve(ref *yaml.Node) (place, *trouble) { return l.resolveIn(ref, maxChain) }

func (l *library) resolveIn(ref *yaml.Node, hops int) (place, *trouble) {
	if at, ok := l.identified(ref, hops); ok {
		return at, nil
	}
	return l.follow(l.base(ref), ref.Value, hops)
}

func (l *library) follow(base *source, ref string, hops int) (place, *trouble) {
	key := refKey{base: base, ref: ref}
	if f, ok := l.found[key]; ok {
		return f.at, f.trouble
	}
	at, t := l.find(base, ref, hops)
	if t == nil || hops == maxChain {
		l.found[key] = refFound{at, t}
	}
	return at, t
}

func (l *library) find(base *source, ref string, hops int) (place, *trouble) {
	if hops == 0 {
		return place{}, &trouble{code: "ref-loop", message: quoted(ref) + " leads through more than 100 references or in a circle; want a value"}
	}
	r, t := parseReference(ref, path.Dir(base.path))
	if t != nil {
		return place{}, t
	}
	src := base
	if r.file != "" {
		if src, t = l.open(r.file, ref); t != nil {
			return place{}, t
		}
	}
	if r.anchor != "" {
		if n := src.anchors()[r.anchor]; n != nil {
			return place{node: n, src: src, tokens: []string{r.anchor}}, nil
		}
		return place{}, dangling(quoted(ref) + " names an anchor that " + src.name + " does not have")
	}
	return l.walk(place{node: src.root, src: src}, r.tokens, ref, hops)
}

// walk follows a pointer from a place, and any reference that it runs into.
func (l *library) walk(at place, tokens []string, ref string, hops int) (place, *trouble) {
	src := at.src
	if at.node == nil {
		return place{}, dangling(quoted(ref) + " leads to a file that could not be read")
	}
	for i, token := range tokens {
		next := l.member(at.node, token)
		for next == nil {
			inner := refOf(at.node)
			if inner == nil {
				return place{}, dangling(quoted(ref) + " leads to nothing: " + src.name + " has no " + short(strings.Join(tokens[:i+1], "/")))
			}
			var t *trouble
			if hops--; hops <= 0 {
				return place{}, &trouble{code: "ref-loop", message: quoted(ref) + " leads in a circle; want a value"}
			}
			if at, t = l.resolveIn(inner, hops); t != nil {
				return place{}, t
			}
			next = l.member(at.node, token)
		}
		at = place{node: next, src: at.src, tokens: append(at.tokens[:len(at.tokens):len(at.tokens)], token)}
	}
	return at, nil
}

// member is one step of a JSON pointer. Maps of many members get an index, or
// as many references into one would take the square of the time.
func (l *library) member(n *yaml.Node, token string) *yaml.Node {
	const large = 64
	if n.Kind != yaml.MappingNode || len(n.Content) < 2*large {
		return member(n, token)
	}
	names := l.names[n]
	if names == nil {
		names = make(map[string]*yaml.Node, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			names[n.Content[i].Value] = n.Content[i+1]
		}
		l.names[n] = names
	}
	return names[token]
}

// member is one step of a JSON pointer.
func member(n *yaml.Node, token string) *yaml.Node {
	switch n.Kind {
	case yaml.MappingNode:
		return Node{n}.Get(token).y
	case yaml.SequenceNode:
		i, err := strconv.Atoi(token)
		if err == nil && i >= 0 && i < len(n.Content) && strconv.Itoa(i) == token {
			return n.Content[i]
		}
	}
	return nil
}

// open reads the file that a reference names, once.
func (l *library) open(file, ref string) (*source, *trouble) {
	if src := l.byPath[file]; src != nil {
		if src.trouble != nil {
			return nil, src.trouble
		}
		return src, nil
	}
	src := &source{path: file, name: l.from.display(file)}
	l.byPath[file] = src
	data, t := l.read(file, ref)
	if t != nil {
		src.trouble = t
		return nil, t
	}
	parsed := parse(src.name, data, foreign, l.ds)
	parsed.path = file
	*src = *parsed
	l.byName[src.name] = src
	l.files = append(l.files, src.name)
	return src, nil
}

// read reads a file's bytes within the limits of one Load.
func (l *library) read(file, ref string) ([]byte, *trouble) {
	if len(l.byPath) > maxFiles {
		return nil, &trouble{code: "limit", message: quoted(ref) + " is one file too many; want at most 20000"}
	}
	data, err := l.from.read(file, min(maxFileSize, maxAllSize-l.size))
	l.size += int64(len(data))
	switch {
	case err == nil:
		return data, nil
	case errors.Is(err, errTooLarge):
		return nil, &trouble{code: "limit", message: quoted(ref) + " leads to a file that is " + err.Error() + "; want at most 64 MiB, and 512 MiB in all"}
	case errors.Is(err, fs.ErrNotExist):
		return nil, dangling(quoted(ref) + " leads to a file that is not there")
	case strings.Contains(err.Error(), "escapes from parent"):
		return nil, refused("allow it with --ref-root DIR", quoted(ref)+" leads out of the folder of the description through a link; want a file below it")
	}
	return nil, dangling(quoted(ref) + " leads to a file that cannot be read: " + cause(err).Error())
}
