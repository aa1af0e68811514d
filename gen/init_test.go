package gen

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// initSpecs are the real specs that init is tried on, with their names in the
// documentation.
var initSpecs = []struct{ file, name string }{
	{"adyen-checkout.json", "Adyen Checkout"}, {"mollie.yaml", "Mollie"}, {"paypal-orders.json", "PayPal Orders"},
	{"square.json", "Square"}, {"plaid.yml", "Plaid"}, {"github.json", "GitHub"}, {"openai.yaml", "OpenAI"},
	{"docker-engine.swagger2.yaml", "Docker Engine"},
}

var update = flag.Bool("update", false, "write what init finds into docs/adopting.md")

// TestInitAppliesCleanlyAndLints holds what init promises on real specs: its
// overlay applies strictly as it is, and no rule finds more than an info in it.
// What init finds is the table of docs/adopting.md.
func TestInitAppliesCleanlyAndLints(t *testing.T) {
	specs := specFolder(t)
	rows := make([]string, len(initSpecs))
	t.Run("specs", func(t *testing.T) {
		for i, s := range initSpecs {
			t.Run(s.file, func(t *testing.T) {
				t.Parallel()
				started := initAndLint(t, filepath.Join(specs, s.file))
				rows[i] = initRow(s.name, started.proposals)
			})
		}
	})
	if t.Failed() {
		return
	}
	page := filepath.Join("..", "docs", "adopting.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	_, after, ok := strings.Cut(rest, "\n\n")
	if !ok {
		t.Fatalf("%s has no table of what init finds", page)
	}
	want := before + "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n" + strings.Join(rows, "\n") + "\n\n" + after
	switch {
	case want == string(text):
	case *update:
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of %s is not what init finds; run: go test ./gen -run Init -args -update\n%s", page, strings.Join(rows, "\n"))
	}
}

func initAndLint(t *testing.T, spec string) *Started {
	t.Helper()
	started, err := Init(&Config{Version: 1, Clients: []Client{{Spec: spec}}})
	if err != nil || started.Verdict != Accepted {
		t.Fatalf("init: %v %v", err, started.Diagnostics)
	}
	overlay := filepath.Join(t.TempDir(), "init.overlay.yaml")
	if err := os.WriteFile(overlay, started.Overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	linted, err := Lint(&Config{Version: 1, Clients: []Client{{Spec: spec, Overlays: []string{overlay}}}}, LintOptions{Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if linted.Verdict != Accepted {
		t.Errorf("the overlay is not understood: %v", linted.Findings)
	}
	for _, f := range linted.Findings {
		if f.Severity > Info && strings.HasPrefix(f.Code, "RG") || f.Severity == Error {
			t.Errorf("%s", f.Diagnostic)
		}
	}
	return started
}

// initRow is what init found in a spec as a row of the documentation.
func initRow(name string, p *policy.Proposals) string {
	written, comments := 0, 0
	for _, one := range p.Proposals {
		if one.Certain {
			written++
		} else {
			comments++
		}
	}
	row := "| " + name
	for _, n := range []int{p.Counts.Operations, p.Counts.Safe, p.Counts.Idempotent, p.Counts.Keyed, p.Counts.Unsafe, written, comments, len(p.Questions)} {
		text := strconv.Itoa(n)
		if n >= 1000 {
			text = fmt.Sprintf("%d,%03d", n/1000, n%1000)
		}
		row += " | " + text
	}
	return row + " |"
}

// specFolder is where the real specs are. They are not part of the project.
func specFolder(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("RESGEN_SPECS")
	if folder == "" {
		folder = filepath.Join("..", "..", "shared", "specs")
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no real specs at %s; set RESGEN_SPECS", folder)
	}
	return folder
}
