package policy

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/document"
)

// A scalar is a value as written, without its place.
type scalar struct {
	kind scalarKind
	text string
}

type scalarKind int

const (
	_ scalarKind = iota
	scalarNull
	scalarBool
	scalarNumber
	scalarText
	scalarOther // a list, a map or nothing
)

// A complaint says what was wanted in the place of a value, and what to do.
type complaint struct{ want, hint string }

func scalarOf(n document.Node) scalar {
	switch n.Kind() {
	case document.Null:
		return scalar{scalarNull, n.Text()}
	case document.Bool:
		return scalar{scalarBool, n.Text()}
	case document.Number:
		return scalar{scalarNumber, n.Text()}
	case document.Text:
		return scalar{scalarText, n.Text()}
	case document.Absent, document.List, document.Map:
		return scalar{kind: scalarOther}
	}
	panic(fmt.Sprintf("policy: node kind %d", n.Kind()))
}

// found is how a message shows a value.
func found(n document.Node) string {
	switch n.Kind() {
	case document.Text:
		text := n.Text()
		if r := []rune(text); len(r) > 60 {
			text = string(r[:60]) + "…"
		}
		return fmt.Sprintf("%q", text)
	case document.Bool, document.Number:
		return n.Text()
	}
	return n.Kind().String()
}

// canonical is the text of a scalar leaf as the record shows it.
func canonical(r *Row, n scalar) (string, *complaint) {
	switch r.Kind {
	case KindDuration:
		return canonicalDuration(r, n)
	case KindInt:
		return canonicalInt(r, n)
	case KindFactor:
		return canonicalFactor(r, n)
	case KindShare:
		return canonicalShare(r, n)
	case KindPerTime:
		return canonicalRate(r, n)
	case KindBool:
		return canonicalBool(n)
	case KindWord:
		return canonicalWord(r, n)
	case KindSlug, KindName, KindText, KindPointer:
		return canonicalText(r.Kind, n)
	case KindNames, KindStatuses, KindMeanings, KindJSON, KindPolicies, KindWaivers:
	}
	panic(fmt.Sprintf("policy: %s is no scalar", r.Leaf))
}

// oldBooleans are YAML 1.1's, which are text in YAML 1.2.
var oldBooleans = map[string]string{"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}

func canonicalBool(n scalar) (string, *complaint) {
	c := &complaint{want: "true or false"}
	text := strings.ToLower(n.text)
	switch {
	case n.kind == scalarBool && (text == "true" || text == "false"):
		return text, nil
	case n.kind == scalarText && (text == "true" || text == "false"):
		c.hint = "write " + text + " without quotes"
	case n.kind == scalarText && oldBooleans[text] != "":
		c.hint = "write " + oldBooleans[text]
	}
	return "", c
}

func canonicalWord(r *Row, n scalar) (string, *complaint) {
	c := &complaint{want: choice(r.Words)}
	if n.kind != scalarText {
		return "", c
	}
	for _, w := range r.Words {
		if w == n.text {
			return w, nil
		}
	}
	if w := near(n.text, r.Words); w != "" {
		c.hint = "write " + w
	}
	return "", c
}

// choice lists words for a message: "a, b or c".
func choice(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

var (
	slugPattern    = regexp.MustCompile(`^[a-z0-9]+(?:[-_.][a-z0-9]+)*$`)
	namePattern    = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$") // RFC 9110's token
	pointerPattern = regexp.MustCompile(`^(?:/(?:[^~/]|~[01])*)+$`)
)

func canonicalText(k Kind, n scalar) (string, *complaint) {
	want, fits := "", true
	switch k {
	case KindSlug:
		want = "lower-case letters and digits, in groups joined by -, _ or ."
		fits = slugPattern.MatchString(n.text)
	case KindName:
		want = "a name without spaces and colons"
		fits = namePattern.MatchString(n.text)
	case KindPointer:
		want = `a JSON pointer such as "/meta/key"`
		fits = pointerPattern.MatchString(n.text)
	case KindText:
		want = "text"
		fits = strings.TrimSpace(n.text) != ""
	default:
		panic(fmt.Sprintf("policy: kind %d is no text", k))
	}
	c := &complaint{want: want}
	switch {
	case n.kind == scalarText && fits:
		return n.text, nil
	case n.kind == scalarText && k == KindSlug && Slug(n.text) != "":
		c.hint = "write " + Slug(n.text)
	case n.kind == scalarText && k == KindPointer && pointerPattern.MatchString("/"+n.text):
		c.hint = "write /" + n.text
	case (n.kind == scalarNumber || n.kind == scalarBool) && fits:
		c.hint = fmt.Sprintf("write %q in quotes", n.text)
	}
	return "", c
}

// Slug is a text as a slug: lower-case letters and digits, what stands between
// them as one dash; empty where there are none.
func Slug(text string) string {
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(fields, "-")
}

// parseDate reads a date as annotations write it.
func parseDate(text string) (time.Time, bool) {
	t, err := time.Parse(time.DateOnly, text)
	return t, err == nil
}
