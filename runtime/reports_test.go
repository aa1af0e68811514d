package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// Public reports, each a test of its kind. Those that other tests hold:
//
//	rubyist/circuitbreaker#42 and kin        TestFault06CancellationsDoNotOpenTheCircuit
//	ferro-labs/ai-gateway#199                TestTable/attempt_limit, TestTable/caller's_deadline
//	diegosouzapw/OmniRoute#13836             TestFault03HungProbeIsReplacedAfterItsLease
//	sony/gobreaker#37                        TestRow12NoUserCodeUnderALock
//	go-retryablehttp#247, #295               TestRetryAfterIsAMinimumNeverShortened
//	openai-go#495 and kin                    TestFault11BodiesAreClosed
//	golang/go#20985, nodejs/undici#5598      TestTable/REFUSED_STREAM, TestTable/other_stream_error
//	golang/go#19943                          TestRow11NetHTTPDoesNotResendKeyedWrites
//	aws-sdk-go-v2#3550                       TestFirstAttemptsRefill (budget)
//	failsafe-lib#119, resilience4j#1065      TestFault09NoSleepBeforeAnOpenCircuit
//	ferd/backoff#8                           TestBackoffIsClampedThenDrawn
//	cloudevents/sdk-go#1327                  TestBackoffTakesAnyValues
//	LFDT-Panurus/panurus#2126                every bubble: it fails on what is left running
//
// exaring/hoglet#25 (a step of the wall clock) cannot be played in a bubble:
// all of our times are time.Since a base that carries a monotonic reading.
// golang/go#36026 (a dead HTTP/2 connection) needs a network that drops
// packets; the pool sets SendPingTimeout and PingTimeout for it, and
// TestPoolOfACompartment holds that.

func TestReport_StripeGo647_FreshBodyPerAttempt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Status(502), faulttest.Hang(), faulttest.JSON(200, "{}"))
		defer server.Close()
		if _, err := newClient(t, bare(rt.Keyed), server.Transport()).do(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantHits(t, &server.Script, 3)
		for i, r := range server.Requests() {
			if r.Body != `{"amount":1}` {
				t.Errorf("attempt %d sent %q", i+1, r.Body)
			}
		}
	})
}

func TestReport_GoContainerregistry2454_FreshConnection(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Step{Status: 503, Header: http.Header{"Connection": {"close"}}})
		defer server.Close()
		if _, err := newClient(t, bare(rt.Keyed), server.Transport()).do(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := server.Requests()[1].Body; got != `{"amount":1}` {
			t.Errorf("second attempt sent %q", got)
		}
	})
}

// The server answers before it has read the body, so that the first attempt's
// writer still reads while the second one runs. Under -race.
func TestReport_GoRetryablehttp94_NoSharedReader(t *testing.T) {
	first := true
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if first {
			first = false
			w.WriteHeader(503)
			return
		}
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, n)
	})
	inner := &http.Server{Handler: handler}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = inner.Serve(l) }()
	defer inner.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	c := newClient(t, patient(bare(rt.Keyed)), transport)
	c.base = "http://" + l.Addr().String()
	c.edit = func(call *rt.Call) { call.Body = rt.Bytes([]byte(strings.Repeat("x", 1<<20))) }
	if out, err := c.do(t.Context()); err != nil || out != "1048576" {
		t.Errorf("= %s, %v; want all of the body", out, err)
	}
}

func TestReport_Resilience4j544_ProbePlaceIsReleasedOnEveryEnd(t *testing.T) {
	for name, step := range map[string]faulttest.Step{"ignored": faulttest.Status(429), "cancelled": faulttest.Hang(), "malformed": faulttest.Status(299)} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := tripAt(bare(rt.Safe), 1)
				p.Retry.MaxAttempts = 1
				c := newClient(t, p, faulttest.NewRoundTripper(faulttest.Status(503), step))
				_, _ = c.do(t.Context())
				time.Sleep(12 * time.Second)
				ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				_, _ = c.do(ctx) // the only probe
				cancel()
				if _, err := c.do(t.Context()); err != nil {
					t.Errorf("next call: %v, want it admitted", err)
				}
			})
		})
	}
}

