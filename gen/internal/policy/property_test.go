package policy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// A drawn leaf: "timeout.total: 3s".
type drawn struct{ leaf, value string }

// leaves draws leaves that may stand everywhere, each at most once.
var leaves = rapid.Custom(func(t *rapid.T) []drawn {
	choices := []drawn{
		{"timeout.total", rapid.SampledFrom([]string{"3s", "4s", "none"}).Draw(t, "total")},
		{"timeout.attempt", rapid.SampledFrom([]string{"1s", "800ms"}).Draw(t, "attempt")},
		{"retry.maxAttempts", fmt.Sprint(rapid.IntRange(1, 10).Draw(t, "attempts"))},
		{"retry.backoff.jitter", rapid.SampledFrom([]string{"full", "none"}).Draw(t, "jitter")},
		{"retry.when", rapid.SampledFrom([]string{"[503]", "{429: false}", "{5XX: true, 501: false}", "[]"}).Draw(t, "when")},
		{"fallback.kind", rapid.SampledFrom([]string{"none", "caller"}).Draw(t, "kind")},
	}
	n := rapid.IntRange(0, len(choices)).Draw(t, "n")
	return rapid.Permutation(choices).Draw(t, "order")[:n]
})

// flowOf writes leaves as an annotation; each leaf as a section of its own
// would be a repeated key, so sections are joined in the order of their first leaf.
func flowOf(ls []drawn) string {
	if len(ls) == 0 {
		return "{}"
	}
	sections := map[string][]string{}
	var order []string
	for _, l := range ls {
		section, key, _ := strings.Cut(l.leaf, ".")
		if sections[section] == nil {
			order = append(order, section)
		}
		if outer, inner, nested := strings.Cut(key, "."); nested {
			sections[section] = append(sections[section], outer+": {"+inner+": "+l.value+"}")
		} else {
			sections[section] = append(sections[section], key+": "+l.value)
		}
	}
	var out []string
	for _, s := range order {
		out = append(out, s+": {"+strings.Join(sections[s], ", ")+"}")
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// quick resolves a shop without the help of testing.T.
func quick(t *rapid.T, dir string, s shop) *policy.Plan {
	name := filepath.Join(dir, "shop.yaml")
	if err := os.WriteFile(name, []byte(s.yaml()), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, ds, err := document.Load(name, document.Options{})
	if err != nil || ds.HasErrors() {
		t.Fatal(ds, err)
	}
	api, _ := openapi.Lower(doc)
	first, ds := policy.Resolve(doc, api, policy.Settings{})
	second, again := policy.Resolve(doc, api, policy.Settings{})
	if len(ds) > 0 {
		t.Fatalf("%v in\n%s", ds, s.yaml())
	}
	if string(first.Record().Text()) != string(second.Record().Text()) || !reflect.DeepEqual(ds, again) {
		t.Fatalf("resolved twice, it is\n%s\nand\n%s", first.Record().Text(), second.Record().Text())
	}
	return first
}

// Resolving twice is resolving once, the inner place beats the outer one, and
// the order of keys does not matter.
func TestMergeProperties(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		root, path, op := leaves.Draw(t, "root"), leaves.Draw(t, "path"), leaves.Draw(t, "operation")
		p := quick(t, dir, shop{root: flowOf(root), path: flowOf(path), list: flowOf(op)})
		list := p.Operations[0]
		for _, place := range []struct {
			ls   []drawn
			word string
		}{{root, "document"}, {path, "path"}, {op, "operation"}} {
			for _, l := range place.ls {
				inner := slices.ContainsFunc(op, func(d drawn) bool { return d.leaf == l.leaf }) && place.word != "operation" ||
					slices.ContainsFunc(path, func(d drawn) bool { return d.leaf == l.leaf }) && place.word == "document"
				v := list.Leaves.Get(policy.Leaf(l.leaf))
				switch {
				case inner && v.Origin.String() == place.word:
					t.Fatalf("%s of the %s beats a more specific place", l.leaf, place.word)
				case !inner && v.Origin.String() != place.word:
					t.Fatalf("%s comes from %s, want %s", l.leaf, v.Origin, place.word)
				case !inner && l.leaf != "retry.when" && v.Text != l.value:
					t.Fatalf("%s = %q, want %q", l.leaf, v.Text, l.value)
				}
			}
		}
		shuffled := quick(t, dir, shop{
			root: flowOf(rapid.Permutation(root).Draw(t, "root again")),
			path: flowOf(rapid.Permutation(path).Draw(t, "path again")),
			list: flowOf(rapid.Permutation(op).Draw(t, "operation again")),
		})
		if got, want := shuffled.Record().Text(), p.Record().Text(); string(got) != string(want) {
			t.Fatalf("in another order it is\n%s\nwant\n%s", got, want)
		}
	})
}

// Resolve changes nothing that it was given, so that the API can be used on.
func TestResolveChangesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("shop.yaml", []byte(shop{root: "{owner: a}", params: "[{name: Idempotency-Key, in: header, schema: {type: string}}]"}.yaml()), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, _, err := document.Load("shop.yaml", document.Options{})
	if err != nil {
		t.Fatal(err)
	}
	api, _ := openapi.Lower(doc)
	before, _ := openapi.Lower(doc)
	if _, ds := policy.Resolve(doc, api, policy.Settings{}); ds.Count(diag.Error) > 0 {
		t.Fatal(ds)
	}
	if !reflect.DeepEqual(api, before) {
		t.Error("the API is another one than before")
	}
}
