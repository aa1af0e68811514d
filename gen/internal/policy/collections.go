package policy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/document"
)

// set reads a set: a map of members to true or false, or a list, which
// replaces what is inherited.
func (r *reader) set(n document.Node, row *Row, a *annotation, path string) (members []Member, list bool) {
	switch n.Kind() {
	case document.Map:
		for key, value := range n.Members() {
			text, ok := r.member(key, row, path)
			in, bad := canonicalBool(scalarOf(value))
			if bad != nil {
				r.errorf(value.Pos(), "%s.%s is %s; want %s", path, key.Text(), found(value), bad.want).Hint = bad.hint
			}
			if ok && bad == nil {
				members = append(members, Member{Text: text, In: in == "true", Origin: r.origin(a, value)})
			}
		}
		return members, false
	case document.List:
		for item := range n.Items() {
			text, ok := r.member(item, row, path)
			if ok && !slices.ContainsFunc(members, func(m Member) bool { return sameMember(row.Kind, m.Text, text) }) {
				members = append(members, Member{Text: text, In: true, Origin: r.origin(a, item)})
			}
		}
		return members, true
	case document.Absent, document.Null, document.Bool, document.Number, document.Text:
		d := r.errorf(n.Pos(), "%s is %s; want a map of %s to true or false, or a list", path, found(n), memberWords(row))
		if text := n.Text(); n.Kind() != document.Null && text != "" && !strings.ContainsAny(text, " ,") {
			d.WithHint("write {%s: true}", text)
		}
		return nil, false
	}
	panic(fmt.Sprintf("policy: node kind %d", n.Kind()))
}

func memberWords(row *Row) string {
	if row.Kind == KindNames {
		return "header names"
	}
	return choice(append([]string{"statuses"}, row.Words...))
}

// member reads one member of a set.
func (r *reader) member(n document.Node, row *Row, path string) (string, bool) {
	text, kind := n.Text(), n.Kind()
	scalarKind := kind == document.Text || kind == document.Number
	switch {
	case row.Kind == KindNames && scalarKind && namePattern.MatchString(text):
		return text, true
	case row.Kind == KindNames:
		r.errorf(n.Pos(), "%s has %s; want a header's name", path, found(n))
		return "", false
	case scalarKind && (row.holdsStatus(text) || row.Kind == KindStatuses && slices.Contains(row.Words, text)):
		return text, true
	}
	d := r.errorf(n.Pos(), "%s has %s; want %s", path, found(n), row.statusWords())
	if row.Exact && statusRange.MatchString(strings.ToUpper(text)) {
		d.WithHint("name the statuses one by one")
	} else if upper := strings.ToUpper(text); upper != text && row.holdsStatus(upper) {
		d.WithHint("write %s", strings.ToUpper(text))
	} else if w := near(text, row.Words); w != "" {
		d.WithHint("write %s", w)
	}
	return "", false
}

// holdsStatus reports whether a text is a status, or a range, that the row takes.
func (r *Row) holdsStatus(text string) bool {
	if !exactStatus.MatchString(text) && (r.Exact || !statusRange.MatchString(text)) {
		return false
	}
	return int64(text[0]-'0') >= r.Min/100
}

// statusWords says which members a set of statuses takes.
func (r *Row) statusWords() string {
	want := "a status such as 503 or a range such as 5XX"
	switch {
	case r.Exact:
		want = "a single status such as 409"
	case r.Kind == KindStatuses && len(r.Words) > 0:
		want = "a status such as 503, a range such as 5XX, " + choice(r.Words)
	}
	if r.Min > 0 {
		want += fmt.Sprintf(", from %d", r.Min)
	}
	return want
}

// origin is the origin of a value in an annotation; of a named policy without
// its use.
func (r *reader) origin(a *annotation, n document.Node) Origin {
	return Origin{Layer: a.layer, Name: a.name, Pos: n.Pos(), Via: r.via(n.Pos())}
}

