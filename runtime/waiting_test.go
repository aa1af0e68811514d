package runtime_test

import (
	"errors"
	"math"
	"net/http"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func TestRetryAfterIsAMinimumNeverShortened(t *testing.T) {
	for _, c := range []struct {
		name  string
		value string
		max   time.Duration
		hits  int
		took  time.Duration
		named time.Duration
	}{
		{"longer than the backoff", "3", 5 * time.Second, 2, 3 * time.Second, 3 * time.Second},
		{"shorter than the backoff", "0", 5 * time.Second, 2, 100 * time.Millisecond, 0},
		{"a date", "Sat, 01 Jan 2000 00:00:04 GMT", 5 * time.Second, 2, 4 * time.Second, 4 * time.Second},
		{"beyond its max", "6", 5 * time.Second, 1, 0, 6 * time.Second},
		{"beyond the call", "20", 0, 1, 0, 20 * time.Second},
		{"484,289 hours", "1743440400", 0, 1, 0, 1743440400 * time.Second},
		{"saturated", "9223372037", 0, 1, 0, 1<<63 - 1},
		{"malformed is ignored", "soon", 5 * time.Second, 2, 100 * time.Millisecond, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(rt.Safe)
				p.Retry.RetryAfter.Max = c.max
				var info rt.Info
				_, rtr, took, err := play(t, p, steps(faulttest.RetryAfter(429, c.value)), rt.WithInfo(&info))
				wantHits(t, &rtr.Script, c.hits)
				if took != c.took {
					t.Errorf("took %s, want %s", took, c.took)
				}
				if (err == nil) != (c.hits == 2) {
					t.Errorf("error = %v", err)
				}
				if err != nil && (callError(t, err).RetryAfter != c.named || !errors.Is(err, rt.ErrNoTimeLeft)) {
					t.Errorf("RetryAfter = %s (%v), want %s", callError(t, err).RetryAfter, err, c.named)
				}
				if c.value == "soon" && len(info.Ignored) != 1 {
					t.Errorf("ignored = %q, want the malformed header", info.Ignored)
				}
			})
		})
	}
}

func TestRetryAfterOnSuccessAndRedirectMeansNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		_, _, took, err := play(t, bare(rt.Safe), steps(faulttest.RetryAfter(304, "3")))
		if took != 0 || callError(t, err).RetryAfter != 0 {
			t.Errorf("took %s, RetryAfter %s; want none", took, callError(t, err).RetryAfter)
		}
	})
}

func TestNamedHeadersAreRead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Retry.RetryAfter.Headers = []string{"Retry-After-Ms", "X-RateLimit-Reset", "Retry-After"}
		_, rtr, took, err := play(t, p, steps(
			faulttest.Step{Status: 429, Header: http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"7"}}},
			faulttest.Step{Status: 429, Header: http.Header{"X-Ratelimit-Reset": {"946684805"}}}, // five seconds into the bubble
		))
		if err != nil || took != 5*time.Second {
			t.Errorf("took %s, %v; want 1.5s and then until 00:00:05", took, err)
		}
		wantHits(t, &rtr.Script, 3)
	})
}

// Retry-After is read whatever else the policy names.
func TestRetryAfterIsReadBesideNamedHeaders(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Retry.RetryAfter.Headers = []string{"Retry-After-Ms"}
		_, rtr, took, err := play(t, p, steps(faulttest.RetryAfter(429, "3")))
		if err != nil || took != 3*time.Second {
			t.Errorf("took %s, %v; want 3s", took, err)
		}
		wantHits(t, &rtr.Script, 2)
	})
}

// A wait that cannot be read is reported and does not shorten the backoff.
func TestWaitsThatCannotBeRead(t *testing.T) {
	for _, value := range []string{"-5", "-1s", "soon", "1e3", "0x10", "NaN", "Inf", "", "٣", "5 s", "2006-02-30", "Sun, 99 Nov 1994 08:49:37 GMT", "5,10"} {
		bubble(t, func(t *testing.T) {
			var info rt.Info
			_, _, took, err := play(t, bare(rt.Safe), steps(faulttest.RetryAfter(503, value)), rt.WithInfo(&info))
			if err != nil || took != 100*time.Millisecond || info.RetryAfter != 0 || len(info.Ignored) != 1 {
				t.Errorf("%q: %v after %s, wait %s, ignored %q; want the backoff alone, and a word on it", value, err, took, info.RetryAfter, info.Ignored)
			}
		})
	}
}

