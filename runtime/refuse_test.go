package runtime_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestMisuseDoesNotCompile type-checks testdata/refuse: the compiler says what
// the want comments say, on their lines, and nothing else.
func TestMisuseDoesNotCompile(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "testdata/refuse/options.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	wants := map[int]*regexp.Regexp{}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if text, ok := strings.CutPrefix(c.Text, "// want "); ok {
				wants[fset.Position(c.Pos()).Line] = regexp.MustCompile(strings.Trim(text, `"`))
			}
		}
	}
	config := types.Config{
		Importer: importer.ForCompiler(fset, "gc", exportData(t)),
		Error: func(err error) {
			e, ok := err.(types.Error)
			if !ok {
				t.Fatalf("error of type %T", err)
			}
			line := fset.Position(e.Pos).Line
			if want := wants[line]; want == nil || !want.MatchString(e.Msg) {
				t.Errorf("line %d: %s; want %v", line, e.Msg, want)
			}
			delete(wants, line)
		},
	}
	_, _ = config.Check("refuse", fset, []*ast.File{file}, nil) // its errors went to Error
	for line, want := range wants {
		t.Errorf("line %d compiles; want %q", line, want)
	}
}

// exportData finds what the build cache holds of the packages that are imported.
func exportData(t *testing.T) importer.Lookup {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", ".")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}
