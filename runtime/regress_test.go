package runtime_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func TestBreakerCountsEditsTheTable(t *testing.T) {
	for _, c := range []struct {
		name            string
		counts          rt.Counts
		status          int
		calls, failures int64
	}{
		{"500 by the table", nil, 500, 1, 1},
		{"500 not counted", rt.Counts{500: false}, 500, 0, 0},
		{"the hundred not counted", rt.Counts{5: false}, 507, 0, 0},
		{"the exact status wins", rt.Counts{5: false, 507: true}, 507, 1, 1},
		{"404 counted", rt.Counts{404: true}, 404, 1, 1},
		{"429 counted", rt.Counts{4: true}, 429, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := watched(bare(rt.Safe))
				p.Counts, p.Retry.MaxAttempts = c.counts, 1
				registry := &rt.Registry{}
				_, _ = newClient(t, p, always(faulttest.Status(c.status)), func(c *rt.ClientConfig) { c.Registry = registry }).do(t.Context())
				if k := registry.Snapshot().Compartments[0]; k.Calls != c.calls || k.Failures != c.failures {
					t.Errorf("counted %d calls, %d failures; want %d, %d", k.Calls, k.Failures, c.calls, c.failures)
				}
			})
		})
	}
}

func TestHeadHasALengthAndNoBody(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Step{NoBody: true, Header: http.Header{"Content-Length": {"1234"}}})
		defer server.Close()
		c := newClient(t, bare(rt.Safe), server.Transport(), func(c *rt.ClientConfig) { c.MaxResponseBytes = 100 })
		c.method = http.MethodHead
		if _, err := c.do(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestConnectionsAreUsedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.JSON(200, `"a"`), faulttest.Step{Chunks: []string{"b", "c"}}, faulttest.JSON(404, `"d"`))
		defer server.Close()
		transport, dials := countDials(server.Transport())
		c := newClient(t, bare(rt.Safe), transport)
		for range 4 {
			_, _ = c.do(t.Context())
		}
		if *dials != 1 {
			t.Errorf("connections = %d, want 1", *dials)
		}
	})
}

func TestPanicInASharedReadReachesItsCallers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Fallback = rt.Fallback{Coalesce: true, Principal: rt.Shared}
		c := newClient(t, p, always(faulttest.Step{}), func(c *rt.ClientConfig) {
			c.BeforeAttempt = func(*http.Request) error { panic("user code") }
		})
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				defer func() {
					if r := recover(); r != "user code" {
						t.Errorf("recovered %v, want the panic", r)
					}
				}()
				_, _ = c.do(t.Context())
			})
		}
		wg.Wait()
	})
}

func TestAttemptEventsBearTheirOwnStatus(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var seen []int
		c := newClient(t, bare(rt.Safe), faulttest.NewRoundTripper(faulttest.Status(503), faulttest.Step{Fault: faulttest.Reset}), func(c *rt.ClientConfig) {
			c.Observer = observe(func(e rt.Event) {
				if e.Kind == rt.AttemptEnded {
					seen = append(seen, e.Status)
				}
			})
		})
		_, _ = c.do(t.Context())
		if len(seen) != 3 || seen[0] != 503 || seen[1] != 0 || seen[2] != 200 {
			t.Errorf("statuses = %v, want 503, 0, 200", seen)
		}
	})
}

func TestNilContextIsAMistakeOfTheCaller(t *testing.T) {
	c := newClient(t, bare(rt.Safe), always(faulttest.Step{}))
	var none context.Context
	_, err := c.do(none)
	if callError(t, err).Class != rt.ClassInput {
		t.Errorf("= %v, want input", err)
	}
}

func TestCallsWithOtherCeilingsAreNotShared(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Fallback = rt.Fallback{Coalesce: true, Principal: rt.Shared}
		rtr := always(faulttest.Slow(100*time.Millisecond, faulttest.JSON(200, "{}")))
		c := newClient(t, p, rtr)
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = c.do(t.Context()) })
		wg.Go(func() { _, _ = c.do(t.Context(), rt.WithMaxAttempts(1)) })
		wg.Wait()
		wantHits(t, &rtr.Script, 2)
	})
}

// A 421 is repeated once, over a new connection; the caller's own transport is
// left alone.
func TestMisdirectedIsRepeatedOverANewConnection(t *testing.T) {
	server := faulttest.NewServer(faulttest.Status(200), faulttest.Status(421), faulttest.Status(200))
	defer server.Close()
	c := newClient(t, patient(bare(rt.Safe)), nil)
	c.base = server.URL
	for range 2 {
		if _, err := c.do(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if server.Hits() != 3 || server.Connections() != 2 {
		t.Errorf("%d requests over %d connections, want 3 over 2", server.Hits(), server.Connections())
	}
}

// A key header that no policy knows of is hidden from net/http as well.
func TestForeignKeyHeadersDoNotMakeNetHTTPResend(t *testing.T) {
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		server := faulttest.NewServer(faulttest.JSON(201, "{}"), faulttest.Step{Fault: faulttest.Drop})
		c := newClient(t, patient(bare(rt.Unsafe)), server.Transport())
		c.base = server.URL
		c.edit = func(call *rt.Call) { call.Body = rt.Body{} }
		for range 2 {
			_, _ = c.do(t.Context(), rt.WithHeader(name, "own"))
		}
		wantHits(t, &server.Script, 2)
		if got := server.Requests()[1].Get(name); got != "own" {
			t.Errorf("%s = %q on the wire, want the caller's", name, got)
		}
		server.Close()
	}
}

func TestMistakesOfTheCallerAreErrors(t *testing.T) {
	bubble(t, func(t *testing.T) {
		bodies := map[string]rt.Body{
			"opener": rt.Opener(-1, nil), "reader": rt.Reader(-1, nil), "readerAt": rt.ReaderAt(nil, 3), "size": rt.ReaderAt(strings.NewReader("x"), -1),
		}
		for name, body := range bodies {
			rtr := faulttest.NewRoundTripper()
			c := newClient(t, bare(rt.Keyed), rtr)
			c.edit = func(call *rt.Call) { call.Body = body }
			if _, err := c.do(t.Context()); callError(t, err).Class != rt.ClassInput || rtr.Hits() != 0 {
				t.Errorf("%s: %v, want input", name, err)
			}
		}
		c := newClient(t, bare(rt.Keyed), faulttest.NewRoundTripper())
		if _, err := c.do(t.Context(), nil); callError(t, err).Class != rt.ClassInput {
			t.Errorf("a nil option: %v, want input", err)
		}
		for _, p := range []*rt.Policy{nil, bare(rt.Keyed)} {
			c.policy = p // not one that the client was made with
			if _, err := c.do(t.Context()); callError(t, err).Class != rt.ClassInput {
				t.Errorf("another policy: %v, want input", err)
			}
		}
	})
}
