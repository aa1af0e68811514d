package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func TestRow08DecodingBelongsToTheAttempt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		rtr := faulttest.NewRoundTripper(
			faulttest.Step{Body: `{"a":1}`, Fault: faulttest.Truncate, CutAt: 2},
			faulttest.Step{Body: `{"a":1}`, Fault: faulttest.Stall, CutAt: 2},
			faulttest.JSON(200, `{"a":1}`),
		)
		out, err := newClient(t, p, rtr).do(t.Context())
		if err != nil || out != `{"a":1}` {
			t.Errorf("= %q, %v; want the third answer", out, err)
		}
		wantHits(t, &rtr.Script, 3)
	})
}

func TestRow09FailedAnswersAreDrainedOrClosed(t *testing.T) {
	t.Run("a small body leaves the connection usable", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			server := faulttest.NewPipe(faulttest.JSON(503, strings.Repeat("x", 1000)))
			defer server.Close()
			transport, dials := countDials(server.Transport())
			if _, err := newClient(t, bare(rt.Safe), transport).do(t.Context()); err != nil {
				t.Fatal(err)
			}
			if *dials != 1 {
				t.Errorf("connections = %d, want 1", *dials)
			}
		})
	})
	for name, step := range map[string]faulttest.Step{
		"endless": {Status: 503, Handle: endless(503)},
		"silent":  {Status: 503, Body: "xxxx", Fault: faulttest.Stall, CutAt: 2},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				server := faulttest.NewPipe(step)
				defer server.Close()
				before := time.Now()
				if _, err := newClient(t, bare(rt.Safe), server.Transport()).do(t.Context()); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(before); took > 150*time.Millisecond {
					t.Errorf("took %s, want at most 50ms for the body and 100ms of backoff", took)
				}
			})
		})
	}
}

func endless(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		for r.Context().Err() == nil {
			if _, err := w.Write(bytes.Repeat([]byte("x"), 4096)); err != nil {
				return
			}
		}
	}
}

func countDials(t *http.Transport) (*http.Transport, *int) {
	n, dial := new(int), t.DialContext
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		*n++
		return dial(ctx, network, address)
	}
	return t, n
}

func TestRow10EveryAttemptSendsTheSameBytesAnew(t *testing.T) {
	content := []byte(`{"amount":1}`)
	opened := 0
	for name, c := range map[string]struct {
		body rt.Body
		hits int
	}{
		"bytes":    {rt.Bytes(content), 3},
		"readerAt": {rt.ReaderAt(bytes.NewReader(content), int64(len(content))), 3},
		"opener": {rt.Opener(-1, func() (io.ReadCloser, error) {
			opened++
			return io.NopCloser(bytes.NewReader(content)), nil
		}), 3},
		"reader": {rt.Reader(-1, bytes.NewReader(content)), 1},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				server := faulttest.NewPipe(faulttest.Status(503), faulttest.Step{Fault: faulttest.Reset})
				defer server.Close()
				requests := map[*http.Request]bool{}
				inner := server.Transport()
				cl := newClient(t, bare(rt.Keyed), roundTripFunc(func(r *http.Request) (*http.Response, error) {
					if requests[r] {
						t.Error("a request was sent twice")
					}
					requests[r] = true
					return inner.RoundTrip(r)
				}))
				cl.edit = func(call *rt.Call) { call.Body = c.body }
				_, err := cl.do(t.Context())
				wantHits(t, &server.Script, c.hits)
				for i, r := range server.Requests() {
					if r.Body != string(content) {
						t.Errorf("attempt %d sent %q, want %q", i+1, r.Body, content)
					}
				}
				if c.hits == 1 && !errors.Is(err, rt.ErrNotReplayable) {
					t.Errorf("error = %v, want that the body can be sent only once", err)
				}
				if c.hits == 3 && err != nil {
					t.Error(err)
				}
			})
		})
	}
	if opened != 3 {
		t.Errorf("opened %d times, want 3", opened)
	}
}

// net/http resends a request with an Idempotency-Key by itself when a reused
// connection turns out dead. Counted at the server, over loopback.
func TestRow11NetHTTPDoesNotResendKeyedWrites(t *testing.T) {
	for _, withBody := range []bool{true, false} {
		server := faulttest.NewServer(faulttest.JSON(201, "{}"), faulttest.Step{Fault: faulttest.Drop})
		p := patient(bare(rt.Keyed))
		p.Retry.MaxAttempts = 1
		c := newClient(t, p, server.Transport())
		c.base = server.URL
		if !withBody {
			c.edit = func(call *rt.Call) { call.Body = rt.Body{} }
		}
		if _, err := c.do(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := c.do(t.Context()); err == nil {
			t.Error("second call succeeded: net/http sent it again by itself")
		}
		wantHits(t, &server.Script, 2)
		for _, r := range server.Requests() {
			if r.Key == "" {
				t.Error("the key did not arrive")
			}
		}
		server.Close()
	}
}

func TestRow12PanicAndGoexitGiveBackPlaceAndProbe(t *testing.T) {
	leave := map[string]func(){"panic": func() { panic("user code") }, "goexit": runtime.Goexit}
	for name, leave := range leave {
		for _, where := range []string{"hook", "authorize", "decode", "observer"} {
			t.Run(name+" in "+where, func(t *testing.T) {
				bubble(t, func(t *testing.T) { row12(t, where, leave) })
			})
		}
	}
}

func row12(t *testing.T, where string, leave func()) {
	bad := false
	misbehave := func(at string) {
		if bad && at == where {
			leave()
		}
	}
	p := tripAt(bare(rt.Safe), 1)
	p.Retry.MaxAttempts = 1
	p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 1}
	rtr := faulttest.NewRoundTripper(faulttest.Status(503))
	c := newClient(t, p, rtr, func(c *rt.ClientConfig) {
		c.BeforeAttempt = func(*http.Request) error { misbehave("hook"); return nil }
		c.Observer = observe(func(e rt.Event) {
			if e.Kind == rt.AttemptStarted {
				misbehave("observer")
			}
		})
	})
	c.edit = func(call *rt.Call) {
		call.Auth = authFunc(func(*http.Request) { misbehave("authorize") })
		decode := call.Decode
		call.Decode = func(a *rt.Answer) error { misbehave("decode"); return decode(a) }
	}
	_, _ = c.do(t.Context()) // opens the circuit
	time.Sleep(12 * time.Second)
	bad = true
	var wg sync.WaitGroup
	wg.Go(func() {
		defer func() { _ = recover() }()
		_, _ = c.do(t.Context()) // the only probe, in the only place
	})
	wg.Wait()
	bad = false
	if _, err := c.do(t.Context()); err != nil {
		t.Errorf("the next call: %v; want it admitted as a probe and to close the circuit", err)
	}
}