// A wait of any size is on the error; one that does not fit ends the call now.
func TestWaitsThatDoNotFitEndTheCall(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"3600": time.Hour, "9223372037": math.MaxInt64, "99999999999999999999999999": math.MaxInt64,
		"Sat, 01 Jan 2000 01:00:00 GMT": time.Hour, "Saturday, 01-Jan-00 01:00:00 GMT": time.Hour, "Sat Jan  1 01:00:00 2000": time.Hour,
		"Fri, 31 Dec 9999 23:59:59 GMT": math.MaxInt64,
	} {
		bubble(t, func(t *testing.T) {
			_, rtr, took, err := play(t, bare(rt.Safe), steps(faulttest.RetryAfter(503, value)))
			ce := callError(t, err)
			if !errors.Is(err, rt.ErrNoTimeLeft) || ce.Class != rt.ClassOverload || ce.RetryAfter != want || took != 0 || ce.Status != 503 {
				t.Errorf("%q: %v after %s, wait %s; want the 503 at once, %s", value, err, took, ce.RetryAfter, want)
			}
			wantHits(t, &rtr.Script, 1)
		})
	}
}

func TestA503sWaitPutsTheCompartmentOnHold(t *testing.T) {
	for _, c := range []struct {
		step faulttest.Step
		hold time.Duration
	}{
		{faulttest.RetryAfter(503, "4"), 4 * time.Second},
		{faulttest.RetryAfter(503, "3600"), 10 * time.Second}, // at most openFor
		{faulttest.RetryAfter(429, "4"), 0},                   // limits are often per credential
		{faulttest.Status(503), 0},
	} {
		bubble(t, func(t *testing.T) {
			p := tripAt(bare(rt.Safe), 50)
			p.Retry.MaxAttempts = 1
			rtr := faulttest.NewRoundTripper(c.step)
			cl := newClient(t, p, rtr)
			_, _ = cl.do(t.Context())
			_, err := cl.do(t.Context())
			if held := errors.Is(err, rt.ErrOnHold); held != (c.hold > 0) {
				t.Fatalf("on hold = %t (%v), want %t", held, err, c.hold > 0)
			}
			if c.hold == 0 {
				return
			}
			if ce := callError(t, err); ce.Class != rt.ClassOverload || ce.Outcome != rt.NotSent || ce.RetryAfter != c.hold {
				t.Errorf("class %s, outcome %s, wait %s; want overload, not sent, %s", ce.Class, ce.Outcome, ce.RetryAfter, c.hold)
			}
			time.Sleep(c.hold)
			if _, err := cl.do(t.Context()); err != nil {
				t.Errorf("after the hold: %v", err)
			}
		})
	}
}

func TestBudgetCountsWhatWasReallySent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Compartment.Budget = rt.Budget{Ratio: 50 * rt.Percent, Window: 10 * time.Second}
		rtr := faulttest.NewRoundTripper()
		c := newClient(t, p, rtr)
		rtr.Then(faulttest.Times(4, faulttest.Step{Fault: faulttest.Refuse})...)
		for range 4 {
			_, _ = c.do(t.Context()) // nothing went out: nothing to repeat either
		}
		wantHits(t, &rtr.Script, 4)
		for range 4 {
			_, _ = c.do(t.Context())
		}
		rtr.Forget()
		rtr.Then(faulttest.Times(9, faulttest.Status(503))...)
		_, err := c.do(t.Context())
		// Five first attempts were sent, half of them may be repeated: two.
		wantHits(t, &rtr.Script, 3)
		if callError(t, err).Status != 503 {
			t.Errorf("error = %v, want the real 503", err)
		}
	})
}

// A repeat with another credential is a repeat: it takes from the budget, and
// is not made where that is spent.
func TestBudgetBoundsRepeatsAfter401(t *testing.T) {
	for floor, hits := range map[rt.Rate]int{6 * rt.PerMinute: 2, 0: 1} { // one in the window, none
		bubble(t, func(t *testing.T) {
			p := bare(rt.Safe)
			p.Compartment.Budget = rt.Budget{Floor: floor, Window: 10 * time.Second}
			registry := &rt.Registry{}
			rtr := faulttest.NewRoundTripper(faulttest.Status(401))
			c := newClient(t, p, rtr, func(c *rt.ClientConfig) { c.Registry = registry })
			c.edit = setAuth(&tokens{now: "a", next: "b"})
			_, err := c.do(t.Context())
			wantHits(t, &rtr.Script, hits)
			if left := registry.Snapshot().Compartments[0].RepeatsLeft; left != 0 {
				t.Errorf("repeats left = %d, want 0", left)
			}
			if hits == 1 && (!errors.Is(err, rt.ErrRetryBudget) || callError(t, err).Status != 401) {
				t.Errorf("= %v, want the 401 and the spent budget", err)
			}
		})
	}
}

