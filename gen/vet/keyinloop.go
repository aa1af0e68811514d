package vet

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
)

// KeyInLoop reports idempotency keys that are made anew for each repeat.
var KeyInLoop = &analysis.Analyzer{
	Name: "keyinloop",
	Doc: `report idempotency keys made inside the loop that repeats the call

A key tells the server that two requests are one. Made inside the loop, each
try has another, and the write happens again.`,
	Requires: []*analysis.Analyzer{operationsAnalyzer, repetitionsAnalyzer},
	Run:      runKeyInLoop,
}

func runKeyInLoop(pass *analysis.Pass) (any, error) {
	ops := pass.ResultOf[operationsAnalyzer].(*operations)
	reported := map[ast.Expr]bool{}
	for _, rep := range pass.ResultOf[repetitionsAnalyzer].([]repetition) {
		visit := func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			key := ops.keyArgument(call)
			if key == nil || reported[key] || rep.differs != nil && rep.differs(call) {
				return
			}
			if ops.madeInside(rep.body, key) || !within(rep.body, call.Pos()) && ops.madeAround(call, key) {
				reported[key] = true
				pass.Reportf(key.Pos(), "the idempotency key of %s is made again for each try (it is repeated %s); make it once, outside", callee(pass, call).Name(), rep.how)
			}
		}
		if rep.calls == nil {
			ops.run(rep.body, visit)
		}
		for _, call := range rep.calls {
			ops.run(call, visit)
		}
	}
	return nil, nil
}
