package gen_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/resgen-dev/resgen"

const (
	jsonV2 = "github.com/go-json-experiment/json"
	xtools = "golang.org/x/tools"
)

// A room is a package of the house and what it may import besides the standard
// library. Names ending in /... mean a package and everything below it.
type room struct {
	path   string
	ours   []string
	others []string
	why    string
}

// house is the import table: imports run one way.
var house = []room{
	{"cmd/resgen", []string{"gen", "gen/vet"}, []string{"github.com/spf13/cobra"},
		"flags, printing and exit statuses; no decisions about specs"},
	{"gen", []string{"gen/internal/..."}, nil,
		"runs the stages in order; the only package that sees all of them"},
	{"gen/vet", nil, []string{xtools + "/go/..."},
		"public, so that other linters can host it: it must not pull the generator in"},
	{"gen/internal/diag", nil, nil, "everybody speaks through it"},
	{"gen/internal/names", nil, nil, "the one allocator of Go names knows nothing of specs"},
	{"gen/internal/model", []string{"gen/internal/diag"}, nil, "plain data; does not know where it was read from"},
	{"gen/internal/document", []string{"gen/internal/diag"}, []string{"go.yaml.in/yaml/v4/...", "github.com/theory/jsonpath/..."},
		"the only home of YAML and JSONPath"},
	{"gen/internal/openapi", []string{"gen/internal/document", "gen/internal/model", "gen/internal/names", "gen/internal/diag"}, []string{"github.com/getkin/kin-openapi/..."},
		"the only home of kin-openapi"},
	{"gen/internal/policy", []string{"gen/internal/document", "gen/internal/model", "gen/internal/diag"}, nil,
		"the vocabulary; knows neither Go code nor templates"},
	{"gen/internal/rules", []string{"gen/internal/policy", "gen/internal/model", "gen/internal/diag"}, nil, "judges plans"},
	{"gen/internal/diff", []string{"gen/internal/policy", "gen/internal/model", "gen/internal/diag"}, nil, "compares plans"},
	{"gen/internal/sample", []string{"gen/internal/model"}, nil, "makes values from schemas"},
	{"gen/internal/golang", []string{"gen/internal/policy", "gen/internal/model", "gen/internal/names", "gen/internal/sample", "gen/internal/diag"}, []string{"github.com/dave/jennifer/jen", xtools + "/imports"},
		"the only home of jennifer"},
	{"gen/internal/report", []string{"gen/internal/policy", "gen/internal/model", "gen/internal/rules", "gen/internal/diff", "gen/internal/diag", "templates"}, nil,
		"everything that is not Go"},
	{"gen/internal/cases/...", []string{"gen/...", "runtime/..."}, []string{jsonV2 + "/..."}, "tests drive every stage"},
	{"gen/internal/corpus/...", []string{"gen/...", "runtime/..."}, []string{jsonV2 + "/..."}, "tests drive every stage"},
	{"templates", nil, nil, "text and nothing else"},
	{"runtime", []string{"runtime/internal/..."}, []string{jsonV2 + "/..."}, "what people use; one dependency"},
	{"runtime/internal/breaker", []string{"runtime/internal/window"}, nil, "a mechanism without knowledge of policies"},
	{"runtime/internal/bulkhead", nil, nil, "a mechanism without knowledge of policies"},
	{"runtime/internal/budget", []string{"runtime/internal/window"}, nil, "a mechanism without knowledge of policies"},
	{"runtime/internal/retryafter", nil, nil, "a parser without knowledge of policies"},
	{"runtime/internal/window", nil, nil, "a mechanism without knowledge of policies"},
	{"runtime/wire", []string{"runtime"}, []string{jsonV2 + "/..."}, "what generated code calls"},
	{"runtime/faulttest", []string{"runtime"}, nil, "the scripted server, for our tests and the users'"},
	{"examples/...", []string{"examples/...", "runtime", "runtime/wire", "runtime/faulttest"}, []string{jsonV2 + "/..."},
		"examples import what users import"},
}

func TestImportsFollowTheTable(t *testing.T) {
	for _, p := range listPackages(t) {
		path := strings.TrimPrefix(p.ImportPath, module+"/")
		i := slices.IndexFunc(house, func(r room) bool { return covers(r.path, path) })
		if i < 0 {
			t.Errorf("%s has no row in the import table; add one with its reason", path)
			continue
		}
		r := house[i]
		for _, imported := range p.Imports {
			name, ours := strings.CutPrefix(imported, module+"/")
			allowed := r.others
			if ours {
				allowed = r.ours
			}
			if !ours && !strings.Contains(strings.Split(imported, "/")[0], ".") {
				continue // the standard library
			}
			if !slices.ContainsFunc(allowed, func(a string) bool { return covers(a, name) }) {
				t.Errorf("%s imports %s; it may import %s (%s)", path, imported, strings.Join(slices.Concat(r.ours, r.others), ", "), r.why)
			}
		}
	}
}

// covers reports whether an entry of the table means a package.
func covers(entry, path string) bool {
	if parent, all := strings.CutSuffix(entry, "/..."); all {
		return path == parent || strings.HasPrefix(path, parent+"/")
	}
	return path == entry
}

type listedPackage struct {
	ImportPath string
	Imports    []string
}

// listPackages asks the go command for the packages of the module.
func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports", "./...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listedPackage
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listedPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		packages = append(packages, p)
	}
}
