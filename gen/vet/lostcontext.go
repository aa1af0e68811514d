package vet

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// LostContext reports calls of operations with a background context where the
// caller's own is at hand.
var LostContext = &analysis.Analyzer{
	Name: "lostcontext",
	Doc: `report context.Background() given to an operation where a request's context is at hand

The deadline and the cancellation of the request travel in its context. With
another one the call goes on when nobody waits for it any more, and holds a
slot of the bulkhead meanwhile.`,
	Requires: []*analysis.Analyzer{operationsAnalyzer, inspect.Analyzer},
	Run:      runLostContext,
}

func runLostContext(pass *analysis.Pass) (any, error) {
	ops := pass.ResultOf[operationsAnalyzer].(*operations)
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	for cur := range in.Root().Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		fn := callee(pass, call)
		if ops.class(fn) == "" || len(call.Args) == 0 {
			continue
		}
		name := backgroundContext(pass, call.Args[0])
		if name == "" {
			continue
		}
		if have := contextAtHand(pass, cur); have != "" {
			pass.Reportf(call.Args[0].Pos(), "%s is called with context.%s() although %s is at hand: the caller's deadline and cancellation are lost", fn.Name(), name, have)
		}
	}
	return nil, nil
}

// backgroundContext is Background or TODO where the expression is a call of
// that, one derived from it, or a variable that is given nothing else; or empty.
func backgroundContext(pass *analysis.Pass, e ast.Expr) string {
	return backgroundBelow(pass, e, 0)
}

func backgroundBelow(pass *analysis.Pass, e ast.Expr, depth int) string {
	if depth > 8 {
		return ""
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return backgroundVariable(pass, e, depth)
	case *ast.CallExpr:
		fn := callee(pass, e)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "context" {
			return ""
		}
		switch {
		case fn.Name() == "Background" || fn.Name() == "TODO":
			return fn.Name()
		case strings.HasPrefix(fn.Name(), "With") && len(e.Args) > 0: // WithTimeout, WithValue, …
			return backgroundBelow(pass, e.Args[0], depth+1)
		}
	}
	return ""
}

func backgroundVariable(pass *analysis.Pass, id *ast.Ident, depth int) string {
	v := varOf(pass, id)
	if v == nil || v.Kind() != types.LocalVar {
		return "" // a parameter has a value of its own, a package's context is nobody's request
	}
	name := ""
	for _, file := range pass.Files {
		if !within(file, v.Pos()) {
			continue
		}
		for _, e := range given(pass, file, v) {
			if e == ast.Expr(id) {
				return ""
			}
			if name = backgroundBelow(pass, e, depth+1); name == "" {
				return ""
			}
		}
	}
	return name
}

// contextAtHand names the parameter of an enclosing function that carries the
// request's context. A goroutine started in it may well outlive the request:
// nothing is said of those.
func contextAtHand(pass *analysis.Pass, cur inspector.Cursor) string {
	for c := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil), (*ast.GoStmt)(nil)) {
		var typ *ast.FuncType
		switch n := c.Node().(type) {
		case *ast.GoStmt:
			return ""
		case *ast.FuncDecl:
			typ = n.Type
		case *ast.FuncLit:
			typ = n.Type
		}
		for _, field := range typ.Params.List {
			for _, name := range field.Names {
				switch t := pass.TypesInfo.TypeOf(field.Type); {
				case name.Name == "_":
				case isContext(t):
					return name.Name
				case isRequest(t):
					return name.Name + ".Context()"
				}
			}
		}
	}
	return ""
}
