// Package measure runs programs and keeps what they cost.
package measure

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"syscall"
	"time"
)

// A Cost is what one run of a program took, its children included.
type Cost struct {
	Wall time.Duration
	CPU  time.Duration // user and system
	RSS  int64         // largest resident set, bytes
}

// Run runs a program and returns its cost and, where it failed, the end of
// what it printed.
func Run(dir string, env []string, name string, args ...string) (Cost, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	debug.FreeOSMemory() // a child's largest resident set begins with that of its parent
	start := time.Now()
	out, err := cmd.CombinedOutput()
	c := Cost{Wall: time.Since(start)}
	if state := cmd.ProcessState; state != nil {
		c.CPU = state.UserTime() + state.SystemTime()
		if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
			c.RSS = usage.Maxrss << 10
		}
	}
	if err != nil {
		return c, fmt.Errorf("%w: %s", err, last(string(out), 300))
	}
	return c, nil
}

func last(s string, n int) string {
	if len(s) > n {
		return "…" + s[len(s)-n:]
	}
	return s
}

// Median is the middle of the values; of an even number the lower of the two.
func Median[T cmp.Ordered](values []T) T {
	s := slices.Sorted(slices.Values(values))
	return s[(len(s)-1)/2]
}

// Of is the median of one field over many costs.
func Of[T cmp.Ordered](costs []Cost, field func(Cost) T) T {
	values := make([]T, len(costs))
	for i, c := range costs {
		values[i] = field(c)
	}
	return Median(values)
}
