// Command payments shows what a generated client does while its dependency is
// healthy, blinks, hangs, is down and comes back. It starts a scripted payment
// server on loopback, calls it through the client in package payments, and ends
// with what the server wrote into its book. It exits with 1 if any promise did
// not hold.
package main

import (
	"io"
	"os"
	"time"
)

func main() {
	pace := time.Duration(0)
	if isTerminal(os.Stdout) {
		pace = 1200 * time.Millisecond // to read along
	}
	if !run(os.Stdout, newStyle(os.Stdout), pace) {
		os.Exit(1)
	}
}

// run plays every scene, pausing between them, and reports whether everything
// that was promised held.
func run(w io.Writer, s style, pace time.Duration) bool {
	d := newDemo(w, s)
	defer d.server.Close()
	d.title()
	for _, scene := range []func(*demo){healthy, blinking, lost, unsafeWrite, hung, down, stale, recovery, book} {
		scene(d)
		time.Sleep(pace)
	}
	return d.verdict()
}
