package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// play runs one call against a script and returns what it gives.
func play(t *testing.T, p *rt.Policy, steps []faulttest.Step, opts ...rt.RepeatableOption) (out string, err error, script *faulttest.RoundTripper, took time.Duration) {
	t.Helper()
	rtr := faulttest.NewRoundTripper(steps...)
	before := time.Now()
	out, err = newClient(t, p, rtr).do(t.Context(), opts...)
	return out, err, rtr, time.Since(before)
}

func steps(list ...faulttest.Step) []faulttest.Step { return list }

// --- slow

func TestSlowCountsHoweverAnAttemptEnds(t *testing.T) {
	for name, c := range map[string]struct {
		step   faulttest.Step
		caller time.Duration
		slow   int64
	}{
		"fast success":      {faulttest.JSON(200, "{}"), 0, 0},
		"slow success":      {faulttest.Slow(700*time.Millisecond, faulttest.JSON(200, "{}")), 0, 1},
		"slow 404":          {faulttest.Slow(700*time.Millisecond, faulttest.Status(404)), 0, 1},
		"attempt limit":     {faulttest.Hang(), 0, 1},
		"caller's deadline": {faulttest.Hang(), 650 * time.Millisecond, 1},
		"caller too early":  {faulttest.Hang(), 300 * time.Millisecond, 0},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := watched(bare(rt.Safe))
				p.SlowOver, p.Retry.MaxAttempts = 600*time.Millisecond, 1
				registry := &rt.Registry{}
				cl := newClient(t, p, faulttest.NewRoundTripper(c.step), func(c *rt.ClientConfig) { c.Registry = registry })
				ctx := t.Context()
				if c.caller > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, c.caller)
					defer cancel()
				}
				_, _ = cl.do(ctx)
				if k := registry.Snapshot().Compartments[0]; k.Slow != c.slow {
					t.Errorf("slow calls = %d, want %d", k.Slow, c.slow)
				}
			})
		})
	}
}

// A hung dependency opens the circuit of callers whose deadlines are shorter
// than the attempt's limit.
func TestHungDependencyOpensTheCircuitOfImpatientCallers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := tripAt(bare(rt.Safe), 5)
		p.SlowOver, p.Compartment.Breaker.SlowRate = 400*time.Millisecond, 80*rt.Percent
		rtr := faulttest.NewRoundTripper()
		rtr.Otherwise(faulttest.Hang())
		c := newClient(t, p, rtr)
		for range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			_, _ = c.do(ctx)
			cancel()
		}
		wantHits(t, &rtr.Script, 5)
	})
}

// --- order of a retry decision

