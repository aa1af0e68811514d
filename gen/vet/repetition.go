package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// A repetition is code that is run again when it has failed: the body of a
// loop that goes on after an error, or a function given to a retry helper.
type repetition struct {
	body  ast.Node        // what is run again
	how   string          // for messages: "by cenkalti/backoff's Retry", "in a loop that goes on after an error"
	calls []*ast.CallExpr // in a loop: the calls that are repeated; nil: all below body
}

// A helperFact says that a function calls its parameter again after an error.
type helperFact struct{ Param int }

// AFact marks the type as a fact.
func (*helperFact) AFact() {}

// String shows the fact in tests.
func (f *helperFact) String() string { return fmt.Sprintf("repeats parameter %d", f.Param) }

// repetitionsAnalyzer finds the repetitions of a package.
var repetitionsAnalyzer = &analysis.Analyzer{
	Name:       "resgenrepetitions",
	Doc:        "find code that is run again when it has failed",
	Requires:   []*analysis.Analyzer{inspect.Analyzer},
	Run:        findRepetitions,
	FactTypes:  []analysis.Fact{new(helperFact)},
	ResultType: reflect.TypeFor[[]repetition](),
}

func findRepetitions(pass *analysis.Pass) (any, error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	exportHelpers(pass)
	var out []repetition
	for cur := range in.Root().Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.CallExpr)(nil), (*ast.LabeledStmt)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.ForStmt:
			if calls := repeatedCalls(pass, n, n.Body); len(calls) > 0 {
				out = append(out, repetition{n, "in a loop that goes on after an error", calls})
			}
		case *ast.RangeStmt:
			if calls := repeatedCalls(pass, n, n.Body); len(calls) > 0 {
				out = append(out, repetition{n, "in a loop that goes on after an error", calls})
			}
		case *ast.LabeledStmt:
			if calls := jumpedOver(pass, enclosingBody(cur), n); len(calls) > 0 {
				out = append(out, repetition{n, "by a goto back to " + n.Label.Name, calls})
			}
		case *ast.CallExpr:
			out = append(out, givenToHelper(pass, cur, n)...)
		}
	}
	return out, nil
}

// exportHelpers marks the functions of this package that repeat a function
// they are given.
func exportHelpers(pass *analysis.Pass) {
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func)
			if !ok {
				continue
			}
			if i := repeatsParam(pass, fn.Type, fn.Body); i >= 0 {
				pass.ExportObjectFact(obj, &helperFact{Param: i})
			}
		}
	}
}

