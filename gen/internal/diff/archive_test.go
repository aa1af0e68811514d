package diff_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/resgen-dev/resgen/gen/internal/diff"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var update = flag.Bool("update", false, "write what is found into the archives")

// TestArchives compares old.yaml with new.yaml of each archive, each with the
// overlays and policy files that bear its stem, and wants want.txt. It does so
// over the plans' records and over the same records read back from their text,
// and checks that the way back is the mirror image.
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
	t.Chdir(t.TempDir())
	for _, f := range archive.Files {
		if err := os.WriteFile(f.Name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	old, new := record(t, "old", archive), record(t, "new", archive)
	if strings.Contains(string(archive.Comment), "\ntable: 2\n") {
		new.Version = 2 // of which no file can be read yet
	}
	got := shown(diff.Compare(old, new))
	if *update {
		archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want.txt" })
		archive.Files = append(archive.Files, txtar.File{Name: "want.txt", Data: []byte(got)})
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want := content(archive, "want.txt"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if new.Version == old.Version {
		if read := shown(diff.Compare(reread(t, old), reread(t, new))); read != got {
			t.Errorf("over records read back:\n%s\nwant:\n%s", read, got)
		}
	}
	if same := diff.Compare(old, reread(t, old)); len(same.Changes) > 0 {
		t.Errorf("a record and itself read back: %s", shown(same))
	}
	mirrored(t, diff.Compare(old, new), diff.Compare(new, old))
}

func content(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// record is the record of STEM.yaml, or STEM.policy.gen.yaml itself.
func record(t *testing.T, stem string, archive *txtar.Archive) *policy.Record {
	t.Helper()
	var overlays []string
	var settings policy.Settings
	for _, f := range archive.Files {
		switch {
		case f.Name == stem+".policy.gen.yaml":
			return readRecord(t, f.Name, f.Data)
		case !strings.HasPrefix(f.Name, stem+"."):
		case strings.HasSuffix(f.Name, ".overlay.yaml"):
			overlays = append(overlays, f.Name)
		case strings.HasSuffix(f.Name, ".policy.yaml"):
			root, ds, err := document.LoadPlain(f.Name)
			if err != nil || ds.HasErrors() {
				t.Fatalf("load %s: %v, %v", f.Name, err, ds)
			}
			settings.Files = append(settings.Files, policy.File{Name: strings.TrimPrefix(f.Name, stem+"."), Root: root})
		}
	}
	doc, ds, err := document.Load(stem+".yaml", document.Options{Overlays: overlays})
	if err != nil || ds.HasErrors() {
		t.Fatalf("load %s: %v, %v", stem, err, ds)
	}
	api, more := openapi.Lower(doc)
	plan, last := policy.Resolve(doc, api, settings)
	if ds = slices.Concat(ds, more, last); ds.HasErrors() {
		t.Fatalf("resolve %s: %v", stem, ds)
	}
	return plan.Record()
}

func reread(t *testing.T, r *policy.Record) *policy.Record {
	t.Helper()
	return readRecord(t, "policy.gen.yaml", r.Text())
}

func readRecord(t *testing.T, name string, text []byte) *policy.Record {
	t.Helper()
	r, ds := policy.ReadRecord(name, text)
	if len(ds) > 0 {
		t.Fatalf("read %s: %v\n%s", name, ds, text)
	}
	return r
}

// shown is a report as text for these tests: a change a line, and the summary.
func shown(r diff.Report) string {
	var b strings.Builder
	for _, c := range r.Changes {
		showChange(&b, c, "")
	}
	b.WriteString(r.Summary() + "\n")
	return b.String()
}

func showChange(b *strings.Builder, c diff.Change, indent string) {
	var where []string
	for _, o := range c.Operations {
		where = append(where, o.String())
	}
	if len(where) == 0 {
		where = []string{c.Compartment}
	}
	what := c.Leaf
	if c.Kind != diff.Altered {
		what = "(" + c.Kind.String() + ")"
	}
	fmt.Fprintf(b, "%s%s %s at %s: %s -> %s", indent, c.Direction, what, strings.Join(where, "; "), showSide(c.Old), showSide(c.New))
	if c.Why != "" {
		b.WriteString(" | " + c.Why)
	}
	b.WriteString("\n")
	for _, p := range c.Parts {
		showChange(b, p, indent+"  ")
	}
}

func showSide(s diff.Side) string {
	if s.Value == "" && len(s.Causes) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%q (%s)", s.Value, strings.Join(s.Causes, ", "))
}

// mirrored checks the way back: what came is gone, what is altered is altered
// back, and no risk is the same risk twice but where both ways bear it.
func mirrored(t *testing.T, there, back diff.Report) {
	t.Helper()
	if there.Unchanged != back.Unchanged {
		t.Errorf("%d operations unchanged one way and %d the other", there.Unchanged, back.Unchanged)
	}
	a, b := singles(there), singles(back)
	for k, there := range a {
		back, ok := b[swapped(k)]
		if !ok {
			t.Errorf("nothing mirrors %v", k)
			continue
		}
		if !opposite(there, back) {
			t.Errorf("%v is %v one way and %v the other", k, there, back)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d single changes one way and %d the other", len(a), len(b))
	}
}

// A single is one change of one operation or compartment.
type single struct {
	kind     diff.Kind
	leaf     string
	where    string
	old, new string
}

func singles(r diff.Report) map[single]diff.Direction {
	out := map[single]diff.Direction{}
	for _, c := range r.Changes {
		for _, p := range append(c.Parts, c) {
			if p.Kind == diff.Altered && p.Leaf == "version" {
				continue // its parts are
			}
			s := single{kind: p.Kind, leaf: p.Leaf, old: p.Old.Value, new: p.New.Value}
			if len(p.Operations) == 0 {
				if p.Kind == diff.Altered {
					s.where = compartmentName(p.Compartment) // the dependency and the host may differ
				}
				out[s] = p.Direction
			}
			for _, o := range p.Operations {
				s.where = o.Method + " " + o.ID // the path may differ
				out[s] = p.Direction
			}
		}
	}
	return out
}

// compartmentName is the name at the end of a compartment's ID, or nothing.
func compartmentName(id string) string {
	words := strings.Fields(id)
	if len(words) < 2 || strings.Contains(words[len(words)-1], "://") {
		return ""
	}
	return words[len(words)-1]
}

func swapped(s single) single {
	s.old, s.new = s.new, s.old
	switch s.kind {
	case diff.Came:
		s.kind = diff.Gone
	case diff.Gone:
		s.kind = diff.Came
	}
	return s
}

// opposite reports whether two directions may be those of a change and of its
// way back.
func opposite(a, b diff.Direction) bool {
	if a > b {
		a, b = b, a
	}
	switch a {
	case diff.Unsafe:
		return b == diff.Unsafe || b == diff.Weakened || b == diff.Tightened || b == diff.Changed || b == diff.Removed
	case diff.Weakened:
		return b == diff.Tightened || b == diff.Weakened
	case diff.Changed:
		return b == diff.Changed || b == diff.Tightened
	case diff.Added:
		return b == diff.Removed
	}
	return false
}
