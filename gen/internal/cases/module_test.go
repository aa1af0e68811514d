package cases

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/cases/drive"
)

// TestOneThatDoesNotCompileFailsAlone holds that a broken client takes no other
// with it, though all that compile are linked into one program.
func TestOneThatDoesNotCompileFailsAlone(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	spec := filepath.Join(t.TempDir(), "spec.yaml")
	const text = `openapi: 3.0.3
info: {title: T, version: "1"}
paths: {/a: {get: {operationId: a, responses: {"204": {description: ok}}}}}
`
	if err := os.WriteFile(spec, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	client, err := Generate(spec)
	if err != nil || client.Plan == nil {
		t.Fatalf("generate: %v %v", err, client)
	}
	dir := t.TempDir()
	m, err := NewModule(dir, root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"good", "bad"} {
		if err := m.Add(name, client); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "bad", "client", "more.go"), []byte("package client\n\nvar x int = \"\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken, err := m.Build(t.Context(), []string{"bad", "good"})
	if err != nil || len(broken) != 1 || broken["bad"] == "" {
		t.Fatalf("broken = %v, %v; want bad alone", broken, err)
	}
	report, err := m.Drive(t.Context(), "good", drive.Script{Calls: []drive.Call{}})
	if err != nil || len(report.Calls) != 0 {
		t.Errorf("drive the good one: %v, %v", report, err)
	}
	if _, err := m.Drive(t.Context(), "bad", drive.Script{}); err == nil {
		t.Error("the bad one was driven")
	}
}
