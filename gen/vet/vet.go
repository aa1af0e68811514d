// Package vet holds go/analysis analyzers for code that calls clients which
// resgen generated. They find the mistakes that undo what the generated policy
// protects: a write repeated from outside, a new idempotency key for each try,
// a raw call beside the client, a client for each request, a lost deadline.
//
// Generated code tells them what they need to know in directive comments:
//
//	//resgen:operation class=unsafe     on each operation's method
//	//resgen:server https://api.example.com     in the client's file
//
// The analyzers keep no state of their own and can be run by any driver
// (`resgen vet`, go vet -vettool, golangci-lint).
package vet

import (
	"golang.org/x/tools/go/analysis"
)

// Analyzers are all analyzers of this package, in the order of their names.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{ClientScope, KeyInLoop, LostContext, RawHTTP, RetriedWrite}
}
