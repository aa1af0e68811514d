package corpus

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/cases"
	"github.com/resgen-dev/resgen/gen/internal/diag"
)

var update = flag.Bool("update", false, "record what the specs give as what is wanted")

// specs lists the real specifications: $RESGEN_SPECS, from the module's root
// where it is relative, or shared/specs beside the checkout.
func specs(t *testing.T) (root, dir string, names []string) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir = os.Getenv("RESGEN_SPECS")
	switch {
	case dir == "":
		dir = filepath.Join(root, "..", "shared", "specs")
	case !filepath.IsAbs(dir):
		dir = filepath.Join(root, dir)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no specs at %s: set RESGEN_SPECS to a folder of them", dir)
	}
	for _, pattern := range []string{"*.json", "*.yaml", "*.yml", "digitalocean/specification/DigitalOcean-public.v2.yaml"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			name, err := filepath.Rel(dir, path)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return root, dir, names
}

// TestWarnings generates every real specification and holds how many operations
// and types come of it, and what is said of it, kind by kind.
func TestWarnings(t *testing.T) {
	_, dir, names := specs(t)
	var b strings.Builder
	for _, name := range names {
		client, err := cases.Generate(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if client.Plan == nil {
			t.Errorf("%s: generation stopped:\n%s", name, texts(client.Diagnostics, diag.Error))
			continue
		}
		fmt.Fprintf(&b, "%s: %d operations, %d types", name, len(client.Plan.Operations), len(client.Plan.API.Types))
		if k := kinds(counts(client.Diagnostics)); k != "" {
			fmt.Fprintf(&b, "; %s", k)
		}
		b.WriteByte('\n')
	}
	golden(t, filepath.Join("testdata", "warnings.golden"), b.String())
}

func counts(ds diag.List) map[string]int {
	out := map[string]int{}
	for _, d := range ds {
		if d.Severity == diag.Warn {
			out[d.Code]++
		}
	}
	return out
}

// kinds are warnings by kind.
func kinds(warnings map[string]int) string {
	var out []string
	for _, code := range slices.Sorted(maps.Keys(warnings)) {
		out = append(out, fmt.Sprintf("%s %d", code, warnings[code]))
	}
	return strings.Join(out, ", ")
}

func texts(ds diag.List, s diag.Severity) string {
	var b strings.Builder
	for _, d := range ds.Sorted() {
		if d.Severity == s {
			fmt.Fprintln(&b, d)
		}
	}
	return b.String()
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("RESGEN_SPECS") != "" {
		return // other specs than those that the record is of
	}
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("the record in %s differs; got:\n%s\nif it is right, run: go test ./gen/internal/corpus -run Warnings -count=1 -args -update", path, got)
	}
}
