package report

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

func TestDiagnosticsShowLineCaretRelatedAndHint(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "api.yaml", "\xef\xbb\xbfopenapi: 3.0.3\r\nretry:\r\n\tmaxAttempts: 3\r\n")
	var list diag.List
	list.Errorf(diag.Pos{File: "api.yaml", Line: 3, Col: 15}, "RG001", "POST /x: asks for 3 attempts").
		WithHint("give it a key").
		WithRelated(diag.Pos{File: "api.yaml", Line: 1, Col: 1}, "declared here")
	want := `api.yaml:3:15: error: POST /x: asks for 3 attempts [RG001]
    3 |  maxAttempts: 3
      |               ^
    api.yaml:1:1: declared here
    hint: give it a key
`
	if got := show(t, list, Text{Palette: Plain, Least: diag.Warn}); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestDiagnosticsCutLongLinesAroundTheColumn(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "min.json", strings.Repeat("a", 5000)+"X"+strings.Repeat("b", 5000))
	var list diag.List
	list.Errorf(diag.Pos{File: "min.json", Line: 1, Col: 5001}, "x", "here")
	lines := strings.Split(show(t, list, Text{Palette: Plain, Least: diag.Warn}), "\n")
	if len(lines[1]) > 200 {
		t.Errorf("excerpt has %d bytes, want a window of the line", len(lines[1]))
	}
	at := strings.Index(lines[2], "^")
	if got := []rune(lines[1])[at]; got != 'X' {
		t.Errorf("caret stands under %q, want X:\n%s\n%s", got, lines[1], lines[2])
	}
}

func TestDiagnosticsCollapseRepeatsButNeverErrors(t *testing.T) {
	var list diag.List
	for line := 1; line <= 10; line++ {
		list.Warnf(diag.Pos{File: "a.yaml", Line: line, Col: 1}, "mend", "mended %d", line)
		list.Errorf(diag.Pos{File: "a.yaml", Line: line, Col: 2}, "bad", "bad %d", line)
		list.Infof(diag.Pos{File: "a.yaml", Line: line, Col: 3}, "note", "noted %d", line)
	}
	got := show(t, list, Text{Palette: Plain, Least: diag.Warn, Repeats: 3})
	if n := strings.Count(got, "warning: mended"); n != 3 {
		t.Errorf("warnings = %d, want 3:\n%s", n, got)
	}
	if !strings.Contains(got, "and 7 more [mend]") {
		t.Errorf("the other 7 are not counted:\n%s", got)
	}
	if n := strings.Count(got, "error: bad"); n != 10 {
		t.Errorf("errors = %d, want all 10", n)
	}
	if strings.Contains(got, "noted") {
		t.Errorf("infos are shown, want them left out:\n%s", got)
	}
}

func TestDiagnosticsLetNoControlCharacterThrough(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "evil.yaml", "a: \x1b[2Jb\u202e\n")
	var list diag.List
	list.Errorf(diag.Pos{File: "evil.yaml", Line: 1, Col: 4}, "x", "found %s", "\x1b[31mred\u202e").WithHint("write \x07")
	got := show(t, list, Text{Palette: Plain, Least: diag.Warn})
	if strings.ContainsAny(got, "\x1b\x07\u202e") {
		t.Errorf("a control character reached the terminal: %q", got)
	}
}

func TestDiagnosticsColourOnlyForTerminals(t *testing.T) {
	var list diag.List
	list.Errorf(diag.Pos{File: "a.yaml"}, "x", "bad")
	if got := show(t, list, Text{Palette: Plain, Least: diag.Warn}); strings.Contains(got, "\x1b") {
		t.Errorf("plain text has an escape: %q", got)
	}
	if got := show(t, list, Text{Palette: ANSI, Least: diag.Warn}); !strings.Contains(got, red+"error"+reset) {
		t.Errorf("error is not red: %q", got)
	}
}

func show(t *testing.T, list diag.List, how Text) string {
	t.Helper()
	var b strings.Builder
	if err := Diagnostics(&b, list, how); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A finding about many operations names a few of them, and all where nothing
// is to be collapsed.
func TestManySubjectsOfOneFindingAreCounted(t *testing.T) {
	d := diag.Diagnostic{Pos: diag.Pos{File: "a.yaml", Line: 1, Col: 1}, Severity: diag.Error, Code: "RG107", Message: "m"}
	for i := range 9 {
		d.Related = append(d.Related, diag.Related{Pos: diag.Pos{File: "a.yaml", Line: i + 2, Col: 1}, Message: fmt.Sprintf("GET /%d is declared here", i)})
	}
	d.Related = append(d.Related, diag.Related{Pos: diag.Pos{File: "resgen.yaml", Line: 3, Col: 9}, Message: "the budget is 4s here"})
	for repeats, want := range map[int]string{5: "GET /2 is declared here\n    resgen.yaml:3:9: the budget is 4s here\n    and 6 more operations\n", 0: "GET /8 is declared here\n"} {
		var b strings.Builder
		if err := Diagnostics(&b, diag.List{d}, Text{Palette: Plain, Least: diag.Warn, Repeats: repeats}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) || (repeats > 0) == strings.Contains(b.String(), "/3 is declared") {
			t.Errorf("with %d repeats:\n%s", repeats, b.String())
		}
	}
}
