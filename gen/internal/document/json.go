package document

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// scanJSON reads JSON (RFC 8259) into nodes that are normalised as they are
// made. It exists because yaml/v4 keeps every token of a root object in
// memory, does not know surrogate pairs, and is ten times slower.
// The data must be valid UTF-8.
func scanJSON(name string, data []byte, own ownership, ds *diag.List) (*yaml.Node, []duplicate, *diag.Diagnostic) {
	s := &scanner{text: string(data), name: name, line: 1, col: 1, members: newMembers(own, ds)}
	s.space()
	root := s.value(1)
	if s.failed == nil {
		s.space()
		if s.at < len(s.text) {
			s.fail("%s after the end of the value; want the end of the file", s.found())
		}
	}
	if s.failed != nil {
		return nil, nil, s.failed
	}
	return root, s.members.dups, nil
}

// A scanner walks the text once, from value to value.
type scanner struct {
	text   string
	name   string
	at     int // offset of the next byte
	failed *diag.Diagnostic

	line      int // of lineStart
	mark, col int // col is the column of the offset mark, on the current line

	nodes   []yaml.Node  // unused nodes of the last block
	block   int          // size of that block
	content []*yaml.Node // open lists and maps, innermost last
	members members
}

func (s *scanner) fail(format string, args ...any) {
	if s.failed != nil {
		return
	}
	line, col := s.position()
	s.failed = &diag.Diagnostic{
		Pos:      diag.Pos{File: s.name, Line: line, Col: col},
		Severity: diag.Error,
		Code:     "syntax",
		Message:  fmt.Sprintf("not JSON: "+format, args...),
	}
}

// found names the next character for a message.
func (s *scanner) found() string {
	if s.at >= len(s.text) {
		return "the end of the file"
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.at:])
	return strconv.QuoteRune(r)
}

// position is the line and column of the next byte. Each byte is looked at
// once, so that a file of one line costs no more than others.
func (s *scanner) position() (line, col int) {
	for _, b := range []byte(s.text[s.mark:s.at]) {
		if b&0xC0 != 0x80 { // not within a character
			s.col++
		}
	}
	s.mark = s.at
	return s.line, s.col
}

func (s *scanner) newLine() {
	s.line++
	s.mark, s.col = s.at, 1
}

// space skips white space and counts lines: LF, CR LF or a lone CR.
func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t':
			s.at++
		case '\n':
			s.at++
			s.newLine()
		case '\r':
			s.at++
			if s.at < len(s.text) && s.text[s.at] == '\n' {
				s.at++
			}
			s.newLine()
		default:
			return
		}
	}
}

// Nodes are made in blocks, which grow so that a small file stays small.
const firstBlock, lastBlock = 16, 512

func (s *scanner) node(kind yaml.Kind, tag string) *yaml.Node {
	if len(s.nodes) == 0 {
		s.block = min(max(2*s.block, firstBlock), lastBlock)
		s.nodes = make([]yaml.Node, s.block)
	}
	n := &s.nodes[0]
	s.nodes = s.nodes[1:]
	n.Kind, n.Tag, n.FootComment = kind, tag, s.name
	n.Line, n.Column = s.position()
	return n
}

func (s *scanner) value(depth int) *yaml.Node {
	if s.at >= len(s.text) {
		s.fail("the end of the file; want a value")
		return nil
	}
	switch c := s.text[s.at]; {
	case c == '{' || c == '[':
		if depth > maxDepth {
			s.fail("more than %d levels of nesting; want at most %d", maxDepth, maxDepth)
			return nil
		}
		if c == '{' {
			return s.object(depth)
		}
		return s.array(depth)
	case c == '"':
		return s.str()
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	case strings.HasPrefix(s.text[s.at:], "true"):
		return s.word("true", "!!bool")
	case strings.HasPrefix(s.text[s.at:], "false"):
		return s.word("false", "!!bool")
	case strings.HasPrefix(s.text[s.at:], "null"):
		return s.word("null", "!!null")
	}
	s.fail("%s; want a value", s.found())
	return nil
}

func (s *scanner) word(text, tag string) *yaml.Node {
	n := s.node(yaml.ScalarNode, tag)
	n.Value = text
	s.at += len(text)
	return n
}

func (s *scanner) object(depth int) *yaml.Node {
	n := s.node(yaml.MappingNode, "!!map")
	s.at++
	base := len(s.content)
	s.space()
	if s.accept('}') {
		return n
	}
	for {
		if s.at >= len(s.text) || s.text[s.at] != '"' {
			s.fail("%s; want a member's name in double quotes", s.found())
			return nil
		}
		key := s.str()
		s.space()
		if s.failed == nil && !s.accept(':') {
			s.fail("%s; want ':' after the name of a member", s.found())
		}
		if s.failed != nil {
			return nil
		}
		s.space()
		s.members.enter(key)
		value := s.value(depth + 1)
		s.members.leave(key)
		if s.failed != nil {
			return nil
		}
		s.content = append(s.content, key, value)
		s.space()
		if s.accept('}') {
			break
		}
		if !s.accept(',') {
			s.fail("%s; want ',' or '}'", s.found())
			return nil
		}
		s.space()
	}
	s.close(n, base)
	s.members.unique(n)
	return n
}

