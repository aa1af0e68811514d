package breaker

import (
	"testing"
	"time"
)

func benchmarked() *Breaker {
	return New(Config{FailureRate: 5000, SlowRate: 8000, Window: time.Minute, MinimumCalls: 10, OpenFor: time.Hour, Probes: 3, Successes: 2}, nil)
}

// Allowed calls, with the one clock reading that every attempt takes.
func BenchmarkAllowed(b *testing.B) {
	br, base := benchmarked(), time.Now()
	b.ReportAllocs()
	for b.Loop() {
		t, _, _ := br.Admit(0, time.Second)
		br.Done(t, Success, false, time.Since(base))
	}
}

func BenchmarkAllowedSlowRate(b *testing.B) {
	br, base := benchmarked(), time.Now()
	b.ReportAllocs()
	for b.Loop() {
		start := time.Since(base)
		t, _, _ := br.Admit(start, time.Second)
		end := time.Since(base)
		br.Done(t, Success, end-start > time.Second, end)
	}
}

func BenchmarkRefused(b *testing.B) {
	br, base := benchmarked(), time.Now()
	br.ForceOpen()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			br.Admit(time.Since(base), time.Second)
		}
	})
}
