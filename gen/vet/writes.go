package vet

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
)

// A sentWrite is a write that some code sends.
type sentWrite struct {
	fact writeFact
	at   ast.Node
	call *ast.CallExpr // nil where the operation itself is handed on
}

// sent are the writes that a repeat of n would send again: those below it and
// in the functions that it calls through variables. A call that passes a key of
// the caller's own is none, nor what stands in a literal that n only makes.
func (o *operations) sent(n ast.Node) []sentWrite {
	var out []sentWrite
	o.run(n, func(m ast.Node) {
		switch m := m.(type) {
		case *ast.CallExpr:
			fn := callee(o.pass, m)
			if w, ok := o.write(fn); ok && o.keyArgument(m) == nil {
				out = append(out, sentWrite{w, m, m})
			}
		case ast.Expr: // a declared function, called through a variable
			if w, ok := o.write(funcOf(o.pass, m)); ok {
				out = append(out, sentWrite{w, m, nil})
			}
		}
	})
	return out
}

// run visits the calls that run where n does, and the declared functions that
// n calls through variables.
func (o *operations) run(n ast.Node, visit func(ast.Node)) {
	if e, ok := n.(ast.Expr); ok && funcOf(o.pass, e) != nil {
		visit(e) // retry.Do(client.CreateRefund)
		return
	}
	seen := map[ast.Node]bool{}
	var walk func(ast.Node)
	walk = func(n ast.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		literals := map[*ast.FuncLit]bool{}
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return m == n || literals[m]
			case *ast.CallExpr:
				visit(m)
				for _, arg := range m.Args { // what is handed to a function runs in it
					if lit, ok := ast.Unparen(arg).(*ast.FuncLit); ok {
						literals[lit] = !runsLater(o.pass, m)
					}
				}
				if lit, ok := ast.Unparen(m.Fun).(*ast.FuncLit); ok {
					literals[lit] = true
				}
				if callee(o.pass, m) == nil && !o.pass.TypesInfo.Types[m.Fun].IsType() {
					for _, body := range o.held.bodies(o.pass, m.Fun) {
						if e, ok := body.(ast.Expr); ok {
							visit(e)
						} else {
							walk(body)
						}
					}
				}
			}
			return true
		})
	}
	walk(n)
}

// runsLater reports whether a call only notes the function that it is handed,
// for another time.
func runsLater(pass *analysis.Pass, call *ast.CallExpr) bool {
	fn := callee(pass, call)
	if fn == nil {
		return false
	}
	switch fn.Name() {
	case "AfterFunc", "Cleanup", "HandleFunc", "Handle", "OnceFunc", "OnceValue", "OnceValues", "HandlerFunc":
		return true
	}
	return false
}
