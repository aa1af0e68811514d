package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/resgen-dev/resgen/gen"
)

// A console is where the command speaks: results to out, everything else to
// err.
type console struct {
	out, err       io.Writer
	quiet, verbose bool
}

func newConsole(out, err io.Writer) *console {
	return &console{out: out, err: err}
}

// repeats is how many warnings of a kind are shown before "and N more".
const repeats = 3

// diagnostics shows what was found.
func (c *console) diagnostics(found gen.Diagnostics) error {
	return c.wrote(gen.PrintDiagnostics(c.err, found, c.textStyle(c.err)))
}

// textStyle is how diagnostics are shown on a writer.
func (c *console) textStyle(w io.Writer) gen.TextStyle {
	how := gen.TextStyle{Palette: palette(w), Least: gen.Warn, Repeats: repeats}
	switch {
	case c.verbose:
		how.Least, how.Repeats = gen.Info, 0
	case c.quiet:
		how.Least = gen.Error
	}
	return how
}

// wrote turns an error of printing into an ending: where nothing can be said,
// the status alone speaks.
func (c *console) wrote(err error) error {
	if err != nil {
		return &ending{exitFault}
	}
	return nil
}

// fault says that the world or resgen failed. A file that cannot be read or
// written is the user's to mend; anything else is ours.
func (c *console) fault(err error) error {
	fmt.Fprintf(c.err, "resgen: %v\n", err)
	if gen.IsFileError(err) {
		return &ending{exitNotUnderstood}
	}
	fmt.Fprintln(c.err, "resgen: this is a fault of resgen; please report it: https://github.com/resgen-dev/resgen/issues")
	return &ending{exitFault}
}

// failed is the ending of a run that may have said already why it ends.
func (c *console) failed(err error) error {
	if said, ok := errors.AsType[*ending](err); ok {
		return said
	}
	return c.fault(err)
}

// note says something that is neither a result nor a fault.
func (c *console) note(format string, args ...any) {
	if !c.quiet {
		fmt.Fprintf(c.err, format+"\n", args...)
	}
}

// progress shows a line on a terminal if work takes more than a second. The
// work is over when the function it returns is called.
func (c *console) progress(what string) (done func()) {
	if c.quiet || !isTerminal(c.err) {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		start := time.Now()
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		shown := false
		for {
			select {
			case <-stop:
				if shown {
					fmt.Fprint(c.err, "\r\x1b[K")
				}
				return
			case <-tick.C:
				shown = true
				fmt.Fprintf(c.err, "\r\x1b[K%s … %d s", what, int(time.Since(start).Seconds()))
			}
		}
	}()
	return func() { close(stop); <-stopped }
}

// palette is the one for a writer: colours only on a terminal, and not where
// NO_COLOR is set.
func palette(w io.Writer) gen.Palette {
	if os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w) {
		return gen.ANSI
	}
	return gen.Plain
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
