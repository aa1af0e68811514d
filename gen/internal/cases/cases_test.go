package cases

import (
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/cases/drive"
	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// wrong lists expectations that are held to be wrong, each with the passage of
// the standard that says so. They are run all the same and reported, not failed.
var wrong = map[string]string{}

// folders lists the cases: the project's own, and those of $RESGEN_CASES, taken
// from the module's root where it is relative, or of shared/cases beside the
// checkout.
func folders(t *testing.T) (cases []string, root string) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	given := os.Getenv("RESGEN_CASES")
	switch {
	case given == "":
		given = filepath.Join(root, "..", "shared", "cases")
	case !filepath.IsAbs(given):
		given = filepath.Join(root, given)
	}
	if _, err := os.Stat(given); err != nil {
		t.Logf("no cases at %s: set RESGEN_CASES to a folder of them", given)
	}
	cases, err = Folders(filepath.Join(root, "testdata", "openapi", "cases"), given)
	if err != nil {
		t.Fatal(err)
	}
	return cases, root
}

// A run is one entry of a case on its way.
type run struct {
	name   string // Go identifier
	file   string
	client *Client
	broken []string // what is wrong so far
}

// TestCases generates, builds and drives the client of each case.
func TestCases(t *testing.T) {
	list, root := folders(t)
	ids := IDs(list)
	pattern := flag.Lookup("test.run").Value.String()
	module, err := NewModule(t.TempDir(), root)
	if err != nil {
		t.Fatal(err)
	}
	expectations := map[string]*Expectation{}
	runs := map[string][]*run{}
	var names []string
	for i, caseDir := range list {
		id := ids[caseDir]
		if ok, err := Wanted(pattern, id); err != nil {
			t.Fatal(err)
		} else if !ok {
			continue // -run does not ask for it
		}
		e, files, err := Read(caseDir)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		expectations[id] = e
		for j, file := range files {
			r := &run{name: fmt.Sprintf("case%d_%d", i, j), file: file}
			start := time.Now()
			r.generate(caseDir, e.Of(file))
			if slow := e.Limits.Check(time.Since(start)); slow != "" {
				r.broken = append(r.broken, slow)
			}
			if r.client != nil && r.client.Plan != nil {
				if err := module.Add(r.name, r.client); err != nil {
					t.Fatal(err)
				}
				names = append(names, r.name)
			}
			runs[id] = append(runs[id], r)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	unbuilt, err := module.Build(ctx, names)
	if err != nil {
		t.Fatal(err)
	}
	unvetted := module.Vet(ctx, names)
	for _, id := range sortedKeys(runs) {
		t.Run(id, func(t *testing.T) {
			report := t.Errorf
			if reason, ok := wrong[id]; ok {
				t.Logf("the expectation is held to be wrong: %s", reason)
				report = t.Logf
			}
			for _, r := range runs[id] {
				for _, text := range []string{unbuilt[r.name], unvetted[r.name]} {
					if text != "" {
						r.broken = append(r.broken, "the client does not compile or vet:\n"+text)
					}
				}
				if r.client != nil && r.client.Plan != nil && unbuilt[r.name] == "" {
					r.broken = append(r.broken, drives(ctx, module, r, expectations[id])...)
				}
				for _, b := range r.broken {
					report("%s: %s", r.file, b)
				}
			}
		})
	}
}

// generate makes the client and judges what the generator says.
func (r *run) generate(dir string, want Entry) {
	c, err := Generate(filepath.Join(dir, r.file))
	if err != nil {
		r.broken = append(r.broken, "generation: "+err.Error())
		return
	}
	r.client = c
	failed := c.Plan == nil
	text := messages(c.Diagnostics)
	switch want.Generate {
	case "", "ok":
		if failed {
			r.broken = append(r.broken, "generation stopped:\n"+text)
		}
	case "error":
		if !failed {
			r.broken = append(r.broken, "generation succeeded, want an error")
		}
	}
	if !failed {
		return
	}
	for _, name := range want.ErrorNames {
		if !strings.Contains(text, name) {
			r.broken = append(r.broken, fmt.Sprintf("the error does not name %q:\n%s", name, text))
		}
	}
	if len(want.ErrorNamesAny) > 0 && !slices.ContainsFunc(want.ErrorNamesAny, func(n string) bool { return strings.Contains(text, n) }) {
		r.broken = append(r.broken, fmt.Sprintf("the error names none of %q:\n%s", want.ErrorNamesAny, text))
	}
}

func messages(ds diag.List) string {
	var b strings.Builder
	for _, d := range ds.Sorted() {
		fmt.Fprintln(&b, d)
		for _, r := range d.Related {
			fmt.Fprintf(&b, "\t%s: %s\n", r.Pos, r.Message)
		}
	}
	return b.String()
}

// drives makes the calls of one file and compares.
func drives(ctx context.Context, m *Module, r *run, e *Expectation) (broken []string) {
	broken = append(broken, shape(r, e)...)
	var s drive.Script
	var calls []Call
	for _, c := range e.Calls {
		if fileOf(c.File) != r.file {
			continue
		}
		dc, err := script(e, c, r.client.Table)
		if err != nil {
			broken = append(broken, err.Error())
			continue
		}
		s.Calls = append(s.Calls, dc)
		calls = append(calls, c)
	}
	trips := roundTrips(r, e, &s, &broken)
	if len(s.Calls)+len(s.RoundTrips) == 0 {
		return broken
	}
	report, err := m.Drive(ctx, r.name, s)
	if err != nil {
		return append(broken, "driver: "+err.Error())
	}
	for i, c := range calls {
		for _, d := range compare(c, report.Calls[i], r.client.Table) {
			broken = append(broken, fmt.Sprintf("call %d, %s: %s", i, c.Op, d))
		}
	}
	for i, trip := range trips {
		if d := trip.judge(report.RoundTrips[i]); d != "" {
			broken = append(broken, fmt.Sprintf("%s %s: %s", trip.schema, trip.payload, d))
		}
	}
	return broken
}

func fileOf(file string) string {
	if file == "" {
		return "spec.yaml"
	}
	return file
}

// shape checks what can be seen without running: operations and identifiers.
func shape(r *run, e *Expectation) (broken []string) {
	if e.Operations != nil && r.file == "spec.yaml" {
		got := map[string]bool{}
		for _, op := range r.client.Table.Operations {
			got[op.ID] = true
			got[op.HTTPMethod+" "+op.Path] = true
		}
		for _, want := range e.Operations {
			if !got[want] {
				broken = append(broken, "the client lacks operation "+want)
			}
		}
		if len(r.client.Table.Operations) != len(e.Operations) {
			broken = append(broken, fmt.Sprintf("the client has %d operations, want %d", len(r.client.Table.Operations), len(e.Operations)))
		}
	}
	for _, f := range r.client.Files {
		file, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Content, 0)
		if err != nil {
			broken = append(broken, err.Error())
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && slices.Contains(e.ForbidIdents, id.Name) {
				broken = append(broken, f.Name+" has the identifier "+id.Name)
			}
			return true
		})
	}
	return broken
}

