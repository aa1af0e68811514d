package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// ClientScope reports generated clients that are made for each request or turn.
var ClientScope = &analysis.Analyzer{
	Name: "clientscope",
	Doc: `report clients made inside a handler or a loop

A client holds the circuit, the bulkhead and the retry budget of a dependency.
Made for each request it starts with all of them fresh: no circuit ever opens,
and no limit holds. Make one for each dependency and process.`,
	Requires: []*analysis.Analyzer{operationsAnalyzer, inspect.Analyzer},
	Run:      runClientScope,
}

func runClientScope(pass *analysis.Pass) (any, error) {
	ops := pass.ResultOf[operationsAnalyzer].(*operations)
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	for cur := range in.Root().Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		fn := callee(pass, call)
		if fn == nil || fn.Name() != "NewClient" || !ops.isClient(fn.Pkg()) {
			continue
		}
		if where := perRequest(pass, cur); where != "" {
			pass.Reportf(call.Pos(), "a client of %s is made in %s: its circuit, bulkhead and retry budget start anew each time; make one for the process and share it", fn.Pkg().Name(), where)
		}
	}
	return nil, nil
}

// perRequest says where a place runs again and again: in a loop or in a handler.
func perRequest(pass *analysis.Pass, cur inspector.Cursor) string {
	child := cur.Node()
	for c := cur.Parent(); c.Node() != nil; c = c.Parent() {
		switch n := c.Node().(type) {
		case *ast.ForStmt:
			if child != n.Init {
				return "a loop"
			}
		case *ast.RangeStmt:
			if child == n.Body {
				return "a loop"
			}
		case *ast.FuncLit:
			if handles(pass, n.Type) {
				return "a request handler"
			}
		case *ast.FuncDecl:
			if handles(pass, n.Type) {
				return "a request handler"
			}
			return ""
		}
		child = c.Node()
	}
	return ""
}

// handles reports whether a function has a *net/http.Request to handle.
func handles(pass *analysis.Pass, typ *ast.FuncType) bool {
	for _, field := range typ.Params.List {
		if isRequest(pass.TypesInfo.TypeOf(field.Type)) {
			return true
		}
	}
	return false
}

func isRequest(t types.Type) bool {
	ptr, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := ptr.Elem().(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "net/http" && named.Obj().Name() == "Request"
}
