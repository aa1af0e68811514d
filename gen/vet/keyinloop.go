package vet

import (
	"go/ast"
	"go/types"

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
		visit := func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || ops.class(callee(pass, call)) == "" {
				return true
			}
			key := keyArgument(pass, call)
			if key != nil && !reported[key] && madeInside(pass, rep.body, key) {
				reported[key] = true
				pass.Reportf(key.Pos(), "the idempotency key of %s is made again for each try (it is repeated %s); make it once, outside", callee(pass, call).Name(), rep.how)
			}
			return true
		}
		if rep.calls == nil {
			ast.Inspect(rep.body, visit)
		}
		for _, call := range rep.calls {
			ast.Inspect(call, visit)
		}
	}
	return nil, nil
}

// madeInside reports whether a key is another at each run of body: it comes
// from a call, or from a variable that body sets from one. rt.KeyFrom makes the
// same key from the same parts.
func madeInside(pass *analysis.Pass, body ast.Node, key ast.Expr) bool {
	made := false
	ast.Inspect(key, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if pass.TypesInfo.Types[n.Fun].IsType() {
				return true // a conversion
			}
			fn := callee(pass, n)
			if fn != nil && fn.Name() == "KeyFrom" && isRuntime(fn.Pkg()) {
				return true // as good as its parts
			}
			if fn == nil || isFresh(fn) || len(n.Args) == 0 {
				made = true
			}
		case *ast.Ident:
			if v, ok := pass.TypesInfo.Uses[n].(*types.Var); ok && within(body, v) {
				if counts(body, v) {
					made = true
				} else if init := initialiser(pass, body, v); init != nil && init != key && madeInside(pass, body, init) {
					made = true
				}
			}
		}
		return !made
	})
	return made
}

// isFresh reports whether a function is known to return something new at each
// call: random identifiers and clocks.
func isFresh(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "github.com/google/uuid", "github.com/gofrs/uuid", "github.com/rs/xid", "github.com/oklog/ulid", "github.com/segmentio/ksuid",
		"crypto/rand", "math/rand", "math/rand/v2", "time", runtimePath:
		return true
	}
	return false
}

func within(body ast.Node, v *types.Var) bool { return v.Pos() >= body.Pos() && v.Pos() < body.End() }

// counts reports whether a variable is one that the loop itself moves on.
func counts(body ast.Node, v *types.Var) bool {
	switch loop := body.(type) {
	case *ast.ForStmt:
		return v.Pos() < loop.Body.Pos()
	case *ast.RangeStmt:
		return v.Pos() < loop.Body.Pos()
	}
	return false
}

// initialiser is the expression that body gives a variable when it makes it.
func initialiser(pass *analysis.Pass, body ast.Node, v *types.Var) ast.Expr {
	var init ast.Expr
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if id, ok := lhs.(*ast.Ident); ok && pass.TypesInfo.Defs[id] == v {
					init = n.Rhs[min(i, len(n.Rhs)-1)]
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if pass.TypesInfo.Defs[id] == v && len(n.Values) > 0 {
					init = n.Values[min(i, len(n.Values)-1)]
				}
			}
		}
		return init == nil
	})
	return init
}
