package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// onceMore are the calls in the branch for an error that are the call which
// failed, written out a second time with the same arguments.
func onceMore(pass *analysis.Pass, around *ast.BlockStmt, n *ast.IfStmt) []*ast.CallExpr {
	cond, ok := ast.Unparen(n.Cond).(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || !isNil(cond.Y) || around == nil {
		return nil
	}
	id, ok := ast.Unparen(cond.X).(*ast.Ident)
	if !ok || !isError(pass.TypesInfo.TypeOf(id)) {
		return nil
	}
	failed := lastCallInto(pass, around, pass.TypesInfo.ObjectOf(id), n.Body.Pos())
	if failed == nil {
		return nil
	}
	var out []*ast.CallExpr
	ast.Inspect(n.Body, func(m ast.Node) bool {
		if _, ok := m.(*ast.FuncLit); ok {
			return false
		}
		if call, ok := m.(*ast.CallExpr); ok && types.ExprString(call) == types.ExprString(failed) && !written(pass, n.Body, call) {
			out = append(out, call)
		}
		return true
	})
	return out
}

// lastCallInto is the last call before a place whose error the variable takes.
func lastCallInto(pass *analysis.Pass, body *ast.BlockStmt, err types.Object, before token.Pos) (last *ast.CallExpr) {
	ast.Inspect(body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Pos() > before || len(assign.Rhs) != 1 {
			return true
		}
		call, isCall := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		id, isIdent := assign.Lhs[len(assign.Lhs)-1].(*ast.Ident)
		if isCall && isIdent && pass.TypesInfo.ObjectOf(id) == err {
			last = call
		}
		return true
	})
	return last
}

// written reports whether something that the call is given is set in the block
// before it: then it is another call.
func written(pass *analysis.Pass, block *ast.BlockStmt, call *ast.CallExpr) bool {
	given := map[types.Object]bool{}
	ast.Inspect(call, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, isVar := pass.TypesInfo.Uses[id].(*types.Var); isVar && !isContext(v.Type()) {
				given[v] = true
			}
		}
		return true
	})
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Pos() > call.Pos() {
			return true
		}
		for _, lhs := range assign.Lhs {
			if id := asIdent(root(lhs)); id != nil && given[pass.TypesInfo.ObjectOf(id)] {
				found = true
			}
		}
		return true
	})
	return found
}
