package document

import (
	"bytes"
	"unicode/utf8"
)

// relaxed blanks the comments (// and /* */) and the commas before a closing
// bracket that people write into JSON. Positions, which count characters,
// stay. It reports whether there were any.
func relaxed(data []byte) ([]byte, bool) {
	out := make([]byte, 0, len(data))
	comma := -1 // in out: the last comma that nothing but space has followed
	changed := false
	for i := 0; i < len(data); {
		end, isComment := tokenEnd(data, i)
		switch c := data[i]; {
		case isComment:
			out, changed = appendBlank(out, data[i:end]), true
			i = end
			continue
		case c == ',':
			comma = len(out)
		case (c == '}' || c == ']') && comma >= 0:
			out[comma], comma, changed = ' ', -1, true
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
		out = append(out, data[i:end]...)
		i = end
	}
	return out, changed
}

// tokenEnd is the end of the text or comment that begins at an offset, or just
// behind it where neither does.
func tokenEnd(data []byte, at int) (end int, isComment bool) {
	rest := data[at:]
	switch {
	case rest[0] == '"':
		for i := 1; i < len(rest); i++ {
			switch rest[i] {
			case '\\':
				i++
			case '"':
				return at + i + 1, false
			}
		}
		return len(data), false
	case bytes.HasPrefix(rest, []byte("//")):
		if i := bytes.IndexAny(rest, "\r\n"); i >= 0 {
			return at + i, true
		}
		return len(data), true
	case bytes.HasPrefix(rest, []byte("/*")):
		if i := bytes.Index(rest[2:], []byte("*/")); i >= 0 {
			return at + 2 + i + 2, true
		}
	}
	return at + 1, false
}

// appendBlank appends a space for each character, and line ends as they are.
func appendBlank(out, comment []byte) []byte {
	for len(comment) > 0 {
		r, size := utf8.DecodeRune(comment)
		comment = comment[size:]
		if r == '\n' || r == '\r' {
			out = append(out, byte(r))
		} else {
			out = append(out, ' ')
		}
	}
	return out
}
