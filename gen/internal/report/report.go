// Package report makes everything that is not Go: diagnostics as people and
// machines read them, the policy file, what explain shows. It turns values of
// the other packages into views and executes the templates over them.
package report

import (
	"fmt"
	"io"
	"text/template"

	"github.com/resgen-dev/resgen/templates"
)

// execute writes a template filled with a view, in a palette.
func execute(w io.Writer, name string, p Palette, view any) error {
	return executeWith(w, name, p.funcs(), view)
}

// executeWith writes a template filled with a view. A template that cannot be
// parsed is a fault of ours that any test of its report shows.
func executeWith(w io.Writer, name string, funcs template.FuncMap, view any) error {
	t, err := template.New(name).Funcs(funcs).ParseFS(templates.Files, name)
	if err != nil {
		panic(fmt.Sprintf("report: template %s: %v", name, err))
	}
	if err := t.Execute(w, view); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