func TestOrderOfTheRetryDecision(t *testing.T) {
	stripe := func(p *rt.Policy) {
		p.Retry.Verdict = rt.Verdict{Header: "Stripe-Should-Retry", Retry: "true", WhenAbsent: rt.Judge}
		p.Key.Replayed = "Idempotent-Replayed"
		p.Key.Statuses = []rt.KeyStatus{{Status: 409, Means: rt.InFlight, At: "/error/code", Is: []string{"key_in_use"}}}
		p.Key.Stores = rt.StoresErrors
	}
	step := func(code int, body string, headers ...string) faulttest.Step {
		h := http.Header{}
		for i := 0; i < len(headers); i += 2 {
			h.Set(headers[i], headers[i+1])
		}
		return faulttest.Step{Status: code, Body: body, Header: h}
	}
	for _, c := range []struct {
		name  string
		class rt.Class
		edit  func(*rt.Policy)
		step  faulttest.Step
		hits  int
	}{
		{"replayed is final though the verdict says retry", rt.Keyed, stripe, step(503, "{}", "Idempotent-Replayed", "true", "Stripe-Should-Retry", "true"), 1},
		{"replayed: false is not", rt.Keyed, stripe, step(503, "{}", "Idempotent-Replayed", "false"), 3},
		{"in flight is repeated though the verdict says no", rt.Keyed, stripe, step(409, `{"error":{"code":"key_in_use"}}`, "Stripe-Should-Retry", "false"), 3},
		{"409 of another kind is not", rt.Keyed, stripe, step(409, `{"error":{"code":"conflict"}}`), 1},
		{"verdict widens", rt.Keyed, stripe, step(409, "{}", "Stripe-Should-Retry", "true"), 3},
		{"verdict narrows", rt.Keyed, stripe, step(503, "{}", "Stripe-Should-Retry", "false"), 1},
		{"verdict absent: judge", rt.Keyed, stripe, step(503, "{}"), 3},
		{"verdict absent: stop", rt.Keyed, func(p *rt.Policy) {
			p.Retry.Verdict = rt.Verdict{Header: "X-Should-Retry", Retry: "true", WhenAbsent: rt.Stop}
		}, step(503, "{}"), 1},
		{"a verdict needs an answer", rt.Keyed, func(p *rt.Policy) {
			p.Retry.Verdict = rt.Verdict{Header: "X-Should-Retry", Retry: "true", WhenAbsent: rt.Stop}
		}, faulttest.Step{Fault: faulttest.Reset}, 3},
		{"no verdict makes an unsafe write repeatable", rt.Unsafe, func(p *rt.Policy) {
			p.Retry.Verdict = rt.Verdict{Header: "Stripe-Should-Retry", Retry: "true"}
		}, step(503, "{}", "Stripe-Should-Retry", "true"), 1},
		{"stored 500 is final though listed", rt.Keyed, func(p *rt.Policy) { p.Retry.When.Statuses = []int{5} }, step(500, "{}"), 1},
		{"stored 500 is final though the verdict says retry", rt.Keyed, func(p *rt.Policy) { stripe(p); p.Retry.When.Statuses = []int{5} }, step(500, "{}", "Stripe-Should-Retry", "true"), 1},
		{"502 is not stored", rt.Keyed, func(p *rt.Policy) { p.Retry.When.Statuses = []int{5} }, step(502, "{}"), 3},
		{"a server that stores successes only runs it again", rt.Keyed, func(p *rt.Policy) { p.Retry.When.Statuses = []int{5}; p.Key.Stores = rt.StoresSuccess }, step(500, "{}"), 3},
		{"500 of a read, listed", rt.Safe, func(p *rt.Policy) { p.Retry.When.Statuses = []int{5} }, step(500, "{}"), 3},
		{"500 of a hundred less itself", rt.Safe, func(p *rt.Policy) { p.Retry.When = rt.When{Statuses: []int{5}, Except: []int{500}} }, step(500, "{}"), 1},
		{"a listed 404", rt.Safe, func(p *rt.Policy) { p.Retry.When.Statuses = []int{404} }, step(404, "{}"), 3},
		{"an unlisted 503", rt.Safe, func(p *rt.Policy) { p.Retry.When.Statuses = []int{429} }, step(503, "{}"), 1},
		{"connections not listed", rt.Safe, func(p *rt.Policy) { p.Retry.When.Connection = false }, faulttest.Step{Fault: faulttest.Reset}, 1},
		{"time-outs not listed", rt.Safe, func(p *rt.Policy) { p.Retry.When.Timeout = false }, faulttest.Hang(), 1},
		{"mismatch is permanent though listed", rt.Keyed, func(p *rt.Policy) {
			p.Key.Statuses = []rt.KeyStatus{{Status: 503, Means: rt.Mismatch}}
		}, step(503, "{}"), 1},
		{"rejects make 429 repeatable", rt.Unsafe, func(p *rt.Policy) { p.Rejects, p.Retry.MaxAttempts = []int{429}, 3 }, step(429, "{}"), 3},
		{"and nothing else", rt.Unsafe, func(p *rt.Policy) { p.Rejects, p.Retry.MaxAttempts = []int{429}, 3 }, step(503, "{}"), 1},
		{"503 in rejects", rt.Unsafe, func(p *rt.Policy) { p.Rejects, p.Retry.MaxAttempts = []int{503}, 3 }, step(503, "{}"), 3},
		{"rejects that the policy does not repeat", rt.Unsafe, func(p *rt.Policy) {
			p.Rejects, p.Retry.MaxAttempts, p.Retry.When.Statuses = []int{429}, 3, []int{503}
		}, step(429, "{}"), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(c.class)
				c.edit(p)
				rtr := faulttest.NewRoundTripper()
				rtr.Otherwise(c.step)
				if _, err := newClient(t, p, rtr).do(t.Context()); err == nil {
					t.Error("no error")
				}
				wantHits(t, &rtr.Script, c.hits)
			})
		})
	}
}

