package names

import (
	"fmt"
	"strings"
	"unicode"
)

// longCaps is the length from which a lone word in capitals is read as shouting
// (ACTIVE) and not as an abbreviation (IBAN).
const longCaps = 5

// longestText is how many characters of a text make its name: nobody reads on.
const longestText = 200

// words splits a text into the words of a name. Signs that say something
// (`<`, `+`, a minus before a digit) are words of their own; the others only
// part words, unless spelled asks for them or nothing else is there.
func words(text string, spelled bool) []string {
	if text == "" {
		return []string{"Empty"}
	}
	w := split(text, spelled)
	if len(w) == 0 {
		w = split(text, true)
	}
	if len(w) == 0 { // characters that an identifier cannot hold and nobody has a word for
		for _, r := range text[:min(len(text), longestText)] {
			w = append(w, fmt.Sprintf("U%04X", r))
		}
	}
	return calm(w)
}

// split cuts at signs, at the humps of camel case, and nowhere else.
func split(text string, spelled bool) []string {
	var out []string
	var word []rune
	runes := []rune(text)
	runes = runes[:min(len(runes), longestText)]
	start := firstLetter(runes)
	flush := func() {
		if len(word) > 0 {
			out = append(out, humps(word)...)
			word = nil
		}
	}
	for i, r := range runes {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			word = append(word, r)
			continue
		}
		if r == '\'' && len(word) > 0 && !spelled {
			continue // don't is one word
		}
		flush()
		if name := signs[r]; name != "" && (spelled || telling(runes, i, start)) {
			if r == '-' && i < start {
				name = "Minus"
			}
			out = append(out, name)
		}
	}
	flush()
	return out
}

// telling reports whether the sign at i carries meaning by itself; letters and
// digits begin at start.
func telling(runes []rune, i, start int) bool {
	switch runes[i] {
	case '<', '>', '+', '=', '%', '&', '*':
		return true
	case '-':
		return i < start && i+1 < len(runes) && unicode.IsDigit(runes[i+1])
	}
	return false
}

// firstLetter is where the first letter or digit stands, or the length.
func firstLetter(runes []rune) int {
	for i, r := range runes {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return i
		}
	}
	return len(runes)
}

// signs are the words for what an identifier cannot hold.
var signs = map[rune]string{
	'<': "Lt", '>': "Gt", '=': "Eq", '+': "Plus", '-': "Dash", '*': "Star", '%': "Percent", '&': "And",
	'@': "At", '$': "Dollar", '#': "Hash", '!': "Bang", '?': "Query", '~': "Tilde", '^': "Caret", '|': "Pipe",
	'/': "Slash", '\\': "Backslash", '.': "Dot", ',': "Comma", ':': "Colon", ';': "Semicolon", '_': "Underscore",
	' ': "Space", '\t': "Tab", '\n': "Newline", '\r': "Return", '"': "Quote", '\'': "Apostrophe", '`': "Backtick",
	'(': "Open", ')': "Close", '[': "Open", ']': "Close", '{': "Open", '}': "Close",
	'€': "Euro", '£': "Pound", '¥': "Yen", '§': "Section", '°': "Degree", '±': "PlusMinus", '…': "Dots",
}

// humps splits camel case: accountId is account and Id, HTTPServer is HTTP and
// Server. Digits belong to what stands before them.
func humps(word []rune) []string {
	var out []string
	start := 0
	for i := 1; i < len(word); i++ {
		lowUp := !unicode.IsUpper(word[i-1]) && unicode.IsUpper(word[i])
		upUpLow := i+1 < len(word) && unicode.IsUpper(word[i-1]) && unicode.IsUpper(word[i]) && unicode.IsLower(word[i+1])
		if upUpLow && word[i+1] == 's' && (i+2 == len(word) || unicode.IsUpper(word[i+2])) {
			upUpLow = false // IDs
		}
		if lowUp || upUpLow {
			out = append(out, string(word[start:i]))
			start = i
		}
	}
	return append(out, string(word[start:]))
}

// calm lowers words in capitals where the whole text is in capitals and that
// means no more than emphasis: PENDING_REVIEW is PendingReview, while USD and
// IBAN stay, and so do capitals beside small letters (KYCCheck).
func calm(ws []string) []string {
	letters := 0
	for _, w := range ws {
		for _, r := range w {
			if unicode.IsLower(r) {
				return ws
			}
		}
		if strings.IndexFunc(w, unicode.IsUpper) >= 0 {
			letters++
		}
	}
	for i, w := range ws {
		if letters > 1 || len([]rune(w)) >= longCaps {
			ws[i] = strings.ToLower(w)
		}
	}
	return ws
}
