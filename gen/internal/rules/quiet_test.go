package rules_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// moduleRoot is the module's folder, seen from this package.
const moduleRoot = "../../.."

// TestUnannotatedSpecs holds that no finding above info stands on a real spec
// that nobody annotated.
func TestUnannotatedSpecs(t *testing.T) {
	folder := os.Getenv("RESGEN_SPECS")
	if folder == "" {
		folder = filepath.Join(moduleRoot, "..", "shared", "specs")
	}
	specs := descriptions(t, folder)
	if len(specs) == 0 {
		t.Skipf("no specs in %s; set RESGEN_SPECS to a folder of OpenAPI descriptions", folder)
	}
	for _, spec := range specs {
		t.Run(filepath.Base(spec), func(t *testing.T) {
			doc, _, err := document.Load(spec, document.Options{})
			if err != nil || doc == nil {
				t.Fatalf("load: %v", err)
			}
			api, _ := openapi.Lower(doc)
			plan, ds := policy.Resolve(doc, api, policy.Settings{})
			if len(plan.Operations) == 0 || ds.HasErrors() {
				t.Fatalf("%d operations, %v", len(plan.Operations), ds)
			}
			quiet(t, rules.Check(plan, rules.Config{}))
		})
	}
}

// callsItself finds the version with which an entry document begins, or which
// it bears further down where keys are sorted.
var callsItself = regexp.MustCompile(`(?m)^(openapi|swagger):|"(openapi|swagger)":\s*"[23]\.`)

// descriptions are the entry documents in a folder and below.
func descriptions(t *testing.T, folder string) []string {
	var out []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // where the folder is not there, there are no specs
		}
		switch filepath.Ext(path) {
		case ".json", ".yaml", ".yml":
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && callsItself.Match(text) {
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestDefaultColumns holds that the defaults of every criticality are free of
// findings, alone and with the time that callers give.
func TestDefaultColumns(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: Things, version: "1"}
servers: [{url: https://things.internal}]
x-resilience:
  criticality: CRITICALITY
  fallback: {kind: none, because: nothing serves instead}
paths:
  /things:
    get: {operationId: list, responses: {"200": {description: rows}}}
    post: {operationId: create, responses: {"201": {description: made}}}
    put: {operationId: replace, responses: {"204": {description: done}}}
    patch:
      operationId: change
      parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}]
      responses: {"204": {description: done}}
  /things/events:
    get: {operationId: watch, responses: {"200": {description: events, content: {text/event-stream: {}}}}}
`
	for _, criticality := range []string{"critical", "standard", "enhancement"} {
		for _, budget := range []string{"0s", "100ms", "1s", "4s", "1m"} {
			t.Run(criticality+"/"+budget, func(t *testing.T) {
				t.Chdir(t.TempDir())
				write(t, "spec.yaml", strings.ReplaceAll(document, "CRITICALITY", criticality))
				settings := policy.Settings{Budget: parsed(t, duration, budget)}
				quiet(t, rules.Check(resolved(t, "spec.yaml", nil, settings), rules.Config{}))
			})
		}
	}
}

// TestProjectDocuments holds that the annotated documents that the project
// shows, as files or in its pages, are free of findings above info.
func TestProjectDocuments(t *testing.T) {
	t.Chdir(moduleRoot)
	specs := append(descriptions(t, "examples"), "testdata/openapi/example.yaml")
	if len(specs) < 2 {
		t.Fatalf("found %v, want the examples' specs too", specs)
	}
	for _, spec := range specs {
		t.Run(spec, func(t *testing.T) {
			overlays, err := filepath.Glob(strings.TrimSuffix(spec, filepath.Ext(spec)) + ".overlay.yaml")
			if err != nil {
				t.Fatal(err)
			}
			quiet(t, rules.Check(resolved(t, spec, overlays, policy.Settings{}), rules.Config{}))
		})
	}
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "README.md") {
		if filepath.Base(page) == "rules.md" {
			continue // made from the archives, half of which are there to be found
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, spec := range fenced(string(text)) {
			t.Run(fmt.Sprintf("%s/%d", page, i), func(t *testing.T) {
				t.Chdir(t.TempDir())
				write(t, "spec.yaml", spec)
				quiet(t, rules.Check(resolved(t, "spec.yaml", nil, policy.Settings{}), rules.Config{}))
			})
		}
	}
}

// fenced are the whole OpenAPI descriptions in a page's fences.
func fenced(page string) []string {
	var out []string
	for _, part := range strings.Split(page, "```yaml\n")[1:] {
		text, _, _ := strings.Cut(part, "```")
		if strings.HasPrefix(text, "openapi:") {
			out = append(out, text)
		}
	}
	return out
}

// quiet fails on every finding above info.
func quiet(t *testing.T, found diag.List) {
	t.Helper()
	for _, d := range found {
		if d.Severity > diag.Info {
			t.Errorf("%v", d)
		}
	}
}
