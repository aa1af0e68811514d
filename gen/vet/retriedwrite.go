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
	reported := map[ast.Node]bool{}
	for _, rep := range pass.ResultOf[repetitionsAnalyzer].([]repetition) {
		for _, w := range repeatedWrites(ops, rep) {
			if reported[w.at] {
				continue
			}
			reported[w.at] = true
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

func repeatedWrites(ops *operations, rep repetition) []sentWrite {
	if rep.calls == nil {
		return ops.sent(rep.body)
	}
	var out []sentWrite
	for _, call := range rep.calls {
		for _, w := range ops.sent(call) {
			if w.call == nil || rep.differs == nil || !rep.differs(w.call) {
				out = append(out, w)
			}
		}
	}
	return out
}
