package report

import (
	"io"
	"strconv"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// Text says how diagnostics are shown to people.
type Text struct {
	Palette Palette
	Least   diag.Severity // less severe ones are left out
	Repeats int           // diagnostics of one code, below error, before "and N more"; 0: all
}

// Diagnostics writes diagnostics as people read them, the gravest last, where
// the eye is: position, severity, message, the line at fault with a caret,
// related places and the hint. Errors are never collapsed.
func Diagnostics(w io.Writer, list diag.List, how Text) error {
	src := newSources()
	var view diagnosticsView
	shown := map[string]int{}
	left := map[string]int{}
	var order []string
	for severity := how.Least; severity <= diag.Error; severity++ {
		for _, d := range list.Sorted() {
			if d.Severity != severity {
				continue
			}
			if how.Repeats > 0 && severity < diag.Error && shown[d.Code] >= how.Repeats {
				if left[d.Code]++; left[d.Code] == 1 {
					order = append(order, d.Code)
				}
				continue
			}
			shown[d.Code]++
			view.Entries = append(view.Entries, entry(d, src, how.Repeats > 0))
		}
		if severity < diag.Error {
			for _, code := range order {
				view.More = append(view.More, more{Code: code, Count: left[code]})
			}
			if err := execute(w, "diagnostics.txt.tmpl", how.Palette, view); err != nil {
				return err
			}
			view, order = diagnosticsView{}, nil
			clear(left)
			clear(shown)
		}
	}
	return execute(w, "diagnostics.txt.tmpl", how.Palette, view)
}

type diagnosticsView struct {
	Entries []diagnosticView
	More    []more
}

type diagnosticView struct {
	Pos, Severity, Message, Code, Hint string
	Excerpt                            *excerpt
	Related                            []relatedView
}

type relatedView struct{ Pos, Message string }

type more struct {
	Code  string
	Count int
}

// An excerpt is a line of a source with a caret beneath.
type excerpt struct{ Gutter, Blank, Line, Caret string }

func entry(d diag.Diagnostic, src *sources, short bool) diagnosticView {
	v := diagnosticView{Pos: place(d.Pos), Severity: d.Severity.String(), Message: printable(d.Message), Code: d.Code, Hint: printable(d.Hint)}
	if line, column, ok := src.excerpt(d.Pos); ok {
		number := strconv.Itoa(d.Pos.Line)
		gutter := strings.Repeat(" ", max(0, 5-len(number))) + number + " |"
		v.Excerpt = &excerpt{
			Gutter: gutter,
			Blank:  strings.Repeat(" ", len(gutter)-1) + "|",
			Line:   line,
			Caret:  strings.Repeat(" ", column) + "^",
		}
	}
	v.Related = relatedViews(d.Related, short)
	return v
}

// subjectsShown is how many of the operations that one finding is about are
// named as related places before "and N more".
const subjectsShown = 3

// relatedViews are related places; in short, of those that only say where the
// operations are which the finding is about, the first few.
func relatedViews(related []diag.Related, short bool) []relatedView {
	var out []relatedView
	subjects := 0
	for _, r := range related {
		if strings.HasSuffix(r.Message, " is declared here") {
			if subjects++; short && subjects > subjectsShown {
				continue
			}
		}
		out = append(out, relatedView{Pos: place(r.Pos), Message: printable(r.Message)})
	}
	if short && subjects > subjectsShown {
		out = append(out, relatedView{Message: "and " + strconv.Itoa(subjects-subjectsShown) + " more operations"})
	}
	return out
}

// place is a position as text, empty where there is none.
func place(p diag.Pos) string {
	if !p.IsValid() {
		return ""
	}
	return p.String()
}

// printable is text of a spec made harmless for a terminal: what could move
// the cursor becomes its escape.
func printable(s string) string {
	quoted := strings.Builder{}
	for _, r := range s {
		switch {
		case r == '\n':
			quoted.WriteString("\n    ")
		case r == '\t':
			quoted.WriteByte(' ')
		case strconv.IsPrint(r):
			quoted.WriteRune(r)
		default:
			q := strconv.QuoteRune(r)
			quoted.WriteString(q[1 : len(q)-1])
		}
	}
	return quoted.String()
}
