package golang_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/golang"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var update = flag.Bool("update", false, "write the goldens anew, once they compile")

// root is the module's root, seen from this package.
const root = "../../.."

const goldens = root + "/testdata/openapi/golden"

// A golden is one archive: a comment that says what it proves, openapi.yaml,
// optional words in `options` (tests, interfaces), and what is wanted: want/*.go
// and want/diag.txt. An archive wants the files that it lists; one that lists
// none is given all of them by -update.
type golden struct {
	name    string
	archive *txtar.Archive
	files   []golang.File
	diags   string
}

func TestGolden(t *testing.T) {
	all := readGoldens(t)
	if *update {
		checkModule(t, all, "build", "-o", os.DevNull, "./...")
		for _, g := range all {
			g.write(t)
		}
		return
	}
	for _, g := range all {
		t.Run(g.name, func(t *testing.T) {
			if len(g.archive.Comment) == 0 {
				t.Error("the archive has no comment; want a first line that says what it proves")
			}
			if lines := bytes.Count(txtar.Format(g.archive), []byte("\n")); lines > 300 {
				t.Errorf("the archive has %d lines, want at most 300", lines)
			}
			for _, want := range g.archive.Files {
				if name, ok := strings.CutPrefix(want.Name, "want/"); ok {
					got, found := g.got(name)
					if !found {
						t.Errorf("%s was not made; made were %s", name, strings.Join(g.names(), ", "))
					} else if !bytes.Equal(got, want.Data) {
						t.Errorf("%s differs; run: go test ./gen/internal/golang -update\n%s", name, diff(want.Data, got))
					}
				}
			}
		})
	}
}

// TestGoldensCompile holds that the output of every golden builds and vets, in
// one module that depends on this checkout as a user's would.
func TestGoldensCompile(t *testing.T) {
	checkModule(t, readGoldens(t), "vet", "./...")
}

// TestGeneratedTestsPass runs the fault tests that were generated.
func TestGeneratedTestsPass(t *testing.T) {
	checkModule(t, readGoldens(t), "test", "./faulttests")
}

// TestGoldensAreClean holds that staticcheck has nothing to say about them.
func TestGoldensAreClean(t *testing.T) {
	dir := writeModule(t, readGoldens(t))
	tool := filepath.Join(t.TempDir(), "staticcheck")
	run(t, root, "go", "build", "-o", tool, "honnef.co/go/tools/cmd/staticcheck")
	run(t, dir, tool, "./...")
}

// TestDeterminism holds that the output depends on the input alone.
func TestDeterminism(t *testing.T) {
	for _, g := range readGoldens(t) {
		for _, procs := range []int{1, runtime.NumCPU()} {
			before := runtime.GOMAXPROCS(procs)
			again := generate(t, g.name, g.archive)
			runtime.GOMAXPROCS(before)
			if !slices.EqualFunc(g.files, again.files, func(a, b golang.File) bool { return a.Name == b.Name && bytes.Equal(a.Content, b.Content) }) {
				t.Errorf("%s: the output differs with GOMAXPROCS=%d", g.name, procs)
			}
		}
	}
}

func readGoldens(t *testing.T) []golden {
	t.Helper()
	paths, err := filepath.Glob(goldens + "/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no goldens in %s: %v", goldens, err)
	}
	var all []golden
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, generate(t, strings.TrimSuffix(filepath.Base(path), ".txtar"), archive))
	}
	return all
}

// generate runs the stages on an archive's document.
func generate(t *testing.T, name string, archive *txtar.Archive) golden {
	t.Helper()
	g := golden{name: name, archive: archive}
	opts := golang.Options{Package: "api", Spec: "openapi.yaml"}
	spec := filepath.Join(t.TempDir(), "openapi.yaml")
	for _, file := range archive.Files {
		switch file.Name {
		case "openapi.yaml":
			if err := os.WriteFile(spec, file.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		case "options":
			opts.Tests = bytes.Contains(file.Data, []byte("tests"))
			opts.Interfaces = bytes.Contains(file.Data, []byte("interfaces"))
		}
	}
	doc, diags, err := document.Load(spec, document.Options{})
	if err != nil || doc == nil {
		t.Fatalf("%s: load: %v %v", name, err, diags)
	}
	api, ds := openapi.Lower(doc)
	diags = append(diags, ds...)
	plan, ds := policy.Resolve(doc, api, policy.Settings{})
	diags = append(diags, ds...)
	if diags.HasErrors() {
		t.Fatalf("%s: %v", name, diags)
	}
	for _, d := range diags.Sorted() {
		g.diags += strings.ReplaceAll(d.String(), spec, "openapi.yaml") + "\n"
	}
	if g.files, err = golang.Files(plan, opts); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return g
}

func (g golden) got(name string) ([]byte, bool) {
	if name == "diag.txt" {
		return []byte(g.diags), true
	}
	for _, f := range g.files {
		if f.Name == name {
			return f.Content, true
		}
	}
	return nil, false
}

func (g golden) names() []string {
	var out []string
	for _, f := range g.files {
		out = append(out, f.Name)
	}
	return out
}

// write writes the golden anew: the files that it lists, or all.
func (g golden) write(t *testing.T) {
	t.Helper()
	wanted := map[string]bool{}
	out := txtar.Archive{Comment: g.archive.Comment}
	for _, file := range g.archive.Files {
		name, ok := strings.CutPrefix(file.Name, "want/")
		if !ok {
			out.Files = append(out.Files, file)
			continue
		}
		wanted[name] = true
	}
	for _, name := range append(g.names(), "diag.txt") {
		if wanted[name] || len(wanted) == 0 && name != "diag.txt" {
			content, _ := g.got(name)
			out.Files = append(out.Files, txtar.File{Name: "want/" + name, Data: content})
		}
	}
	if err := os.WriteFile(filepath.Join(goldens, g.name+".txtar"), txtar.Format(&out), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkModule runs the go command over a module of all goldens' packages.
func checkModule(t *testing.T, all []golden, args ...string) {
	t.Helper()
	run(t, writeModule(t, all), "go", args...)
}

// writeModule writes a package a golden into a temporary module.
func writeModule(t *testing.T, all []golden) string {
	t.Helper()
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod := fmt.Sprintf("module example.invalid/goldens\n\ngo 1.26.0\n\nrequire github.com/resgen-dev/resgen v0.0.0\n\nrequire github.com/go-json-experiment/json %s\n\nreplace github.com/resgen-dev/resgen => %s\n", jsonVersion(t), checkout)
	write(t, filepath.Join(dir, "go.mod"), []byte(mod))
	sum, err := os.ReadFile(root + "/go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), sum)
	for _, g := range all {
		for _, f := range g.files {
			write(t, filepath.Join(dir, strings.ReplaceAll(g.name, "-", ""), f.Name), f.Content)
		}
	}
	return dir
}

// jsonVersion is the version of the JSON module that this checkout requires.
func jsonVersion(t *testing.T) string {
	t.Helper()
	mod, err := os.ReadFile(root + "/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(mod), "github.com/go-json-experiment/json ")
	return strings.Fields(rest)[0]
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
}

// diff shows the first lines that differ.
func diff(want, got []byte) string {
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range max(len(w), len(g)) {
		if i >= len(w) || i >= len(g) || w[i] != g[i] {
			return fmt.Sprintf("from line %d\nwant:\n%s\ngot:\n%s", i+1, excerpt(w, i), excerpt(g, i))
		}
	}
	return ""
}

func excerpt(lines []string, from int) string {
	from = min(from, len(lines))
	return strings.Join(lines[from:min(from+8, len(lines))], "\n")
}
