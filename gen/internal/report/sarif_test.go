package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
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
			if err := SARIF(&out, Findings(ds, func(f string) string { return f }), "1.2.3", asIs); err != nil {
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
		if known, ok := rules.Find(r.ID); ok && (r.Full.Text == "" || r.Help.Markdown != known.Text() || r.Name != known.Name) {
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

// TestFingerprintsWithoutAmounts holds that a finding stays the one it was when
// an amount changes that it is weighed against, and that another status, name
// or kind of finding is another one.
func TestFingerprintsWithoutAmounts(t *testing.T) {
	fingerprint := func(code, message string, subjects ...string) string {
		d := diag.Diagnostic{Pos: diag.Pos{File: "a.yaml", Line: 3, Col: 5}, Severity: diag.Warn, Code: code, Message: message, Subjects: subjects}
		return Findings(diag.List{d}, func(f string) string { return f })[0].Fingerprint
	}
	for _, c := range []struct {
		code, subject, one, other string
		same                      bool
	}{
		{"RG102", "POST /v2/charges", "attempt is 2s and total 1.5s; an attempt cannot outlast its call", "attempt is 2s and total 1m30s; an attempt cannot outlast its call", true},
		{"RG105", "GET /a", "the expected p99 of 700ms is above 70 % of the attempt limit of 900ms", "the expected p99 of 750ms is above 70 % of the attempt limit of 1s", true},
		{"RG302", "payments", "maxConcurrent is 200 and 50/s at 1s need 50 in flight; a hang may take more than ten times that", "maxConcurrent is 200 and 5/m at 1s need 0.1 in flight; a hang may take more than ten times that", true},
		{"RG204", "payments", "failureRate is 0.5% and errorRate 0.5%", "failureRate is 0.5% and errorRate 1%", true},
		{"RG004", "POST /a", "the key is forgotten after 2s and a call can take 15s; a repeat after that is a second write", "the key is forgotten after 2s and a call can take 20s; a repeat after that is a second write", true},
		{"RG001", "POST /a", "an unsafe write asks to be sent again after 503; want one attempt", "an unsafe write asks to be sent again after 504; want one attempt", false},
		{"RG005", "POST /a", "5XX is retried and holds 501, 505, which a repeat cannot mend", "4XX is retried and holds 501, 505, which a repeat cannot mend", false},
		{"RG601", "POST /a", "retried and not declared: 408, 425", "retried and not declared: 408, 429", false},
		{"RG003", "POST /a", "the spec declares no header X-Once-1", "the spec declares no header X-Once-2", false},
		{"RG902", "", "the waiver of RG105 held until 2026-01-01", "the waiver of RG106 held until 2026-01-01", false},
		{"annotation", "", "retry.maxAttempts is 11; want a number from 1 to 10", "retry.maxAttempts is 12; want a number from 1 to 10", false},
	} {
		subjects, prefix := []string(nil), ""
		if c.subject != "" {
			subjects, prefix = []string{c.subject}, c.subject+": "
		}
		if got := fingerprint(c.code, prefix+c.one, subjects...) == fingerprint(c.code, prefix+c.other, subjects...); got != c.same {
			t.Errorf("%s: %q and %q are one finding: %v, want %v", c.code, c.one, c.other, got, c.same)
		}
	}
	if fingerprint("RG102", "POST /v1: x", "POST /v1") == fingerprint("RG102", "POST /v2: x", "POST /v2") {
		t.Error("an amount is seen in a path")
	}
}

func asIs(name string) string { return name }

// TestSARIFColumns holds that columns count what a code host counts.
func TestSARIFColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a b.json", []byte("{}\n{\"s\": \"über 😀😀\", \"x\": 1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := diag.Diagnostic{Pos: diag.Pos{File: "a b.json", Line: 2, Col: 18}, Severity: diag.Warn, Code: "RG503", Message: "maxAttempts is 8",
		Related: []diag.Related{{Pos: diag.Pos{File: "whole.json"}, Message: "the file"}, {Pos: diag.Pos{File: "/elsewhere/c.json", Line: 1, Col: 2}, Message: "here"}}}
	var out bytes.Buffer
	if err := SARIF(&out, Findings(diag.List{d}, asIs), "1", func(name string) string {
		return strings.Replace(name, "a b", "api/a b", 1)
	}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"columnKind": "utf16CodeUnits"`, `"uri": "api/a%20b.json",`, `"uriBaseId": "%SRCROOT%"`, `"startColumn": 20`,
		`"uri": "/elsewhere/c.json"`, `"startColumn": 2`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %s in\n%s", want, out.String())
		}
	}
	if lines := strings.Count(out.String(), `"startLine"`); lines != 3 {
		t.Errorf("%d places have a line, want all 3", lines)
	}
	if n := strings.Count(out.String(), "SRCROOT"); n != 2 {
		t.Errorf("%d files are below the root, want 2", n)
	}
}
