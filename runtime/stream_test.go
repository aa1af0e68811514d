package runtime_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// openStream calls a streaming operation.
func openStream(ctx context.Context, c *client) (*rt.Stream, error) {
	var s *rt.Stream
	c.edit = func(call *rt.Call) {
		call.Live = func(*rt.Answer) bool { return true }
		call.Decode = func(a *rt.Answer) error {
			if a.Status != 200 {
				return a.Unexpected()
			}
			s = a.Stream
			return nil
		}
	}
	_, err := c.do(ctx)
	return s, err
}

// streaming is a policy of streams: one place, and limits that a long stream exceeds.
func streaming() *rt.Policy {
	p := watched(bare(rt.Safe))
	p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 1}
	p.Timeout.Idle, p.SlowOver = 5*time.Second, 500*time.Millisecond
	return p
}

func watchedClient(t *testing.T, p *rt.Policy, server *faulttest.Server, events *[]rt.Event) (*client, func() rt.CompartmentState) {
	registry := &rt.Registry{}
	c := newClient(t, p, server.Transport(), func(c *rt.ClientConfig) {
		c.Registry = registry
		if events != nil {
			c.Observer = observe(func(e rt.Event) { *events = append(*events, e) })
		}
	})
	return c, func() rt.CompartmentState { return registry.Snapshot().Compartments[0] }
}

func TestStreamEndsTheAttemptAtItsHeaders(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Step{Chunks: []string{"a", "b", "c", "d", "e"}, Pace: 4 * time.Second})
		defer server.Close()
		c, state := watchedClient(t, streaming(), server, nil)
		s, err := openStream(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if k := state(); k.Calls != 1 || k.Failures != 0 || k.Slow != 0 || k.InFlight != 1 {
			t.Errorf("at the headers: %+v, want one fast success, its place held", k)
		}
		before := time.Now()
		body, err := io.ReadAll(s) // 16 s: beyond attempt (1 s) and total (10 s)
		if err != nil || string(body) != "abcde" || time.Since(before) != 16*time.Second {
			t.Errorf("read %q, %v after %s", body, err, time.Since(before))
		}
		if k := state(); k.InFlight != 0 {
			t.Errorf("in flight = %d after EOF, want 0", k.InFlight)
		}
	})
}

func TestStreamIsCutBeforeItsHeaders(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Hang(), faulttest.Step{Body: "x"})
		defer server.Close()
		c, _ := watchedClient(t, streaming(), server, nil)
		s, err := openStream(t.Context(), c)
		if err != nil {
			t.Fatalf("= %v, want the second attempt's stream", err)
		}
		s.Close()
		wantHits(t, &server.Script, 2)
	})
}

// An answer that comes when the attempt's limit has passed is no stream: its
// context has ended.
func TestStreamIsNotHandedOutPastItsLimit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		late := roundTripFunc(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("x")), Request: r}, nil
		})
		s, err := openStream(t.Context(), newClient(t, streaming(), late))
		if ce := callError(t, err); s != nil || len(ce.Attempts) != 3 {
			t.Errorf("= %v, %v after %d attempts; want an error after 3", s, err, len(ce.Attempts))
		}
	})
}

func TestStreamFreesItsPlace(t *testing.T) {
	for name, c := range map[string]struct {
		step faulttest.Step
		end  func(*testing.T, *rt.Stream, context.CancelFunc)
	}{
		"by Close": {faulttest.Step{Body: "abc", Fault: faulttest.Stall, CutAt: 1}, func(_ *testing.T, s *rt.Stream, _ context.CancelFunc) {
			s.Close()
			s.Close()
		}},
		"by idle while reading": {faulttest.Step{Body: "abc", Fault: faulttest.Stall, CutAt: 1}, func(t *testing.T, s *rt.Stream, _ context.CancelFunc) {
			before := time.Now()
			_, err := io.ReadAll(s)
			if ce := callError(t, err); ce.Class != rt.ClassTimeout || ce.Outcome != rt.Applied || time.Since(before) != 5*time.Second {
				t.Errorf("= %v after %s, want a time-out after 5s, applied", err, time.Since(before))
			}
		}},
		"by idle without a reader": {faulttest.Step{Body: "abc", Fault: faulttest.Stall, CutAt: 1}, func(t *testing.T, s *rt.Stream, _ context.CancelFunc) {
			time.Sleep(5*time.Second + 1)
			runtime.KeepAlive(s)
		}},
		"by an error": {faulttest.Step{Body: "abc", Fault: faulttest.Truncate, CutAt: 1}, func(t *testing.T, s *rt.Stream, _ context.CancelFunc) {
			if _, err := io.ReadAll(s); callError(t, err).Class != rt.ClassTransient || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("= %v, want the truncation", err)
			}
		}},
		"by the caller": {faulttest.Step{Body: "abc", Fault: faulttest.Stall, CutAt: 1}, func(t *testing.T, s *rt.Stream, cancel context.CancelFunc) {
			time.AfterFunc(time.Second, cancel)
			if _, err := io.ReadAll(s); callError(t, err).Class != rt.ClassCanceled || !errors.Is(err, context.Canceled) {
				t.Errorf("= %v, want canceled", err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				server := faulttest.NewPipe(c.step)
				defer server.Close()
				cl, state := watchedClient(t, streaming(), server, nil)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s, err := openStream(ctx, cl)
				if err != nil {
					t.Fatal(err)
				}
				c.end(t, s, cancel)
				if k := state(); k.InFlight != 0 {
					t.Errorf("in flight = %d, want 0", k.InFlight)
				}
				wantHits(t, &server.Script, 1) // never again after its first byte
			})
		})
	}
}

