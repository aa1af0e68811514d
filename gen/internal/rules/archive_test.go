package rules_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

var update = flag.Bool("update", false, "write what is found into the archives' want comments and the README")

// TestArchives runs every archive of testdata. What stands in a comment
//
//	# want COLUMN SEVERITY RULE "message"
//
// must be found on its line, and nothing else: of the archive's own rule
// nothing at all, of the others nothing above info. bad.yaml and good.yaml are
// documents of their own; overlays and policy files go with the document whose
// stem they bear.
func TestArchives(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("archives: %d, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { runArchive(t, name) })
	}
}

func runArchive(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(unpacked(t, archive))
	own := strings.ToUpper(filepath.Base(name)[:5])
	found := map[string]diag.List{} // by file
	for _, f := range archive.Files {
		stem, isDocument := strings.CutSuffix(f.Name, ".yaml")
		if !isDocument || strings.Contains(stem, ".") {
			continue
		}
		for _, d := range judged(t, stem, archive) {
			if d.Severity == diag.Info && d.Code != own {
				continue
			}
			found[d.Pos.File] = append(found[d.Pos.File], d)
			if d.Hint == "" {
				t.Errorf("%s: no hint", d)
			}
		}
	}
	for i, f := range archive.Files {
		want := withWants(f.Data, found[f.Name])
		delete(found, f.Name)
		if string(want) == string(f.Data) {
			continue
		}
		if !*update {
			t.Errorf("%s: findings differ.\ngot:\n%s\nwant:\n%s", f.Name, wantLines(want), wantLines(f.Data))
		}
		archive.Files[i].Data = want
	}
	for file, ds := range found {
		t.Errorf("findings outside of the archive, in %q: %v", file, ds)
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// unpacked is a folder with the archive's files.
func unpacked(t *testing.T, archive *txtar.Archive) string {
	dir := t.TempDir()
	for _, f := range archive.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// judged is what the rules find in the document STEM.yaml of the archive, with
// STEM*.overlay.yaml over and STEM*.policy.yaml under it.
func judged(t *testing.T, stem string, archive *txtar.Archive) diag.List {
	var overlays []string
	var settings policy.Settings
	for _, f := range archive.Files {
		switch {
		case !strings.HasPrefix(f.Name, stem+"."):
		case strings.HasSuffix(f.Name, ".overlay.yaml"):
			overlays = append(overlays, f.Name)
		case strings.HasSuffix(f.Name, ".policy.yaml"):
			settings.Files = append(settings.Files, policyFile(t, f.Name))
		}
	}
	cfg := rules.Config{}
	for line := range strings.Lines(string(archive.Comment)) {
		if text, ok := strings.CutPrefix(line, "budget: "); ok {
			settings.Budget = parsed(t, duration, text)
		}
		if text, ok := strings.CutPrefix(line, "now: "); ok {
			cfg.Now = parsed(t, day, text)
		}
	}
	return rules.Check(resolved(t, stem+".yaml", overlays, settings), cfg)
}

func parsed[T any](t *testing.T, parse func(string) (T, error), text string) T {
	t.Helper()
	v, err := parse(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func duration(text string) (time.Duration, error) { return time.ParseDuration(text) }

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func day(text string) (time.Time, error) { return time.Parse(time.DateOnly, text) }

func policyFile(t *testing.T, name string) policy.File {
	t.Helper()
	root, ds, err := document.LoadPlain(name)
	if err != nil || ds.HasErrors() {
		t.Fatalf("load %s: %v, %v", name, err, ds)
	}
	return policy.File{Name: name, Root: root}
}

// resolved is the plan of a document that has no mistake.
func resolved(t *testing.T, spec string, overlays []string, settings policy.Settings) *policy.Plan {
	t.Helper()
	doc, ds, err := document.Load(spec, document.Options{Overlays: overlays})
	if err != nil || ds.HasErrors() {
		t.Fatalf("load %s: %v, %v", spec, err, ds)
	}
	api, more := openapi.Lower(doc)
	plan, last := policy.Resolve(doc, api, settings)
	if ds = slices.Concat(ds, more, last); ds.HasErrors() {
		t.Fatalf("resolve %s: %v", spec, ds)
	}
	return plan
}

var wantComment = regexp.MustCompile(`[ \t]+# want .*$`)

// withWants is a file with exactly the want comments of what was found in it.
func withWants(data []byte, found diag.List) []byte {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = wantComment.ReplaceAllString(strings.TrimSuffix(line, "\n"), "")
		for _, d := range found.Sorted() {
			if d.Pos.Line == n {
				line += fmt.Sprintf(" # want %d %s %s %s", d.Pos.Col, d.Severity, d.Code, strconv.Quote(d.Message))
			}
		}
		b.WriteString(line + "\n")
	}
	return []byte(b.String())
}

// wantLines are the lines with want comments.
func wantLines(data []byte) string {
	var out []string
	n := 0
	for line := range strings.Lines(string(data)) {
		if n++; strings.Contains(line, "# want ") {
			out = append(out, fmt.Sprintf("%4d %s", n, strings.TrimSuffix(line, "\n")))
		}
	}
	return strings.Join(out, "\n")
}
