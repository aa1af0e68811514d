package openapi

import (
	"strings"
	"unicode"
)

// A hole is a piece of a path template that a parameter fills: path[from:to]
// is the text in its braces, with them.
type hole struct {
	from, to int
	text     string // between the braces
}

// holes finds the places of parameters in a path template. Routers write more
// into the braces than a name: {id:[0-9]{4}}, {name=shelves/*}, {path+}, {id?}.
// Braces that hold no name, or never close, are text.
func holes(path string) []hole {
	var out []hole
	for i := 0; i < len(path); i++ {
		if path[i] != '{' {
			continue
		}
		end := closing(path[i:])
		if end < 0 {
			continue
		}
		h := hole{from: i, to: i + end + 1, text: path[i+1 : i+end]}
		if name, _ := bareName(h.text); name == "" || strings.ContainsAny(name, "{/") {
			continue
		}
		out = append(out, h)
		i = h.to - 1
	}
	return out
}

// closing is the index of the brace that closes the one that text begins with,
// or -1.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// bareName is the name in a hole without what routers add to it: a pattern or a
// type after a colon, an equals sign and the segments that fit (Google's
// transcoding), the marks of optional and of catch-all parameters, blanks.
// several reports whether the value may be several segments of the path.
func bareName(text string) (name string, several bool) {
	name, segments, _ := strings.Cut(text, "=")
	name, pattern, _ := strings.Cut(name, ":")
	name = strings.TrimSpace(name)
	bare := strings.TrimSpace(strings.Trim(name, "+*?;./"))
	several = strings.Contains(segments, "/") || strings.Contains(segments, "**") || strings.ContainsAny(name, "+*") ||
		pattern == ".*" || pattern == ".+" || strings.TrimSpace(pattern) == "path"
	return bare, several
}

// isQuery reports whether a hole is RFC 6570's form for a query: {?page,size}.
func (h hole) isQuery() bool { return strings.HasPrefix(h.text, "?") || strings.HasPrefix(h.text, "&") }

// outside finds a character of a path outside its holes, or -1.
func outside(path string, c byte) int {
	found := holes(path)
	for i := 0; i < len(path); i++ {
		if len(found) > 0 && i == found[0].from {
			i, found = found[0].to-1, found[1:]
			continue
		}
		if path[i] == c {
			return i
		}
	}
	return -1
}

// cutOutside is strings.Cut at a character outside the path's holes.
func cutOutside(path string, c byte) (before, after string, found bool) {
	if i := outside(path, c); i >= 0 {
		return path[:i], path[i+1:], true
	}
	return path, "", false
}

// plainTemplate is a path with bare names in its holes and no query forms.
func plainTemplate(path string) string {
	var b strings.Builder
	at := 0
	for _, h := range holes(path) {
		b.WriteString(path[at:h.from])
		if name, _ := bareName(h.text); !h.isQuery() {
			b.WriteString("{" + name + "}")
		}
		at = h.to
	}
	return b.String() + path[at:]
}

// alikeNames reports whether two names differ in case and punctuation only.
func alikeNames(a, b string) bool {
	letters := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}
	folded := strings.Map(letters, a)
	return folded != "" && folded == strings.Map(letters, b)
}
