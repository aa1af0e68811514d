package gen

import (
	"bytes"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestFiveOperationsOfGitHubMakeASmallClient holds that include leaves out
// what nobody uses of a spec of 1,223 operations, the same at any GOMAXPROCS.
func TestFiveOperationsOfGitHubMakeASmallClient(t *testing.T) {
	c := &Config{Version: 1, Clients: []Client{{
		Spec:    filepath.Join(specFolder(t), "github.json"),
		Out:     filepath.Join(t.TempDir(), "github"),
		Include: ParseFilter([]string{"meta/get", "emojis/get", "markdown/render", "licenses/get", "rate-limit/get"}),
	}}}
	var first []Change
	for _, procs := range []int{1, 2} {
		before := runtime.GOMAXPROCS(procs)
		run, err := Generate(c)
		runtime.GOMAXPROCS(before)
		if err != nil || run.Verdict != Accepted {
			t.Fatalf("generate: %v %v", err, run.Diagnostics)
		}
		if first == nil {
			first = run.Changes
		}
		same := func(a, b Change) bool { return a.Path == b.Path && bytes.Equal(a.content, b.content) }
		if !slices.EqualFunc(first, run.Changes, same) {
			t.Errorf("the output differs with GOMAXPROCS=%d", procs)
		}
	}
	lines, methods := 0, 0
	for _, file := range first {
		if strings.HasSuffix(file.Path, ".go") {
			lines += bytes.Count(file.content, []byte("\n"))
			methods += bytes.Count(file.content, []byte("//resgen:operation "))
		}
	}
	if methods != 5 || lines > 700 {
		t.Errorf("%d operations in %d lines, comments among them; want 5 in a few hundred", methods, lines)
	}
}
