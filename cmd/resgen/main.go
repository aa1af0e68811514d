// Command resgen reads OpenAPI descriptions annotated with x-resilience and
// generates Go clients that carry the policy with them.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/resgen-dev/resgen/gen"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// An exitStatus is how the command ends.
type exitStatus int

// The exit statuses.
const (
	exitFine          exitStatus = 0
	exitRefused       exitStatus = 1 // understood, and not accepted
	exitNotUnderstood exitStatus = 2
	exitFault         exitStatus = 3 // of resgen itself, or of the world around it
)

// run is the command with everything it touches given to it. It returns the
// exit status.
func run(args []string, stdout, stderr io.Writer) (status int) {
	defer func() {
		if fault := recover(); fault != nil {
			reportFault(stderr, fault)
			status = int(exitFault)
		}
	}()
	root := newRoot(newConsole(stdout, stderr))
	root.SetArgs(args)
	err := root.Execute()
	ended := new(ending)
	switch {
	case err == nil:
		return int(exitFine)
	case errors.As(err, &ended):
		return int(ended.status)
	default: // cobra's: a flag, a command or the number of arguments
		fmt.Fprintf(stderr, "resgen: %v\n", err)
		return int(exitNotUnderstood)
	}
}

// An ending carries an exit status through cobra; what there was to say has
// been said.
type ending struct{ status exitStatus }

func (e *ending) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// end is the error that ends the command with a verdict, or nil.
func end(v gen.Verdict) error {
	switch v {
	case gen.Accepted:
		return nil
	case gen.Refused:
		return &ending{exitRefused}
	case gen.NotUnderstood:
		return &ending{exitNotUnderstood}
	}
	panic(fmt.Sprintf("resgen: verdict %d not handled", v))
}

// reportFault shows a panic as what it is: our fault.
func reportFault(w io.Writer, fault any) {
	fmt.Fprintf(w, `resgen: this is a fault of resgen, not of your files: %v

Nothing was written. Please report it, with the text below and, if you may, the
spec: https://github.com/resgen-dev/resgen/issues

%s`, fault, debug.Stack())
}
