package vet

import (
	"go/ast"
	"go/constant"
	"net/url"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// RawHTTP reports calls of net/http to a host for which there is a client.
var RawHTTP = &analysis.Analyzer{
	Name: "rawhttp",
	Doc: `report net/http calls to a host that has a generated client

A raw call has no timeout, circuit, bulkhead or budget of the client's, and its
failures are not counted. The analyzer knows the hosts of the clients that the
package imports, in one step or many, and those given with -hosts.`,
	Requires: []*analysis.Analyzer{operationsAnalyzer, inspect.Analyzer},
	Run:      runRawHTTP,
}

// moreHosts are host=client pairs, comma separated, of clients that the
// analysed package does not import. `resgen vet` fills it from all packages
// that it was given.
var moreHosts string

func init() {
	RawHTTP.Flags.StringVar(&moreHosts, "hosts", "", "comma-separated host=client pairs besides those of the imported clients")
}

// rawCalls are the functions and methods of net/http that take a URL, with the
// index of that argument.
var rawCalls = map[string]int{
	"Get": 0, "Head": 0, "Post": 0, "PostForm": 0, "NewRequest": 1, "NewRequestWithContext": 2,
}

func runRawHTTP(pass *analysis.Pass) (any, error) {
	ops := pass.ResultOf[operationsAnalyzer].(*operations)
	if ops.isClient(pass.Pkg) {
		return nil, nil
	}
	hosts := ops.hosts()
	for pair := range strings.SplitSeq(moreHosts, ",") {
		if host, client, ok := strings.Cut(pair, "="); ok && hosts[host] == "" {
			hosts[host] = client
		}
	}
	if len(hosts) == 0 {
		return nil, nil
	}
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	for cur := range in.Root().Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		fn := callee(pass, call)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "net/http" {
			continue
		}
		i, ok := rawCalls[fn.Name()]
		if !ok || i >= len(call.Args) {
			continue
		}
		host := hostOf(pass, call.Args[i])
		if client := hosts[host]; client != "" {
			pass.Reportf(call.Pos(), "http.%s calls %s, which has a client: %s; use it, or the call has no circuit, bulkhead or budget", fn.Name(), host, client)
		}
	}
	return nil, nil
}

// hostOf is the host of a URL expression whose beginning is constant:
// "https://host/…" alone, or followed by + … or given to fmt.Sprintf.
func hostOf(pass *analysis.Pass, e ast.Expr) string {
	e = ast.Unparen(e)
	text := ""
	if tv, ok := pass.TypesInfo.Types[e]; ok && tv.Value != nil && tv.Value.Kind() == constant.String {
		text = constant.StringVal(tv.Value)
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if text == "" {
			return hostOf(pass, e.X)
		}
	case *ast.CallExpr:
		if fn := callee(pass, e); fn != nil && fn.Name() == "Sprintf" && len(e.Args) > 0 {
			return hostOf(pass, e.Args[0])
		}
	}
	text, _, _ = strings.Cut(text, "%")
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.Host
}
