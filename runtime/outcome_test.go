package runtime_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

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
				_, _, _, err := play(t, p, c.steps)
				if got := callError(t, err).Outcome; got != c.want {
					t.Errorf("outcome = %s, want %s (%v)", got, c.want, err)
				}
			})
		})
	}
}

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
				_, rtr, took, err := play(t, p, faulttest.Times(5, refuse), c.opts...)
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

// What an authorizer's own requests show is no proof for the call's, and does
// not spoil it either.
func TestRequestsOfTheAuthorizerProveNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		token  func(*httptrace.ClientTrace)
		step   faulttest.Step
		silent bool
		hits   int
	}{
		{"token not had, the call sent by who reports nothing", func(h *httptrace.ClientTrace) { h.GetConn("idp.invalid:443") }, faulttest.Step{Fault: faulttest.Reset}, true, 1},
		{"token had, the call refused", func(h *httptrace.ClientTrace) { h.GetConn("idp.invalid:443"); h.GotConn(httptrace.GotConnInfo{}) }, faulttest.Step{Fault: faulttest.Refuse}, false, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				rtr := faulttest.NewRoundTripper(c.step)
				rtr.Silent = c.silent
				cl := newClient(t, bare(rt.Unsafe), rtr)
				cl.edit = setAuth(authorizeFunc(func(ctx context.Context, _ *http.Request) error {
					c.token(httptrace.ContextClientTrace(ctx))
					return nil
				}))
				_, _ = cl.do(t.Context())
				wantHits(t, &rtr.Script, c.hits)
			})
		})
	}
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

// A write of any class whose dial hung was not sent, whatever limit ended it,
// and its key is still unused; where the transport reports nothing, nobody knows.
func TestHungDialIsNotSentForEveryWrite(t *testing.T) {
	for _, class := range []rt.Class{rt.Idempotent, rt.Keyed, rt.Unsafe} {
		for name, caller := range map[string]time.Duration{"attempt's limit": time.Minute, "caller's deadline": 300 * time.Millisecond} {
			t.Run(class.String()+", "+name, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					server := faulttest.NewPipe()
					defer server.Close()
					server.Blackhole(true)
					ctx, cancel := context.WithTimeout(t.Context(), caller)
					defer cancel()
					_, err := newClient(t, bare(class), server.Transport()).do(ctx)
					ce := callError(t, err)
					if ce.Outcome != rt.NotSent || ce.Class != rt.ClassTimeout || !ce.Key.FirstSent.IsZero() {
						t.Errorf("outcome %s, class %s, key first sent %s; want not sent, timeout, never", ce.Outcome, ce.Class, ce.Key.FirstSent)
					}
					for i, a := range ce.Attempts {
						if a.Outcome != rt.NotSent {
							t.Errorf("attempt %d: outcome %s, want not sent", i+1, a.Outcome)
						}
					}
				})
			})
		}
		t.Run(class.String()+", refused, says a transport that reports nothing", func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				rtr := faulttest.NewRoundTripper(faulttest.Times(3, faulttest.Step{Fault: faulttest.Refuse})...)
				rtr.Silent = true
				_, err := newClient(t, bare(class), rtr).do(t.Context())
				if got := callError(t, err).Outcome; got != rt.Unknown {
					t.Errorf("outcome = %s, want unknown", got)
				}
			})
		})
	}
}

// What one attempt proves says nothing of the next: a dial that hung, then a
// request that got no answer.
func TestProofIsOfOneAttempt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Times(3, faulttest.Hang())...)
		defer server.Close()
		server.Blackhole(true)
		time.AfterFunc(1050*time.Millisecond, func() { server.Blackhole(false) })
		_, err := newClient(t, bare(rt.Keyed), server.Transport()).do(t.Context())
		ce := callError(t, err)
		if len(ce.Attempts) != 3 || ce.Attempts[0].Outcome != rt.NotSent || ce.Attempts[1].Outcome != rt.Unknown || ce.Outcome != rt.Unknown {
			t.Errorf("= %v, attempts %+v; want not sent, then unknown", err, ce.Attempts)
		}
	})
}

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

// Once a 2xx has begun the work was done, whoever cuts its body short.
func TestOutcomeOfASuccessCutShortIsApplied(t *testing.T) {
	for name, c := range map[string]struct {
		total, caller time.Duration
		class         rt.ErrorClass
	}{
		"by the caller": {10 * time.Second, 300 * time.Millisecond, rt.ClassTimeout},
		"by the total":  {300 * time.Millisecond, time.Minute, rt.ClassTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(rt.Keyed)
				p.Timeout.Total = c.total
				ctx, cancel := context.WithTimeout(t.Context(), c.caller)
				defer cancel()
				_, err := newClient(t, p, always(faulttest.Step{Body: "{}", Fault: faulttest.Stall, CutAt: 1})).do(ctx)
				if ce := callError(t, err); ce.Outcome != rt.Applied || ce.Class != c.class || len(ce.Attempts) != 1 {
					t.Errorf("outcome %s, class %s after %d attempts; want applied, %s, 1", ce.Outcome, ce.Class, len(ce.Attempts), c.class)
				}
			})
		})
	}
}

// Hooks may fire late: what an earlier attempt's say then proves nothing of
// this one, whose transport reports nothing.
func TestLateHooksProveNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var first *httptrace.ClientTrace
		c := newClient(t, bare(rt.Keyed), roundTripFunc(func(r *http.Request) (*http.Response, error) {
			if first == nil {
				first = httptrace.ContextClientTrace(r.Context())
			} else {
				first.GetConn("faulttest.invalid:80")
			}
			return nil, io.EOF
		}))
		_, err := c.do(t.Context())
		for i, a := range callError(t, err).Attempts {
			if a.Outcome != rt.Unknown {
				t.Errorf("attempt %d: outcome %s, want unknown", i+1, a.Outcome)
			}
		}
	})
}
