//go:build corpus

package corpus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/cases"
	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A result is a line of the table.
type result struct {
	spec              string
	operations, types int
	warnings          map[string]int
	lines             int
	gen, build        cost
	called            int
	wrong             []string
}

// TestCorpus takes every real specification all the way.
func TestCorpus(t *testing.T) {
	root, dir, names := specs(t)
	work := t.TempDir()
	resgen := filepath.Join(work, "resgen")
	if _, text, err := run(root, "go", "build", "-o", resgen, "./cmd/resgen"); err != nil {
		t.Fatal(text)
	}
	modDir := filepath.Join(work, "module")
	if err := os.Mkdir(modDir, 0o755); err != nil {
		t.Fatal(err)
	}
	module, err := cases.NewModule(modDir, root)
	if err != nil {
		t.Fatal(err)
	}
	var results []*result
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			r := &result{spec: name}
			results = append(results, r)
			r.take(t, module, modDir, resgen, filepath.Join(dir, name), fmt.Sprintf("spec%d", i))
			for _, w := range r.wrong {
				t.Error(w)
			}
		})
	}
	print(results)
}

// take generates, builds, vets and calls one specification's client.
func (r *result) take(t *testing.T, module *cases.Module, modDir, resgen, spec, pkg string) {
	client, err := cases.Generate(spec)
	if err != nil {
		t.Fatal(err)
	}
	r.warnings = counts(client.Diagnostics)
	if client.Plan == nil {
		t.Fatalf("generation stopped:\n%s", texts(client.Diagnostics, diag.Error))
	}
	r.operations, r.types = len(client.Plan.Operations), len(client.Plan.API.Types)
	out := filepath.Join(modDir, pkg, "client")
	if err := module.Add(pkg, client); err != nil {
		t.Fatal(err)
	}
	for _, f := range client.Files {
		r.lines += strings.Count(string(f.Content), "\n")
	}
	again := filepath.Join(t.TempDir(), "client")
	var text string
	r.gen, text, err = run(filepath.Dir(spec), resgen, "generate", filepath.Base(spec), "--out", again, "--package", "client", "--quiet")
	if err != nil {
		t.Fatalf("resgen generate: %s", text)
	}
	r.wrong = append(r.wrong, differences(out, again)...)
	if r.build, text, err = run(modDir, "go", "build", "./"+pkg+"/client"); err != nil {
		t.Fatalf("the client does not compile:\n%s", text)
	}
	if _, text, err := run(modDir, "go", "vet", "./"+pkg+"/client"); err != nil {
		r.wrong = append(r.wrong, "go vet:\n"+text)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	if broken, err := module.Build(ctx, []string{pkg}); err != nil || len(broken) > 0 {
		t.Fatalf("the driver does not compile: %v %v", broken, err)
	}
	r.call(ctx, module, pkg, client)
}

// differences lists the Go files of two folders that are not the same: one run
// of the generator wrote them in this process, the other in its own.
func differences(a, b string) (out []string) {
	files, err := filepath.Glob(filepath.Join(a, "*.go"))
	if err != nil {
		return []string{err.Error()}
	}
	for _, path := range files {
		x, err := os.ReadFile(path)
		if err != nil {
			return []string{err.Error()}
		}
		y, err := os.ReadFile(filepath.Join(b, filepath.Base(path)))
		if err != nil || string(x) != string(y) {
			out = append(out, filepath.Base(path)+" is not the same in two runs")
		}
		if lines := strings.Count(string(x), "\n"); lines > 10_000 {
			out = append(out, fmt.Sprintf("%s has %d lines, want at most 10,000", filepath.Base(path), lines))
		}
	}
	return out
}
