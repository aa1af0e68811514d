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
			items = append(items, fmt.Sprintf("{rule: %q}", w.Rule))
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
		var items []string
		for _, m := range w.means {
			switch {
			case m.Meaning == 0:
				items = append(items, fmt.Sprintf("%q: false", m.Status))
			case m.At == "":
				items = append(items, fmt.Sprintf("%q: %s", m.Status, m.Meaning))
			}
		}
		return "{" + strings.Join(items, ", ") + "}"
	case KindInt, KindFactor, KindBool, KindJSON:
		return w.text
	}
	return fmt.Sprintf("%q", w.text)
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
			if m.At == "" {
				text += fmt.Sprintf(" %s=%d", m.Status, m.Meaning)
			}
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
		if back == nil || len(ds) > 0 {
			t.Fatalf("%q is printed as %s, which has %v", text, printed, ds)
		}
		if got, want := back.facts(), a.facts(); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is printed as %s\n got %v\nwant %v", text, printed, got, want)
		}
	})
}
