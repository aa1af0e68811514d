package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// helpers finds the functions that run a function again after an error, and
// what they are given.
type helpers struct {
	pass   *analysis.Pass
	held   heldFunctions
	fields map[*types.Var]bool // fields whose functions some code of the package repeats
	// imported are helpers that are methods of imported packages, by name.
	imported map[string][]analysis.ObjectFact
}

// export marks the helpers of this package, in as many rounds as they hand
// their functions on to each other, and the methods of interfaces that hide one.
func (h *helpers) export() {
	for _, file := range h.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			for _, call := range h.repeated(n) {
				if v := varOf(h.pass, call.Fun); v != nil && v.IsField() {
					h.fields[v.Origin()] = true
				}
			}
			return true
		})
	}
	for changed := true; changed; {
		changed = false
		for _, file := range h.pass.Files {
			for _, decl := range file.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				obj, ok := h.pass.TypesInfo.Defs[fn.Name].(*types.Func)
				if !ok {
					continue
				}
				if i := h.made(fn); i >= 0 && !h.pass.ImportObjectFact(obj, new(makerFact)) {
					h.pass.ExportObjectFact(obj, &makerFact{Param: i})
					changed = true
				}
				if h.pass.ImportObjectFact(obj, new(helperFact)) {
					continue
				}
				if i := h.repeatsParam(fn); i >= 0 {
					h.pass.ExportObjectFact(obj, &helperFact{Param: i})
					h.exportInterfaces(obj, i)
					changed = true
				}
			}
		}
	}
}

// exportInterfaces marks the methods of this package's interfaces behind which
// a helper's receiver can be.
func (h *helpers) exportInterfaces(fn *types.Func, param int) {
	recv := fn.Signature().Recv()
	if recv == nil {
		return
	}
	scope := h.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		typ, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		iface, ok := typ.Type().Underlying().(*types.Interface)
		if !ok || !types.Implements(recv.Type(), iface) {
			continue
		}
		for m := range iface.ExplicitMethods() {
			if m.Name() == fn.Name() {
				h.pass.ExportObjectFact(m, &helperFact{Param: param})
			}
		}
	}
}

// repeated are the calls that a loop repeats after an error, where n is one,
// and those of a function that calls itself.
func (h *helpers) repeated(n ast.Node) []*ast.CallExpr {
	switch n := n.(type) {
	case *ast.ForStmt:
		return readLoop(h.pass, n, n.Body).repeatedCalls()
	case *ast.RangeStmt:
		return readLoop(h.pass, n, n.Body).repeatedCalls()
	case *ast.FuncDecl:
		return recursedOver(h.pass, n)
	}
	return nil
}

// repeatsParam is the index of a parameter that is a function and is called
// again after an error, handed on to a helper, or kept in a field from which
// it is; -1 where there is none.
func (h *helpers) repeatsParam(fn *ast.FuncDecl) int {
	return h.repeatsParamOf(fn.Type, fn)
}

// repeatsParamOf is repeatsParam for a function of that type with that code.
func (h *helpers) repeatsParamOf(typ *ast.FuncType, code ast.Node) int {
	params := paramIndexes(h.pass, typ)
	for obj := range params {
		if _, ok := obj.Type().Underlying().(*types.Signature); !ok {
			delete(params, obj)
		}
	}
	if len(params) == 0 {
		return -1
	}
	found := -1
	note := func(n ast.Node) {
		ast.Inspect(n, func(m ast.Node) bool {
			if id, ok := m.(*ast.Ident); ok && found < 0 {
				if i, ok := params[h.pass.TypesInfo.Uses[id]]; ok {
					found = i
				}
			}
			return found < 0
		})
	}
	ast.Inspect(code, func(n ast.Node) bool {
		for _, call := range h.repeated(n) {
			note(call)
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			_, handed := h.helper(n)
			for _, arg := range handed {
				note(arg)
			}
		case *ast.KeyValueExpr:
			if v := varOf(h.pass, n.Key); v != nil && h.fields[v.Origin()] {
				note(n.Value)
			}
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if v := varOf(h.pass, lhs); v != nil && h.fields[v.Origin()] && len(n.Lhs) == len(n.Rhs) {
					note(n.Rhs[i])
				}
			}
		}
		return found < 0
	})
	return found
}

// helper says how a call repeats functions that it is handed, and which
// arguments those are; how is empty where it does not.
func (h *helpers) helper(call *ast.CallExpr) (how string, handed []ast.Expr) {
	fn := callee(h.pass, call)
	if fn == nil {
		return h.madeHelper(call)
	}
	var fact helperFact
	if h.pass.ImportObjectFact(fn.Origin(), &fact) || h.hides(fn, &fact) {
		if fact.Param >= len(call.Args) {
			return "", nil
		}
		return "by " + fn.Name() + ", which calls it again after an error", call.Args[fact.Param : fact.Param+1]
	}
	if how = knownHelper(fn); how == "" {
		return "", nil
	}
	return how, call.Args
}

// given makes repetitions of the functions that a call hands to a retry helper.
func (h *helpers) given(call *ast.CallExpr) []repetition {
	how, handed := h.helper(call)
	fn := callee(h.pass, call)
	if how == "" || unversioned(fn) == failsafePackage && !h.failsafeRetries(call) {
		return nil
	}
	var out []repetition
	for _, arg := range handed {
		for _, body := range h.held.bodies(h.pass, arg) {
			switch {
			case asksAgain(fn):
				if calls := beforeFalse(body); len(calls) > 0 {
					out = append(out, repetition{body: body, how: how, calls: calls})
				}
			case !neverAgain(h.pass, fn, body):
				out = append(out, repetition{body: body, how: how})
			}
		}
	}
	return out
}

