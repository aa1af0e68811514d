package gen

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/report"
)

// LintFormats are the forms in which Linted can be printed.
func LintFormats() []string {
	return []string{"text", "json", "sarif", "github", "gitlab", "markdown"}
}

// Print writes the findings in one of the LintFormats. What text leaves out,
// infos unless asked for, the other forms leave out too, but for json, which
// holds everything. The forms that a code host reads name files from the root
// of the repository in which the working directory lies, as it does.
func (l *Linted) Print(w io.Writer, format string, how TextStyle) error {
	shown := report.Least(l.Findings, how.Least)
	switch format {
	case "text":
		return report.Diagnostics(w, diagnosticsOf(l.Findings), how)
	case "json":
		return report.JSON(w, l.Findings)
	case "sarif":
		return report.SARIF(w, shown, Version(), fromRepository())
	case "github":
		return report.GitHub(w, report.Renamed(shown, fromRepository()))
	case "gitlab":
		return report.GitLab(w, report.Renamed(shown, fromRepository()))
	case "markdown":
		return report.Markdown(w, shown)
	}
	return fmt.Errorf("format %q is none of %v", format, LintFormats())
}

// fromRepository gives a displayed file's name as seen from the root of the
// repository around the working directory; without one, or for a file outside
// of it, as it is.
func fromRepository() func(string) string {
	unchanged := func(name string) string { return name }
	folder, err := os.Getwd()
	if err != nil {
		return unchanged
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
			break
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return unchanged
		}
		folder = parent
	}
	return func(name string) string {
		if rel := relative(folder, name); name != "" && rel != ".." && !strings.HasPrefix(rel, "../") {
			return rel
		}
		return name
	}
}

// Counts is a line about how many findings there are.
func (l *Linted) Counts() string {
	list := diagnosticsOf(l.Findings)
	text := fmt.Sprintf("%s, %s, %s", plural(list.Count(Error), "error"), plural(list.Count(Warn), "warning"), plural(list.Count(Info), "info"))
	if l.Known > 0 {
		text += fmt.Sprintf("; %d known left out", l.Known)
	}
	return text
}

func diagnosticsOf(findings []Finding) diag.List {
	list := make(diag.List, 0, len(findings))
	for _, f := range findings {
		list = append(list, f.Diagnostic)
	}
	return list
}

// plural is a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
