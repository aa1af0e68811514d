package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// A keyParamFact says that a function sends a write under a key that it makes
// of a parameter.
type keyParamFact struct{ Param int }

// AFact marks the type as a fact.
func (*keyParamFact) AFact() {}

// String shows the fact in tests.
func (f *keyParamFact) String() string { return fmt.Sprintf("key from parameter %d", f.Param) }

// keyArgument is the expression that a call takes its idempotency key from, or
// nil: what WithIdempotencyKey is given, an argument that is a key, a variable
// that holds such an option, or what a function of the caller's makes one of.
func (o *operations) keyArgument(call *ast.CallExpr) ast.Expr {
	fn := callee(o.pass, call)
	if fn == nil || fn.Pkg() != nil && isRuntime(fn.Pkg()) {
		return nil
	}
	var f keyParamFact
	if o.pass.ImportObjectFact(fn.Origin(), &f) && f.Param < len(call.Args) {
		return call.Args[f.Param]
	}
	if o.class(fn) == "" {
		return nil
	}
	for _, arg := range call.Args {
		if isKey(o.pass.TypesInfo.TypeOf(arg)) {
			return arg
		}
		if key := o.optionKey(arg); key != nil {
			return key
		}
		if v := varOf(o.pass, arg); v != nil && o.holdsKey(v) {
			return arg
		}
	}
	return nil
}

// optionKey is what WithIdempotencyKey is given in an expression, or nil.
func (o *operations) optionKey(e ast.Expr) (key ast.Expr) {
	if e == nil {
		return nil
	}
	ast.Inspect(e, func(n ast.Node) bool {
		opt, ok := n.(*ast.CallExpr)
		if !ok || len(opt.Args) == 0 {
			return key == nil
		}
		if fn := callee(o.pass, opt); fn != nil && fn.Name() == "WithIdempotencyKey" && isRuntime(fn.Pkg()) {
			key = opt.Args[0]
		}
		return key == nil
	})
	return key
}

// holdsKey reports whether the package puts a key option into a variable.
func (o *operations) holdsKey(v *types.Var) bool {
	for _, file := range o.pass.Files {
		if v.Pos() < file.FileStart || v.Pos() >= file.FileEnd {
			continue
		}
		return slices.ContainsFunc(given(o.pass, file, v), func(e ast.Expr) bool { return o.optionKey(e) != nil })
	}
	return false
}

func isKey(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && isRuntime(named.Obj().Pkg()) && named.Obj().Name() == "Key"
}

// exportKeyParams marks the functions of this package that make a key of a
// parameter, in as many rounds as they call each other.
func exportKeyParams(pass *analysis.Pass, ops *operations) {
	for changed := true; changed; {
		changed = false
		for _, file := range pass.Files {
			for _, decl := range file.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func)
				if !ok || pass.ImportObjectFact(obj, new(keyParamFact)) {
					continue
				}
				if i := ops.keyParam(fn); i >= 0 {
					pass.ExportObjectFact(obj, &keyParamFact{Param: i})
					changed = true
				}
			}
		}
	}
}

// keyParam is the index of the parameter that a function makes a key of, or -1.
func (o *operations) keyParam(fn *ast.FuncDecl) int {
	params := paramIndexes(o.pass, fn.Type)
	found := -1
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found >= 0 {
			return found < 0
		}
		key := o.keyArgument(call)
		if key == nil {
			return true
		}
		ast.Inspect(key, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && found < 0 {
				if i, ok := params[o.pass.TypesInfo.Uses[id]]; ok {
					found = i
				}
			}
			return found < 0
		})
		return true
	})
	return found
}

