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
		return t.sameMembers(o)
	default:
		return t.text == o.text
	}
}

func (t tree) sameMembers(o tree) bool {
	mine, theirs := t.index(), o.index()
	if mine.size() != theirs.size() {
		return false
	}
	for i, name := range t.names {
		if last, _ := mine.find(name); last != i {
			continue // a duplicate: the last one counts
		}
		j, ok := theirs.find(name)
		if !ok || !t.items[i].same(o.items[j]) {
			return false
		}
	}
	return true
}

// A memberIndex finds members by name; the last of duplicates counts.
type memberIndex struct {
	names  []string
	byName map[string]int // nil: there are few
}

func (t tree) index() memberIndex {
	x := memberIndex{names: t.names}
	if len(t.names) > 16 {
		x.byName = make(map[string]int, len(t.names))
		for i, name := range t.names {
			x.byName[name] = i
		}
	}
	return x
}

func (x memberIndex) find(name string) (int, bool) {
	if x.byName != nil {
		i, ok := x.byName[name]
		return i, ok
	}
	for i := len(x.names) - 1; i >= 0; i-- {
		if x.names[i] == name {
			return i, true
		}
	}
	return 0, false
}

// size is the number of different members.
func (x memberIndex) size() int {
	if x.byName != nil {
		return len(x.byName)
	}
	n := 0
	for i, name := range x.names {
		if last, _ := x.find(name); last == i {
			n++
		}
	}
	return n
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
