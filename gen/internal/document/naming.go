package document

import (
	"path"
	"strconv"
	"strings"
	"unicode"
)

// assignNames names all targets: the entry's components keep the names they
// have, the others are named after what the references say, in the order of
// their discovery. Names that differ in case only count as the same.
func (l *linker) assignNames() {
	taken := map[string]bool{}
	key := func(t *target, name string) string { return t.shape.section + "/" + strings.ToLower(name) }
	for _, t := range l.order {
		if t.root {
			t.name = clean(t.written, keepAll)
			taken[key(t, t.name)] = true
		}
	}
	for _, t := range l.order {
		if t.root {
			continue
		}
		name, parent := proposal(t)
		if taken[key(t, name)] && parent != "" {
			name = parent + "_" + name
		}
		t.name = name
		for n := 2; taken[key(t, t.name)]; n++ {
			t.name = name + "_" + strconv.Itoa(n)
		}
		taken[key(t, t.name)] = true
	}
}

// Tokens of a pointer that say how a schema is held rather than what it is.
var structural = map[string]bool{
	"schema": true, "schemas": true, "items": true, "properties": true, "content": true, "responses": true, "parameters": true, "components": true,
	"definitions": true, "$defs": true, "headers": true, "requestBody": true, "requestBodies": true, "allOf": true, "oneOf": true, "anyOf": true, "paths": true,
	"examples": true, "additionalProperties": true,
}

// proposal is the name that a target would have if it were alone, and what
// goes in front of it if it is not: the file or folder that it comes from.
func proposal(t *target) (name, parent string) {
	stem := strings.TrimSuffix(path.Base(t.src.path), path.Ext(t.src.path))
	folder := path.Base(path.Dir(t.src.path))
	if len(t.tokens) == 0 {
		return clean(stem, portable), clean(strings.Trim(folder, "./"), portable)
	}
	parent = clean(stem, portable)
	if len(t.tokens) >= 4 && t.tokens[0] == "components" {
		return clean(strings.Join(meaningful(t.tokens[2:]), "_"), portable), parent
	}
	words := meaningful(t.tokens)
	if len(words) == 0 {
		return clean(t.tokens[len(t.tokens)-1], portable), parent
	}
	last := words[len(words)-1]
	if len(words) > 1 && isStatusOrMethod(last) {
		last = strings.Join(words, "_")
	}
	return clean(last, portable), parent
}

// meaningful leaves out what is structure: keywords, list indexes and media
// types.
func meaningful(tokens []string) []string {
	var words []string
	for i, token := range tokens {
		_, err := strconv.Atoi(token)
		index := err == nil && (i == 0 || tokens[i-1] != "responses")
		mediaType := i > 0 && tokens[i-1] == "content"
		if !structural[token] && !index && !mediaType {
			words = append(words, token)
		}
	}
	return words
}

func isStatusOrMethod(word string) bool {
	for _, m := range methods {
		if word == m {
			return true
		}
	}
	_, err := strconv.Atoi(word)
	return err == nil || word == "default"
}

// keepAll keeps what a reference can name; portable keeps what a component may
// be called by the letter of OpenAPI.
func keepAll(r rune) bool { return r != '%' && !unicode.IsControl(r) }

func portable(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' || unicode.IsLetter(r)
}

// clean replaces the runs of characters that a name may not hold by "_".
func clean(name string, keep func(rune) bool) string {
	var b strings.Builder
	gap := false
	for _, r := range name {
		if !keep(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "unnamed"
	}
	return b.String()
}