type authFunc func(*http.Request)

func (f authFunc) Authorize(_ context.Context, r *http.Request) error { f(r); return nil }

type observe func(rt.Event)

func (f observe) Observe(_ context.Context, e rt.Event) { f(e) }

func TestRow12NoUserCodeUnderALock(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := tripAt(bare(rt.Safe), 1)
		registry := &rt.Registry{}
		controls := &rt.Controls{}
		rtr := faulttest.NewRoundTripper()
		rtr.Otherwise(faulttest.Status(503))
		changes := 0
		c := newClient(t, p, rtr, func(c *rt.ClientConfig) {
			c.Registry, c.Controls = registry, controls
			c.Observer = observe(func(e rt.Event) {
				registry.Snapshot() // takes every lock there is
				if e.Kind == rt.CircuitChanged {
					changes++
					controls.RetriesOff("payments", true)
				}
			})
		})
		_, _ = c.do(t.Context())
		if changes != 1 {
			t.Errorf("circuit changes = %d, want 1", changes)
		}
	})
}

func TestRow13OptionsAreCeilings(t *testing.T) {
	for _, c := range []struct {
		name    string
		opts    []rt.RepeatableOption
		hits    int
		took    time.Duration
		ignored int
	}{
		{"none", nil, 3, 3300 * time.Millisecond, 0},
		{"fewer attempts", []rt.RepeatableOption{rt.WithMaxAttempts(2)}, 2, 2100 * time.Millisecond, 0},
		{"more attempts", []rt.RepeatableOption{rt.WithMaxAttempts(9)}, 3, 3300 * time.Millisecond, 1},
		{"shorter", []rt.RepeatableOption{rt.WithTimeout(1500 * time.Millisecond)}, 2, 1500 * time.Millisecond, 0},
		{"longer", []rt.RepeatableOption{rt.WithTimeout(time.Hour), rt.WithAttemptTimeout(time.Hour)}, 3, 3300 * time.Millisecond, 2},
		{"shorter attempts", []rt.RepeatableOption{rt.WithAttemptTimeout(100 * time.Millisecond)}, 3, 600 * time.Millisecond, 0},
		{"no retry", []rt.RepeatableOption{rt.WithoutRetry()}, 1, time.Second, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				rtr := faulttest.NewRoundTripper()
				rtr.Otherwise(faulttest.Hang())
				var info rt.Info
				before := time.Now()
				_, err := newClient(t, bare(rt.Safe), rtr).do(t.Context(), append(slices.Clone(c.opts), rt.WithInfo(&info))...)
				if err == nil {
					t.Fatal("no error")
				}
				if took := time.Since(before); took != c.took {
					t.Errorf("took %s, want %s", took, c.took)
				}
				if len(info.Ignored) != c.ignored {
					t.Errorf("ignored = %q, want %d", info.Ignored, c.ignored)
				}
				wantHits(t, &rtr.Script, c.hits)
			})
		})
	}
}

// An answer whose body never ends holds up no repeat, whatever asks for it.
func TestRow09EndlessBodiesHoldUpNoRepeat(t *testing.T) {
	endless := func(status int) faulttest.Step {
		return faulttest.Step{Status: status, Body: "{ }", Fault: faulttest.Stall, CutAt: 1}
	}
	for name, c := range map[string]struct {
		class rt.Class
		step  faulttest.Step
		edit  func(*rt.Policy)
	}{
		"listed":    {rt.Safe, endless(503), func(*rt.Policy) {}},
		"rejects":   {rt.Unsafe, endless(429), func(p *rt.Policy) { p.Rejects, p.Retry.MaxAttempts = []int{429}, 3 }},
		"in flight": {rt.Keyed, endless(409), func(p *rt.Policy) { p.Key.Statuses = []rt.KeyStatus{{Status: 409, Means: rt.InFlight}} }},
		"421":       {rt.Safe, endless(421), func(*rt.Policy) {}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(c.class)
				c.edit(p)
				_, rtr, took, err := play(t, p, steps(c.step))
				if err != nil || took != 150*time.Millisecond {
					t.Errorf("%v after %s, want success after 50ms of reading and 100ms of waiting", err, took)
				}
				wantHits(t, &rtr.Script, 2)
			})
		})
	}
}
