package main

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

func TestFaultsOfTheWorldAndOfOursHaveTheirOwnStatus(t *testing.T) {
	for _, c := range []struct {
		err  error
		want exitStatus
		says string
	}{
		{&fs.PathError{Op: "open", Path: "out/x", Err: fs.ErrPermission}, exitNotUnderstood, "resgen: open out/x: permission denied"},
		{errors.New("two files are called x"), exitFault, "please report it"},
	} {
		var stderr strings.Builder
		err := newConsole(nil, &stderr).fault(c.err)
		ended, ok := errors.AsType[*ending](err)
		if !ok || ended.status != c.want {
			t.Errorf("fault(%v) ends with %v, want status %d", c.err, err, c.want)
		}
		if !strings.Contains(stderr.String(), c.says) {
			t.Errorf("fault(%v) says %q, want %q in it", c.err, stderr.String(), c.says)
		}
	}
}

func TestPanicIsStatus3AndAsksForAReport(t *testing.T) {
	var stderr strings.Builder
	if got := run([]string{"version"}, panics{}, &stderr); got != int(exitFault) {
		t.Errorf("exit status = %d, want %d", got, exitFault)
	}
	for _, want := range []string{"a fault of resgen, not of your files: no paper", "Please report it"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("stderr lacks %q:\n%s", want, stderr.String())
		}
	}
}

// panics is a writer that fails worse than writers do.
type panics struct{}

func (panics) Write([]byte) (int, error) { panic("no paper") }
