package document

import (
	"os"
	"path/filepath"
	"testing"
)

// specsFolder is where the real specs are; the test is skipped without them.
func specsFolder(tb testing.TB) string { return sharedFolder(tb, "RESGEN_SPECS", "specs") }

// casesFolder is where the small cases are; the test is skipped without them.
func casesFolder(tb testing.TB) string { return sharedFolder(tb, "RESGEN_CASES", "cases") }

func sharedFolder(tb testing.TB, variable, name string) string {
	dir := os.Getenv(variable)
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", name)
	}
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no %s in %s: set %s", name, dir, variable)
	}
	return dir
}

func BenchmarkLoad(b *testing.B) {
	for _, file := range []string{"github.json", "openai.yaml", "square.json", "digitalocean/specification/DigitalOcean-public.v2.yaml"} {
		b.Run(filepath.Base(file), func(b *testing.B) {
			entry := filepath.Join(specsFolder(b), file)
			b.ReportAllocs()
			for b.Loop() {
				doc, ds, err := Load(entry, Options{})
				if err != nil || doc == nil {
					b.Fatalf("Load: %v\n%v", err, ds)
				}
			}
		})
	}
}

// BenchmarkLoadOverlay applies five actions, with filters and descents, to
// GitHub's description.
func BenchmarkLoadOverlay(b *testing.B) {
	overlay := filepath.Join(b.TempDir(), "o.yaml")
	text := `overlay: 1.1.0
info: {title: o, version: '1'}
actions:
  - {target: $, update: {x-resilience: {criticality: standard}}}
  - {target: '$.paths.*.get', update: {x-resilience: {timeout: {attempt: 1s}}}}
  - {target: "$.paths.*[?@.operationId=='repos/get']", update: {x-resilience: {timeout: {total: 3s}}}}
  - {target: "$..[?@.deprecated==true]", update: {x-a: 1}}
  - {target: "$..['x-github']", remove: true}
`
	if err := os.WriteFile(overlay, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	entry := filepath.Join(specsFolder(b), "github.json")
	b.ReportAllocs()
	for b.Loop() {
		doc, ds, err := Load(entry, Options{Overlays: []string{overlay}})
		if err != nil || doc == nil || ds.HasErrors() {
			b.Fatalf("Load: %v\n%v", err, ds)
		}
	}
}
