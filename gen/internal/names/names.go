// Package names is the one allocator of Go names: it makes identifiers of any
// text and keeps the names of a scope apart.
//
// A name is what an engineer would have chosen for the text: words joined in
// camel case, Go's initialisms in capitals, signs spelled out only where they
// say something (`StartTime<` is StartTimeLt, `+1` is Plus1) or where two names
// would be one without them. It depends on the text alone; only a clash inside
// a scope makes it longer, and the name that was there first stays.
package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Exported is the exported Go identifier for a text. It is never empty.
func Exported(text string) string { return exported(Part(text)) }

// ExportedSpelled is Exported with every sign spelled out: the next choice where
// Exported is taken.
func ExportedSpelled(text string) string { return exported(PartSpelled(text)) }

// Part is the text as a part of a longer name: like Exported, but it may begin
// with a digit. Put parts together with Join.
func Part(text string) string { return part(words(text, false)) }

// PartSpelled is Part with every sign spelled out.
func PartSpelled(text string) string { return part(words(text, true)) }

// Unexported is the unexported Go identifier for a text, in no conflict with
// keywords, predeclared names or the import names of generated files.
func Unexported(text string) string {
	name := Uncapital(Exported(text))
	if IsReserved(name) {
		return name + "Value"
	}
	return name
}

// Uncapital is an exported identifier with its first word in lower case:
// ID is id, HTTPServer is httpServer.
func Uncapital(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsUpper(r) {
			break
		}
		if i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !plural(runes[i+1:]) {
			break // the capital begins the next word
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}

// plural reports whether what follows a capital is no more than the s of IDs.
func plural(rest []rune) bool {
	return rest[0] == 's' && (len(rest) == 1 || unicode.IsUpper(rest[1]))
}

// Join puts the parts of a name together. Digits of two parts stay apart.
func Join(parts ...string) string {
	var b strings.Builder
	last := rune(0)
	for _, p := range parts {
		if p == "" {
			continue
		}
		first, _ := utf8.DecodeRuneInString(p)
		if unicode.IsDigit(last) && unicode.IsDigit(first) {
			b.WriteByte('_')
		}
		b.WriteString(p)
		last, _ = utf8.DecodeLastRuneInString(p)
	}
	return exported(b.String())
}

// exported makes an identifier of a name that may begin with a digit or with a
// letter that has no capital.
func exported(name string) string {
	first, _ := utf8.DecodeRuneInString(name)
	switch {
	case unicode.IsUpper(first):
		return name
	case unicode.IsDigit(first):
		return "N" + name // a number
	default:
		return "X" + name // a script without capitals
	}
}

// part joins words.
func part(ws []string) string {
	var b strings.Builder
	last := rune(0)
	for _, w := range ws {
		w = capital(w)
		first, _ := utf8.DecodeRuneInString(w)
		if unicode.IsDigit(last) && unicode.IsDigit(first) {
			b.WriteByte('_') // 1.10 is not 110
		}
		b.WriteString(w)
		last, _ = utf8.DecodeLastRuneInString(w)
	}
	return b.String()
}

// capital is a word as it stands inside a camel-case name.
func capital(word string) string {
	upper := strings.ToUpper(word)
	if initialisms[upper] {
		return upper
	}
	if stem, ok := strings.CutSuffix(upper, "S"); ok && initialisms[stem] && word != upper {
		return stem + "s" // ids, urls
	}
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}

// initialisms are the ones that Go's own style checks know.
var initialisms = set(
	"ACL", "API", "ASCII", "CPU", "CSS", "DNS", "EOF", "GUID", "HTML", "HTTP", "HTTPS", "ID", "IP", "JSON",
	"QPS", "RAM", "RPC", "SLA", "SMTP", "SQL", "SSH", "TCP", "TLS", "TTL", "UDP", "UI", "GID", "UID", "UUID",
	"URI", "URL", "UTF8", "VM", "XML", "XMPP", "XSRF", "XSS", "SIP", "RTP", "AMQP", "DB", "TS",
)

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// Clip cuts a name after the last word that ends within n bytes; a first word
// that is longer stays whole.
func Clip(name string, n int) string {
	if len(name) <= n {
		return name
	}
	end := 0
	for i, r := range name {
		if i > n {
			break
		}
		if i > 0 && unicode.IsUpper(r) {
			end = i
		}
	}
	if end == 0 {
		return name
	}
	return name[:end]
}
