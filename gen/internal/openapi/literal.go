package openapi

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/document"
)

// literal is a node as compact JSON text. Numbers keep their digits; those that
// YAML can write and JSON cannot (0x1F, +1, .5) are written in JSON's way.
func literal(n document.Node) string {
	var b strings.Builder
	writeLiteral(&b, n)
	return b.String()
}

func writeLiteral(b *strings.Builder, n document.Node) {
	switch n.Kind() {
	case document.Absent, document.Null:
		b.WriteString("null")
	case document.Bool:
		b.WriteString(strings.ToLower(n.Text()))
	case document.Number:
		b.WriteString(jsonNumber(n.Text()))
	case document.Text:
		b.WriteString(quoted(n.Text()))
	case document.List:
		b.WriteByte('[')
		i := 0
		for item := range n.Items() {
			if i > 0 {
				b.WriteByte(',')
			}
			writeLiteral(b, item)
			i++
		}
		b.WriteByte(']')
	case document.Map:
		b.WriteByte('{')
		i := 0
		for key, value := range n.Members() {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quoted(key.Text()))
			b.WriteByte(':')
			writeLiteral(b, value)
			i++
		}
		b.WriteByte('}')
	default:
		panic("openapi: node kind " + n.Kind().String() + " not handled")
	}
}

// quoted is a text as a JSON string, with nothing escaped that need not be.
func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic("openapi: a string has no JSON form: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// jsonNumber is a YAML number in JSON's notation, every digit kept.
func jsonNumber(text string) string {
	if json.Valid([]byte(text)) {
		return text
	}
	t := strings.TrimPrefix(text, "+")
	if i, ok := new(big.Int).SetString(t, 0); ok && strings.ContainsAny(t, "xo") {
		return i.String()
	}
	sign := ""
	if rest, ok := strings.CutPrefix(t, "-"); ok {
		sign, t = "-", rest
	}
	t = strings.TrimLeft(t, "0")
	if t == "" || t[0] == '.' || t[0] == 'e' || t[0] == 'E' {
		t = "0" + t
	}
	if i := strings.IndexByte(t, '.'); i >= 0 && (i+1 == len(t) || t[i+1] < '0' || t[i+1] > '9') {
		t = t[:i] + t[i+1:] // 1. and 1.e3
	}
	if json.Valid([]byte(sign + t)) {
		return sign + t
	}
	return quoted(text) // no number after all: its text
}
