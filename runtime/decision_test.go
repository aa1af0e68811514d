package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// play runs one call against a script and returns what it gives.
func play(t *testing.T, p *rt.Policy, steps []faulttest.Step, opts ...rt.RepeatableOption) (out string, script *faulttest.RoundTripper, took time.Duration, err error) {
	t.Helper()
	rtr := faulttest.NewRoundTripper(steps...)
	before := time.Now()
	out, err = newClient(t, p, rtr).do(t.Context(), opts...)
	return out, rtr, time.Since(before), err
}

func steps(list ...faulttest.Step) []faulttest.Step { return list }

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
		{"a 500 that says in flight is no stored one", rt.Keyed, func(p *rt.Policy) {
			p.Key.Statuses = []rt.KeyStatus{{Status: 500, Means: rt.InFlight}}
		}, step(500, "{}"), 3},
		{"but a replayed one is", rt.Keyed, func(p *rt.Policy) {
			p.Key.Statuses, p.Key.Replayed = []rt.KeyStatus{{Status: 500, Means: rt.InFlight}}, "Idempotent-Replayed"
		}, step(500, "{}", "Idempotent-Replayed", "true"), 1},
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

// A caller who leaves while an answer comes is not told of a repeat, nor waited for.
func TestNoRepeatIsScheduledForACallerWhoLeft(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var kinds []rt.EventKind
		c := newClient(t, bare(rt.Safe), roundTripFunc(func(*http.Request) (*http.Response, error) {
			cancel()
			return &http.Response{StatusCode: 503, Header: http.Header{}, Body: http.NoBody}, nil
		}), func(c *rt.ClientConfig) {
			c.Observer = observe(func(e rt.Event) { kinds = append(kinds, e.Kind) })
		})
		_, err := c.do(ctx)
		if ce := callError(t, err); ce.Status != 503 || !errors.Is(ce.Reason, context.Canceled) || slices.Contains(kinds, rt.RetryScheduled) {
			t.Errorf("= %v, reason %v, events %v; want the 503, the caller's end, no repeat scheduled", err, ce.Reason, kinds)
		}
	})
}

// An attempt that the total cut short leaves no time, and the error says so.
func TestCutByTheTotalLeavesNoTime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Timeout.Total = 700 * time.Millisecond
		_, err := newClient(t, p, always(faulttest.Hang())).do(t.Context())
		if !errors.Is(err, rt.ErrNoTimeLeft) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("= %v, want no time left", err)
		}
	})
}
