package report

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/diff"
)

// nasty is text that would break out of any of the forms.
const nasty = "a | b ` <script> \n::error::x @team \x1b[2J %0A, [x](y)"

func someFindings() []Finding {
	var list diag.List
	list.Errorf(diag.Pos{File: "a b.yaml", Line: 3, Col: 7}, "RG001", "POST /x: %s", nasty).WithHint("write this").
		WithRelated(diag.Pos{File: "c.yaml", Line: 1, Col: 1}, "declared here")
	list.Warnf(diag.Pos{File: "a b.yaml", Line: 9, Col: 1}, "dangling-ref", "mended")
	list.Infof(diag.Pos{}, "RG601", "noted")
	return Findings(list, func(file string) string { return file })
}

func TestFingerprintsStayWhenLinesMove(t *testing.T) {
	at := func(line int) []Finding {
		var list diag.List
		list.Errorf(diag.Pos{File: "a.yaml", Line: line, Col: 1}, "RG001", "same")
		list.Errorf(diag.Pos{File: "a.yaml", Line: line + 1, Col: 1}, "RG001", "same")
		return Findings(list, func(file string) string { return file })
	}
	before, after := at(3), at(30)
	if before[0].Fingerprint == before[1].Fingerprint {
		t.Error("two findings have one fingerprint")
	}
	for i := range before {
		if before[i].Fingerprint != after[i].Fingerprint {
			t.Errorf("fingerprint %d changed with the line", i)
		}
	}
}

func TestJSONReportIsItsOwnBaseline(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, someFindings()); err != nil {
		t.Fatal(err)
	}
	known, err := ReadBaseline(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range someFindings() {
		if !known[f.Fingerprint] {
			t.Errorf("%s is not in the baseline", f.Diagnostic)
		}
	}
	for _, bad := range []string{"", "[]", `{"version": 2}`} {
		if _, err := ReadBaseline([]byte(bad)); err == nil {
			t.Errorf("ReadBaseline(%q) succeeded, want an error", bad)
		}
	}
}

func TestGitHubCommandsCannotBeInjected(t *testing.T) {
	var b strings.Builder
	if err := GitHub(&b, someFindings()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("lines = %d, want one a finding:\n%s", len(lines), b.String())
	}
	want := []string{"::notice title=", "::error file=a b.yaml,line=3,col=7,title=RG001 unsafe-write-retried::", "::warning file=a b.yaml,line=9,col=1,title=dangling-ref::"}
	for i, w := range want {
		if !strings.HasPrefix(lines[i], w) {
			t.Errorf("line %d = %q, want it to begin with %q", i, lines[i], w)
		}
	}
}

func TestMarkdownCellsStayInTheirTable(t *testing.T) {
	var b strings.Builder
	if err := Markdown(&b, someFindings()); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(b.String(), "\n") {
		if strings.HasPrefix(line, "| `a b.yaml:3:7`") {
			if n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); n != 5 {
				t.Errorf("the row has %d bars, want 5: %s", n, line)
			}
			if strings.Contains(line, "<script>") || strings.Contains(line, "@team") {
				t.Errorf("markup of the spec is alive: %s", line)
			}
			return
		}
	}
	t.Errorf("the error has no row of its own:\n%s", b.String())
}

func TestGitLabReportHasWhatGitLabAsksFor(t *testing.T) {
	var b bytes.Buffer
	if err := GitLab(&b, someFindings()); err != nil {
		t.Fatal(err)
	}
	var issues []gitlabIssue
	if err := json.Unmarshal(b.Bytes(), &issues); err != nil {
		t.Fatal(err)
	}
	for _, i := range issues {
		if i.Description == "" || i.Check == "" || i.Fingerprint == "" || i.Severity == "" || i.Location.Lines.Begin < 1 {
			t.Errorf("an issue lacks something: %+v", i)
		}
	}
}

func TestSARIFTellsRulesPlacesAndFingerprints(t *testing.T) {
	var b bytes.Buffer
	if err := SARIF(&b, someFindings(), "v1.0.0", asIs); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if log.Version != "2.1.0" || len(run.Results) != 3 {
		t.Fatalf("version %q with %d results, want 2.1.0 with 3", log.Version, len(run.Results))
	}
	for _, r := range run.Results {
		rule := run.Tool.Driver.Rules[r.Index]
		if rule.ID != r.Rule || r.Fingerprints["resgen/v1"] == "" || rule.Short.Text == "" || rule.Full.Text == "" || rule.Help.Text == "" {
			t.Errorf("result %+v does not fit its rule %+v", r, rule)
		}
	}
	found := run.Results[1]
	if found.Locations[0].Physical.Artifact.URI != "a%20b.yaml" || found.Locations[0].Physical.Region.Line != 3 || len(found.Related) != 1 {
		t.Errorf("locations = %+v, want a%%20b.yaml:3 and one related", found)
	}
	if help := run.Tool.Driver.Rules[found.Index].Help; !strings.Contains(help.Markdown, "RG001") {
		t.Error("RG001 has no help")
	}
}

func someChanges() []ClientChanges {
	return []ClientChanges{{Client: "internal/x", Report: diff.Report{Unchanged: 4, Changes: []diff.Change{
		{Direction: diff.Unsafe, Kind: diff.Altered, Leaf: "class", Operations: []diff.Operation{{Method: "POST", Path: "/x", ID: "x"}},
			Old: diff.Side{Value: "unsafe", Causes: []string{"default"}}, New: diff.Side{Value: "safe", Causes: []string{"operation"}, Pos: "a.yaml:3:7"}, Why: nasty, Fingerprint: "f1"},
		{Direction: diff.Weakened, Kind: diff.Altered, Leaf: "timeout.total", Operations: []diff.Operation{{Method: "GET", Path: "/a"}, {Method: "GET", Path: "/b"}},
			Old: diff.Side{Value: "1s"}, New: diff.Side{Value: "2s"}, Fingerprint: "f2"},
		{Direction: diff.Added, Kind: diff.Came, Operations: []diff.Operation{{Method: "GET", Path: "/c"}}, Fingerprint: "f3"},
	}}}}
}

func TestDiffJSONFitsItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "..", "docs", "diff.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, clients := range [][]ClientChanges{someChanges(), nil, {{}}} {
		var b bytes.Buffer
		if err := DiffJSON(&b, clients); err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(&b)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Error(err)
		}
	}
}

func TestDiffFormsShowEveryChange(t *testing.T) {
	for name, form := range map[string]func(io.Writer, []ClientChanges) error{
		"text":     func(w io.Writer, c []ClientChanges) error { return DiffText(w, c, Plain) },
		"markdown": DiffMarkdown,
		"github":   func(w io.Writer, c []ClientChanges) error { return DiffGitHub(w, c, asIs) },
	} {
		var b strings.Builder
		if err := form(&b, someChanges()); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"unsafe", "timeout", "/c"} {
			if !strings.Contains(strings.ToLower(b.String()), want) {
				t.Errorf("%s does not show %q:\n%s", name, want, b.String())
			}
		}
		if strings.Contains(b.String(), "\x1b") {
			t.Errorf("%s lets a control character through", name)
		}
	}
}
