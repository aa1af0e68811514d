package gen

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestInitAppliesCleanlyAndLints holds what init promises on real specs: its
// overlay applies strictly as it is, and no rule has an error against it.
func TestInitAppliesCleanlyAndLints(t *testing.T) {
	specs := specFolder(t)
	for _, name := range []string{
		"adyen-checkout.json", "mollie.yaml", "paypal-orders.json", "square.json", "plaid.yml",
		"github.json", "openai.yaml", "docker-engine.swagger2.yaml",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := filepath.Join(specs, name)
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
				if f.Severity == Error {
					t.Errorf("%s", f.Diagnostic)
				}
			}
		})
	}
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
