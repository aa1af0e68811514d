package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// TestSARIFSchema holds that findings of every shape make a log that the
// official schema accepts, with help for each rule that they speak of.
func TestSARIFSchema(t *testing.T) {
	schema := sarifSchema(t)
	at := diag.Pos{File: "api/a spec & more/größe.yaml", Line: 12, Col: 3}
	shapes := map[string]diag.List{
		"nothing":  nil,
		"no place": {{Severity: diag.Error, Code: "config", Message: "resgen.yaml names no client"}},
		"a file":   {{Pos: diag.Pos{File: "api.yaml"}, Severity: diag.Warn, Code: "empty", Message: "the file is empty"}},
		"related": {{Pos: at, Severity: diag.Error, Code: "RG001", Message: "an \"unsafe\" write\nasks", Hint: "write 1",
			Related: []diag.Related{{Pos: at, Message: "here"}, {Message: "nowhere"}, {Pos: diag.Pos{File: "o.yaml"}}}}},
	}
	var every diag.List
	for _, r := range rules.All() {
		every = append(every, diag.Diagnostic{Pos: at, Severity: r.Severity, Code: r.ID, Message: r.Says, Hint: "mend it"})
	}
	shapes["every rule"] = every
	shapes["the same twice"] = slices.Concat(every, every)
	for name, ds := range shapes {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := SARIF(&out, Findings(ds, func(f string) string { return f }), "1.2.3"); err != nil {
				t.Fatal(err)
			}
			log, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(log); err != nil {
				t.Errorf("%v\n%s", err, out.Bytes())
			}
			checkHelp(t, out.Bytes())
		})
	}
}

// checkHelp holds that each rule of ours in a log explains itself.
func checkHelp(t *testing.T, log []byte) {
	t.Helper()
	var read sarifLog
	if err := json.Unmarshal(log, &read); err != nil {
		t.Fatal(err)
	}
	for _, r := range read.Runs[0].Tool.Driver.Rules {
		if known, ok := rules.Find(r.ID); ok && (r.Help == nil || r.Help.Markdown != known.Text() || r.Name != known.Name) {
			t.Errorf("%s has help %v, want the rule's text", r.ID, r.Help)
		}
	}
}

// TestFingerprints holds that a finding keeps its fingerprint when the lines
// above it change, and that each of several equal ones has its own.
func TestFingerprints(t *testing.T) {
	same := func(f string) string { return f }
	d := diag.Diagnostic{Pos: diag.Pos{File: "a.yaml", Line: 3, Col: 1}, Severity: diag.Warn, Code: "RG503", Message: "maxAttempts is 8"}
	moved, other, elsewhere := d, d, d
	moved.Pos.Line, other.Message, elsewhere.Pos.File = 90, "maxAttempts is 9", "b.yaml"
	first := Findings(diag.List{d}, same)[0].Fingerprint
	if got := Findings(diag.List{moved}, same)[0].Fingerprint; got != first {
		t.Errorf("fingerprint after a move = %s, want %s", got, first)
	}
	seen := map[string]bool{}
	for _, f := range Findings(diag.List{d, moved, other, elsewhere}, same) {
		if seen[f.Fingerprint] {
			t.Errorf("two findings have the fingerprint %s", f.Fingerprint)
		}
		seen[f.Fingerprint] = true
	}
}

// TestKnown holds that of a finding about several operations only a further one
// is new, and that mending one makes no new finding of the others.
func TestKnown(t *testing.T) {
	about := func(names ...string) Finding {
		d := diag.Diagnostic{Pos: diag.Pos{File: "a.yaml", Line: 3, Col: 1}, Severity: diag.Error, Code: "RG001", Subjects: names}
		d.Message = names[0] + ": it asks"
		if len(names) > 1 {
			d.Message = fmt.Sprintf("%s and %d more: it asks", names[0], len(names)-1)
		}
		return Findings(diag.List{d}, func(f string) string { return f })[0]
	}
	before := about("POST /a", "POST /b", "POST /c")
	known := map[string]bool{before.Fingerprint: true}
	for _, p := range before.Parts {
		known[p] = true
	}
	for _, c := range []struct {
		name string
		now  Finding
		want bool
	}{
		{"the same", before, true},
		{"one was mended", about("POST /b", "POST /c"), true},
		{"one is left", about("POST /c"), true},
		{"one more", about("POST /a", "POST /b", "POST /c", "POST /d"), false},
		{"another one instead", about("POST /a", "POST /d"), false},
		{"another one alone", about("POST /d"), false},
	} {
		if got := c.now.Known(known); got != c.want {
			t.Errorf("%s: known = %v, want %v", c.name, got, c.want)
		}
	}
}

func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const name = "testdata/sarif-schema-2.1.0.json"
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	document, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
