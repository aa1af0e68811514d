// Package gen is the library behind the resgen command: it runs the stages in
// order and hands their results to the world.
//
// Data flows one way. Each stage is a function that takes the last value and
// returns a new one, changing nothing it was given:
//
//	files -> document.Load     one tree: parsed, overlaid, bundled, mended, with positions
//	      -> openapi.Lower     the API: operations, parameters, types, with their Go names
//	      -> policy.Resolve    the plan: every leaf of every operation's policy, with its origin
//	      -> rules.Check       what is not accepted
//	      -> golang.Files      the client
//	         report.Record     policy.gen.yaml
//	      -> Output.Write      all files, or none
//
// What a user got wrong is a Diagnostic with a position; a Go error means that
// the world (a disk, a pipe) or resgen itself failed. Everything found is
// reported at once, sorted; while an error stands nothing is written.
//
// Output is a function of the input: no clock, no map order, no line numbers.
package gen