// beforeFalse are the calls of a condition that stand before a return which is
// not known to end what asks it: one of anything but true, without an error.
func beforeFalse(body ast.Node) []*ast.CallExpr {
	var end token.Pos
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 2 && isNil(n.Results[1]) && !isTrue(n.Results[0]) {
				end = n.End()
			}
		}
		return true
	})
	var calls []*ast.CallExpr
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Pos() < end {
			calls = append(calls, call)
		}
		return true
	})
	return calls
}

func isTrue(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "true"
}

// finalErrors are functions of retry libraries that mark an error as one after
// which nothing is tried again.
var finalErrors = []string{"Permanent", "Unrecoverable", "Abort", "Stop", "StopRetry", "NonRetryable", "NonRetryableError"}

// neverAgain reports whether a function that a helper is given asks for no
// other try: each of its errors is marked as final or, for a library that goes
// on only after marked errors, none is marked.
func neverAgain(pass *analysis.Pass, helper *types.Func, body ast.Node) bool {
	block, ok := body.(*ast.BlockStmt)
	if !ok {
		return false
	}
	if helper != nil && onlyMarked(helper) {
		return !mentionsCall(pass, block, []string{"RetryableError", "RetryableErrorWithDelay"})
	}
	final := true
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 0 {
				final = false
				return false
			}
			last := ast.Unparen(n.Results[len(n.Results)-1])
			call, isCall := last.(*ast.CallExpr)
			final = final && (isNil(last) || isCall && isFinal(pass, call))
		}
		return final
	})
	return final
}

func isFinal(pass *analysis.Pass, call *ast.CallExpr) bool {
	fn := callee(pass, call)
	return fn != nil && slices.Contains(finalErrors, fn.Name())
}

func mentionsCall(pass *analysis.Pass, n ast.Node, names []string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			fn := callee(pass, call)
			found = found || fn != nil && slices.Contains(names, fn.Name())
		}
		return !found
	})
	return found
}

// recursedOver are the calls of a function that it makes again when one of
// them failed, because it calls itself then with the same arguments.
func recursedOver(pass *analysis.Pass, fn *ast.FuncDecl) []*ast.CallExpr {
	self := pass.TypesInfo.Defs[fn.Name]
	if fn.Body == nil || self == nil {
		return nil
	}
	again := callsItself(pass, fn.Body, func(call *ast.CallExpr) bool { return callee(pass, call) == self })
	if again == nil {
		return nil
	}
	changed := changedParams(pass, fn.Type, again)
	if recv := receiver(pass, fn); recv != nil {
		sel, ok := ast.Unparen(again.Fun).(*ast.SelectorExpr)
		changed[recv] = !ok || pass.TypesInfo.Uses[asIdent(sel.X)] != recv
	}
	return callsBefore(pass, fn.Body, again, changed)
}

// recursedLiteral makes a repetition of a function that is put into a variable
// and calls itself through it after an error.
func recursedLiteral(pass *analysis.Pass, n *ast.AssignStmt) []repetition {
	if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
		return nil
	}
	lit, ok := ast.Unparen(n.Rhs[0]).(*ast.FuncLit)
	self := varOf(pass, n.Lhs[0])
	if !ok || self == nil {
		return nil
	}
	again := callsItself(pass, lit.Body, func(call *ast.CallExpr) bool { return varOf(pass, call.Fun) == self })
	if again == nil {
		return nil
	}
	calls := callsBefore(pass, lit.Body, again, changedParams(pass, lit.Type, again))
	if len(calls) == 0 {
		return nil
	}
	return []repetition{{body: lit.Body, how: "by " + self.Name() + ", which calls itself after an error", calls: calls}}
}

// callsItself is a call in the branch for an error that is one of the function
// itself, or nil.
func callsItself(pass *analysis.Pass, body *ast.BlockStmt, self func(*ast.CallExpr) bool) (again *ast.CallExpr) {
	ast.Inspect(body, func(n ast.Node) bool {
		cond, ok := n.(*ast.IfStmt)
		if !ok || !mentionsError(pass, cond.Cond) {
			return again == nil
		}
		ast.Inspect(cond.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && self(call) {
				again = call
			}
			return again == nil
		})
		return again == nil
	})
	return again
}

// callsBefore are the calls before the one of the function itself that get
// nothing of what it changes.
func callsBefore(pass *analysis.Pass, body *ast.BlockStmt, again *ast.CallExpr, changed map[types.Object]bool) []*ast.CallExpr {
	var out []*ast.CallExpr
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok && call.Pos() < again.Pos() && !uses(pass, call, changed) {
			out = append(out, call)
		}
		return true
	})
	return out
}

// receiver is the variable of a method's receiver, or nil.
func receiver(pass *analysis.Pass, fn *ast.FuncDecl) types.Object {
	if fn.Recv == nil || len(fn.Recv.List) != 1 || len(fn.Recv.List[0].Names) != 1 {
		return nil
	}
	return pass.TypesInfo.Defs[fn.Recv.List[0].Names[0]]
}

func asIdent(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}

// changedParams are the parameters that a call of the function itself gives
// another value.
func changedParams(pass *analysis.Pass, typ *ast.FuncType, again *ast.CallExpr) map[types.Object]bool {
	changed := map[types.Object]bool{}
	for obj, i := range paramIndexes(pass, typ) {
		if i >= len(again.Args) || isContext(obj.Type()) {
			continue
		}
		id, ok := ast.Unparen(again.Args[i]).(*ast.Ident)
		changed[obj] = !ok || pass.TypesInfo.Uses[id] != obj
	}
	return changed
}

func uses(pass *analysis.Pass, n ast.Node, objects map[types.Object]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && objects[pass.TypesInfo.Uses[id]] {
			found = true
		}
		return !found
	})
	return found
}
