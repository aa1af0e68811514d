package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// readLoop gathers what is known of a loop.
func readLoop(pass *analysis.Pass, loop ast.Node, body *ast.BlockStmt) *loopReader {
	l := &loopReader{pass: pass, loop: loop, body: body, varying: map[types.Object]bool{}}
	l.findVarying()
	return l
}

// repeatedCalls are the calls in a loop that are made again, with the same
// arguments, after they or a later step returned an error. A loop over items,
// in which each turn sends something else, repeats nothing.
func (l *loopReader) repeatedCalls() []*ast.CallExpr {
	var out []*ast.CallExpr
	var last token.Pos // of the calls whose failure brings another turn
	for _, e := range l.errorsOfCalls() {
		if !l.goesOnAfter(e) {
			continue
		}
		last = max(last, e.call.Pos())
		if !l.differs(e.call) {
			out = append(out, e.call)
		}
	}
	for _, call := range l.always() {
		if call.Pos() < last && !l.differs(call) && !slices.Contains(out, call) {
			out = append(out, call)
		}
	}
	return out
}

// always are the calls that every turn makes on its way: those in no branch.
func (l *loopReader) always() []*ast.CallExpr {
	var out []*ast.CallExpr
	var walk func(ast.Node) bool
	walk = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.CaseClause, *ast.CommClause:
			return false
		case *ast.IfStmt:
			if n.Init != nil {
				ast.Inspect(n.Init, walk)
			}
			ast.Inspect(n.Cond, walk)
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				ast.Inspect(n.X, walk)
				return false
			}
		case *ast.CallExpr:
			out = append(out, n)
		}
		return true
	}
	ast.Inspect(l.body, walk)
	return out
}

// A loopReader holds what is known while one loop is read.
type loopReader struct {
	pass    *analysis.Pass
	loop    ast.Node
	body    *ast.BlockStmt
	varying map[types.Object]bool // variables that hold something else at each turn
}

// An erringCall is a call whose error a variable takes.
type erringCall struct {
	call *ast.CallExpr
	err  types.Object
}

// findVarying collects the loop's own variables and what is made from them, or
// received or read anew, in the loop.
func (l *loopReader) findVarying() {
	switch loop := l.loop.(type) {
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{loop.Key, loop.Value} {
			l.vary(e)
		}
	case *ast.ForStmt:
		if init, ok := loop.Init.(*ast.AssignStmt); ok && loop.Post != nil {
			for _, e := range init.Lhs {
				l.vary(e)
			}
		}
	}
	for grown := true; grown; {
		grown = false
		l.inspect(func(n ast.Node) {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					rhs := n.Rhs[min(i, len(n.Rhs)-1)]
					if l.fresh(rhs) && l.vary(root(lhs)) {
						grown = true
					}
				}
			case *ast.CallExpr: // rows.Scan(&req)
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok && (sourceMethods[sel.Sel.Name] || fillMethods[sel.Sel.Name]) {
					for _, arg := range n.Args {
						if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND && l.vary(root(u.X)) {
							grown = true
						}
					}
				}
			}
		})
	}
}

// fillMethods are names of methods that put one thing after another into what
// they are pointed at.
var fillMethods = map[string]bool{"Decode": true, "StructScan": true, "ScanDoc": true, "Unmarshal": true}

// attemptCounter matches names of variables that count tries, and make no other
// request.
var attemptCounter = regexp.MustCompile(`(?i)^(attempts?|try|tries|retry|retries|retryCount|tryCount)$`)

// root is the variable that an expression is a part of: req of req.ID and of
// req.Items[0].
func root(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return e
		}
	}
}

// vary marks the variable that an expression names, and reports whether that
// is news. Errors are left out: each turn has one.
func (l *loopReader) vary(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	obj := l.pass.TypesInfo.ObjectOf(id)
	if obj == nil || l.varying[obj] || isError(obj.Type()) || attemptCounter.MatchString(id.Name) {
		return false
	}
	l.varying[obj] = true
	return true
}

// fresh reports whether an expression yields something else at each turn: it
// uses a varying variable, receives from a channel, or reads the next thing of
// a source (a call that is handed a varying value, or Next, Scan, Text, Recv …).
func (l *loopReader) fresh(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.Ident:
			found = found || l.varying[l.pass.TypesInfo.ObjectOf(n)]
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				found = found || sourceMethods[sel.Sel.Name]
			}
		}
		return !found
	})
	return found
}

