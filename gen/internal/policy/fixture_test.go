package policy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// A shop is a small description with annotations in flow style at its places;
// an empty one leaves the annotation out. Its operations are list (GET), add
// (POST), put (PUT) and drop (DELETE) of /things, and other (POST) of /others.
type shop struct {
	root, path, list, add, put, drop, other string

	params   string // of add, a list in flow style
	overlays []string
	files    []string // policy files
	settings policy.Settings
}

func (s shop) yaml() string {
	annotation := func(indent, text string) string {
		if text == "" {
			return ""
		}
		return indent + "x-resilience: " + text + "\n"
	}
	params := s.params
	if params == "" {
		params = "[]"
	}
	return "openapi: 3.0.3\ninfo: {title: The Shop, version: \"1\"}\nservers: [{url: 'https://shop.example/v1'}]\n" +
		annotation("", s.root) +
		"paths:\n  /things:\n" + annotation("    ", s.path) +
		"    get:\n      operationId: list\n" + annotation("      ", s.list) + "      responses: {'200': {description: ok}}\n" +
		"    post:\n      operationId: add\n" + annotation("      ", s.add) + "      parameters: " + params + "\n      responses: {'201': {description: made}}\n" +
		"    put:\n      operationId: put\n" + annotation("      ", s.put) + "      responses: {'200': {description: ok}}\n" +
		"    delete:\n      operationId: drop\n" + annotation("      ", s.drop) + "      responses: {'204': {description: gone}}\n" +
		"  /others:\n    post:\n      operationId: other\n" + annotation("      ", s.other) + "      responses: {'201': {description: made}}\n"
}

// resolve loads the shop and resolves it. Files are named without their folder.
func (s shop) resolve(t *testing.T) (*policy.Plan, diag.List) {
	t.Helper()
	return resolveYAML(t, s.yaml(), s.overlays, s.files, s.settings)
}

func resolveYAML(t *testing.T, spec string, overlays, files []string, settings policy.Settings) (*policy.Plan, diag.List) {
	t.Helper()
	t.Chdir(t.TempDir())
	write := func(name, text string) string {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	opts := document.Options{}
	for i, o := range overlays {
		opts.Overlays = append(opts.Overlays, write("overlay"+string(rune('1'+i))+".yaml", o))
	}
	doc, ds, err := document.Load(write("shop.yaml", spec), opts)
	if err != nil || ds.HasErrors() {
		t.Fatalf("the description does not load: %v %v", ds, err)
	}
	api, ds := openapi.Lower(doc)
	if ds.HasErrors() {
		t.Fatalf("the description cannot be lowered: %v", ds)
	}
	for i, f := range files {
		name := write("base"+string(rune('1'+i))+".yaml", f)
		root, ds, err := document.LoadPlain(name)
		if err != nil || ds.HasErrors() {
			t.Fatalf("the policy file does not load: %v %v", ds, err)
		}
		settings.Files = append(settings.Files, policy.File{Name: name, Root: root})
	}
	return policy.Resolve(doc, api, settings)
}

// clean resolves and fails where anything is wrong.
func (s shop) clean(t *testing.T) *policy.Plan {
	t.Helper()
	plan, ds := s.resolve(t)
	for _, d := range ds {
		t.Errorf("unexpected: %s (%s)", d, d.Hint)
	}
	if t.Failed() {
		t.FailNow()
	}
	return plan
}

// operation finds an operation by its id.
func operation(t *testing.T, p *policy.Plan, id string) *policy.Operation {
	t.Helper()
	for _, o := range p.Operations {
		if o.Spec.ID == id {
			return o
		}
	}
	t.Fatalf("there is no operation %s", id)
	return nil
}

// wantLeaves compares leaves with "leaf: text # origin" lines; "absent" stands
// for no value.
func wantLeaves(t *testing.T, o *policy.Operation, want ...string) {
	t.Helper()
	for _, w := range want {
		leaf, rest, _ := strings.Cut(w, ": ")
		text, origin, _ := strings.Cut(rest, " # ")
		v := o.Value(policy.Leaf(leaf))
		if text == "absent" {
			if v.Exists() {
				t.Errorf("%s: %s = %q, want no value", o.Spec.ID, leaf, v.Text)
			}
			continue
		}
		if v.Text != text {
			t.Errorf("%s: %s = %q, want %q", o.Spec.ID, leaf, v.Text, text)
		}
		if origin == "" {
			continue
		}
		var got []string
		for _, from := range v.Origins() {
			got = append(got, from.String())
		}
		if s := strings.Join(got, ", "); s != origin {
			t.Errorf("%s: %s comes from %q, want %q", o.Spec.ID, leaf, s, origin)
		}
	}
}

// moduleFile is a file of the module, by its path from the root.
func moduleFile(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(filepath.Join("..", "..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	return abs
}