// A trip is a payload and what must become of it.
type trip struct {
	schema, payload string
	may             string // same, exactOrError, anything
}

func roundTrips(r *run, e *Expectation, s *drive.Script, broken *[]string) []trip {
	var out []trip
	add := func(schema, file, may string, payload []byte) {
		if fileOf(file) != r.file {
			return
		}
		for _, typ := range r.client.Table.Types {
			if typ.Schema == schema {
				s.RoundTrips = append(s.RoundTrips, drive.RoundTrip{Type: typ.Type, Payload: payload})
				out = append(out, trip{schema, string(payload), may})
				return
			}
		}
		*broken = append(*broken, "the client has no type for schema "+schema)
	}
	for _, rt := range e.RoundTrip {
		for _, p := range rt.Same {
			add(rt.Schema, rt.File, "same", p)
		}
		for _, p := range rt.Invalid {
			add(rt.Schema, rt.File, "anything", p)
		}
	}
	for _, x := range e.ExactOrError {
		for _, p := range x.Payloads {
			add(x.Schema, x.File, "exactOrError", p)
		}
	}
	return out
}

// judge says what is wrong with a payload's way, or nothing.
func (t trip) judge(got drive.Trip) string {
	if got.Panicked != "" {
		return "panic: " + got.Panicked
	}
	for _, way := range []struct {
		library, failed string
		out             []byte
	}{{"JSON v2", got.Error2, got.V2}, {"encoding/json", got.Error1, got.V1}} {
		switch {
		case t.may == "anything":
		case way.failed != "" && t.may == "exactOrError":
		case way.failed != "":
			return way.library + ": " + way.failed
		default:
			if d := DiffersJSON([]byte(t.payload), way.out); d != "" {
				return way.library + ": " + d
			}
		}
	}
	return ""
}
