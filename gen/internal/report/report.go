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

// execute writes a template filled with a view.
func execute(w io.Writer, name string, p Palette, view any) error {
	t, err := template.New(name).Funcs(p.funcs()).ParseFS(templates.Files, name)
	if err != nil {
		panic(fmt.Sprintf("report: template %s: %v", name, err)) // embedded: a fault of ours that any test of the report shows
	}
	if err := t.Execute(w, view); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
