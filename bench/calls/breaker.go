package main

import (
	"errors"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/resgen-dev/resgen/runtime/internal/breaker"
	"github.com/sony/gobreaker/v2"
)

var errDown = errors.New("down")

// sink keeps results alive.
var sink int

func work() (int, error) { sink++; return sink, nil }

// ourBreaker is a breaker with its owner's clock, as the engine uses it: one
// reading before and one after, shared with everything else there.
type ourBreaker struct {
	*breaker.Breaker
	base time.Time
	slow time.Duration // 0: slow calls are not looked for
	read bool          // whether the clock is read before the call, too: for slow calls, and to see an open circuit's time
}

func newOurs(slow time.Duration, open bool) *ourBreaker {
	c := breaker.Config{FailureRate: 5000, Window: 10 * time.Second, MinimumCalls: 10, OpenFor: time.Hour, Probes: 3, Successes: 2}
	if slow > 0 {
		c.SlowRate = 8000
	}
	b := &ourBreaker{breaker.New(c, nil), time.Now(), slow, slow > 0 || open}
	for open && b.Snapshot(time.Since(b.base)).State != breaker.Open {
		_, _ = b.do(func() (int, error) { return 0, errDown })
	}
	return b
}

var errOpen = errors.New("open")

func (b *ourBreaker) do(f func() (int, error)) (n int, err error) {
	var start time.Duration
	if b.read {
		start = time.Since(b.base)
	}
	t, _, ok := b.Admit(start, time.Second)
	if !ok {
		return 0, errOpen
	}
	v := breaker.Failure
	defer func() {
		now := time.Since(b.base)
		b.Done(t, v, b.slow > 0 && now-start >= b.slow, now)
	}()
	n, err = f()
	if err == nil {
		v = breaker.Success
	}
	return n, err
}

func theirs(open bool) *gobreaker.CircuitBreaker[int] {
	b := gobreaker.NewCircuitBreaker[int](gobreaker.Settings{
		Interval: 10 * time.Second, BucketPeriod: time.Second, Timeout: time.Hour,
		ReadyToTrip: func(c gobreaker.Counts) bool {
			return c.Requests >= 10 && c.TotalFailures*2 >= c.Requests
		},
	})
	for open && b.State() != gobreaker.StateOpen {
		_, _ = b.Execute(func() (int, error) { return 0, errDown })
	}
	return b
}

func failsafeBreaker(open bool) failsafe.Executor[int] {
	cb := circuitbreaker.NewBuilder[int]().WithFailureRateThreshold(0.5, 10, 10*time.Second).WithDelay(time.Hour).Build()
	if open {
		cb.Open()
	}
	return failsafe.With(cb)
}

// each runs f b.N times, on all CPUs where parallel.
func each(parallel bool, f func()) func(*testing.B) {
	return func(b *testing.B) {
		b.ReportAllocs()
		if parallel {
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					f()
				}
			})
			return
		}
		for b.Loop() {
			f()
		}
	}
}

func parallelWork() (int, error) { return 1, nil }

func breakerGroups() []group {
	one := func(title string, cpus int, open bool, slow time.Duration, want map[string]float64) group {
		parallel := cpus > 1
		f := work
		if parallel {
			f = parallelWork
		}
		ours, gob, fs := newOurs(slow, open), theirs(open), failsafeBreaker(open)
		return group{title, cpus, []contestant{
			{"resgen", each(parallel, func() { _, _ = ours.do(f) })},
			{"gobreaker v2", each(parallel, func() { _, _ = gob.Execute(f) })},
			{"failsafe-go", each(parallel, func() { _, _ = fs.Get(f) })},
		}, want}
	}
	return []group{
		one("breaker, allowed call", 1, false, 0, map[string]float64{"gobreaker v2": 3, "failsafe-go": 10}),
		one("breaker, allowed call, slow calls watched", 1, false, time.Second, map[string]float64{"gobreaker v2": 2, "failsafe-go": 10}),
		one("breaker, allowed call, 2 CPUs", 2, false, 0, nil),
		one("breaker, refused call", 1, true, 0, map[string]float64{"gobreaker v2": 1.5}),
		one("breaker, refused call, 2 CPUs", 2, true, 0, nil),
	}
}