func (s *scanner) array(depth int) *yaml.Node {
	n := s.node(yaml.SequenceNode, "!!seq")
	s.at++
	base := len(s.content)
	s.space()
	if s.accept(']') {
		return n
	}
	for {
		item := s.value(depth + 1)
		if s.failed != nil {
			return nil
		}
		s.content = append(s.content, item)
		s.space()
		if s.accept(']') {
			break
		}
		if !s.accept(',') {
			s.fail("%s; want ',' or ']'", s.found())
			return nil
		}
		s.space()
	}
	s.close(n, base)
	return n
}

// close moves the innermost open content into its node.
func (s *scanner) close(n *yaml.Node, base int) {
	n.Content = append(make([]*yaml.Node, 0, len(s.content)-base), s.content[base:]...)
	s.content = s.content[:base]
}

func (s *scanner) accept(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) number() *yaml.Node {
	n := s.node(yaml.ScalarNode, "!!int")
	start, isFloat := s.at, false
	s.accept('-')
	switch {
	case s.accept('0'):
	case s.digits() == 0:
		s.fail("%s; want a digit", s.found())
		return nil
	}
	if s.accept('.') {
		isFloat = true
		if s.digits() == 0 {
			s.fail("%s; want a digit after the point", s.found())
			return nil
		}
	}
	if s.accept('e') || s.accept('E') {
		isFloat = true
		if !s.accept('+') {
			s.accept('-')
		}
		if s.digits() == 0 {
			s.fail("%s; want a digit in the exponent", s.found())
			return nil
		}
	}
	n.Value = s.text[start:s.at]
	n.Tag = numberTag(n.Value, isFloat)
	return n
}

func (s *scanner) digits() int {
	start := s.at
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at - start
}

// fits64 reports whether an integer's text fits 64 bits, signed or not. What
// does not must be tagged as a float, or yaml/v4 refuses to decode it.
func fits64(text string) bool {
	if len(text) < 19 {
		return true
	}
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return true
	}
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil
}

func (s *scanner) str() *yaml.Node {
	n := s.node(yaml.ScalarNode, "!!str")
	n.Style = yaml.DoubleQuotedStyle
	s.at++
	start := s.at
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"':
			n.Value = s.text[start:s.at]
			s.at++
			return n
		case c == '\\':
			n.Value = s.escaped(start)
			return n
		case c < 0x20:
			s.fail("the control character 0x%02X inside text; want an escape such as \\n", c)
			return n
		}
		s.at++
	}
	s.fail("the end of the file inside text; want '\"'")
	return n
}

// escaped reads the rest of a text from its first escape on.
func (s *scanner) escaped(start int) string {
	var b strings.Builder
	b.WriteString(s.text[start:s.at])
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return b.String()
		case c == '\\':
			b.WriteRune(s.escape())
			if s.failed != nil {
				return ""
			}
		case c < 0x20:
			s.fail("the control character 0x%02X inside text; want an escape such as \\n", c)
			return ""
		default:
			b.WriteByte(c)
			s.at++
		}
	}
	s.fail("the end of the file inside text; want '\"'")
	return ""
}

func (s *scanner) escape() rune {
	s.at++
	if s.at >= len(s.text) {
		s.fail("the end of the file inside text; want '\"'")
		return 0
	}
	c := s.text[s.at]
	if c == 'u' {
		return s.unicodeEscape()
	}
	i := strings.IndexByte(`"\/bfnrt`, c)
	if i < 0 {
		s.fail(`%s after a backslash; want one of " \ / b f n r t u`, s.found())
		return 0
	}
	s.at++
	return rune("\"\\/\b\f\n\r\t"[i])
}

// unicodeEscape reads uXXXX, and the second half of a surrogate pair. Half a
// pair becomes U+FFFD, as in encoding/json.
func (s *scanner) unicodeEscape() rune {
	s.at++
	r, ok := s.hex4(s.at)
	if !ok {
		s.fail(`%s; want four hexadecimal digits after \u`, s.found())
		return 0
	}
	s.at += 4
	if !utf16.IsSurrogate(r) {
		return r
	}
	if strings.HasPrefix(s.text[s.at:], `\u`) {
		if low, ok := s.hex4(s.at + 2); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				s.at += 6
				return pair
			}
		}
	}
	return utf8.RuneError
}

func (s *scanner) hex4(at int) (rune, bool) {
	if at+4 > len(s.text) {
		return 0, false
	}
	v, err := strconv.ParseUint(s.text[at:at+4], 16, 16)
	return rune(v), err == nil && s.text[at] != '+'
}
