package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// tripAt gives a policy a circuit that opens at n failures.
func tripAt(p *rt.Policy, n int) *rt.Policy {
	p.Compartment.Breaker = rt.Breaker{
		FailureRate: 50 * rt.Percent, Window: 30 * time.Second, MinimumCalls: n, OpenFor: 10 * time.Second, Probes: rt.Probes{Count: 1, Successes: 1},
	}
	return p
}

func TestRow01BreakerCountsAttempts(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe()
		defer server.Close()
		server.Otherwise(faulttest.Status(503))
		c := newClient(t, tripAt(bare(rt.Keyed), 5), server.Transport())
		for range 10 {
			_, err := c.do(t.Context())
			if err == nil {
				t.Fatal("no error from a dead dependency")
			}
		}
		wantHits(t, &server.Script, 5)
	})
}

func TestRow02RefusalsEndTheLoopAtOnce(t *testing.T) {
	start := func(t *testing.T, edit func(*rt.Policy)) (*client, *faulttest.RoundTripper) {
		p := bare(rt.Keyed)
		edit(p)
		rtr := faulttest.NewRoundTripper()
		rtr.Otherwise(faulttest.Status(503))
		return newClient(t, p, rtr), rtr
	}
	t.Run("circuit", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			c, rtr := start(t, func(p *rt.Policy) { tripAt(p, 2) })
			before := time.Now()
			_, err := c.do(t.Context())
			if !errors.Is(err, rt.ErrCircuitOpen) || callError(t, err).Class != rt.ClassCircuitOpen {
				t.Errorf("error = %v, want circuit open", err)
			}
			if callError(t, err).Status != 503 {
				t.Errorf("status = %d, want the last real answer's 503", callError(t, err).Status)
			}
			// Two attempts and the two backoffs before the one and the refused one.
			if took := time.Since(before); took != 300*time.Millisecond {
				t.Errorf("took %s, want 300ms: no sleep after the refusal", took)
			}
			before = time.Now()
			_, err = c.do(t.Context())
			if took := time.Since(before); !errors.Is(err, rt.ErrCircuitOpen) || took != 0 {
				t.Errorf("second call: %v after %s, want refused at once", err, took)
			}
			wantHits(t, &rtr.Script, 2)
		})
	})
	t.Run("bulkhead", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			c, rtr := start(t, func(p *rt.Policy) { p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 1} })
			rtr.Then(faulttest.Slow(500*time.Millisecond, faulttest.JSON(200, "{}")))
			var wg sync.WaitGroup
			wg.Go(func() { _, _ = c.do(t.Context()) })
			time.Sleep(time.Millisecond)
			before := time.Now()
			_, err := c.do(t.Context())
			if !errors.Is(err, rt.ErrBulkheadFull) || time.Since(before) != 0 || callError(t, err).Outcome != rt.NotSent {
				t.Errorf("error = %v after %s, want bulkhead full at once, not sent", err, time.Since(before))
			}
			wg.Wait()
			wantHits(t, &rtr.Script, 1)
		})
	})
	t.Run("budget", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			c, rtr := start(t, func(p *rt.Policy) {
				p.Compartment.Budget = rt.Budget{Ratio: 0, Floor: 6 * rt.PerMinute, Window: 10 * time.Second}
			})
			before := time.Now()
			_, err := c.do(t.Context())
			if !errors.Is(err, rt.ErrRetryBudget) || callError(t, err).Status != 503 {
				t.Errorf("error = %v, want budget spent and the real 503", err)
			}
			if took := time.Since(before); took != 100*time.Millisecond {
				t.Errorf("took %s, want 100ms: one repeat, no sleep for the one refused", took)
			}
			wantHits(t, &rtr.Script, 2)
		})
	})
}

func TestRow03AttemptAndCallLimits(t *testing.T) {
	for _, c := range []struct {
		name                   string
		attempt, total, caller time.Duration
		hits                   int
		took                   time.Duration
	}{
		{"attempts fit", time.Second, 10 * time.Second, 0, 3, 3300 * time.Millisecond},
		{"the last one is cut by the total", time.Second, 1500 * time.Millisecond, 0, 2, 1500 * time.Millisecond},
		{"caller tighter than the attempt", time.Second, 10 * time.Second, 400 * time.Millisecond, 1, 400 * time.Millisecond},
		{"caller cuts the second", time.Second, 10 * time.Second, 1700 * time.Millisecond, 2, 1700 * time.Millisecond},
		{"no limits but the total", 0, 2 * time.Second, 0, 1, 2 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(rt.Safe)
				p.Timeout.Attempt, p.Timeout.Total = c.attempt, c.total
				rtr := faulttest.NewRoundTripper()
				rtr.Otherwise(faulttest.Hang())
				ctx := t.Context()
				if c.caller > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, c.caller)
					defer cancel()
				}
				before := time.Now()
				_, err := newClient(t, p, rtr).do(ctx)
				if took := time.Since(before); took != c.took {
					t.Errorf("took %s, want %s", took, c.took)
				}
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("error = %v, want a deadline", err)
				}
				wantHits(t, &rtr.Script, c.hits)
			})
		})
	}
}

