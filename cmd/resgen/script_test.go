package main

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "record what the scripts print as what they want")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"resgen": main})
}

// TestScripts runs the command as people do: flags, exit statuses, what goes to
// stdout and what to stderr, what is on disk afterwards.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			root, err := filepath.Abs(filepath.Join("..", ".."))
			env.Setenv("ROOT", root)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "same": same, "keep": keep},
	})
}
