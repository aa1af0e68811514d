package report

import (
	"fmt"
	"io"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// GitLab writes findings as a GitLab code quality report.
func GitLab(w io.Writer, findings []Finding) error {
	out := []gitlabIssue{}
	for _, f := range findings {
		i := gitlabIssue{Description: f.text(), Check: f.Code, Fingerprint: f.Fingerprint, Severity: gitlabSeverity(f.Severity)}
		i.Location.Path = f.Pos.File
		i.Location.Lines.Begin = max(1, f.Pos.Line)
		out = append(out, i)
	}
	return indented(w, out)
}

type gitlabIssue struct {
	Description string `json:"description"`
	Check       string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

func gitlabSeverity(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "critical"
	case diag.Warn:
		return "minor"
	case diag.Info:
		return "info"
	}
	panic(fmt.Sprintf("report: severity %d not handled", s))
}