// sourceMethods are names of methods that hand out one thing after another.
var sourceMethods = map[string]bool{
	"Next": true, "Recv": true, "Receive": true, "Scan": true, "Text": true, "Bytes": true,
	"Take": true, "Claim": true, "Lease": true, "Fetch": true, "Consume": true, "Reserve": true, "Shift": true, "PopFront": true,
	"Read": true, "ReadString": true, "ReadMessage": true, "FetchMessage": true, "Pop": true, "Dequeue": true, "Poll": true,
}

// differs reports whether the call sends something else at each turn.
func (l *loopReader) differs(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if isContext(l.pass.TypesInfo.TypeOf(arg)) || l.isOption(arg) {
			continue // a new context or key does not make another request
		}
		if l.fresh(arg) {
			return true
		}
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && l.fresh(sel.X) // another client or receiver at each turn
}

func (l *loopReader) isOption(e ast.Expr) bool {
	named, ok := l.pass.TypesInfo.TypeOf(e).(*types.Named)
	return ok && isRuntime(named.Obj().Pkg())
}

// errorsOfCalls are the calls of the loop whose error is kept in a variable,
// those in the loop's own condition and post statement among them (its init
// statement runs once).
func (l *loopReader) errorsOfCalls() []erringCall {
	var out []erringCall
	var once ast.Stmt
	if loop, ok := l.loop.(*ast.ForStmt); ok {
		once = loop.Init
	}
	l.inspect(func(n ast.Node) {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 || ast.Stmt(assign) == once {
			return
		}
		call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		if !ok {
			return
		}
		if id, ok := assign.Lhs[len(assign.Lhs)-1].(*ast.Ident); ok {
			if obj := l.pass.TypesInfo.ObjectOf(id); obj != nil && isError(obj.Type()) {
				out = append(out, erringCall{call, obj})
			}
		}
	})
	l.inspect(func(n ast.Node) { // func() { err = c.Send(ctx) }()
		call, ok := n.(*ast.CallExpr)
		if !ok || runsLater(l.pass, call) {
			return
		}
		for _, e := range append([]ast.Expr{call.Fun}, call.Args...) {
			if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
				out = append(out, l.errorsSetBy(lit)...)
			}
		}
	})
	l.inspect(func(n ast.Node) { // if c.Send(ctx) == nil { break }
		if cond, ok := n.(*ast.BinaryExpr); ok && isNil(cond.Y) {
			if call, ok := ast.Unparen(cond.X).(*ast.CallExpr); ok && isError(l.pass.TypesInfo.TypeOf(call)) {
				out = append(out, erringCall{call: call})
			}
		}
	})
	return out
}

// errorsSetBy are the calls in a literal whose error a variable around it takes.
func (l *loopReader) errorsSetBy(lit *ast.FuncLit) []erringCall {
	var out []erringCall
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Tok != token.ASSIGN || len(assign.Rhs) != 1 {
			return true
		}
		call, isCall := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		id, isIdent := assign.Lhs[len(assign.Lhs)-1].(*ast.Ident)
		if !isCall || !isIdent {
			return true
		}
		obj := l.pass.TypesInfo.ObjectOf(id)
		if obj != nil && isError(obj.Type()) && (obj.Pos() < lit.Pos() || obj.Pos() > lit.End()) {
			out = append(out, erringCall{call, obj})
		}
		return true
	})
	return out
}

// inspect walks the loop's condition, post statement and body, but not the
// function literals in it, which run at another time.
func (l *loopReader) inspect(visit func(ast.Node)) {
	ast.Inspect(l.loop, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if n != nil {
			visit(n)
		}
		return true
	})
}

// leaves reports whether a statement, or the last one of a block, ends the loop.
func leaves(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return s != nil && len(s.List) > 0 && leaves(s.List[len(s.List)-1])
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.GOTO
	case *ast.IfStmt:
		return s.Else != nil && leaves(s.Body) && leaves(s.Else)
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			return fun.Name == "panic"
		case *ast.SelectorExpr:
			return fun.Sel.Name == "Fatal" || fun.Sel.Name == "Fatalf" || fun.Sel.Name == "Exit"
		}
	}
	return false
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

func isNil(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "nil"
}

func isContext(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context" && named.Obj().Name() == "Context"
}
