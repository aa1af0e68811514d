package vet

import (
	"go/ast"
	"go/types"
	"path"

	"golang.org/x/tools/go/analysis"
)

// A makerFact says that a function gives a function that calls its parameter
// again after an error.
type makerFact struct{ Param int }

// AFact marks the type as a fact.
func (*makerFact) AFact() {}

// String shows the fact in tests.
func (f *makerFact) String() string { return "makes what " + (&helperFact{f.Param}).String() }

// made is the index of the parameter that a function which fn returns repeats;
// -1 where there is none.
func (h *helpers) made(fn *ast.FuncDecl) int {
	found := -1
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for _, result := range n.Results {
				if lit, ok := ast.Unparen(result).(*ast.FuncLit); ok && found < 0 {
					found = h.repeatsParamOf(lit.Type, lit.Body)
				}
			}
			return false
		}
		return true
	})
	return found
}

// madeHelper is helper for a call of a function that is no declared one: what
// another function gave, or a literal kept in a variable.
func (h *helpers) madeHelper(call *ast.CallExpr) (how string, handed []ast.Expr) {
	values := []ast.Expr{call.Fun}
	name := "a function"
	if v := varOf(h.pass, call.Fun); v != nil {
		values, name = h.held[v.Origin()], v.Name()
	}
	for _, value := range values {
		param := -1
		switch value := ast.Unparen(value).(type) {
		case *ast.FuncLit:
			param = h.repeatsParamOf(value.Type, value.Body)
		case *ast.CallExpr:
			var fact makerFact
			if fn := callee(h.pass, value); fn != nil && h.pass.ImportObjectFact(fn.Origin(), &fact) {
				param = fact.Param
				if name == "a function" {
					name = "what " + fn.Name() + " gives"
				}
			}
		}
		if param >= 0 && param < len(call.Args) {
			return "by " + name + ", which calls it again after an error", call.Args[param : param+1]
		}
	}
	return "", nil
}

// hides reports whether a method of an interface can be that of a helper of a
// package that this one imports, and gives what is known of it.
func (h *helpers) hides(fn *types.Func, fact *helperFact) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return false
	}
	iface, ok := recv.Type().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for _, of := range h.imported[fn.Name()] {
		if types.Implements(of.Object.(*types.Func).Signature().Recv().Type(), iface) {
			*fact = *of.Fact.(*helperFact)
			return true
		}
	}
	return false
}

// importedHelpers are the helpers that are methods of the types of packages
// which the pass's package imports, by name.
func importedHelpers(pass *analysis.Pass) map[string][]analysis.ObjectFact {
	direct := map[*types.Package]bool{}
	for _, p := range pass.Pkg.Imports() {
		direct[p] = true
	}
	out := map[string][]analysis.ObjectFact{}
	for _, of := range pass.AllObjectFacts() {
		method, isFunc := of.Object.(*types.Func)
		if _, ok := of.Fact.(*helperFact); !ok || !isFunc || !direct[method.Pkg()] {
			continue
		}
		if recv := method.Signature().Recv(); recv != nil && !types.IsInterface(recv.Type()) {
			out[method.Name()] = append(out[method.Name()], of)
		}
	}
	return out
}

// failsafeRetries reports whether a call of failsafe-go's runs under a policy
// that repeats: one of those that it, or the executor that it is of, is given.
// Where they are not in sight, it does if the package knows such policies.
func (h *helpers) failsafeRetries(call *ast.CallExpr) bool {
	policies, inSight := h.failsafePolicies(call, 8)
	for _, p := range policies {
		named, ok := types.Unalias(h.pass.TypesInfo.TypeOf(p)).(*types.Named)
		switch {
		case !ok || named.Obj().Pkg() == nil:
			inSight = false
		case repeatingPolicies[path.Base(named.Obj().Pkg().Path())]:
			return true
		case named.Obj().Name() == "Policy":
			inSight = false
		}
	}
	if inSight {
		return false
	}
	for _, imported := range h.pass.Pkg.Imports() {
		if repeatingPolicies[path.Base(imported.Path())] {
			return true
		}
	}
	return false
}

// repeatingPolicies are failsafe-go's packages of policies that run a function
// more than once.
var repeatingPolicies = map[string]bool{"retrypolicy": true, "hedgepolicy": true}

// failsafePolicies are the policies behind a call: its own arguments, or those
// that made the executor it is a method of.
func (h *helpers) failsafePolicies(call *ast.CallExpr, depth int) (policies []ast.Expr, inSight bool) {
	fn := callee(h.pass, call)
	if fn == nil || depth == 0 {
		return nil, false
	}
	switch {
	case fn.Name() == "With" || fn.Name() == "NewExecutor":
		return call.Args, !call.Ellipsis.IsValid()
	case fn.Signature().Recv() == nil && len(call.Args) > 0:
		return call.Args[1:], !call.Ellipsis.IsValid()
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	made, ok := ast.Unparen(sel.X).(*ast.CallExpr) // executor.WithContext(ctx).Run(…)
	if !ok {
		made = onlyValue(h.pass, varOf(h.pass, sel.X))
	}
	if made == nil {
		return nil, false
	}
	return h.failsafePolicies(made, depth-1)
}

// onlyValue is the call whose result a variable holds, nil where it is another
// value or there are several.
func onlyValue(pass *analysis.Pass, v *types.Var) (call *ast.CallExpr) {
	if v == nil {
		return nil
	}
	n := 0
	note := func(lhs, rhs []ast.Expr) {
		for i, e := range lhs {
			if varOf(pass, e) == v && len(lhs) == len(rhs) {
				n++
				call, _ = ast.Unparen(rhs[i]).(*ast.CallExpr)
			}
		}
	}
	for _, file := range pass.Files {
		ast.Inspect(file, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.AssignStmt:
				note(m.Lhs, m.Rhs)
			case *ast.ValueSpec:
				names := make([]ast.Expr, len(m.Names))
				for i, name := range m.Names {
					names[i] = name
				}
				note(names, m.Values)
			case *ast.KeyValueExpr:
				note([]ast.Expr{m.Key}, []ast.Expr{m.Value})
			}
			return true
		})
	}
	if n != 1 {
		return nil
	}
	return call
}
