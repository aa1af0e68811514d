package openapi_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/sample"
)

// FuzzLower holds that whatever loads lowers without a panic, into a model that
// the stages after it can rely on, and whose values can be made.
func FuzzLower(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(archive.Files[0].Data)
	}
	f.Fuzz(func(t *testing.T, spec []byte) {
		file := filepath.Join(t.TempDir(), "openapi.yaml")
		if err := os.WriteFile(file, spec, 0o600); err != nil {
			t.Fatal(err)
		}
		doc, _, err := document.Load(file, document.Options{})
		if err != nil || doc == nil {
			return // refused
		}
		api, ds := openapi.Lower(doc)
		checkModel(t, api)
		for _, d := range ds {
			if d.Code == "" || d.Message == "" || !d.Pos.IsValid() {
				t.Errorf("diagnostic without code, message or position: %v", d)
			}
		}
		m := sample.New(api)
		for _, typ := range api.Types {
			m.JSON(typ, sample.Request, sample.Minimal)
		}
	})
}
