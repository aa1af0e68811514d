package report

import (
	"io"
	"strings"
	"text/template"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// Markdown writes findings as a comment for a pull request: a table, the
// gravest first.
func Markdown(w io.Writer, findings []Finding) error {
	var view lintView
	for severity := diag.Error; severity >= diag.Info; severity-- {
		group := lintGroup{Title: strings.ToUpper(severity.String()[:1]) + severity.String()[1:] + "s"}
		for _, f := range findings {
			if f.Severity == severity {
				group.Rows = append(group.Rows, f)
			}
		}
		if len(group.Rows) > 0 {
			view.Groups = append(view.Groups, group)
		}
	}
	return executeMarkdown(w, "lint.md.tmpl", view)
}

type lintView struct{ Groups []lintGroup }

type lintGroup struct {
	Title string
	Rows  []Finding
}

// executeMarkdown is execute for templates whose text is Markdown.
func executeMarkdown(w io.Writer, name string, view any) error {
	return executeWith(w, name, template.FuncMap{"cell": cell, "count": count, "place": place, "join": strings.Join}, view)
}

// cell is text made harmless in a cell of a Markdown table: no markup of its
// own, no line breaks, no mentions.
func cell(s string) string {
	s = strings.Join(strings.Fields(printable(s)), " ")
	return strings.NewReplacer(
		`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "@", "@\u200b", "#", `\#`, "~", `\~`,
	).Replace(s)
}
