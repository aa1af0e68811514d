package document

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

var update = flag.Bool("update", false, "write the goldens")

// TestCorpus loads every real spec and holds the sum of what was read and
// mended against testdata/corpus.txt.
func TestCorpus(t *testing.T) {
	dir := specsFolder(t)
	var entries []string
	for _, pattern := range []string{"*.json", "*.yaml", "*.yml", "digitalocean/specification/DigitalOcean-public.v2.yaml"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, found...)
	}
	slices.Sort(entries)
	var b strings.Builder
	for _, entry := range entries {
		doc, ds, err := Load(entry, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if doc == nil || ds.HasErrors() {
			t.Errorf("%s does not load:\n%s", entry, lines(ds))
			continue
		}
		checkBundled(t, doc)
		name, _ := filepath.Rel(dir, entry)
		fmt.Fprintf(&b, "%s: %s\n", filepath.ToSlash(name), summary(doc, ds))
	}
	golden(t, "corpus.txt", b.String())
}

// TestCases loads the entries of the small cases; those that are to be refused
// are refused here or by a later stage.
func TestCases(t *testing.T) {
	dir := casesFolder(t)
	entries, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, entry := range entries {
		name, _ := filepath.Rel(dir, entry)
		base := filepath.Base(entry)
		if !isTreeFile(entry) || base == "expect.json" || base == "part.yaml" || base == "shared.yaml" {
			continue
		}
		doc, ds, err := Load(entry, Options{})
		if err != nil || doc == nil {
			t.Errorf("%s does not load: %v\n%s", name, err, lines(ds))
			continue
		}
		checkBundled(t, doc)
		fmt.Fprintf(&b, "%s: %s\n", filepath.ToSlash(name), summary(doc, ds))
	}
	golden(t, "cases.txt", b.String())
}

func summary(doc *Doc, ds diag.List) string {
	operations := 0
	for _, item := range doc.Root.Get("paths").Members() {
		for _, m := range methods {
			if item.Get(m).Exists() {
				operations++
			}
		}
	}
	codes := map[string]int{}
	for _, d := range ds {
		codes[d.Severity.String()+" "+d.Code]++
	}
	var found []string
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		found = append(found, fmt.Sprintf("%d %s", codes[code], code))
	}
	return fmt.Sprintf("%s, %d files, %d operations, %d schemas; %s", doc.Version, len(doc.Files), operations,
		doc.Root.At("components", "schemas").Len(), strings.Join(found, ", "))
}

// checkBundled fails where a reference of the tree does not lead to a
// component, as all that reads the tree relies on.
func checkBundled(t *testing.T, doc *Doc) {
	t.Helper()
	c := bundleChecker{t: t, doc: doc}
	for key, value := range doc.Root.Members() {
		if field := document3.member(key.Text()); field != nil {
			c.value(value, field)
		}
	}
}

type bundleChecker struct {
	t   *testing.T
	doc *Doc
}

func (c bundleChecker) value(n Node, s *shape) {
	if s.form == anyForm || s == mapping {
		return
	}
	if ref := refOf(n.y); ref != nil {
		target := c.doc.Lookup(ref.Value)
		if s.section == "" || !strings.HasPrefix(ref.Value, "#/"+s.section+"/") || !target.Exists() {
			c.t.Errorf("%s: %s stands for %s", Node{ref}.Pos(), quoted(ref.Value), s.name)
		}
		return
	}
	if !n.Pos().IsValid() || n.Pos().Line < 1 || n.Pos().Col < 1 {
		c.t.Errorf("%s has no position: %v", s.name, n.Pos())
	}
	for key, value := range n.Members() {
		if field := s.member(key.Text()); field != nil {
			c.value(value, field)
		}
	}
	for item := range n.Items() {
		if s.items != nil {
			c.value(item, s.items)
		}
	}
}

// golden compares a line for each file with those of a file of testdata, or
// writes that with -update. Files that it does not know need only load.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(text)) {
		entry, _, _ := strings.Cut(line, ": ")
		want[entry] = line
	}
	for line := range strings.Lines(got) {
		entry, _, _ := strings.Cut(line, ": ")
		if known, ok := want[entry]; ok && line != known {
			t.Errorf("%s differs; run with -update and look at the change\n got: %swant: %s", file, line, known)
		}
	}
}