func TestRow03NoContextWhereTheCallerIsTighter(t *testing.T) {
	for _, total := range []time.Duration{10 * time.Second, 500 * time.Millisecond} { // of two ends at once the caller's holds
		bubble(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			var seen context.Context
			rtr := roundTripFunc(func(r *http.Request) (*http.Response, error) {
				seen = r.Context()
				return faulttest.NewRoundTripper().RoundTrip(r)
			})
			p := bare(rt.Safe)
			p.Timeout.Total = total
			if _, err := newClient(t, p, rtr).do(ctx); err != nil {
				t.Fatal(err)
			}
			if seen != ctx {
				t.Errorf("total %s: the attempt has a context of its own, want the caller's", total)
			}
		})
	}
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestRow04NoSleepThatLeavesNoTime(t *testing.T) {
	for _, c := range []struct {
		left, min time.Duration
		hits      int
	}{
		{110 * time.Millisecond, 10 * time.Millisecond, 2},   // wait 100 ms, exactly minRemaining is left
		{110*time.Millisecond - 1, 10 * time.Millisecond, 1}, // a nanosecond less
	} {
		bubble(t, func(t *testing.T) {
			p := bare(rt.Safe)
			p.Timeout.MinRemaining, p.Timeout.Total = c.min, c.left
			rtr := faulttest.NewRoundTripper()
			rtr.Otherwise(faulttest.Status(503))
			before := time.Now()
			_, err := newClient(t, p, rtr).do(t.Context())
			if !errors.Is(err, rt.ErrNoTimeLeft) || !errors.Is(err, context.DeadlineExceeded) || callError(t, err).Status != 503 {
				t.Errorf("error = %v, want no time left beside the real 503", err)
			}
			if took, want := time.Since(before), time.Duration(c.hits-1)*100*time.Millisecond; took != want {
				t.Errorf("took %s, want %s", took, want)
			}
			wantHits(t, &rtr.Script, c.hits)
		})
	}
}

func TestRow05CallersEndIsRecognisedByTheCallersContext(t *testing.T) {
	bubble(t, func(t *testing.T) {
		// The transport reports something else than the context's error.
		rtr := roundTripFunc(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, errors.New("use of closed network connection")
		})
		registry := &rt.Registry{}
		p := watched(bare(rt.Safe))
		p.Fallback = rt.Fallback{Kind: rt.FallbackStatic, Value: `"x"`}
		c := newClient(t, p, rtr, func(c *rt.ClientConfig) { c.Registry = registry })
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		_, err := c.do(ctx)
		if ce := callError(t, err); ce.Class != rt.ClassTimeout || len(ce.Attempts) != 1 {
			t.Errorf("error = %v with %d attempts, want a timeout after one, no fallback", err, len(ce.Attempts))
		}
		if k := registry.Snapshot().Compartments[0]; k.Calls != 0 {
			t.Errorf("breaker counted %d calls, want none", k.Calls)
		}
	})
}

// And the other way round: a context error that is not the caller's is a failure.
func TestRow05ContextErrorOfTheTransportsOwn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		calls := 0
		rtr := roundTripFunc(func(*http.Request) (*http.Response, error) { calls++; return nil, context.Canceled })
		_, err := newClient(t, bare(rt.Safe), rtr).do(t.Context())
		if ce := callError(t, err); ce.Class != rt.ClassTransient || calls != 3 {
			t.Errorf("class = %s after %d requests, want transient after 3", ce.Class, calls)
		}
	})
}

func TestRow06OwnRefusalsDoNotCount(t *testing.T) {
	bubble(t, func(t *testing.T) {
		registry := &rt.Registry{}
		p := watched(bare(rt.Keyed))
		p.SlowOver = time.Nanosecond
		p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 1}
		rtr := faulttest.NewRoundTripper(faulttest.Slow(50*time.Millisecond, faulttest.JSON(200, "{}")))
		c := newClient(t, p, rtr, func(c *rt.ClientConfig) { c.Registry = registry })
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = c.do(t.Context()) })
		time.Sleep(time.Millisecond)
		for range 20 {
			_, _ = c.do(t.Context()) // bulkhead full
		}
		wg.Wait()
		c.edit = func(call *rt.Call) { call.Auth = slowNoToken{} }
		for range 20 {
			_, _ = c.do(t.Context()) // credentials, slowly
		}
		if k := registry.Snapshot().Compartments[0]; k.Calls != 1 || k.Failures != 0 || k.Slow != 1 {
			t.Errorf("breaker = %d calls, %d failures, %d slow; want the one call that was made", k.Calls, k.Failures, k.Slow)
		}
	})
}

