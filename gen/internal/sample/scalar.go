package sample

import (
	"encoding/base64"
	"math/big"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// formats are texts that fit a format. Addresses and hosts are those reserved
// for documentation.
var formats = map[string]string{
	"date": "2026-01-02", "date-time": "2026-01-02T03:04:05Z", "datetime": "2026-01-02T03:04:05Z", "time": "03:04:05Z", "duration": "PT1S",
	"uuid": "5a2c1f0e-0000-4000-8000-000000000001", "email": "someone@example.com", "idn-email": "someone@example.com",
	"uri": "https://example.com/", "url": "https://example.com/", "uri-reference": "/path", "iri": "https://example.com/",
	"hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "ip": "192.0.2.1", "byte": "c2FtcGxl", "base64": "c2FtcGxl",
	"json-pointer": "/a", "regex": "a", "int64": "1", "int32": "1", "decimal": "1.5",
}

// text is a text that fits the type.
func text(t *model.Type) string {
	switch t.Kind {
	case model.Bytes:
		return base64.StdEncoding.EncodeToString([]byte("sample"))
	case model.Date:
		return formats["date"]
	case model.DateTime:
		return formats["date-time"]
	}
	low, high := 0, -1
	if n := t.Limits.MinLength; n != nil {
		low = min(*n, longest)
	}
	if n := t.Limits.MaxLength; n != nil {
		high = *n
	}
	if t.Limits.Pattern != "" {
		if s, ok := matching(t.Limits.Pattern, low, high); ok {
			return s
		}
	}
	s := "text"
	if f := formats[strings.ToLower(t.Format)]; f != "" {
		s = f
	}
	if n := utf8.RuneCountInString(s); n < low {
		s += strings.Repeat("x", low-n)
	}
	if high >= 0 && len(s) > high {
		s = s[:high]
	}
	return s
}

// longest bounds texts whose minimum nobody meant.
const longest = 1000

// matching is a text that matches a pattern and has the length, found by
// repeating what may be repeated more and more often.
func matching(pattern string, low, high int) (string, bool) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	tree = tree.Simplify()
	for extra := range low + 2 {
		var b strings.Builder
		grow(&b, tree, extra)
		s := b.String()
		if n := utf8.RuneCountInString(s); n >= low && (high < 0 || n <= high) && re.MatchString(s) {
			return s, true
		}
		if b.Len() > longest {
			break
		}
	}
	return "", false
}

// grow writes a text for a pattern, with so many repetitions beyond the needed.
func grow(b *strings.Builder, re *syntax.Regexp, extra int) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			b.WriteRune(pick(re.Rune))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			grow(b, sub, extra)
		}
	case syntax.OpAlternate:
		grow(b, re.Sub[0], extra)
	case syntax.OpStar:
		repeat(b, re.Sub[0], extra, extra)
	case syntax.OpPlus:
		repeat(b, re.Sub[0], 1+extra, extra)
	case syntax.OpQuest:
		repeat(b, re.Sub[0], min(extra, 1), extra)
	case syntax.OpRepeat:
		n := re.Min + extra
		if re.Max >= 0 {
			n = min(n, re.Max)
		}
		repeat(b, re.Sub[0], n, extra)
	default:
		// anchors, word boundaries and the empty match write nothing
	}
}

func repeat(b *strings.Builder, re *syntax.Regexp, n, extra int) {
	for range n {
		if b.Len() > longest {
			return
		}
		grow(b, re, extra)
	}
}

// pick is a readable character of a class given as pairs of bounds.
func pick(ranges []rune) rune {
	for _, want := range [...]rune{'a', 'A', '1', '0', '-', '_'} {
		for i := 0; i+1 < len(ranges); i += 2 {
			if want >= ranges[i] && want <= ranges[i+1] {
				return want
			}
		}
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		if r := max(ranges[i], '!'); r <= ranges[i+1] {
			return r
		}
	}
	return ranges[0]
}

// number is a number within the type's bounds, the smallest that is easy to
// name: 1 where it fits.
func number(t *model.Type) string {
	value := big.NewRat(1, 1)
	if t.Kind == model.Float || t.Kind == model.Number {
		value = big.NewRat(3, 2)
	}
	low, hasLow := new(big.Rat).SetString(t.Limits.Minimum)
	high, hasHigh := new(big.Rat).SetString(t.Limits.Maximum)
	step := big.NewRat(1, 1)
	of, hasStep := new(big.Rat).SetString(t.Limits.MultipleOf)
	hasStep = hasStep && of.Sign() > 0
	if hasStep {
		step = of
	}
	if hasLow && (value.Cmp(low) < 0 || t.Limits.ExclusiveMinimum && value.Cmp(low) == 0) {
		value = low
		if t.Limits.ExclusiveMinimum {
			value = new(big.Rat).Add(low, step)
		}
	}
	if hasHigh && (value.Cmp(high) > 0 || t.Limits.ExclusiveMaximum && value.Cmp(high) == 0) {
		value = high
		if t.Limits.ExclusiveMaximum {
			value = new(big.Rat).Sub(high, step)
		}
		if hasLow && value.Cmp(low) <= 0 && (t.Limits.ExclusiveMinimum || t.Limits.ExclusiveMaximum) {
			value = new(big.Rat).Quo(new(big.Rat).Add(low, high), big.NewRat(2, 1))
		}
	}
	if hasStep {
		value = roundUp(value, step)
	}
	return decimal(value, t.Kind == model.Int || t.Kind == model.BigInt)
}

// roundUp is the next multiple of step.
func roundUp(value, step *big.Rat) *big.Rat {
	n := new(big.Rat).Quo(value, step)
	whole := new(big.Int).Quo(n.Num(), n.Denom())
	if !n.IsInt() && n.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)
}

// decimal is the number in JSON.
func decimal(value *big.Rat, whole bool) string {
	if whole && !value.IsInt() {
		value = roundUp(value, big.NewRat(1, 1))
	}
	if value.IsInt() {
		return value.Num().String()
	}
	return strings.TrimRight(value.FloatString(12), "0")
}
