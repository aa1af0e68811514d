// Command calls compares what a call costs: the mechanisms alone, the whole
// stack around a function, and a generated call over an in-memory transport,
// beside gobreaker, failsafe-go, go-retryablehttp and net/http by hand. All of
// them run in turns within one process; the table shows medians over the
// rounds, their spread, and ratios.
//
//	go run ./calls [-rounds 12] [-time 100ms]
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"
)

// A contestant is one way to do a group's work.
type contestant struct {
	name string
	run  func(b *testing.B)
}

// A group is things that are compared: ours first. want says what must be
// reached against the others, by name: they must take at least so many times
// as long.
type group struct {
	title   string
	cpus    int // GOMAXPROCS while it runs
	entries []contestant
	want    map[string]float64
}

// A sample is what one round measured.
type sample struct {
	ns            float64
	allocs, bytes int64
}

func main() {
	testing.Init()
	rounds := flag.Int("rounds", 12, "rounds; each runs everything once")
	each := flag.Duration("time", 100*time.Millisecond, "time for each contestant in a round")
	flag.Parse()
	if err := flag.Set("test.benchtime", each.String()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	groups := slices.Concat(breakerGroups(), stackGroups(), callGroups())
	samples := map[string][]sample{}
	for range *rounds {
		for _, g := range groups {
			old := runtime.GOMAXPROCS(g.cpus)
			for _, c := range g.entries {
				r := testing.Benchmark(c.run)
				key := g.title + "\x00" + c.name
				samples[key] = append(samples[key], sample{float64(r.T.Nanoseconds()) / float64(r.N), r.AllocsPerOp(), r.AllocedBytesPerOp()})
			}
			runtime.GOMAXPROCS(old)
		}
	}
	fmt.Printf("%s, %s/%s, %d CPUs; %d rounds of %s each, interleaved. ns: median (fastest to slowest round). ratio: its median against ours.\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), *rounds, *each)
	for _, g := range groups {
		g.print(samples)
	}
}

func (g group) print(samples map[string][]sample) {
	fmt.Printf("\n### %s\n\n| | ns | spread | allocs | bytes | ratio | must reach |\n| --- | ---: | --- | ---: | ---: | ---: | --- |\n", g.title)
	ours := median(samples[g.title+"\x00"+g.entries[0].name])
	for i, c := range g.entries {
		s := samples[g.title+"\x00"+c.name]
		m := median(s)
		goal := ""
		if factor, ok := g.want[c.name]; ok {
			reached := "not reached"
			if m.ns/ours.ns >= factor {
				reached = "reached"
			}
			goal = fmt.Sprintf("%gx: %s", factor, reached)
		}
		ratio := ""
		if i > 0 {
			ratio = fmt.Sprintf("%.2f", m.ns/ours.ns)
		}
		fmt.Printf("| %s | %.0f | %.0f–%.0f | %d | %d | %s | %s |\n", c.name, m.ns, fastest(s), slowest(s), m.allocs, m.bytes, ratio, goal)
	}
}

func sorted(s []sample) []sample {
	return slices.SortedFunc(slices.Values(s), func(a, b sample) int {
		switch {
		case a.ns < b.ns:
			return -1
		case a.ns > b.ns:
			return 1
		}
		return 0
	})
}

func median(s []sample) sample   { return sorted(s)[len(s)/2] }
func fastest(s []sample) float64 { return sorted(s)[0].ns }
func slowest(s []sample) float64 { return sorted(s)[len(s)-1].ns }
