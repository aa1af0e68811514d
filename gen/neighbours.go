package gen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// otherPackage finds Go files of another package in a client's folder: beside
// them the client would not compile. Tests may be of a package of their own,
// and files with a build constraint of any.
func otherPackage(folder, name string) diag.List {
	var ds diag.List
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil // compare says so
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || filepath.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		full := filepath.Join(folder, e.Name())
		content, err := os.ReadFile(full)
		if err != nil || isOurs(content) {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, full, content, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil || constrained(f) || f.Name.Name == name {
			continue // what does not parse is for the compiler to tell
		}
		at := fset.Position(f.Name.Pos())
		ds.Errorf(diag.Pos{File: filepath.ToSlash(full), Line: at.Line, Col: at.Column}, "other-package",
			"the file is of package %s, and the client beside it would be of package %s; want one package in a folder", f.Name.Name, name).
			WithHint("choose another out, or name the client's package %s", f.Name.Name)
	}
	return ds
}

// constrained reports whether a build constraint stands above the package
// clause.
func constrained(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Package && strings.HasPrefix(c.Text, "//go:build ") {
				return true
			}
		}
	}
	return false
}
