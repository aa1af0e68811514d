// Package diag holds what resgen says about a user's files: positions,
// diagnostics and their list.
//
// A user's mistake is a Diagnostic with a position. A Go error means that the
// world (a disk, a pipe) or resgen itself failed.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Pos is a place in a file that the user wrote. The zero Pos is no place.
type Pos struct {
	File string // as displayed: relative to the working directory where possible, with forward slashes
	Line int    // from 1
	Col  int    // from 1, in characters
}

// IsValid reports whether the position names a file.
func (p Pos) IsValid() bool { return p.File != "" }

// String is file:line:col, or just the file where the line is unknown.
func (p Pos) String() string {
	switch {
	case p.File == "":
		return "-"
	case p.Line == 0:
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Compare orders by file, line and column.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// A Severity says what a diagnostic does to a run.
type Severity int

// The severities. The zero Severity is not valid.
const (
	_     Severity = iota
	Info           // shown with --verbose
	Warn           // shown; the run goes on
	Error          // shown; nothing is written
)

// String is the word that messages use.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warn:
		return "warning"
	case Error:
		return "error"
	}
	panic(fmt.Sprintf("diag: severity %d", int(s)))
}

// A Related is a second place that a diagnostic speaks of.
type Related struct {
	Pos     Pos
	Message string
}

// A Diagnostic is one thing that resgen has to say about the input. Message is
// lower case and names the value found and what was wanted; Hint is an
// imperative, or empty.
type Diagnostic struct {
	Pos      Pos
	Severity Severity
	Code     string // a rule (RG001) or a kind of mend (dangling-ref); never empty
	Message  string
	Hint     string
	Related  []Related
	Subjects []string // what it is about where that may be several things ("POST /charges"), each as it would be named alone; else nil
}

// String is the one-line form: position, severity, message and code.
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s: %s: %s [%s]", d.Pos, d.Severity, d.Message, d.Code)
}

// A List collects diagnostics. The zero List is empty and ready to use. It is
// not safe for concurrent use.
type List []Diagnostic

// Add appends d.
func (l *List) Add(d Diagnostic) { *l = append(*l, d) }

// Errorf appends an error and returns it for a hint or related places.
// The pointer is valid until the next addition.
func (l *List) Errorf(pos Pos, code, format string, args ...any) *Diagnostic {
	return l.addf(Error, pos, code, format, args)
}

// Warnf appends a warning; see Errorf.
func (l *List) Warnf(pos Pos, code, format string, args ...any) *Diagnostic {
	return l.addf(Warn, pos, code, format, args)
}

// Infof appends an info; see Errorf.
func (l *List) Infof(pos Pos, code, format string, args ...any) *Diagnostic {
	return l.addf(Info, pos, code, format, args)
}

func (l *List) addf(s Severity, pos Pos, code, format string, args []any) *Diagnostic {
	*l = append(*l, Diagnostic{Pos: pos, Severity: s, Code: code, Message: fmt.Sprintf(format, args...)})
	return &(*l)[len(*l)-1]
}

// WithHint sets the hint.
func (d *Diagnostic) WithHint(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// WithRelated adds a second place.
func (d *Diagnostic) WithRelated(pos Pos, format string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Related{Pos: pos, Message: fmt.Sprintf(format, args...)})
	return d
}

// HasErrors reports whether an error is among the diagnostics.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Count returns how many diagnostics have the severity.
func (l List) Count(s Severity) int {
	n := 0
	for _, d := range l {
		if d.Severity == s {
			n++
		}
	}
	return n
}

// Sorted returns the diagnostics ordered by position, then severity (errors
// first), code and message, without exact repeats. The receiver is unchanged.
func (l List) Sorted() List {
	out := slices.Clone(l)
	slices.SortStableFunc(out, compare)
	return slices.CompactFunc(out, func(a, b Diagnostic) bool { return compare(a, b) == 0 && a.Hint == b.Hint })
}

func compare(a, b Diagnostic) int {
	return cmp.Or(
		a.Pos.Compare(b.Pos),
		cmp.Compare(b.Severity, a.Severity),
		strings.Compare(a.Code, b.Code),
		strings.Compare(a.Message, b.Message),
	)
}