func TestReport_GoRetryablehttp272_NoSleepTowardsADeadline(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Retry.Backoff = rt.Backoff{Initial: 10 * time.Second, Jitter: rt.NoJitter}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		before := time.Now()
		_, err := newClient(t, p, always(faulttest.Step{Fault: faulttest.Reset})).do(ctx)
		if took := time.Since(before); took != 0 {
			t.Errorf("took %s, want none", took)
		}
		if !errors.Is(err, syscall.ECONNRESET) || !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, rt.ErrNoTimeLeft) {
			t.Errorf("error = %v, want the reset and that no time is left", err)
		}
	})
}

// The service's own error stays visible behind the deadline.
func TestReport_GaxGo235_DeadlineDoesNotHideTheError(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Retry.When.Statuses = append(p.Retry.When.Statuses, 422)
		ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
		defer cancel()
		_, err := newClient(t, p, faulttest.NewRoundTripper(faulttest.JSON(422, `"service"`), faulttest.Hang())).do(ctx)
		var declared *problem
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error = %v, want the deadline", err)
		}
		if ce := callError(t, err); !errors.As(ce.Attempts[0].Err, &declared) {
			t.Errorf("first attempt's error = %v, want the declared one", ce.Attempts[0].Err)
		}
	})
}

func TestReport_GaxGo420_NoAttemptOnADeadContext(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		rtr := always(faulttest.Status(503))
		c := newClient(t, bare(rt.Safe), rtr, func(c *rt.ClientConfig) {
			c.AfterAttempt = func(*http.Response) { cancel() }
		})
		before := time.Now()
		_, err := c.do(ctx)
		if !errors.Is(err, context.Canceled) || time.Since(before) != 0 {
			t.Errorf("= %v after %s, want canceled at once", err, time.Since(before))
		}
		if callError(t, err).Status != 503 {
			t.Errorf("status = %d, want the real 503", callError(t, err).Status)
		}
		_, err = c.do(ctx)
		if callError(t, err).Outcome != rt.NotSent {
			t.Errorf("on a dead context: %v, want not sent", err)
		}
		wantHits(t, &rtr.Script, 1)
	})
}

func TestReport_GaxGo420_CancelWhileWaiting(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		rtr := always(faulttest.Status(503))
		before := time.Now()
		_, err := newClient(t, bare(rt.Safe), rtr).do(ctx)
		if ce := callError(t, err); ce.Class != rt.ClassCanceled || ce.Status != 503 || time.Since(before) != 50*time.Millisecond {
			t.Errorf("= %v after %s, want canceled at 50ms with the real 503", err, time.Since(before))
		}
	})
}

func TestReport_FailsafeGo123_ContextLivesUntilTheBodyIsRead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		big := strings.Repeat("x", 1<<18)
		server := faulttest.NewPipe(faulttest.Step{Chunks: []string{big, big, big, big}, Pace: 200 * time.Millisecond})
		defer server.Close()
		out, err := newClient(t, bare(rt.Safe), server.Transport()).do(t.Context())
		if err != nil || len(out) != 1<<20 {
			t.Errorf("read %d bytes, %v; want all", len(out), err)
		}
	})
}

func TestReport_NetboxIPController14_NoDuplicateAfterReset(t *testing.T) {
	for class, hits := range map[rt.Class]int{rt.Unsafe: 1, rt.Keyed: 2} {
		bubble(t, func(t *testing.T) {
			server := faulttest.NewPipe(faulttest.Lost())
			defer server.Close()
			_, err := newClient(t, bare(class), server.Transport()).do(t.Context())
			wantHits(t, &server.Script, hits)
			if len(server.Book.Effects()) != 1 || len(server.Book.Duplicates()) != 0 {
				t.Errorf("%s: book = %+v, want one effect", class, server.Book.Effects())
			}
			if class == rt.Keyed && err != nil {
				t.Errorf("keyed: %v, want the stored answer", err)
			}
		})
	}
}

