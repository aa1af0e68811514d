package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// status runs a command and wants an exit status: status N resgen args…
// What it printed is there for stdout and stderr, as after exec.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status = %d, want %d\nstdout:\n%s\nstderr:\n%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// keep remembers a folder with all its files: keep NAME DIR.
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep NAME DIR")
	}
	ts.Setenv("KEPT_"+args[0], snapshot(ts, args[1]))
}

// same wants a folder to be as it was kept: same NAME DIR.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] same NAME DIR")
	}
	if equal := ts.Getenv("KEPT_"+args[0]) == snapshot(ts, args[1]); equal == neg {
		ts.Fatalf("%s is as it was kept: %v", args[1], equal)
	}
}

// snapshot is every file below a folder with its content.
func snapshot(ts *testscript.TestScript, dir string) string {
	var parts []string
	root := ts.MkAbs(dir)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		parts = append(parts, path+"\n"+string(content))
		return err
	})
	ts.Check(err)
	slices.Sort(parts)
	return strings.ReplaceAll(strings.Join(parts, "\n"), "\x00", "?")
}
