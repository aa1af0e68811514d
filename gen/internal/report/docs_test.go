package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the pages of the documentation that are made")

func TestDocs(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	for name, make := range map[string]func(io.Writer) error{
		"annotations.md": func(w io.Writer) error {
			example, err := os.ReadFile(filepath.Join(root, "testdata", "openapi", "example.yaml"))
			if err != nil {
				return err
			}
			return AnnotationsPage(w, string(example))
		},
		"defaults.md": DefaultsPage,
		"rules.md":    RulesPage,
	} {
		var want bytes.Buffer
		if err := make(&want); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		path := filepath.Join(root, "docs", name)
		if *update {
			if err := os.WriteFile(path, want.Bytes(), 0o644); err != nil {
				t.Error(err)
			}
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("docs/%s is not what the tables make of it; run: make generate", name)
		}
	}
}