// --- outcome

func TestOutcomeIsTheStrongestOverTheAttempts(t *testing.T) {
	lost := faulttest.Step{Fault: faulttest.Reset}
	cut := faulttest.Step{Body: "{}", Fault: faulttest.Truncate, CutAt: 1}
	for _, c := range []struct {
		name  string
		class rt.Class
		edit  func(*rt.Policy)
		steps []faulttest.Step
		want  rt.Outcome
	}{
		{"unknown then rejected", rt.Idempotent, nil, steps(lost, faulttest.Status(404)), rt.Unknown},
		{"a final 4xx under the same key", rt.Keyed, nil, steps(lost, faulttest.Status(422)), rt.Rejected},
		{"but not one that comes before the key", rt.Keyed, nil, steps(lost, faulttest.Status(401)), rt.Unknown},
		{"nor a 429", rt.Keyed, nil, steps(lost, lost, faulttest.Status(429)), rt.Unknown},
		{"applied stays", rt.Keyed, nil, steps(cut, faulttest.Status(422)), rt.Applied},
		{"rejected twice", rt.Keyed, nil, steps(faulttest.Status(429), faulttest.Status(429), faulttest.Status(429)), rt.Rejected},
		{"503 of rejects", rt.Unsafe, func(p *rt.Policy) { p.Rejects = []int{503} }, steps(faulttest.Status(503)), rt.Rejected},
		{"circuit opens after unknown", rt.Keyed, func(p *rt.Policy) { tripAt(p, 1) }, steps(lost), rt.Unknown},
		{"not sent then unknown", rt.Keyed, nil, steps(faulttest.Step{Fault: faulttest.Refuse}, lost, lost), rt.Unknown},
		{"never sent", rt.Keyed, nil, faulttest.Times(3, faulttest.Step{Fault: faulttest.Refuse}), rt.NotSent},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(c.class)
				if c.edit != nil {
					c.edit(p)
				}
				_, err, _, _ := play(t, p, c.steps)
				if got := callError(t, err).Outcome; got != c.want {
					t.Errorf("outcome = %s, want %s (%v)", got, c.want, err)
				}
			})
		})
	}
}

// --- not sent

func TestNotSentIsRepeatedOnceThroughEveryLayer(t *testing.T) {
	refuse := faulttest.Step{Fault: faulttest.Refuse}
	for _, c := range []struct {
		name string
		edit func(*rt.Policy)
		opts []rt.RepeatableOption
		hits int
		want error
	}{
		{"once, whatever when lists", func(p *rt.Policy) { p.Retry.When = rt.When{} }, nil, 2, nil},
		{"switched off", func(p *rt.Policy) { p.Retry.NotSent = 0 }, nil, 1, nil},
		{"by the caller", nil, []rt.RepeatableOption{rt.WithoutRetry()}, 1, nil},
		{"through the breaker", func(p *rt.Policy) { tripAt(p, 1) }, nil, 1, rt.ErrCircuitOpen},
		{"through the budget", func(p *rt.Policy) { p.Compartment.Budget = rt.Budget{Window: time.Second} }, nil, 1, rt.ErrRetryBudget},
		{"through the total", func(p *rt.Policy) { p.Timeout.Total = 100 * time.Millisecond }, nil, 1, rt.ErrNoTimeLeft},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(rt.Unsafe)
				if c.edit != nil {
					c.edit(p)
				}
				_, err, rtr, took := play(t, p, faulttest.Times(5, refuse), c.opts...)
				wantHits(t, &rtr.Script, c.hits)
				if c.want != nil && !errors.Is(err, c.want) {
					t.Errorf("error = %v, want %v", err, c.want)
				}
				if c.hits == 2 && took != 100*time.Millisecond {
					t.Errorf("took %s, want the first backoff of 100ms", took)
				}
				if got := callError(t, err).Outcome; got != rt.NotSent {
					t.Errorf("outcome = %s, want not sent", got)
				}
			})
		})
	}
}

