package cases

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestLimits(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "expect.json"), []byte(`{"limits": {"generateSeconds": 1.5, "compileSeconds": 60}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	e, _, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Limits.Check(1500 * time.Millisecond); got != "" {
		t.Errorf("at the limit: %q, want nothing", got)
	}
	if got, want := e.Limits.Check(2*time.Second), "generation took 2s, want at most 1.5s"; got != want {
		t.Errorf("beyond the limit: %q, want %q", got, want)
	}
	if got := (Limits{}).Check(time.Hour); got != "" {
		t.Errorf("without a limit: %q, want nothing", got)
	}
}
