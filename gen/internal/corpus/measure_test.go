//go:build corpus

package corpus

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// A cost is what a run of a program took, its children included.
type cost struct {
	Wall, CPU time.Duration
	MiB       int64 // largest resident set
}

// A measured is what the measuring process reports of the program it ran.
type measured struct {
	Cost   cost
	Output string
	Failed string // empty: it succeeded
}

// measuring is set in the environment of the measuring process. A child's
// largest resident set begins with that of its parent, so programs are run from
// a small process: this test binary, started anew.
const measuring = "RESGEN_CORPUS_MEASURE"

// TestMain runs the tests, or one program as the measuring process.
func TestMain(m *testing.M) {
	if os.Getenv(measuring) == "" {
		os.Exit(m.Run())
	}
	r := measured{}
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	r.Cost.Wall, r.Output = time.Since(start), string(out)
	if err != nil {
		r.Failed = err.Error()
	}
	if state := cmd.ProcessState; state != nil {
		r.Cost.CPU = state.UserTime() + state.SystemTime()
		if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
			r.Cost.MiB = usage.Maxrss >> 10
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		os.Exit(2)
	}
}

// run runs a program and returns what it took and printed.
func run(dir, name string, args ...string) (cost, string, error) {
	cmd := exec.Command(os.Args[0], append([]string{name}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), measuring+"=1", "GOFLAGS=-mod=mod -buildvcs=false", "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		return cost{}, string(out), err
	}
	var r measured
	if err := json.Unmarshal(out, &r); err != nil {
		return cost{}, string(out), err
	}
	if r.Failed != "" {
		return r.Cost, r.Output, fmt.Errorf("%s: %s", name, r.Failed)
	}
	return r.Cost, r.Output, nil
}
