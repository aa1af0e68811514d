package vet

import (
	"go/ast"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
)

// valuesAnalyzer finds the functions that a package puts into variables and
// fields, so that a call through one of them is a call of those.
var valuesAnalyzer = &analysis.Analyzer{
	Name:       "resgenvalues",
	Doc:        "collect the functions that variables and fields hold",
	Run:        collectValues,
	ResultType: reflect.TypeFor[heldFunctions](),
}

// heldFunctions maps variables and fields, those of slices and maps of
// functions too, to what the package puts into them.
type heldFunctions map[*types.Var][]ast.Expr

func collectValues(pass *analysis.Pass) (any, error) {
	held := heldFunctions{}
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if len(n.Lhs) == len(n.Rhs) {
					for i, lhs := range n.Lhs {
						held.put(pass, varOf(pass, lhs), n.Rhs[i])
					}
				}
			case *ast.ValueSpec:
				if len(n.Names) == len(n.Values) {
					for i, name := range n.Names {
						held.put(pass, varOf(pass, name), n.Values[i])
					}
				}
			case *ast.RangeStmt:
				held.put(pass, varOf(pass, n.Value), n.X)
			case *ast.CompositeLit:
				held.fields(pass, n)
			}
			return true
		})
	}
	return held, nil
}

// fields notes what a struct literal puts into its fields.
func (h heldFunctions) fields(pass *analysis.Pass, lit *ast.CompositeLit) {
	fields, ok := typeOf(pass, lit).(*types.Struct)
	if !ok {
		return
	}
	for i, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			h.put(pass, varOf(pass, kv.Key), kv.Value)
		} else if i < fields.NumFields() {
			h.put(pass, fields.Field(i), elt)
		}
	}
}

func (h heldFunctions) put(pass *analysis.Pass, v *types.Var, e ast.Expr) {
	if v == nil || !holdsFunctions(v.Type()) {
		return
	}
	v = v.Origin()
	h[v] = append(h[v], e)
}

// holdsFunctions reports whether a type is a function, or a list or map of them.
func holdsFunctions(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Slice:
		return holdsFunctions(t.Elem())
	case *types.Array:
		return holdsFunctions(t.Elem())
	case *types.Map:
		return holdsFunctions(t.Elem())
	}
	return false
}

// varOf is the variable or field that an expression names, or nil.
func varOf(pass *analysis.Pass, e ast.Expr) *types.Var {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return varOf(pass, e.X)
	case *ast.Ident:
		v, _ := pass.TypesInfo.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := pass.TypesInfo.Uses[e.Sel].(*types.Var)
		return v
	case *ast.IndexExpr:
		return varOf(pass, e.X)
	}
	return nil
}

// bodies is the code behind an expression that is a function: the body of each
// literal, and each expression that names a declared function.
func (h heldFunctions) bodies(pass *analysis.Pass, e ast.Expr) []ast.Node {
	return h.follow(pass, e, map[*types.Var]bool{})
}

func (h heldFunctions) follow(pass *analysis.Pass, e ast.Expr, seen map[*types.Var]bool) []ast.Node {
	e = ast.Unparen(e)
	switch e := e.(type) {
	case *ast.FuncLit:
		return []ast.Node{e.Body}
	case *ast.CallExpr:
		if len(e.Args) == 1 && pass.TypesInfo.Types[e.Fun].IsType() {
			return h.follow(pass, e.Args[0], seen) // backoff.Operation(func() error { … })
		}
		return nil
	case *ast.UnaryExpr:
		return h.follow(pass, e.X, seen) // &retry.CallArgs{Func: …}
	case *ast.CompositeLit:
		var out []ast.Node
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			if holdsFunctions(pass.TypesInfo.TypeOf(elt)) {
				out = append(out, h.follow(pass, elt, seen)...)
			}
		}
		return out
	}
	if funcOf(pass, e) != nil {
		return []ast.Node{e}
	}
	v := varOf(pass, e)
	if v == nil || seen[v.Origin()] {
		return nil
	}
	v = v.Origin()
	seen[v] = true
	var out []ast.Node
	for _, value := range h[v] {
		out = append(out, h.follow(pass, value, seen)...)
	}
	return out
}