// Silence proves nothing: a transport that reports neither asking for a
// connection nor getting one may have sent.
func TestNotSentNeedsProof(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper(faulttest.Step{Fault: faulttest.Refuse})
		rtr.Silent = true
		_, err := newClient(t, bare(rt.Unsafe), rtr).do(t.Context())
		wantHits(t, &rtr.Script, 1)
		if got := callError(t, err).Outcome; got != rt.Unknown {
			t.Errorf("outcome = %s, want unknown", got)
		}
	})
}

func TestNotSentOverRealConnections(t *testing.T) {
	t.Run("refused", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			server := faulttest.NewPipe()
			defer server.Close()
			server.Refuse(true)
			time.AfterFunc(50*time.Millisecond, func() { server.Refuse(false) })
			if _, err := newClient(t, bare(rt.Unsafe), server.Transport()).do(t.Context()); err != nil {
				t.Errorf("= %v, want success by the one repeat", err)
			}
			wantHits(t, &server.Script, 1)
		})
	})
	t.Run("hung dial until the attempt's limit", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			server := faulttest.NewPipe()
			defer server.Close()
			server.Blackhole(true)
			time.AfterFunc(time.Second+50*time.Millisecond, func() { server.Blackhole(false) })
			if _, err := newClient(t, bare(rt.Unsafe), server.Transport()).do(t.Context()); err != nil {
				t.Errorf("= %v, want success by the one repeat", err)
			}
			wantHits(t, &server.Script, 1)
		})
	})
	t.Run("reset after the request", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			server := faulttest.NewPipe(faulttest.Lost())
			defer server.Close()
			_, err := newClient(t, bare(rt.Unsafe), server.Transport()).do(t.Context())
			if got := callError(t, err).Outcome; got != rt.Unknown {
				t.Errorf("outcome = %s, want unknown", got)
			}
			if n := len(server.Book.Effects()); n != 1 {
				t.Errorf("done %d times, want once", n)
			}
		})
	})
}

// --- alreadyDone

func TestAlreadyDone(t *testing.T) {
	lost := faulttest.Lost()
	for _, c := range []struct {
		name      string
		hasResult bool
		steps     []faulttest.Step
		done      bool
		wantErr   bool
	}{
		{"after an unknown attempt", false, steps(lost, faulttest.Status(404)), true, false},
		{"not on the first attempt", false, steps(faulttest.Status(404)), false, true},
		{"not after one that was rejected", false, steps(faulttest.Status(429), faulttest.Status(404)), false, true},
		{"not after one that was not sent", false, steps(faulttest.Step{Fault: faulttest.Refuse}, faulttest.Status(404)), false, true},
		{"where there should be a result", true, steps(lost, faulttest.Status(404)), false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(rt.Idempotent)
				p.AlreadyDone = []int{404}
				cl := newClient(t, p, faulttest.NewRoundTripper(c.steps...))
				cl.edit = func(call *rt.Call) { call.HasResult = c.hasResult }
				var info rt.Info
				_, err := cl.do(t.Context(), rt.WithInfo(&info))
				if info.AlreadyDone != c.done || (err != nil) != c.wantErr {
					t.Errorf("already done = %t, error = %v; want %t, error %t", info.AlreadyDone, err, c.done, c.wantErr)
				}
				if got := errors.Is(err, rt.ErrAlreadyDone); got != c.hasResult {
					t.Errorf("ErrAlreadyDone = %t, want %t", got, c.hasResult)
				}
				if c.hasResult {
					if ce := callError(t, err); ce.Status != 404 || ce.Outcome != rt.Applied {
						t.Errorf("status %d, outcome %s; want the answer's 404, applied", ce.Status, ce.Outcome)
					}
				}
			})
		})
	}
}

