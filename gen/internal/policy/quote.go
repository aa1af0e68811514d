package policy

import (
	"strconv"
	"strings"
)

// plainOrQuoted is a text as the record shows it: as it is, or in quotes where
// it could be misread.
func plainOrQuoted(text string) string {
	if text == "" || strings.ContainsAny(text, "\"'`#;,\\ \t") || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || !strconv.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
