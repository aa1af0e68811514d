package gen

import "github.com/resgen-dev/resgen/gen/internal/diag"

// What resgen says about a user's files.
type (
	// A Pos is a place in a file that the user wrote.
	Pos = diag.Pos
	// A Severity says what a diagnostic does to a run.
	Severity = diag.Severity
	// A Related is a second place that a diagnostic speaks of.
	Related = diag.Related
	// A Diagnostic is one thing that resgen has to say about the input.
	Diagnostic = diag.Diagnostic
	// Diagnostics is a list of them.
	Diagnostics = diag.List
)

// The severities.
const (
	Info  = diag.Info  // shown with --verbose
	Warn  = diag.Warn  // shown; the run goes on
	Error = diag.Error // shown; nothing is written
)

// A Verdict says how resgen took the input. Its values are the command's exit
// statuses, plus one.
type Verdict int

// The verdicts. The zero Verdict is not valid.
const (
	_             Verdict = iota
	Accepted              // nothing stands against it
	Refused               // understood, and something in it is not accepted: rule errors, unsafe changes, stale output
	NotUnderstood         // flags, files, syntax, an annotation mistake: all that is found before the rules run
)
