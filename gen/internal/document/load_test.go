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
