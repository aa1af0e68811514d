package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
)

func writeFile(t testing.TB, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "annotation.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// print writes an annotation as YAML in flow style, which read reads back.
func (a *annotation) print() string {
	var parts []string
	for _, w := range a.written {
		parts = append(parts, nested(string(w.row.Leaf), w.print()))
	}
	for _, r := range a.reasons {
		for _, one := range [...]struct{ key, text string }{{"because", r.reason.Because}, {"owner", r.reason.Owner}} {
			if one.text != "" {
				parts = append(parts, nested(strings.TrimPrefix(r.section+"."+one.key, "."), fmt.Sprintf("%q", one.text)))
			}
		}
		if !r.reason.Until.IsZero() {
			parts = append(parts, nested(strings.TrimPrefix(r.section+".until", "."), r.reason.Until.Format(time.DateOnly)))
		}
	}
	for _, p := range a.policies {
		parts = append(parts, fmt.Sprintf("policies: {%q: %s}", p.name, p.print()))
	}
	if len(a.waivers) > 0 {
		var items []string
		for _, w := range a.waivers {
			item := ""
			if w.Rule != "" {
				item = fmt.Sprintf("rule: %q", w.Rule)
			}
			items = append(items, "{"+item+"}")
		}
		parts = append(parts, "waive: ["+strings.Join(items, ", ")+"]")
	}
	return mergeFlow(parts)
}

func (w written) print() string {
	switch w.row.Kind {
	case KindStatuses, KindNames:
		var items []string
		for _, m := range w.members {
			if w.list {
				items = append(items, fmt.Sprintf("%q", m.Text))
			} else {
				items = append(items, fmt.Sprintf("%q: %v", m.Text, m.In))
			}
		}
		if w.list {
			return "[" + strings.Join(items, ", ") + "]"
		}
		return "{" + strings.Join(items, ", ") + "}"
	case KindMeanings:
		return printMeanings(w.means)
	case KindInt, KindFactor, KindBool, KindJSON:
		return w.text
	}
	return fmt.Sprintf("%q", w.text)
}

func printMeanings(means []StatusMeaning) string {
	var items, matchers []string
	for i, m := range means {
		switch {
		case m.Meaning == 0:
			items = append(items, fmt.Sprintf("%q: false", m.Status))
			continue
		case m.At == "":
			items = append(items, fmt.Sprintf("%q: %s", m.Status, m.Meaning))
			continue
		}
		var is []string
		for _, text := range m.Is {
			is = append(is, fmt.Sprintf("%q", text))
		}
		matchers = append(matchers, fmt.Sprintf("%s: {at: %q, is: [%s]}", m.Meaning, m.At, strings.Join(is, ", ")))
		if i+1 == len(means) || means[i+1].Status != m.Status {
			items = append(items, fmt.Sprintf("%q: {%s}", m.Status, strings.Join(matchers, ", ")))
			matchers = nil
		}
	}
	return "{" + strings.Join(items, ", ") + "}"
}

func nested(path, value string) string {
	keys := strings.Split(path, ".")
	return strings.Join(keys, ": {") + ": " + value + strings.Repeat("}", len(keys)-1)
}

// mergeFlow joins flow maps that begin with the same key.
func mergeFlow(parts []string) string {
	groups := map[string][]string{}
	var order []string
	for _, p := range parts {
		key, rest, _ := strings.Cut(p, ": ")
		if _, known := groups[key]; !known {
			order = append(order, key)
		}
		groups[key] = append(groups[key], rest)
	}
	var out []string
	for _, key := range order {
		rests := groups[key]
		if len(rests) == 1 {
			out = append(out, key+": "+rests[0])
			continue
		}
		var inner []string
		for _, r := range rests {
			inner = append(inner, strings.TrimSuffix(strings.TrimPrefix(r, "{"), "}"))
		}
		out = append(out, key+": "+mergeFlow(inner))
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// facts are what an annotation says, without positions and order.
func (a *annotation) facts() []string {
	var out []string
	for _, w := range a.written {
		text := w.text
		for _, m := range w.members {
			text += fmt.Sprintf(" %s=%v", m.Text, m.In)
		}
		for _, m := range w.means {
			text += fmt.Sprintf(" %s=%d at %q is %q", m.Status, m.Meaning, m.At, m.Is)
		}
		out = append(out, fmt.Sprintf("%s: %s list=%v", w.row.Leaf, text, w.list))
	}
	for _, r := range a.reasons {
		out = append(out, fmt.Sprintf("%s because %q %q %s", r.section, r.reason.Because, r.reason.Owner, r.reason.Until))
	}
	for _, p := range a.policies {
		out = append(out, fmt.Sprintf("policy %s %v", p.name, p.facts()))
	}
	for _, w := range a.waivers {
		out = append(out, "waive "+w.Rule)
	}
	slices.Sort(out)
	return out
}

// readAnnotation reads an annotation through a file of that name.
func readAnnotation(t testing.TB, name, text string) (*annotation, diag.List) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	n, ds, err := document.LoadPlain(name)
	if err != nil || ds.HasErrors() || n.Kind() != document.Map {
		return nil, ds
	}
	var diags diag.List
	r := &reader{words: words, diags: &diags}
	return r.read(n, &annotation{place: OnDocument, layer: LayerDocument}, ""), diags
}

// anyValue draws values that are right somewhere and wrong elsewhere.
var anyValue = rapid.SampledFrom([]string{
	"1s", "none", "0s", "-1s", "3", "0", "11", "2.5", "25%", "0.2", "120%", "50/s", "1/h", "true", "false", "off", "null", "~", `""`, `"true"`, "full", "enforce",
	"critical", "keyed", "safe", "header", "body", "auto", "errors", "stale", "shared", "remaining", "stop", "a-b", "A B", "/a/b", "Retry-After", "2027-06-30", "soon",
	"[]", "{}", "[429, timeout, 5XX]", "[a, a]", "{503: true, 5XX: false, timeout: true}", "{409: in-flight, 422: false}", "{409: {done: {at: /x, is: [1]}}}",
	"[{rule: RG105, because: x}]", "{p: {timeout: {total: 1s}}, q: {}}", "[[1]]", "{x: {y: z}}", "999", "503",
})

// anyAnnotation draws maps with the vocabulary's keys, in and out of place.
func anyAnnotation(sec *Section) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		keys := append(sec.keys(), "nothing", "Timeout", "retry", "enabled")
		var out []string
		seen := map[string]bool{}
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			key := rapid.SampledFrom(keys).Draw(t, "key")
			if seen[key] {
				continue
			}
			seen[key] = true
			value := anyValue.Draw(t, "value")
			if sub := sec.sub(key); sub != nil && rapid.IntRange(0, 9).Draw(t, "map") > 0 {
				value = anyAnnotation(sub).Draw(t, key)
			}
			out = append(out, key+": "+value)
		}
		return "{" + strings.Join(out, ", ") + "}"
	})
}

