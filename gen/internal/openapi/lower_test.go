package openapi_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
)

var update = flag.Bool("update", false, "write the goldens anew")

// TestLower compares the models of small documents with goldens: one construct
// an archive, named after it. lower holds what OpenAPI can say, warts what broke
// other generators in real specs, reports what their users reported.
func TestLower(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens found: %v", err)
	}
	for _, file := range files {
		absolute, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "testdata/"), ".txtar"), func(t *testing.T) { testArchive(t, absolute) })
	}
}

func testArchive(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	spec, i := archive.Files[0], 1
	model, said := lowerText(t, spec.Name, spec.Data)
	want := []txtar.File{spec, {Name: "want/model.txt", Data: []byte(model)}}
	if said != "" {
		want = append(want, txtar.File{Name: "want/diag.txt", Data: []byte(said)})
	}
	got := &txtar.Archive{Comment: archive.Comment, Files: want}
	if *update {
		if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(txtar.Format(got), txtar.Format(archive)) {
		t.Errorf("the model differs (go test -run TestLower -update writes it anew); got\n%s\nwant\n%s", txtar.Format(&txtar.Archive{Files: want[i:]}), txtar.Format(&txtar.Archive{Files: archive.Files[i:]}))
	}
}

// lowerText loads and lowers a document and describes what came of it.
func lowerText(t *testing.T, name string, data []byte) (model, said string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	doc, loaded, err := document.Load(name, document.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if doc == nil {
		t.Fatalf("%s does not load:\n%s", name, listed(loaded))
	}
	api, lowered := openapi.Lower(doc)
	again, _ := openapi.Lower(doc)
	checkModel(t, api)
	model = describe(api)
	if describe(again) != model {
		t.Error("lowering twice gives two models")
	}
	return model, listed(lowered)
}

func listed(ds diag.List) string {
	var b strings.Builder
	for _, d := range ds.Sorted() {
		fmt.Fprintln(&b, d)
		if d.Hint != "" {
			fmt.Fprintln(&b, "  hint:", d.Hint)
		}
		for _, r := range d.Related {
			fmt.Fprintf(&b, "  %s: %s\n", r.Pos, r.Message)
		}
	}
	return b.String()
}
