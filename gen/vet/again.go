package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// goesOnAfter reports whether the loop takes another turn when the call failed:
// it leaves on success only, or its answer to an error is no way out.
func (l *loopReader) goesOnAfter(e erringCall) bool {
	if loop, ok := l.loop.(*ast.ForStmt); ok && loop.Cond != nil {
		if op, hit := l.tests(loop.Cond, e); hit {
			return op == token.NEQ // for err != nil { … }
		}
		if l.flagged(loop.Cond, e) || l.awaited(loop.Cond, e) && !l.leavesAt(e) {
			return true
		}
	}
	again := false
	l.inspect(func(n ast.Node) {
		if again {
			return
		}
		switch n := n.(type) {
		case *ast.IfStmt:
			again = l.goesOnAt(n, e)
		case *ast.SwitchStmt: // switch err { case nil: return … }
			if id, ok := n.Tag.(*ast.Ident); ok && e.err != nil && l.pass.TypesInfo.ObjectOf(id) == e.err {
				again = l.caseLeaves(n, func(cond ast.Expr) bool { return isNil(cond) })
			} else if n.Tag == nil { // switch { case err == nil: return … }
				again = l.caseLeaves(n, func(cond ast.Expr) bool { op, hit := l.tests(cond, e); return hit && op == token.EQL })
			}
		}
	})
	return again
}

func (l *loopReader) goesOnAt(n *ast.IfStmt, e erringCall) bool {
	switch op, hit := l.tests(n.Cond, e); {
	case !hit:
		return l.judges(n, e)
	case op == token.EQL:
		return leaves(n.Body) && !leaves(n.Else)
	case op == token.NEQ && n.Else != nil && leaves(n.Else):
		return !leaves(n.Body)
	case op == token.NEQ && !leaves(n.Body):
		return l.leavesLater(n)
	}
	return false
}

// caseLeaves reports whether a switch leaves the loop in the case of success,
// and not in all.
func (l *loopReader) caseLeaves(n *ast.SwitchStmt, success func(ast.Expr) bool) bool {
	out, others := false, false
	for _, s := range n.Body.List {
		clause := s.(*ast.CaseClause)
		leaving := len(clause.Body) > 0 && leavesSwitch(clause.Body[len(clause.Body)-1])
		if slices.ContainsFunc(clause.List, success) {
			out = leaving
		} else if clause.List == nil {
			others = leaving
		}
	}
	return out && !others
}

// leavesSwitch is leaves for a statement in a switch, where a plain break leaves
// the switch alone.
func leavesSwitch(s ast.Stmt) bool {
	if b, ok := s.(*ast.BranchStmt); ok && b.Tok == token.BREAK && b.Label == nil {
		return false
	}
	return leaves(s)
}

// flagged reports whether a condition turns on a variable that says whether
// the call worked: for !done { err := send(); done = err == nil }.
func (l *loopReader) flagged(cond ast.Expr, e erringCall) bool {
	flags := map[types.Object]bool{}
	ast.Inspect(cond, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			flags[l.pass.TypesInfo.ObjectOf(id)] = true
		}
		return true
	})
	found := false
	l.inspect(func(n ast.Node) {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != 1 {
			return
		}
		id, ok := assign.Lhs[0].(*ast.Ident)
		if !ok || !flags[l.pass.TypesInfo.ObjectOf(id)] {
			return
		}
		if _, hit := l.tests(assign.Rhs[0], e); hit {
			found = true
		}
	})
	return found
}

// awaited reports whether a condition holds while another result of the call
// is nil: for made == nil { made, err = create() }.
func (l *loopReader) awaited(cond ast.Expr, e erringCall) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL || !isNil(b.Y) {
		return false
	}
	v, found := varOf(l.pass, b.X), false
	l.inspect(func(n ast.Node) {
		if assign, ok := n.(*ast.AssignStmt); ok && len(assign.Rhs) == 1 && ast.Unparen(assign.Rhs[0]) == ast.Expr(e.call) {
			for _, lhs := range assign.Lhs[:len(assign.Lhs)-1] {
				found = found || v != nil && varOf(l.pass, lhs) == v
			}
		}
	})
	return found
}

// leavesAt reports whether the loop ends where the call failed.
func (l *loopReader) leavesAt(e erringCall) bool {
	found := false
	l.inspect(func(n ast.Node) {
		if cond, ok := n.(*ast.IfStmt); ok {
			op, hit := l.tests(cond.Cond, e)
			found = found || hit && op == token.NEQ && leaves(cond.Body)
		}
	})
	return found
}

// judges recognises a function of the error that decides on another turn:
// `if !retryable(err) { return err }`, or `if retryable(err) { continue }` where
// the loop ends otherwise.
func (l *loopReader) judges(n *ast.IfStmt, e erringCall) bool {
	cond, not := ast.Unparen(n.Cond), false
	if u, ok := cond.(*ast.UnaryExpr); ok && u.Op == token.NOT {
		cond, not = u.X, true
	}
	if e.err == nil || !l.asks(cond, e.err) || harmless(l.pass, cond) {
		return false
	}
	if leaves(n.Body) {
		return not && !l.leavesLater(n)
	}
	return l.leavesLater(n)
}

// harmless reports whether a condition turns on an outcome after which nothing
// was done: another call then is a first one.
func harmless(pass *analysis.Pass, cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := pass.TypesInfo.Uses[id]
			found = found || obj != nil && isRuntime(obj.Pkg()) && harmlessOutcomes[obj.Name()]
		}
		return !found
	})
	return found
}

// harmlessOutcomes are the runtime's words for a call that did nothing.
var harmlessOutcomes = map[string]bool{"NotSent": true, "Rejected": true}

// asks reports whether an expression hands the error to a function or calls a
// method of it.
func (l *loopReader) asks(cond ast.Expr, err types.Object) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			ast.Inspect(call, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && l.pass.TypesInfo.ObjectOf(id) == err {
					found = true
				}
				return !found
			})
		}
		return !found
	})
	return found
}

// leavesLater reports whether the loop ends behind a statement when nothing
// failed: then only a failure brings another turn.
func (l *loopReader) leavesLater(after ast.Stmt) bool {
	for i := len(l.body.List) - 1; i >= 0; i-- {
		s := l.body.List[i]
		if s.Pos() <= after.Pos() {
			break
		}
		if leaves(s) {
			return true
		}
	}
	return false
}

// tests reports with which operator a condition compares the call's error with
// nil, looking into && and ||.
func (l *loopReader) tests(cond ast.Expr, e erringCall) (token.Token, bool) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return 0, false
	}
	if b.Op == token.LAND || b.Op == token.LOR {
		if op, hit := l.tests(b.X, e); hit {
			return op, hit
		}
		return l.tests(b.Y, e)
	}
	if !isNil(b.Y) {
		return 0, false
	}
	if e.err == nil {
		return b.Op, ast.Unparen(b.X) == ast.Expr(e.call)
	}
	id, ok := ast.Unparen(b.X).(*ast.Ident)
	return b.Op, ok && l.pass.TypesInfo.ObjectOf(id) == e.err
}