func TestReport_GocardlessPro12_OneKeyForAllAttempts(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper(faulttest.Status(503), faulttest.Step{Fault: faulttest.Reset})
		c := newClient(t, bare(rt.Keyed), rtr)
		_, _ = c.do(t.Context())
		_, _ = c.do(t.Context())
		_, _ = c.do(t.Context(), rt.WithIdempotencyKey(rt.Key{Value: "own"}))
		keys := []string{}
		for _, r := range rtr.Requests() {
			keys = append(keys, r.Key)
		}
		if keys[0] == "" || keys[0] != keys[1] || keys[1] != keys[2] || keys[3] == keys[0] || keys[4] != "own" {
			t.Errorf("keys = %q, want one for each call, and the caller's own", keys)
		}
	})
}

func TestReport_AkashConsole3449_AFailedCallIsResumedWithItsKey(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Lost(), faulttest.Step{Fault: faulttest.Reset}, faulttest.Step{Fault: faulttest.Reset})
		defer server.Close()
		c := newClient(t, bare(rt.Keyed), server.Transport())
		_, err := c.do(t.Context())
		key := callError(t, err).Key
		if key.Value == "" || key.FirstSent.IsZero() || key.Host != "faulttest.invalid" {
			t.Fatalf("key = %+v, want value, time and host", key)
		}
		time.Sleep(time.Hour) // a person thinks
		if _, err := c.do(t.Context(), rt.WithIdempotencyKey(key)); err != nil {
			t.Fatal(err)
		}
		if d := server.Book.Duplicates(); len(server.Book.Effects()) != 1 || len(d) != 0 {
			t.Errorf("book = %+v, want one charge", server.Book.Effects())
		}
	})
}

func TestReport_Go44844_OnlyGotConnSilenceProves(t *testing.T) {
	// Refused: TestNotSentOverRealConnections. Here the connection was had.
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Step{Fault: faulttest.Drop})
		defer server.Close()
		_, err := newClient(t, bare(rt.Unsafe), server.Transport()).do(t.Context())
		if got := callError(t, err).Outcome; got != rt.Unknown {
			t.Errorf("outcome = %s, want unknown", got)
		}
		wantHits(t, &server.Script, 1)
	})
}

func TestReport_AwsSdkGoBase915_BudgetPerHost(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Compartment.Budget = rt.Budget{Floor: 12 * rt.PerMinute, Window: 10 * time.Second} // two
		rtr := always(faulttest.Status(503))
		c := newClient(t, p, rtr)
		for range 5 {
			_, _ = c.do(t.Context())
		}
		wantHits(t, &rtr.Script, 7) // five first attempts, two repeats
		rtr.Forget()
		rtr.Otherwise(faulttest.Status(503))
		c.base = "http://b.invalid"
		_, _ = c.do(t.Context())
		wantHits(t, &rtr.Script, 3)
	})
}

func TestReport_FailsafeGo139_FloorPassesThenTheRealError(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Compartment.Budget = rt.Budget{Floor: 18 * rt.PerMinute, Window: 10 * time.Second} // three
		p.Retry.MaxAttempts = 10
		rtr := always(faulttest.JSON(503, `"real"`))
		_, err := newClient(t, p, rtr).do(t.Context())
		wantHits(t, &rtr.Script, 4)
		if ce := callError(t, err); !errors.Is(err, rt.ErrRetryBudget) || string(ce.Body) != `"real"` {
			t.Errorf("error = %v with body %s, want the real one and the budget", err, ce.Body)
		}
	})
}

func TestReport_GoRetryablehttp_NoCallsAreLostUnderLoad(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe()
		defer server.Close()
		p := bare(rt.Keyed)
		p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 4, MaxQueue: 100}
		c := newClient(t, p, server.Transport())
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				if _, err := c.do(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := len(server.Book.Effects()); n != 50 || len(server.Book.Duplicates()) != 0 {
			t.Errorf("done = %d, want 50, each once", n)
		}
	})
}
