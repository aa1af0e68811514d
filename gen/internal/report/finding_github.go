package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// GitHub writes findings as the workflow commands that GitHub Actions turns
// into annotations, a line each.
func GitHub(w io.Writer, findings []Finding) error {
	for _, f := range findings {
		var at string
		if f.Pos.IsValid() {
			at = "file=" + githubProperty(f.Pos.File)
			if f.Pos.Line > 0 {
				at += fmt.Sprintf(",line=%d,col=%d", f.Pos.Line, f.Pos.Col)
			}
			at += ","
		}
		if _, err := fmt.Fprintf(w, "::%s %stitle=%s::%s\n", githubCommand(f.Severity), at, githubProperty(f.title()), githubData(f.text())); err != nil {
			return err
		}
	}
	return nil
}

func githubCommand(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "error"
	case diag.Warn:
		return "warning"
	case diag.Info:
		return "notice"
	}
	panic(fmt.Sprintf("report: severity %d not handled", s))
}

// githubData escapes the text of a workflow command, so that a spec cannot
// begin another one.
func githubData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// githubProperty escapes the value of a property of a workflow command.
func githubProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubData(s))
}
