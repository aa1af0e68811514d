package golang

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

const (
	docWidth = 96       // columns of a comment line's text, before it is wrapped
	docLimit = 16 << 10 // bytes of one description that are kept
	docCut   = "(cut: the specification says more)"
)

// A commenter takes comment lines: a file, a group or a statement of jennifer.
type commenter interface {
	Comment(string) *jen.Statement
}

// doc writes text as a comment above what follows. It is the only way for text
// of a specification into a comment: whatever the text holds, each of its
// lines becomes one `// …` line, so that it cannot end the comment, become a
// directive, or show other than what is there.
func doc(to commenter, text string) {
	for _, line := range docLines(text) {
		if line == "" {
			to.Comment("//")
			continue
		}
		to.Comment("// " + line)
	}
}

// docLines cleans a text and lays it out in lines. Blocks are parted by single
// empty lines; fenced code is indented by a tab, which is how Go writes it.
func docLines(text string) []string {
	text = clean(text)
	var out []string
	fenced, inItem := false, false
	for _, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			fenced = !fenced
			line = ""
		case fenced && trimmed != "":
			out = append(out, "\t"+guard(strings.TrimRight(line, " \t")))
			continue
		default:
			line = plain(trimmed)
		}
		switch {
		case line == "":
			inItem = false
		case isItem(line):
			inItem = true
		case inItem: // the item's next line, which Go tells by its indent
			out = append(out, wrap("  "+line)...)
			continue
		}
		if line == "" {
			if len(out) > 0 && out[len(out)-1] != "" {
				out = append(out, "")
			}
			continue
		}
		out = append(out, wrap(line)...)
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// endsInList reports whether the last lines of a text are a list: what is
// indented behind it belongs to its last item, as Go reads comments.
func endsInList(text string) bool {
	lines := docLines(text)
	for i := len(lines) - 1; i >= 0 && lines[i] != ""; i-- {
		if isItem(lines[i]) {
			return true
		}
	}
	return false
}

// isItem reports whether a line begins an item of a list, as Go reads comments.
func isItem(line string) bool {
	marker, _, ok := strings.Cut(line, " ")
	number := strings.TrimRight(marker, ".)")
	switch {
	case !ok:
		return false
	case marker == "-", marker == "*", marker == "+", marker == "•":
		return true
	}
	return number != marker && number != "" && strings.Trim(number, "0123456789") == ""
}

// plain takes a line's markup of headings off.
func plain(line string) string { return guard(strings.TrimSpace(strings.TrimLeft(line, "#"))) }

// guard keeps a line from being read as a fact of Go: only a fact of the
// specification deprecates, and gofmt moves what looks like a build constraint.
func guard(line string) string {
	trimmed := strings.TrimSpace(line)
	if trimmed == deprecated {
		return line
	}
	for _, prefix := range [...]string{"Deprecated:", "BUG(", "+build", "go:build"} {
		if strings.HasPrefix(trimmed, prefix) {
			return "(" + trimmed + ")"
		}
	}
	return line
}

// clean keeps what is printable of a text: valid UTF-8 without control
// characters, byte order marks and characters that turn the direction of
// writing, with every kind of line break as \n, cut at docLimit.
func clean(text string) string {
	if len(text) > docLimit {
		cut := docLimit
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "\n\n" + docCut
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = withoutMarkup(text)
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\t':
			return ' '
		case r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
}

// wrap breaks a long line at spaces. What follows hangs as deep as the line is
// indented, and in items of a list behind their marker.
func wrap(line string) []string {
	if utf8.RuneCountInString(line) <= docWidth {
		return []string{line}
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	var out []string
	var b strings.Builder
	b.WriteString(indent)
	if isItem(line) {
		indent = "  "
	}
	width, words := b.Len(), 0
	for _, word := range strings.Fields(line) {
		n := utf8.RuneCountInString(word)
		if words > 0 && width+1+n > docWidth {
			out = append(out, b.String())
			b.Reset()
			b.WriteString(indent)
			width, words = len(indent), 0
		} else if words > 0 {
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += n
		words++
	}
	return append(out, b.String())
}

// oneLine is a text on a single line, cleaned, for the middle of a sentence.
func oneLine(text string) string {
	return strings.Join(strings.Fields(clean(text)), " ")
}