// paramIndexes numbers a function's parameters.
func paramIndexes(pass *analysis.Pass, typ *ast.FuncType) map[types.Object]int {
	params := map[types.Object]int{}
	i := 0
	for _, field := range typ.Params.List {
		for _, name := range field.Names {
			if obj := pass.TypesInfo.Defs[name]; obj != nil {
				params[obj] = i
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
	return params
}

// madeAround reports whether a key is another at each run of the function
// around a call that is reached through a variable.
func (o *operations) madeAround(call *ast.CallExpr, key ast.Expr) bool {
	for _, file := range o.pass.Files {
		if !within(file, call.Pos()) {
			continue
		}
		var body ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok && within(lit, call.Pos()) {
				body = lit.Body // the innermost comes last
			}
			return true
		})
		return body != nil && o.madeInside(body, key)
	}
	return false
}

// madeInside reports whether a key is another at each run of body: it comes
// from a source of new things, or from a variable that body sets from one.
func (o *operations) madeInside(body ast.Node, key ast.Expr) bool {
	return o.made(body, key, map[types.Object]bool{})
}

func (o *operations) made(body ast.Node, key ast.Expr, seen map[types.Object]bool) bool {
	made := false
	ast.Inspect(key, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			made = made || isFresh(o.pass, n)
		case *ast.Ident:
			v, ok := o.pass.TypesInfo.Uses[n].(*types.Var)
			if !ok || seen[v] {
				return true
			}
			seen[v] = true
			if within(body, v.Pos()) && counts(body, v) {
				made = true
			}
			for _, e := range given(o.pass, body, v) {
				made = made || o.made(body, e, seen)
			}
		}
		return !made
	})
	return made
}

// deterministic are the functions of identifier libraries that make the same
// of the same.
var deterministic = regexp.MustCompile(`^(NewSHA1|NewMD5|NewHash|NewV3|NewV5|NewHashed|(Must)?Parse.*|From.*|Must)$`)

// isFresh reports whether a call returns something new each time: random
// identifiers, clocks, and functions of nothing.
func isFresh(pass *analysis.Pass, call *ast.CallExpr) bool {
	if pass.TypesInfo.Types[call.Fun].IsType() {
		return false // a conversion
	}
	fn := callee(pass, call)
	if fn == nil {
		return len(call.Args) == 0 && !isBuiltin(pass, call)
	}
	method := fn.Signature().Recv() != nil
	if fn.Pkg() != nil {
		switch fn.Pkg().Path() {
		case "crypto/rand", "math/rand", "math/rand/v2":
			return true
		case "time":
			return fn.Name() == "Now" && !method
		case runtimePath:
			return fn.Name() == "NewKey"
		}
		if identifierLibrary.MatchString(fn.Pkg().Path()) {
			return !method && !deterministic.MatchString(fn.Name())
		}
	}
	return len(call.Args) == 0 && !method // a method is as good as what it is of
}

// identifierLibrary matches the packages that make identifiers.
var identifierLibrary = regexp.MustCompile(`^github\.com/(google/uuid|gofrs/uuid|satori/go\.uuid|hashicorp/go-uuid|rs/xid|oklog/ulid|segmentio/ksuid|matoous/go-nanoid|jaevor/go-nanoid|lithammer/shortuuid|teris-io/shortid|nrednav/cuid2|google/uuid/v2)(/v\d+)?(/.*)?$`)

func isBuiltin(pass *analysis.Pass, call *ast.CallExpr) bool {
	return pass.TypesInfo.Types[call.Fun].IsBuiltin()
}

func within(n ast.Node, pos token.Pos) bool { return pos >= n.Pos() && pos < n.End() }

// counts reports whether a variable is one that the loop itself moves on.
func counts(body ast.Node, v *types.Var) bool {
	switch loop := body.(type) {
	case *ast.ForStmt:
		return v.Pos() < loop.Body.Pos()
	case *ast.RangeStmt:
		return v.Pos() < loop.Body.Pos()
	}
	return false
}

// given are the expressions that code below n gives a variable.
func given(pass *analysis.Pass, n ast.Node, v *types.Var) []ast.Expr {
	var out []ast.Expr
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if id, ok := lhs.(*ast.Ident); ok && pass.TypesInfo.ObjectOf(id) == v {
					out = append(out, n.Rhs[min(i, len(n.Rhs)-1)])
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if pass.TypesInfo.Defs[id] == v && len(n.Values) > 0 {
					out = append(out, n.Values[min(i, len(n.Values)-1)])
				}
			}
		}
		return true
	})
	return out
}
