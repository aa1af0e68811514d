package runtime_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// What we give net/http and it cannot send is no failure of the dependency,
// and is not tried again.
func TestWhatCannotBeSentIsNotTheDependencysFault(t *testing.T) {
	broken := errors.New("disk on fire")
	body := func(b rt.Body) func(*rt.Call) { return func(c *rt.Call) { c.Body = b } }
	for _, c := range []struct {
		name    string
		edit    func(*rt.Call)
		class   rt.ErrorClass
		outcome rt.Outcome
	}{
		{"token with a line break", func(c *rt.Call) {
			c.Auth = authFunc(func(r *http.Request) { r.Header.Set("Authorization", "Bearer abc\n") })
		}, rt.ClassAuth, rt.NotSent},
		{"header with a line break", func(c *rt.Call) { c.Header.Set("X-Trace", "a\r\nX-Evil: 1") }, rt.ClassInput, rt.NotSent},
		{"header that is no name", func(c *rt.Call) { c.Header["X Trace"] = []string{"1"} }, rt.ClassInput, rt.NotSent},
		{"method", func(c *rt.Call) { c.Method = "GE T" }, rt.ClassInput, rt.NotSent},
		{"body that cannot be read", body(rt.Opener(-1, func() (io.ReadCloser, error) { return io.NopCloser(iotest.ErrReader(broken)), nil })), rt.ClassInput, rt.Unknown},
		{"body shorter than said", body(rt.ReaderAt(strings.NewReader("abc"), 10)), rt.ClassInput, rt.Unknown},
		{"body longer than said", body(rt.Opener(2, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("abc")), nil })), rt.ClassInput, rt.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				server := faulttest.NewPipe()
				defer server.Close()
				cl, state := watchedClient(t, watched(bare(rt.Keyed)), server, nil)
				cl.edit = c.edit
				_, err := cl.do(t.Context())
				ce := callError(t, err)
				if ce.Class != c.class || ce.Outcome != c.outcome || len(ce.Attempts) != 1 {
					t.Errorf("= %v after %d attempts, want %s, %s after one", err, len(ce.Attempts), c.class, c.outcome)
				}
				if k := state(); k.Calls != 0 {
					t.Errorf("the breaker counted %d attempts, want none", k.Calls)
				}
				if strings.Contains(err.Error(), "abc") || strings.Contains(err.Error(), "Evil") {
					t.Errorf("%q holds what was to be sent", err)
				}
			})
		})
	}
}

// A connection that breaks while a file is sent is the dependency's failure,
// though the file is closed under its reader then.
func TestResetWhileAFileIsSentIsTheDependencysFault(t *testing.T) {
	bubble(t, func(t *testing.T) {
		closed := make(chan struct{}, 9)
		p := watched(bare(rt.Keyed))
		registry := &rt.Registry{}
		c := newClient(t, p, roundTripFunc(func(r *http.Request) (*http.Response, error) {
			go func() { _, _ = io.Copy(io.Discard, r.Body) }()
			time.Sleep(time.Millisecond)
			r.Body.Close()
			time.Sleep(time.Millisecond)
			return nil, io.ErrUnexpectedEOF
		}), func(c *rt.ClientConfig) { c.Registry = registry })
		c.edit = func(call *rt.Call) {
			call.Body = rt.Opener(-1, func() (io.ReadCloser, error) {
				r, w := io.Pipe()
				return struct {
					io.Reader
					io.Closer
				}{r, closeFunc(func() error { closed <- struct{}{}; return w.CloseWithError(errors.New("file already closed")) })}, nil
			})
		}
		_, err := c.do(t.Context())
		if ce := callError(t, err); ce.Class != rt.ClassTransient || len(ce.Attempts) != 3 {
			t.Errorf("= %v after %d attempts, want transient after 3", err, len(ce.Attempts))
		}
		if k := registry.Snapshot().Compartments[0]; k.Failures != 3 {
			t.Errorf("failures = %d, want 3", k.Failures)
		}
	})
}

type closeFunc func() error

func (f closeFunc) Close() error { return f() }

// User code that panics leaves no body open.
func TestPanicsLeaveNoBodyOpen(t *testing.T) {
	for _, where := range []string{"AfterAttempt", "Authorize", "Goexit in Authorize"} {
		bubble(t, func(t *testing.T) {
			open := 0
			count := func(r io.Reader) io.ReadCloser {
				open++
				return struct {
					io.Reader
					io.Closer
				}{r, closeFunc(func() error { open--; return nil })}
			}
			c := newClient(t, bare(rt.Keyed), roundTripFunc(func(r *http.Request) (*http.Response, error) {
				r.Body.Close()
				return &http.Response{StatusCode: 200, Body: count(strings.NewReader("{}")), ContentLength: 2, Header: http.Header{}}, nil
			}), func(c *rt.ClientConfig) {
				if where == "AfterAttempt" {
					c.AfterAttempt = func(*http.Response) { panic("user code") }
				}
			})
			c.edit = func(call *rt.Call) {
				call.Body = rt.Opener(3, func() (io.ReadCloser, error) { return count(strings.NewReader("abc")), nil })
				switch where {
				case "Authorize":
					call.Auth = authFunc(func(*http.Request) { panic("user code") })
				case "Goexit in Authorize":
					call.Auth = authFunc(func(*http.Request) { runtime.Goexit() })
				}
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				defer func() { _ = recover() }()
				_, _ = c.do(t.Context())
			}()
			<-done
			if open != 0 {
				t.Errorf("%s: %d bodies are open, want 0", where, open)
			}
		})
	}
}

