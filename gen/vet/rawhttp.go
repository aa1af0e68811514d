package vet

import (
	"go/ast"
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
	urls := &urlReader{pass: pass}
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	for cur := range in.Root().Preorder((*ast.CallExpr)(nil), (*ast.CompositeLit)(nil)) {
		what, host := urls.raw(cur.Node())
		if client := hosts[host]; host != "" && client != "" {
			pass.Reportf(cur.Node().Pos(), "%s calls %s, which has a client: %s; use it, or the call has no circuit, bulkhead or budget", what, host, client)
		}
	}
	return nil, nil
}