// repeatsParam is the index of a parameter that is a function and is called
// again after an error, or -1.
func repeatsParam(pass *analysis.Pass, typ *ast.FuncType, body *ast.BlockStmt) int {
	params := map[types.Object]int{}
	i := 0
	for _, field := range typ.Params.List {
		for _, name := range field.Names {
			obj := pass.TypesInfo.Defs[name]
			if obj != nil {
				if _, ok := obj.Type().Underlying().(*types.Signature); ok {
					params[obj] = i
				}
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
	found := -1
	ast.Inspect(body, func(n ast.Node) bool {
		var loop ast.Node
		var loopBody *ast.BlockStmt
		switch n := n.(type) {
		case *ast.ForStmt:
			loop, loopBody = n, n.Body
		case *ast.RangeStmt:
			loop, loopBody = n, n.Body
		default:
			return true
		}
		for _, call := range repeatedCalls(pass, loop, loopBody) {
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
				if p, ok := params[pass.TypesInfo.Uses[id]]; ok && found < 0 {
					found = p
				}
			}
		}
		return true
	})
	return found
}

// givenToHelper makes repetitions of the functions that a call hands to a
// retry helper.
func givenToHelper(pass *analysis.Pass, cur inspector.Cursor, call *ast.CallExpr) []repetition {
	fn := callee(pass, call)
	if fn == nil {
		return nil
	}
	how, args := "", call.Args
	var fact helperFact
	switch {
	case pass.ImportObjectFact(fn.Origin(), &fact):
		if fact.Param >= len(call.Args) {
			return nil
		}
		how, args = "by "+fn.Name()+", which calls it again after an error", call.Args[fact.Param:fact.Param+1]
	default:
		how = knownHelper(fn)
	}
	if how == "" {
		return nil
	}
	var out []repetition
	for _, arg := range args {
		if body := functionBody(pass, cur, arg); body != nil {
			out = append(out, repetition{body: body, how: how})
		}
	}
	return out
}

// functionBody is the code behind an argument that is a function: a literal, a
// variable that holds one, or the expression itself where it names a function
// declared elsewhere.
func functionBody(pass *analysis.Pass, cur inspector.Cursor, arg ast.Expr) ast.Node {
	arg = ast.Unparen(arg)
	if conv, ok := arg.(*ast.CallExpr); ok && len(conv.Args) == 1 && pass.TypesInfo.Types[conv.Fun].IsType() {
		return functionBody(pass, cur, conv.Args[0]) // backoff.Operation(func() error { … })
	}
	if _, ok := typeOf(pass, arg).(*types.Signature); !ok {
		return nil
	}
	switch arg := arg.(type) {
	case *ast.FuncLit:
		return arg.Body
	case *ast.Ident:
		if v, ok := pass.TypesInfo.Uses[arg].(*types.Var); ok {
			if lit := literalOf(pass, enclosingBody(cur), v); lit != nil {
				return lit.Body
			}
			return nil
		}
		return arg
	case *ast.SelectorExpr:
		return arg
	}
	return nil
}

func typeOf(pass *analysis.Pass, e ast.Expr) types.Type {
	t := pass.TypesInfo.TypeOf(e)
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// literalOf is the function literal that a local variable is given, or nil.
func literalOf(pass *analysis.Pass, body *ast.BlockStmt, v *types.Var) *ast.FuncLit {
	if body == nil {
		return nil
	}
	var lit *ast.FuncLit
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				id, ok := lhs.(*ast.Ident)
				if !ok || i >= len(n.Rhs) {
					continue
				}
				if pass.TypesInfo.ObjectOf(id) == v {
					if l, ok := ast.Unparen(n.Rhs[i]).(*ast.FuncLit); ok {
						lit = l
					}
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if i < len(n.Values) && pass.TypesInfo.Defs[id] == v {
					if l, ok := ast.Unparen(n.Values[i]).(*ast.FuncLit); ok {
						lit = l
					}
				}
			}
		}
		return lit == nil
	})
	return lit
}

// enclosingBody is the body of the outermost function around a place, so that
// variables of it are found from literals within.
func enclosingBody(cur inspector.Cursor) *ast.BlockStmt {
	var body *ast.BlockStmt
	for c := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch n := c.Node().(type) {
		case *ast.FuncDecl:
			body = n.Body
		case *ast.FuncLit:
			body = n.Body
		}
	}
	return body
}

// jumpedOver are the calls between a label and a goto that leads back to it
// where an error is tested.
func jumpedOver(pass *analysis.Pass, body *ast.BlockStmt, label *ast.LabeledStmt) []*ast.CallExpr {
	if body == nil {
		return nil
	}
	var end token.Pos
	ast.Inspect(body, func(n ast.Node) bool {
		cond, ok := n.(*ast.IfStmt)
		if !ok || !mentionsError(pass, cond.Cond) {
			return true
		}
		for _, s := range cond.Body.List {
			if b, ok := s.(*ast.BranchStmt); ok && b.Tok == token.GOTO && b.Label.Name == label.Label.Name && b.Pos() > label.Pos() {
				end = b.Pos()
			}
		}
		return true
	})
	var calls []*ast.CallExpr
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Pos() > label.Pos() && call.Pos() < end {
			calls = append(calls, call)
		}
		return true
	})
	return calls
}

func mentionsError(pass *analysis.Pass, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && isError(pass.TypesInfo.TypeOf(id)) {
			found = true
		}
		return !found
	})
	return found
}
