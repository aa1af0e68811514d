package vet

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
)

// RetriedWrite reports writes of generated clients that code around them sends
// again when they fail: in a loop, or through a retry helper.
var RetriedWrite = &analysis.Analyzer{
	Name: "retriedwrite",
	Doc: `report writes of a generated client that are repeated from outside

An operation of class unsafe reaches the server at most once for each call. A
loop or a retry helper around the call undoes that: after a lost answer the
write happens twice. A keyed operation is repeated by the client itself, under
one key; called again it makes another key, and the provider takes it for
another write.`,
	Requires: []*analysis.Analyzer{operationsAnalyzer, repetitionsAnalyzer},
	Run:      runRetriedWrite,
}

func runRetriedWrite(pass *analysis.Pass) (any, error) {
	ops := pass.ResultOf[operationsAnalyzer].(*operations)
	reported := map[*ast.CallExpr]bool{}
	for _, rep := range pass.ResultOf[repetitionsAnalyzer].([]repetition) {
		for _, w := range repeatedWrites(pass, ops, rep) {
			if w.call != nil && reported[w.call] {
				continue
			}
			reported[w.call] = true
			switch w.fact.Class {
			case classUnsafe:
				pass.Reportf(w.at.Pos(), "%s is repeated %s, but it is an unsafe write: the server may act on each call; call it once, or give it an idempotency key in the spec", w.fact.Operation, rep.how)
			case classKeyed:
				pass.Reportf(w.at.Pos(), "%s is repeated %s, each time under a new idempotency key: the server may act on each call; leave the retries to the client, or pass rt.WithIdempotencyKey with a key made outside", w.fact.Operation, rep.how)
			}
		}
	}
	return nil, nil
}

// A repeatedWrite is a write that a repetition sends again.
type repeatedWrite struct {
	fact writeFact
	at   ast.Node
	call *ast.CallExpr // nil where the repetition is given the operation itself
}

func repeatedWrites(pass *analysis.Pass, ops *operations, rep repetition) []repeatedWrite {
	var out []repeatedWrite
	if e, ok := rep.body.(ast.Expr); ok { // retry.Do(client.CreateRefund)
		if w, ok := ops.write(funcOf(pass, e)); ok {
			out = append(out, repeatedWrite{w, e, nil})
		}
		return out
	}
	if rep.calls == nil {
		if w, call, ok := firstWrite(pass, ops, rep.body); ok {
			out = append(out, repeatedWrite{w, call, call})
		}
		return out
	}
	for _, call := range rep.calls {
		if w, inner, ok := firstWrite(pass, ops, call); ok {
			out = append(out, repeatedWrite{w, inner, inner})
		}
	}
	return out
}