// User code that panics before the repeat is made costs the budget nothing.
func TestBudgetIsGivenBackAfterAPanic(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Compartment.Budget = rt.Budget{Floor: 6 * rt.PerMinute, Window: 10 * time.Second} // one
		registry := &rt.Registry{}
		c := newClient(t, p, always(faulttest.Status(503)), func(c *rt.ClientConfig) {
			c.Registry = registry
			c.Observer = observe(func(e rt.Event) {
				if e.Kind == rt.RetryScheduled {
					panic("user code")
				}
			})
		})
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic came through")
				}
			}()
			_, _ = c.do(t.Context())
		}()
		if left := registry.Snapshot().Compartments[0].RepeatsLeft; left != 1 {
			t.Errorf("repeats left = %d, want 1", left)
		}
	})
}

func TestBudgetIsGivenBackWhenNothingIsSent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := tripAt(bare(rt.Safe), 1)
		p.Compartment.Budget = rt.Budget{Floor: 6 * rt.PerMinute, Window: 10 * time.Second} // one
		registry := &rt.Registry{}
		rtr := faulttest.NewRoundTripper(faulttest.Status(503))
		_, err := newClient(t, p, rtr, func(c *rt.ClientConfig) { c.Registry = registry }).do(t.Context())
		if !errors.Is(err, rt.ErrCircuitOpen) {
			t.Fatalf("error = %v, want the circuit to refuse the repeat", err)
		}
		if left := registry.Snapshot().Compartments[0].RepeatsLeft; left != 1 {
			t.Errorf("repeats left = %d, want 1", left)
		}
	})
}

func TestBackoffIsClampedThenDrawn(t *testing.T) {
	waits := func(t *testing.T, b rt.Backoff, repeats int) (list []time.Duration) {
		p := bare(rt.Safe)
		p.Retry.Backoff, p.Retry.MaxAttempts, p.Timeout.Total = b, repeats+1, 0
		rtr := faulttest.NewRoundTripper()
		rtr.Otherwise(faulttest.Status(503))
		var ce *rt.CallError
		_, err := newClient(t, p, rtr).do(t.Context())
		if errors.As(err, &ce) {
			for _, a := range ce.Attempts[1:] {
				list = append(list, a.Wait)
			}
		}
		return list
	}
	base := rt.Backoff{Initial: 100 * time.Millisecond, Max: 2 * time.Second, Multiplier: 2}
	bubble(t, func(t *testing.T) {
		for _, c := range []struct {
			jitter    rt.Jitter
			low, high func(d time.Duration) time.Duration
		}{
			{rt.FullJitter, func(time.Duration) time.Duration { return 0 }, same},
			{rt.EqualJitter, func(d time.Duration) time.Duration { return d / 2 }, same},
			{rt.NoJitter, same, same},
		} {
			b := base
			b.Jitter = c.jitter
			least, most := time.Hour, time.Duration(0)
			for range 100 {
				for n, got := range waits(t, b, 9) {
					d := min(2*time.Second, 100*time.Millisecond<<n)
					if got < c.low(d) || got > c.high(d) {
						t.Fatalf("jitter %d: wait %d = %s, want %s to %s", c.jitter, n, got, c.low(d), c.high(d))
					}
					if n >= 5 {
						least, most = min(least, got), max(most, got)
					}
				}
			}
			if spread := most - least; c.jitter == rt.FullJitter && spread < time.Second {
				t.Errorf("spread at the cap = %s, want more than half of it", spread)
			}
		}
		b := base
		b.Jitter = rt.DecorrelatedJitter
		for range 100 {
			last := b.Initial
			for n, got := range waits(t, b, 9) {
				if got < b.Initial || got > min(b.Max, 3*last) {
					t.Fatalf("decorrelated wait %d = %s after %s", n, got, last)
				}
				last = got
			}
		}
	})
}

func same(d time.Duration) time.Duration { return d }

func TestBackoffTakesAnyValues(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, b := range []rt.Backoff{
			{}, {Jitter: rt.DecorrelatedJitter}, {Initial: time.Hour, Max: time.Nanosecond, Jitter: rt.NoJitter},
			// 1<<60 ns are 36 years: five such waits end before a bubble's clock does, in 2262.
			{Initial: 1, Max: 1 << 60, Multiplier: 1e300, Jitter: rt.FullJitter}, {Max: time.Second, Jitter: rt.EqualJitter},
		} {
			p := bare(rt.Safe)
			p.Retry.Backoff, p.Retry.MaxAttempts, p.Timeout.Total = b, 6, 0
			rtr := faulttest.NewRoundTripper(faulttest.Times(5, faulttest.Status(503))...)
			if _, err := newClient(t, p, rtr).do(t.Context()); err != nil {
				t.Errorf("%+v: %v", b, err)
			}
		}
	})
}
