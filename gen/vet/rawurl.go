package vet

import (
	"go/ast"
	"go/constant"
	"go/types"
	"net/url"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A urlReader reads the hosts of URLs from expressions.
type urlReader struct{ pass *analysis.Pass }

// raw is the net/http function or type by which n calls a host, and the host;
// both are empty where it calls none that can be read.
func (r *urlReader) raw(n ast.Node) (what, host string) {
	switch n := n.(type) {
	case *ast.CallExpr:
		fn := callee(r.pass, n)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "net/http" {
			return "", ""
		}
		if i, ok := rawCalls[fn.Name()]; ok && i < len(n.Args) {
			return "http." + fn.Name(), r.host(n.Args[i], 0)
		}
	case *ast.CompositeLit: // http.Request{URL: u}
		if !isNamed(r.pass.TypesInfo.TypeOf(n), "net/http", "Request") {
			return "", ""
		}
		return "http.Request", r.host(field(n, "URL"), 0)
	}
	return "", ""
}

// urlFunctions are functions that make a URL or a part of one of their first
// argument.
var urlFunctions = map[string]bool{
	"fmt.Sprintf": true, "fmt.Sprint": true, "net/url.Parse": true, "net/url.ParseRequestURI": true, "net/url.JoinPath": true,
	"strings.TrimRight": true, "strings.TrimSuffix": true, "strings.Replace": true, "strings.ReplaceAll": true,
}

// host is the host of a URL expression whose beginning is known: a constant, a
// variable that is given one value, followed by + … or given to a function that
// keeps the beginning. It looks through a few steps only.
func (r *urlReader) host(e ast.Expr, depth int) string {
	if e == nil || depth > 8 {
		return ""
	}
	e = ast.Unparen(e)
	if tv, ok := r.pass.TypesInfo.Types[e]; ok && tv.Value != nil && tv.Value.Kind() == constant.String {
		return hostOf(constant.StringVal(tv.Value))
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return r.host(e.X, depth+1)
	case *ast.UnaryExpr:
		return r.host(e.X, depth+1)
	case *ast.CompositeLit: // url.URL{Scheme: "https", Host: "…"}
		if isNamed(r.pass.TypesInfo.TypeOf(e), "net/url", "URL") {
			return r.host(asURL(field(e, "Host")), depth+1)
		}
	case *ast.CallExpr:
		fn := callee(r.pass, e)
		switch {
		case fn == nil || fn.Pkg() == nil:
		case fn.Signature().Recv() != nil: // u.String(), u.JoinPath("x")
			if sel, ok := e.Fun.(*ast.SelectorExpr); ok && fn.Pkg().Path() == "net/url" {
				return r.host(sel.X, depth+1)
			}
		case urlFunctions[fn.Pkg().Path()+"."+fn.Name()] && len(e.Args) > 0:
			return r.host(e.Args[0], depth+1)
		}
	case *ast.Ident:
		return r.variable(e, depth)
	}
	return ""
}

// asURL is an expression of a host as the beginning of a URL.
func asURL(host ast.Expr) ast.Expr {
	if host == nil {
		return nil
	}
	return &ast.BinaryExpr{X: host}
}

// variable is the host of what a variable of the package is given, where that
// is one thing.
func (r *urlReader) variable(id *ast.Ident, depth int) string {
	v := varOf(r.pass, id)
	if v == nil || v.Kind() != types.LocalVar && v.Kind() != types.PackageVar {
		return "" // a parameter may be any URL
	}
	host := ""
	for _, file := range r.pass.Files {
		if !within(file, v.Pos()) {
			continue
		}
		for _, e := range given(r.pass, file, v) {
			h := r.host(e, depth+1)
			if h == "" || host != "" && h != host {
				return ""
			}
			host = h
		}
	}
	return host
}

// field is what a struct literal puts into a field, or nil.
func field(lit *ast.CompositeLit, name string) ast.Expr {
	for _, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == name {
				return kv.Value
			}
		}
	}
	return nil
}

// hostOf is the host of a URL, or of the beginning of one up to what a format
// fills in; a host without a scheme is taken as it is. A port that the scheme
// implies is left out.
func hostOf(text string) string {
	text, _, _ = strings.Cut(text, "%")
	if !strings.Contains(text, "://") {
		if strings.ContainsAny(text, "/ ?#") || !strings.Contains(text, ".") {
			return ""
		}
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "https":
		return strings.TrimSuffix(host, ":443")
	case "http":
		return strings.TrimSuffix(host, ":80")
	}
	return host
}
