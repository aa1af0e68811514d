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
	body    ast.Node                 // what is run again
	how     string                   // for messages: "by backoff.Retry", "in a loop that goes on after an error"
	calls   []*ast.CallExpr          // in a loop: the calls that are repeated; nil: all below body
	differs func(*ast.CallExpr) bool // in a loop: whether a call sends something else at each turn; nil: none does
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
	Requires:   []*analysis.Analyzer{inspect.Analyzer, valuesAnalyzer},
	Run:        findRepetitions,
	FactTypes:  []analysis.Fact{new(helperFact), new(makerFact)},
	ResultType: reflect.TypeFor[[]repetition](),
}

func findRepetitions(pass *analysis.Pass) (any, error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	h := &helpers{pass: pass, held: pass.ResultOf[valuesAnalyzer].(heldFunctions), fields: map[*types.Var]bool{}, imported: importedHelpers(pass)}
	h.export()
	var out []repetition
	for cur := range in.Root().Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.CallExpr)(nil), (*ast.LabeledStmt)(nil), (*ast.FuncDecl)(nil), (*ast.IfStmt)(nil), (*ast.AssignStmt)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.ForStmt:
			out = append(out, loopRepetition(pass, n, n.Body)...)
		case *ast.RangeStmt:
			out = append(out, loopRepetition(pass, n, n.Body)...)
		case *ast.LabeledStmt:
			if calls := jumpedOver(pass, enclosingBody(cur), n); len(calls) > 0 {
				out = append(out, repetition{body: n, how: "by a goto back to " + n.Label.Name, calls: calls})
			}
		case *ast.FuncDecl:
			if calls := recursedOver(pass, n); len(calls) > 0 {
				out = append(out, repetition{body: n.Body, how: "by " + n.Name.Name + ", which calls itself after an error", calls: calls})
			}
		case *ast.IfStmt:
			if calls := onceMore(pass, enclosingBody(cur), n); len(calls) > 0 {
				out = append(out, repetition{body: n, how: "once more after it failed", calls: calls})
			}
		case *ast.AssignStmt:
			out = append(out, recursedLiteral(pass, n)...)
		case *ast.CallExpr:
			out = append(out, h.given(n)...)
		}
	}
	return out, nil
}

func loopRepetition(pass *analysis.Pass, loop ast.Node, body *ast.BlockStmt) []repetition {
	l := readLoop(pass, loop, body)
	if calls := l.repeatedCalls(); len(calls) > 0 {
		return []repetition{{body: loop, how: "in a loop that goes on after an error", calls: calls, differs: l.differs}}
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