// Annotations of the right form with any values: nothing panics, and what was
// taken reads the same when it is printed and read again.
func TestAnnotationsOfAnyShape(t *testing.T) {
	name := filepath.Join(t.TempDir(), "annotation.yaml")
	rapid.Check(t, func(rt *rapid.T) {
		text := anyAnnotation(words.root).Draw(rt, "annotation")
		a, ds := readAnnotation(t, name, text)
		for _, d := range ds {
			if !d.Pos.IsValid() || d.Message == "" || d.Code == "" {
				rt.Errorf("a diagnostic without a place or words: %+v", d)
			}
		}
		if a == nil {
			rt.Fatalf("%s cannot be read", text)
		}
		back, ds := readAnnotation(t, name, a.print())
		if back == nil || len(ds.Sorted()) > 0 && !contradicts(ds) {
			rt.Fatalf("%s is printed as %s, which has %v", text, a.print(), ds)
		}
		if got, want := back.facts(), a.facts(); !reflect.DeepEqual(got, want) {
			rt.Errorf("%s is printed as %s\n got %v\nwant %v", text, a.print(), got, want)
		}
	})
}

// contradicts reports whether all that is said is of a key that contradicts
// itself, which is taken as it stands.
func contradicts(ds diag.List) bool {
	return !slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return !strings.HasPrefix(d.Message, "idempotency.key") })
}

// FuzzAnnotation reads whatever looks like an annotation: nothing panics, each
// diagnostic lies in the file, and what was taken reads the same when it is
// printed and read again.
func FuzzAnnotation(f *testing.F) {
	for _, seed := range []string{
		`{timeout: {attempt: 1s, total: none}, retry: {when: {503: true, 5XX: false}, because: "x"}}`,
		`{retry: {when: [429, timeout], backoff: {multiplier: 1.5}, budget: {ratio: 0.2, floor: 30/m}}}`,
		`{idempotency: {key: {in: header, name: Key, statuses: {409: in-flight, 422: false}}}, fallback: {value: {a: [1, null]}}}`,
		`{policies: {a: {breaker: {window: 1s}}, b: {use: c}}, waive: [{rule: RG105}], owner: me, until: 2027-06-30}`,
		"retry:\n  maxAttempts: 3\n  maxAttempts: 4\ntimeout: ~\n",
		`{idempotency: {key: {statuses: {409: {in-flight: {at: /error/code, is: [a, 1, true]}, done: {at: /x, is: [y]}}}}}}`,
		`{Timeout: 1, retry: [1], breaker: off, dependency: 3}`,
	} {
		f.Add(seed)
	}
	name := filepath.Join(f.TempDir(), "annotation.yaml")
	f.Fuzz(func(t *testing.T, text string) {
		a, ds := readAnnotation(t, name, text)
		for _, d := range ds {
			if !d.Pos.IsValid() || d.Message == "" || d.Code == "" {
				t.Errorf("a diagnostic without a place or words: %+v", d)
			}
		}
		if a == nil {
			return
		}
		printed := a.print()
		back, ds := readAnnotation(t, name, printed)
		if back == nil || len(ds) > 0 && !contradicts(ds) {
			t.Fatalf("%q is printed as %s, which has %v", text, printed, ds)
		}
		if got, want := back.facts(), a.facts(); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is printed as %s\n got %v\nwant %v", text, printed, got, want)
		}
	})
}
