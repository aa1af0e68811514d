package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/diff"
)

func manyOperations(n int) []diff.Operation {
	var ops []diff.Operation
	for i := range n {
		ops = append(ops, diff.Operation{Method: "GET", Path: fmt.Sprintf("/things/%d", i), ID: fmt.Sprintf("getThing%d", i)})
	}
	return ops
}

func markdown(t *testing.T, changes ...diff.Change) string {
	t.Helper()
	var b strings.Builder
	if err := DiffMarkdown(&b, []ClientChanges{{Report: diff.Report{Changes: changes}}}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Operations that came with the same policy are one row, and what rows share
// is listed once.
func TestDiffMarkdownPutsEqualsTogether(t *testing.T) {
	var changes []diff.Change
	for _, op := range manyOperations(595) {
		changes = append(changes, diff.Change{Direction: diff.Added, Kind: diff.Came, Operations: []diff.Operation{op}, New: diff.Side{Value: "safe, 3 attempts", Causes: []string{"default"}}})
	}
	shared := manyOperations(3)
	for _, leaf := range []string{"timeout.attempt", "timeout.total"} {
		changes = append(changes, diff.Change{Direction: diff.Weakened, Kind: diff.Altered, Leaf: leaf, Operations: shared, Old: diff.Side{Value: "1s"}, New: diff.Side{Value: "2s"}, Why: "why"})
	}
	got := markdown(t, changes...)
	for want, times := range map[string]int{
		"| new | 595 operations |":                             1,
		"- GET /things/594 getThing594\n":                      1,
		"3 operations: timeout.attempt, timeout.total<":        1,
		"- GET /things/1 getThing1\n":                          2, // of the new ones and of the shared ones
		"| <br>":                                               0,
		"| why |":                                              2,
		"<summary><b>Added</b> (new): 1 row</summary>":         1,
		"### Policy: 2 weakened, 595 added; 0 operations unch": 1,
	} {
		if n := strings.Count(got, want); n != times {
			t.Errorf("%q stands there %d times, want %d", want, n, times)
		}
	}
}

// What GitHub would not take is cut, the riskiest shown first.
func TestDiffMarkdownFitsIntoAComment(t *testing.T) {
	var changes []diff.Change
	for i, op := range manyOperations(800) {
		changes = append(changes, diff.Change{
			Direction: diff.Directions()[i%4], Kind: diff.Altered, Leaf: "timeout.attempt", Operations: append(manyOperations(100), op),
			Old: diff.Side{Value: "1s"}, New: diff.Side{Value: fmt.Sprintf("%ds", i)}, Why: strings.Repeat("w", 50),
		})
	}
	got := markdown(t, changes...)
	if len(got) > markdownLimit {
		t.Errorf("%d bytes, want at most %d", len(got), markdownLimit)
	}
	for _, want := range []string{"200 unsafe", "| timeout.attempt | 101 operations | 1s | 0s |", "more rows: `resgen diff --format json` has all", "more\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%.2000s", want, got)
		}
	}
}

// Text names a few operations of a row and counts the rest.
func TestDiffTextCountsOperations(t *testing.T) {
	var b strings.Builder
	change := diff.Change{Direction: diff.Changed, Kind: diff.Altered, Leaf: "timeout.attempt", Operations: manyOperations(30)}
	if err := DiffText(&b, []ClientChanges{{Report: diff.Report{Changes: []diff.Change{change}}}}, Plain); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, "and 26 more\n") || strings.Contains(got, "/things/4") || !strings.Contains(got, "/things/3 ") {
		t.Errorf("got:\n%s", got)
	}
}
