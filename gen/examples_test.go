package gen

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestExamplesAreCurrent holds that generating the examples again changes
// nothing.
func TestExamplesAreCurrent(t *testing.T) {
	for _, file := range exampleConfigs(t) {
		out, err := Generate(exampleConfig(t, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range out.Diagnostics {
			if d.Severity > Info {
				t.Error(d)
			}
		}
		for _, c := range out.Changes {
			t.Errorf("%s %s; run: make generate", c.Kind, c.Path)
		}
	}
}

// TestExamplesAreCleanOfFindings holds that no rule finds more than an info in
// what our documents show.
func TestExamplesAreCleanOfFindings(t *testing.T) {
	configs := []*Config{{Version: 1, Clients: []Client{{Spec: filepath.Join("..", "testdata", "openapi", "example.yaml")}}}}
	for _, file := range exampleConfigs(t) {
		configs = append(configs, exampleConfig(t, file))
	}
	for _, c := range configs {
		linted, err := Lint(c, LintOptions{Now: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range linted.Findings {
			if f.Severity > Info {
				t.Error(f.Diagnostic)
			}
		}
	}
}

func exampleConfigs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "examples", "*", ConfigFile))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	return files
}

func exampleConfig(t *testing.T, file string) *Config {
	t.Helper()
	c, ds, err := ReadConfig(file)
	if err != nil || ds.HasErrors() {
		t.Fatalf("%s: %v %v", file, err, ds)
	}
	return c
}

// TestGeneratingIsAFunctionOfTheInput holds that the same input gives the same
// bytes, from another folder and with CRLF line ends too.
func TestGeneratingIsAFunctionOfTheInput(t *testing.T) {
	root := t.TempDir()
	spec, err := os.ReadFile(filepath.Join("..", "examples", "payments", "payments.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(root, "a", "payments.yaml"), string(spec))
	put(t, filepath.Join(root, "a", "resgen.yaml"), "version: 1\nclients: [{spec: payments.yaml, out: payments}]\n")
	crlf := ""
	for _, r := range string(spec) {
		if r == '\n' {
			crlf += "\r"
		}
		crlf += string(r)
	}
	put(t, filepath.Join(root, "b", "payments.yaml"), crlf)
	put(t, filepath.Join(root, "b", "resgen.yaml"), "version: 1\r\nclients: [{spec: payments.yaml, out: payments}]\r\n")
	write := func(file string) {
		out, err := Generate(exampleConfig(t, file))
		if err != nil || out.Verdict != Accepted {
			t.Fatalf("%s: %v %v", file, err, out.Diagnostics)
		}
		if err := out.Write(); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(root, "a", "resgen.yaml"))
	t.Chdir(filepath.Join(root, "b"))
	write("resgen.yaml")
	t.Chdir(root)
	files := tree(t)
	for name, content := range files {
		if other, ok := files["b"+name[1:]]; name[0] == 'a' && filepath.Ext(name) != "" && filepath.Dir(name) == "a/payments" && (!ok || other != content) {
			t.Errorf("%s differs from another folder with CRLF", name)
		}
	}
}
