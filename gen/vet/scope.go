package vet

import (
	"go/ast"
	"go/types"
	"strings"

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
		if fn == nil || fn.Name() != "NewClient" || !ops.isClient(fn.Pkg()) || inTest(pass, call) {
			continue
		}
		if where := perRequest(pass, cur); where != "" {
			pass.Reportf(call.Pos(), "a client of %s is made in %s: its circuit, bulkhead and retry budget start anew each time; make one for the process and share it", fn.Pkg().Name(), where)
		}
	}
	return nil, nil
}

// inTest reports whether a place is in a test file: each test has a client of
// its own.
func inTest(pass *analysis.Pass, n ast.Node) bool {
	return strings.HasSuffix(pass.Fset.Position(n.Pos()).Filename, "_test.go")
}

// perRequest says where a place runs again and again: in a loop or in a handler.
func perRequest(pass *analysis.Pass, cur inspector.Cursor) string {
	call := cur.Node().(*ast.CallExpr)
	child := cur.Node()
	for c := cur.Parent(); c.Node() != nil; c = c.Parent() {
		switch n := c.Node().(type) {
		case *ast.ForStmt:
			if child != n.Init && !perItem(pass, n, n.Body, call) {
				return "a loop"
			}
		case *ast.RangeStmt:
			if child == n.Body && !perItem(pass, n, n.Body, call) {
				return "a loop"
			}
		case *ast.CallExpr:
			if once(pass, n) {
				return "" // sync.Once and its like
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

// perItem reports whether a loop makes a client for each of its items, each
// with a configuration of its own.
func perItem(pass *analysis.Pass, loop ast.Node, body *ast.BlockStmt, call *ast.CallExpr) bool {
	return readLoop(pass, loop, body).differs(call)
}

// once reports whether a call runs the function that it is given one time.
func once(pass *analysis.Pass, call *ast.CallExpr) bool {
	fn := callee(pass, call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
		return false
	}
	switch fn.Name() {
	case "Do", "OnceFunc", "OnceValue", "OnceValues":
		return true
	}
	return false
}

// requestTypes are what handlers of well-known frameworks are given, besides
// *http.Request.
var requestTypes = map[string]string{
	"github.com/gin-gonic/gin": "Context", "github.com/labstack/echo": "Context", "github.com/gofiber/fiber": "Ctx",
	"github.com/valyala/fasthttp": "RequestCtx", "github.com/emicklei/go-restful": "Request",
}

// handles reports whether a function has a request to handle.
func handles(pass *analysis.Pass, typ *ast.FuncType) bool {
	for _, field := range typ.Params.List {
		t := pass.TypesInfo.TypeOf(field.Type)
		if isRequest(t) {
			return true
		}
		if ptr, ok := t.(*types.Pointer); ok {
			t = ptr.Elem()
		}
		if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil {
			path := strings.TrimSuffix(majorVersion.ReplaceAllString(named.Obj().Pkg().Path(), "$1"), "/")
			if requestTypes[path] == named.Obj().Name() {
				return true
			}
		}
	}
	return false
}

func isRequest(t types.Type) bool {
	ptr, ok := t.(*types.Pointer)
	return ok && isNamed(ptr.Elem(), "net/http", "Request")
}

// isNamed reports whether a type is one that a package declares.
func isNamed(t types.Type, pkg, name string) bool {
	if t == nil {
		return false
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == pkg && named.Obj().Name() == name
}