// meanings reads idempotency.key.statuses.
func (r *reader) meanings(n document.Node, row *Row, a *annotation, path string) []StatusMeaning {
	if n.Kind() != document.Map {
		r.errorf(n.Pos(), "%s is %s; want a map of statuses to %s", path, found(n), choice(meanings[1:]))
		return nil
	}
	var out []StatusMeaning
	for key, value := range n.Members() {
		status, ok := r.member(key, row, path)
		if !ok {
			continue
		}
		path := path + "." + status
		switch value.Kind() {
		case document.Map:
			for word, matcher := range value.Members() {
				m, ok := r.meaning(word, path)
				if ok {
					out = append(out, r.matcher(matcher, StatusMeaning{Status: status, Meaning: m, Origin: r.origin(a, word)}, path+"."+word.Text())...)
				}
			}
		case document.Bool:
			if value.Text() == "true" {
				r.errorf(value.Pos(), "%s is true; want %s", path, choice(meanings[1:]))
				continue
			}
			out = append(out, StatusMeaning{Status: status, Origin: r.origin(a, value)})
		default:
			if m, ok := r.meaning(value, path); ok {
				out = append(out, StatusMeaning{Status: status, Meaning: m, Origin: r.origin(a, value)})
			}
		}
	}
	return out
}

func (r *reader) meaning(n document.Node, path string) (Meaning, bool) {
	i := 0
	if n.Kind() == document.Text {
		i = index(meanings, n.Text())
	}
	if i != 0 {
		return Meaning(i), true
	}
	d := r.errorf(n.Pos(), "%s is %s; want %s", path, found(n), choice(meanings[1:]))
	if w := near(n.Text(), meanings[1:]); w != "" {
		d.WithHint("write %s", w)
	}
	return 0, false
}

// matcher reads {at: POINTER, is: [TEXT…]}.
func (r *reader) matcher(n document.Node, m StatusMeaning, path string) []StatusMeaning {
	if n.Kind() != document.Map {
		r.errorf(n.Pos(), "%s is %s; want a matcher", path, found(n)).WithHint("write {at: /error/code, is: [key_in_use]}")
		return nil
	}
	before := len(*r.diags)
	for key, value := range n.Members() {
		switch key.Text() {
		case "at":
			text, bad := canonicalText(KindPointer, scalarOf(value))
			if bad != nil {
				r.errorf(value.Pos(), "%s.at is %s; want %s", path, found(value), bad.want).Hint = bad.hint
			}
			m.At = text
		case "is":
			m.Is = r.texts(value, path+".is")
		default:
			d := r.errorf(key.Pos(), "%s.%s is no key of the vocabulary; want at or is", path, key.Text())
			if w := near(key.Text(), []string{"at", "is"}); w != "" {
				d.WithHint("write %s", w)
			}
		}
	}
	if len(*r.diags) == before && (m.At == "" || len(m.Is) == 0) {
		r.errorf(n.Pos(), "%s is incomplete; want at and is", path).WithHint("write {at: /error/code, is: [key_in_use]}")
	}
	if len(*r.diags) > before {
		return nil
	}
	return []StatusMeaning{m}
}

// texts reads a list of scalars as their texts.
func (r *reader) texts(n document.Node, path string) []string {
	if n.Kind() != document.List {
		r.errorf(n.Pos(), "%s is %s; want a list", path, found(n)).WithHint("write [%s]", n.Text())
		return nil
	}
	var out []string
	for item := range n.Items() {
		switch item.Kind() {
		case document.Text, document.Number, document.Bool:
			out = append(out, item.Text())
		default:
			r.errorf(item.Pos(), "%s has %s; want text", path, found(item))
		}
	}
	return out
}