// --- waiting

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
				_, err, rtr, took := play(t, p, steps(faulttest.RetryAfter(429, c.value)), rt.WithInfo(&info))
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
		_, err, _, took := play(t, bare(rt.Safe), steps(faulttest.RetryAfter(304, "3")))
		if took != 0 || callError(t, err).RetryAfter != 0 {
			t.Errorf("took %s, RetryAfter %s; want none", took, callError(t, err).RetryAfter)
		}
	})
}

func TestNamedHeadersAreRead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Retry.RetryAfter.Headers = []string{"Retry-After-Ms", "X-RateLimit-Reset", "Retry-After"}
		_, err, rtr, took := play(t, p, steps(
			faulttest.Step{Status: 429, Header: http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"7"}}},
			faulttest.Step{Status: 429, Header: http.Header{"X-Ratelimit-Reset": {"946684805"}}}, // five seconds into the bubble
		))
		if err != nil || took != 5*time.Second {
			t.Errorf("took %s, %v; want 1.5s and then until 00:00:05", took, err)
		}
		wantHits(t, &rtr.Script, 3)
	})
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

// --- budget

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

// --- backoff

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
			{Initial: 1, Max: 1 << 62, Multiplier: 1e300, Jitter: rt.FullJitter}, {Max: time.Second, Jitter: rt.EqualJitter},
		} {
			p := bare(rt.Safe)
			p.Retry.Backoff, p.Retry.MaxAttempts, p.Timeout.Total = b, 10, 0
			rtr := faulttest.NewRoundTripper(faulttest.Times(9, faulttest.Status(503))...)
			if _, err := newClient(t, p, rtr).do(t.Context()); err != nil {
				t.Errorf("%+v: %v", b, err)
			}
		}
	})
}

// --- errors

func TestErrorTextHoldsNothingOfTheCallsOwn(t *testing.T) {
	const secret = "hunter2"
	bubble(t, func(t *testing.T) {
		for name, step := range map[string]faulttest.Step{
			"declared error":   faulttest.JSON(422, `"`+secret+`"`),
			"undeclared error": faulttest.JSON(418, `"`+secret+`"`),
			"malformed":        faulttest.JSON(299, `"`+secret+`"`),
			"reset":            {Fault: faulttest.Reset},
		} {
			c := newClient(t, bare(rt.Keyed), faulttest.NewRoundTripper(faulttest.Times(3, step)...))
			c.edit = func(call *rt.Call) {
				call.URL.RawQuery = "q=" + secret
				call.Body = rt.Bytes([]byte(`"` + secret + `"`))
				call.Auth = authFunc(func(r *http.Request) { r.Header.Set("Authorization", secret) })
			}
			_, err := c.do(t.Context(), rt.WithIdempotencyKey(rt.Key{Value: secret}))
			ce := callError(t, err)
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %q holds the secret", name, err)
			}
			if ce.Key.Value != secret {
				t.Errorf("%s: the field Key = %q, want the key", name, ce.Key.Value)
			}
		}
	})
}

func TestCallErrorHoldsEveryAttempt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		_, err, _, _ := play(t, bare(rt.Keyed), steps(faulttest.Slow(50*time.Millisecond, faulttest.Status(503)), faulttest.Step{Fault: faulttest.Reset}, faulttest.JSON(422, `"bad"`)))
		ce := callError(t, err)
		var declared *problem
		if !errors.As(err, &declared) || declared.text != `"bad"` {
			t.Errorf("declared error = %v, want the body of the last answer", declared)
		}
		if ce.Operation != "createCharge" || ce.Dependency != "payments" || ce.Status != 422 || string(ce.Body) != `"bad"` {
			t.Errorf("error = %+v", ce)
		}
		if len(ce.Attempts) != 3 {
			t.Fatalf("attempts = %d, want 3", len(ce.Attempts))
		}
		first := ce.Attempts[0]
		if first.Status != 503 || first.Duration != 50*time.Millisecond || first.Wait != 0 || first.Outcome != rt.Unknown || first.Err == nil {
			t.Errorf("first attempt = %+v", first)
		}
		if second := ce.Attempts[1]; second.Wait != 100*time.Millisecond || second.Status != 0 || !second.Start.Equal(first.Start.Add(150*time.Millisecond)) {
			t.Errorf("second attempt = %+v", second)
		}
	})
}
