package vet

import (
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// A Finding is what an analyzer says of a place.
type Finding struct {
	Pos      token.Position
	Analyzer string
	Message  string
}

// String is the one-line form that compilers use.
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s [%s]", f.Pos, f.Message, f.Analyzer)
}

// Run loads the packages that the patterns name, tests included, runs all
// analyzers over them and returns the findings sorted by position. An empty
// dir is the current one. An error means that a package could not be loaded or
// does not compile.
func Run(dir string, patterns ...string) ([]Finding, error) {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir, Tests: true}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("load %s: %s", strings.Join(patterns, " "), goSays(err))
	}
	if err := loadError(pkgs); err != nil {
		return nil, err
	}
	if err := RawHTTP.Flags.Set("hosts", hostPairs(pkgs)); err != nil {
		return nil, err
	}
	graph, err := checker.Analyze(Analyzers(), pkgs, nil)
	if err != nil {
		return nil, err
	}
	seen := map[Finding]bool{} // a package and its test variant are analysed both
	for _, action := range graph.Roots {
		if action.Err != nil {
			return nil, fmt.Errorf("%s: %w", action, action.Err)
		}
		for _, d := range action.Diagnostics {
			seen[finding(action.Package.Fset, action.Analyzer, d)] = true
		}
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b Finding) int {
		return strings.Compare(sortKey(a), sortKey(b))
	}), nil
}

// goSays is what the go command said, without how it was run.
func goSays(err error) string {
	text := err.Error()
	if _, said, ok := strings.Cut(text, "stderr: "); ok {
		text = said
	}
	return strings.TrimSpace(text)
}

// finding is a diagnostic with its file relative to the current folder, if it
// is below that.
func finding(fset *token.FileSet, a *analysis.Analyzer, d analysis.Diagnostic) Finding {
	pos := fset.Position(d.Pos)
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, pos.Filename); err == nil && filepath.IsLocal(rel) {
			pos.Filename = rel
		}
	}
	return Finding{Pos: pos, Analyzer: a.Name, Message: d.Message}
}

func sortKey(f Finding) string {
	return fmt.Sprintf("%s\x00%09d\x00%09d\x00%s", f.Pos.Filename, f.Pos.Line, f.Pos.Column, f.Message)
}

func loadError(pkgs []*packages.Package) error {
	var errs []string
	for _, p := range pkgs {
		for _, e := range p.Errors {
			errs = append(errs, e.Error())
		}
	}
	slices.Sort(errs)
	if errs = slices.Compact(errs); len(errs) > 0 {
		return fmt.Errorf("packages do not load:\n\t%s", strings.Join(errs, "\n\t"))
	}
	return nil
}

// hostPairs are the hosts of every client among the packages and what they
// import, so that a raw call is found also where the client is not imported.
func hostPairs(pkgs []*packages.Package) string {
	hosts := map[string]string{}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, file := range p.Syntax {
			if !generatedByResgen(file) {
				continue
			}
			for _, host := range serverHosts(file) {
				if old, ok := hosts[host]; !ok || p.PkgPath < old {
					hosts[host] = p.PkgPath
				}
			}
		}
	})
	var pairs []string
	for _, host := range slices.Sorted(maps.Keys(hosts)) {
		pairs = append(pairs, host+"="+hosts[host])
	}
	return strings.Join(pairs, ",")
}
