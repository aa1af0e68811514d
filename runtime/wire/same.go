package wire

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// sameJSON reports whether two JSON texts say the same: members in any order,
// the last of duplicates, numbers as exact decimals.
func sameJSON(a, b []byte) bool {
	x, errX := parseLenient(a)
	y, errY := parseLenient(b)
	return errX == nil && errY == nil && x.same(y)
}

// parseLenient reads JSON of the server's.
func parseLenient(b []byte) (tree, error) {
	return readTree(jsontext.NewDecoder(bytes.NewReader(b), decodeOptions))
}

func (t tree) same(o tree) bool {
	if t.kind != o.kind {
		return false
	}
	switch t.kind {
	case '0':
		return t.text == o.text || decimalOf(t.text) == decimalOf(o.text)
	case '[':
		if len(t.items) != len(o.items) {
			return false
		}
		for i := range t.items {
			if !t.items[i].same(o.items[i]) {
				return false
			}
		}
		return true
	case '{':
		x, y := t.byName(), o.byName()
		if len(x) != len(y) {
			return false
		}
		for name, i := range x {
			j, ok := y[name]
			if !ok || !t.items[i].same(o.items[j]) {
				return false
			}
		}
		return true
	default:
		return t.text == o.text
	}
}

// byName is the index of each member; the last of duplicates counts.
func (t tree) byName() map[string]int {
	index := make(map[string]int, len(t.names))
	for i, name := range t.names {
		index[name] = i
	}
	return index
}

// A decimal is a number in a form that equal numbers share: its digits
// without zeros at either end, and the power of ten of the last one.
type decimal struct {
	negative bool
	digits   string
	exponent string // of the last digit, normal; empty for zero
}

func decimalOf(number string) decimal {
	mantissa, exponent := number, 0
	huge := ""
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		mantissa = number[:i]
		var ok bool
		if exponent, ok = smallInt(number[i+1:]); !ok {
			huge = number[i+1:] // beyond any number that is met: compared as it is written
		}
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	trimmed := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(trimmed)
	if trimmed == "" {
		return decimal{}
	}
	return decimal{negative, trimmed, strconv.Itoa(exponent) + huge}
}

// smallInt reads an exponent that calculating with is safe.
func smallInt(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && -1e9 < n && n < 1e9
}