func TestDroppedStreamIsFreedAndReported(t *testing.T) {
	server := faulttest.NewServer(faulttest.Step{Body: "abc", Fault: faulttest.Stall, CutAt: 1})
	defer server.Close()
	p := patient(streaming())
	p.Timeout.Idle = 0
	dropped := make(chan rt.Event, 1)
	registry := &rt.Registry{}
	c := newClient(t, p, server.Transport(), func(c *rt.ClientConfig) {
		c.Registry = registry
		c.Observer = observe(func(e rt.Event) {
			if e.Kind == rt.StreamDropped {
				dropped <- e
			}
		})
	})
	c.base = server.URL
	if _, err := openStream(t.Context(), c); err != nil { // and dropped
		t.Fatal(err)
	}
	c.edit = nil
	limit := time.After(time.Minute)
	for {
		runtime.GC()
		select {
		case e := <-dropped:
			if e.Operation != "createCharge" || registry.Snapshot().Compartments[0].InFlight != 0 {
				t.Errorf("event = %+v, in flight %d; want the operation and no place held", e, registry.Snapshot().Compartments[0].InFlight)
			}
			return
		case <-limit:
			t.Fatal("the dropped stream was not reported")
		case <-time.After(time.Millisecond):
		}
	}
}

func TestStreamThatDecodeClosesLeavesNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Times(2, faulttest.Step{Body: "abc"})...)
		defer server.Close()
		c, state := watchedClient(t, streaming(), server, nil)
		for _, decode := range []func(*rt.Answer) error{
			func(a *rt.Answer) error { return a.Stream.Close() },
			func(a *rt.Answer) error { return errors.New("not what was declared") },
		} {
			c.edit = func(call *rt.Call) {
				call.Live = func(*rt.Answer) bool { return true }
				call.Decode = decode
			}
			_, _ = c.do(t.Context())
			if k := state(); k.InFlight != 0 {
				t.Errorf("in flight = %d, want 0", k.InFlight)
			}
		}
	})
}

func TestFailedAnswersOfAStreamingOperationAreBuffered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.JSON(404, `"none"`))
		defer server.Close()
		c, _ := watchedClient(t, streaming(), server, nil)
		_, err := openStream(t.Context(), c)
		if ce := callError(t, err); ce.Status != 404 || string(ce.Body) != `"none"` {
			t.Errorf("= %v, want the 404 with its body", err)
		}
	})
}

// However a stream has ended, it goes on to say so.
func TestStreamGoesOnSayingHowItEnded(t *testing.T) {
	for name, c := range map[string]struct {
		step faulttest.Step
		want error
	}{
		"the end":    {faulttest.Step{Body: "abc"}, io.EOF},
		"truncation": {faulttest.Step{Body: "abc", Fault: faulttest.Truncate, CutAt: 1}, io.ErrUnexpectedEOF},
		"silence":    {faulttest.Step{Body: "abc", Fault: faulttest.Stall, CutAt: 1}, context.DeadlineExceeded},
	} {
		bubble(t, func(t *testing.T) {
			server := faulttest.NewPipe(c.step)
			defer server.Close()
			cl, _ := watchedClient(t, streaming(), server, nil)
			s, err := openStream(t.Context(), cl)
			if err != nil {
				t.Fatal(err)
			}
			_, first := io.ReadAll(s)
			for range 3 {
				n, err := s.Read(make([]byte, 8))
				if n != 0 || !errors.Is(err, c.want) || first != nil && err != first {
					t.Errorf("%s: read %d, %v again; want %v", name, n, err, c.want)
				}
			}
			s.Close()
			if _, err := s.Read(make([]byte, 8)); !errors.Is(err, c.want) {
				t.Errorf("%s: %v after Close, want %v", name, err, c.want)
			}
		})
	}
}

func TestNilStreamIsAtItsEnd(t *testing.T) {
	var s *rt.Stream
	if b, err := io.ReadAll(s); len(b) != 0 || err != nil {
		t.Errorf("read %q, %v of a nil stream; want its end", b, err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing a nil stream gives %v, want nil", err)
	}
}