// A round tripper that returns neither an answer nor an error has failed.
func TestNeitherAnAnswerNorAnError(t *testing.T) {
	bubble(t, func(t *testing.T) {
		_, err := newClient(t, bare(rt.Keyed), roundTripFunc(func(*http.Request) (*http.Response, error) { return nil, nil })).do(t.Context())
		if ce := callError(t, err); ce.Class != rt.ClassTransient || ce.Outcome != rt.Unknown || len(ce.Attempts) != 3 {
			t.Errorf("= %v after %d attempts, want transient, unknown, after 3", err, len(ce.Attempts))
		}
	})
}

// A round tripper that forgets the answer's body is read as one without.
func TestAnswerWithoutABody(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClient(t, bare(rt.Safe), roundTripFunc(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}}, nil
		}))
		if _, err := c.do(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A credential that could not be had for the repeat costs the budget nothing.
func TestBudgetIsGivenBackWhereNoCredentialIsHad(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Compartment.Budget = rt.Budget{Floor: 6 * rt.PerMinute, Window: 10 * time.Second} // one
		registry := &rt.Registry{}
		c := newClient(t, p, always(faulttest.Status(503)), func(c *rt.ClientConfig) { c.Registry = registry })
		asked := 0
		c.edit = func(call *rt.Call) {
			call.Auth = authorizeFunc(func(context.Context, *http.Request) error {
				if asked++; asked > 1 {
					return errors.New("no token")
				}
				return nil
			})
		}
		if _, err := c.do(t.Context()); callError(t, err).Class != rt.ClassAuth {
			t.Errorf("= %v, want auth", err)
		}
		if left := registry.Snapshot().Compartments[0].RepeatsLeft; left != 1 {
			t.Errorf("repeats left = %d, want 1", left)
		}
	})
}

type authorizeFunc func(context.Context, *http.Request) error

func (f authorizeFunc) Authorize(ctx context.Context, r *http.Request) error { return f(ctx, r) }

// No status that a server sends makes a client panic, the impossible ones
// included: net/http hands on a 101 that nobody asked for, and any three digits.
func TestAnyStatus(t *testing.T) {
	for status := -1; status <= 1000; status++ {
		p := bare(rt.Unsafe)
		_, err := newClient(t, p, roundTripFunc(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody}, nil
		})).do(t.Context())
		if err == nil {
			if status != 200 && status != 201 {
				t.Errorf("%d is a success", status)
			}
			continue
		}
		ce := callError(t, err)
		if status < 200 && (ce.Class != rt.ClassMalformed || ce.Outcome != rt.Unknown || !errors.Is(err, rt.ErrMalformed)) {
			t.Errorf("%d: %v, %s; want malformed, unknown", status, err, ce.Outcome)
		}
		if len(ce.Attempts) != 1 && status != 421 || ce.Status != status {
			t.Errorf("%d: status %d after %d attempts", status, ce.Status, len(ce.Attempts))
		}
	}
}

// A server that switches protocols unasked is an error, and its connection is closed.
func TestSwitchingProtocolsUnasked(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Step{Handle: func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = conn.Write([]byte("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"))
			_, _ = io.Copy(io.Discard, conn)
			conn.Close()
		}})
		defer server.Close()
		_, err := newClient(t, bare(rt.Keyed), server.Transport()).do(t.Context())
		if ce := callError(t, err); ce.Status != 101 || ce.Class != rt.ClassMalformed {
			t.Errorf("= %v, want the 101 as malformed", err)
		}
	})
}

// A caller who leaves while a body is sent has cancelled, whatever the body's
// reader says then.
func TestABodyCutByItsCallerIsNoMistakeOfTheCallers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := newClient(t, bare(rt.Keyed), roundTripFunc(func(r *http.Request) (*http.Response, error) {
			cancel()
			_, err := io.Copy(io.Discard, r.Body)
			return nil, err
		}))
		c.edit = func(call *rt.Call) {
			call.Body = rt.Opener(-1, func() (io.ReadCloser, error) { return io.NopCloser(iotest.ErrReader(errors.New("stopped"))), nil })
		}
		_, err := c.do(ctx)
		if ce := callError(t, err); ce.Class != rt.ClassCanceled || ce.Outcome != rt.Unknown {
			t.Errorf("= %v, want canceled, unknown", err)
		}
	})
}
