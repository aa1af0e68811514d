package rules_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// FuzzCheck holds that the rules judge every document that has no mistake:
// without a panic, with findings that lie inside the file and name a way out.
func FuzzCheck(f *testing.F) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.Count(file.Name, ".") == 1 {
				f.Add(file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		spec := filepath.Join(t.TempDir(), "spec.yaml")
		if err := os.WriteFile(spec, data, 0o666); err != nil {
			t.Fatal(err)
		}
		doc, ds, err := document.Load(spec, document.Options{})
		if err != nil || doc == nil || ds.HasErrors() {
			return
		}
		api, more := openapi.Lower(doc)
		plan, last := policy.Resolve(doc, api, policy.Settings{Budget: 2 * time.Second})
		if more.HasErrors() || last.HasErrors() {
			return
		}
		lines := bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r")) + 1
		for _, d := range rules.Check(plan, rules.Config{Now: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}) {
			if d.Pos.Line < 1 || d.Pos.Line > lines || d.Pos.Col < 1 || d.Hint == "" || d.Code == "" {
				t.Errorf("%v with hint %q lies outside of the file's %d lines", d, d.Hint, lines)
			}
		}
	})
}
