package gen

import (
	"fmt"
	"io"

	"github.com/resgen-dev/resgen/gen/internal/report"
)

// A Palette colours text for the place where it is shown.
type Palette = report.Palette

// The palettes.
const (
	Plain = report.Plain // files, pipes, NO_COLOR
	ANSI  = report.ANSI  // terminals
)

// A TextStyle says how diagnostics are shown to people.
type TextStyle = report.Text

// PrintDiagnostics writes diagnostics as people read them: position, message,
// the line at fault with a caret, related places, hint.
func PrintDiagnostics(w io.Writer, list Diagnostics, how TextStyle) error {
	return report.Diagnostics(w, list, how)
}

// PrintChanges writes a line a changed file: "create internal/x/client.gen.go".
func PrintChanges(w io.Writer, o *Output) error {
	for _, c := range o.Changes {
		if _, err := fmt.Fprintf(w, "%s %s\n", c.Kind, c.Path); err != nil {
			return err
		}
	}
	return nil
}

// PrintSummary says what was generated, a line or two a client.
func PrintSummary(w io.Writer, o *Output, p Palette) error {
	return report.Summary(w, o.clients, p)
}