type slowNoToken struct{}

func (slowNoToken) Authorize(context.Context, *http.Request) error {
	time.Sleep(time.Millisecond)
	return errors.New("no token")
}

func TestRow07TheAttemptsClockStartsWithThePlace(t *testing.T) {
	bubble(t, func(t *testing.T) {
		registry := &rt.Registry{}
		p := watched(bare(rt.Safe))
		p.SlowOver, p.Timeout.Attempt = 900*time.Millisecond, time.Second
		p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 1, MaxQueue: 10}
		rtr := faulttest.NewRoundTripper()
		rtr.Otherwise(faulttest.Slow(800*time.Millisecond, faulttest.JSON(200, "{}")))
		var ended []rt.Event
		var mu sync.Mutex
		c := newClient(t, p, rtr, func(c *rt.ClientConfig) {
			c.Registry = registry
			c.Observer = observe(func(e rt.Event) {
				mu.Lock()
				defer mu.Unlock()
				if e.Kind == rt.AttemptEnded {
					ended = append(ended, e)
				}
			})
		})
		before := time.Now()
		var wg sync.WaitGroup
		for range 5 { // the last one waits 3.2 s, longer than an attempt may take
			wg.Go(func() {
				if _, err := c.do(t.Context()); err != nil {
					t.Errorf("call: %v", err)
				}
			})
		}
		wg.Wait()
		if took := time.Since(before); took != 4*time.Second {
			t.Errorf("took %s, want 4s", took)
		}
		if k := registry.Snapshot().Compartments[0]; k.Slow != 0 || k.Calls != 5 {
			t.Errorf("breaker = %d calls, %d slow; want 5, none slow: the queue is no part of the attempt", k.Calls, k.Slow)
		}
		for _, e := range ended {
			if e.Duration != 800*time.Millisecond || e.Limit != time.Second {
				t.Errorf("attempt took %s of %s, want 800ms of 1s", e.Duration, e.Limit)
			}
		}
	})
}

// A probe that must wait in the bulkhead gives the breaker's place back meanwhile.
func TestRow07WaitingGivesTheProbesPlaceBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := tripAt(bare(rt.Safe), 1)
		p.Compartment.Breaker.Probes = rt.Probes{Count: 2, Successes: 2}
		p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 1, MaxQueue: 10}
		p.Retry.MaxAttempts, p.Timeout = 1, rt.Timeout{Attempt: time.Minute}
		registry := &rt.Registry{}
		rtr := faulttest.NewRoundTripper(faulttest.Status(503))
		rtr.Otherwise(faulttest.Slow(10*time.Second, faulttest.JSON(200, "{}")))
		c := newClient(t, p, rtr, func(c *rt.ClientConfig) { c.Registry = registry })
		_, _ = c.do(t.Context()) // opens the circuit
		time.Sleep(12 * time.Second)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if _, err := c.do(t.Context()); err != nil {
					t.Errorf("probe: %v", err)
				}
			})
		}
		time.Sleep(time.Second)
		if k := registry.Snapshot().Compartments[0]; k.Probes != 1 || k.Queued != 1 || k.InFlight != 1 {
			t.Errorf("probes %d, in flight %d, queued %d; want one of each", k.Probes, k.InFlight, k.Queued)
		}
		wg.Wait()
		if k := registry.Snapshot().Compartments[0]; k.Circuit != "closed" {
			t.Errorf("circuit = %s, want closed by two probes", k.Circuit)
		}
	})
}

// A call that waits for its repeat holds no place.
func TestRow07NoPlaceIsHeldBetweenAttempts(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 1}
		c := newClient(t, p, faulttest.NewRoundTripper(faulttest.RetryAfter(429, "2")))
		done := make(chan error)
		go func() { _, err := c.do(t.Context()); done <- err }()
		time.Sleep(time.Second)
		if _, err := c.do(t.Context()); err != nil {
			t.Errorf("meanwhile: %v", err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// A queue without a limit of its own ends with the call.
func TestRow07TheQueueEndsWithTheCall(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Timeout.Attempt = time.Hour
		p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 1, MaxQueue: 1}
		c := newClient(t, p, always(faulttest.Slow(5*time.Second, faulttest.Step{})))
		go func() { _, _ = c.do(t.Context()) }()
		synctest.Wait()
		before := time.Now()
		_, err := c.do(t.Context(), rt.WithTimeout(2*time.Second))
		if took := time.Since(before); !errors.Is(err, rt.ErrNoTimeLeft) || took != 2*time.Second || callError(t, err).Outcome != rt.NotSent {
			t.Errorf("= %v after %s, want no time left, not sent, after 2s", err, took)
		}
	})
}