// policies reads named policies.
func (r *reader) policies(n document.Node, a *annotation, path string) {
	if n.Kind() != document.Map {
		r.errorf(n.Pos(), "%s is %s; want a map of names to policies", path, found(n))
		return
	}
	for key, value := range n.Members() {
		if !namePattern.MatchString(key.Text()) {
			r.errorf(key.Pos(), "%s has the name %s; want a name without spaces and colons", path, found(key))
			continue
		}
		named := &annotation{place: OnPolicy, layer: LayerPolicy, name: key.Text()}
		a.policies = append(a.policies, r.read(value, named, path+"."+key.Text()+"."))
	}
}

// waivers reads a list of waivers. What is missing in one is for the rules to say.
func (r *reader) waivers(n document.Node, a *annotation, path string) {
	if n.Kind() != document.List {
		d := r.errorf(n.Pos(), "%s is %s; want a list", path, found(n))
		d.WithHint("write - {rule: RG105, because: …, until: 2027-06-30, owner: …}")
		return
	}
	for item := range n.Items() {
		if item.Kind() != document.Map {
			r.errorf(item.Pos(), "%s has %s; want a map of rule, because, until and owner", path, found(item))
			continue
		}
		w := &Waiver{Origin: r.origin(a, item)}
		for key, value := range item.Members() {
			r.waiverKey(key, value, path, w)
		}
		a.waivers = append(a.waivers, w)
	}
}

func (r *reader) waiverKey(key, value document.Node, path string, w *Waiver) {
	keys := append([]string{"rule"}, reasonKeys...)
	switch {
	case key.Text() == "rule":
		text, bad := canonicalText(KindText, scalarOf(value))
		if bad != nil {
			r.errorf(value.Pos(), "%s.rule is %s; want the id of a rule such as RG105", path, found(value))
		}
		w.Rule = text
	case slices.Contains(reasonKeys, key.Text()):
		r.reasonKey(key.Text(), value, path+"."+key.Text(), &w.Reason)
	default:
		d := r.errorf(key.Pos(), "%s.%s is no key of the vocabulary; want %s", path, key.Text(), choice(keys))
		if word := near(key.Text(), keys); word != "" {
			d.WithHint("write %s", word)
		}
	}
}

// json is a value as compact JSON, members in order.
func (r *reader) json(n document.Node, path string) (string, bool) {
	var b strings.Builder
	if bad := writeJSON(&b, n); bad.Exists() {
		r.errorf(bad.Pos(), "%s has %s; want a value of JSON", path, found(bad))
		return "", false
	}
	return b.String(), true
}

// writeJSON writes a node and returns the first that JSON cannot hold, such as
// an infinite number.
func writeJSON(b *strings.Builder, n document.Node) (bad document.Node) {
	switch n.Kind() {
	case document.Map:
		b.WriteByte('{')
		first := true
		for key, value := range n.Members() {
			separate(b, &first)
			quoteJSON(b, key.Text())
			b.WriteByte(':')
			if bad := writeJSON(b, value); bad.Exists() {
				return bad
			}
		}
		b.WriteByte('}')
	case document.List:
		b.WriteByte('[')
		first := true
		for item := range n.Items() {
			separate(b, &first)
			if bad := writeJSON(b, item); bad.Exists() {
				return bad
			}
		}
		b.WriteByte(']')
	case document.Text:
		quoteJSON(b, n.Text())
	case document.Null:
		b.WriteString("null")
	case document.Bool, document.Number:
		text := strings.ToLower(n.Text())
		if !json.Valid([]byte(text)) {
			return n
		}
		b.WriteString(text)
	case document.Absent:
		return n
	}
	return document.Node{}
}

func separate(b *strings.Builder, first *bool) {
	if !*first {
		b.WriteByte(',')
	}
	*first = false
}

func quoteJSON(b *strings.Builder, text string) {
	var one strings.Builder
	e := json.NewEncoder(&one)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string into a strings.Builder cannot fail
	b.WriteString(strings.TrimSuffix(one.String(), "\n"))
}
