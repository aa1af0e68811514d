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

func to(code int, location string) faulttest.Step {
	return faulttest.Step{Status: code, NoBody: true, Header: http.Header{"Location": {location}}}
}

func TestRedirects(t *testing.T) {
	const here, there = "http://faulttest.invalid/b", "http://elsewhere.invalid/b"
	for _, c := range []struct {
		name     string
		method   string
		code     int
		location string
		followed bool
		trusted  bool // with credential and key
	}{
		{"read, same host", "GET", 302, here, true, true},
		{"read, relative", "GET", 301, "/b", true, true},
		{"read, another host", "GET", 302, there, true, false},
		{"read, another port", "GET", 302, "http://faulttest.invalid:81/b", true, false},
		{"read, 307", "GET", 307, there, true, false},
		{"write, 301", "POST", 301, here, false, false},
		{"write, 302", "POST", 302, here, false, false},
		{"write, 303 never becomes a GET", "POST", 303, here, false, false},
		{"write, 307 same host", "POST", 307, here, true, true},
		{"write, 308 same host", "POST", 308, here, true, true},
		{"write with a body, 307 another host", "POST", 307, there, false, false},
		{"write without a body, 308 another host", "DELETE", 308, there, false, false},
		{"no location", "GET", 302, "", false, false},
		{"not http", "GET", 302, "file:///etc/passwd", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(rt.Keyed)
				rtr := faulttest.NewRoundTripper(to(c.code, c.location))
				cl := newClient(t, p, rtr)
				cl.method = c.method
				cl.edit = func(call *rt.Call) {
					call.Auth = authFunc(func(r *http.Request) { r.Header.Set("Authorization", "secret") })
					call.Header = http.Header{"Cookie": {"secret"}, "Accept": {"application/json"}}
				}
				_, err := cl.do(t.Context())
				if c.followed != (rtr.Hits() == 2) {
					t.Fatalf("requests = %d, followed should be %t (%v)", rtr.Hits(), c.followed, err)
				}
				if !c.followed {
					if ce := callError(t, err); ce.Class != rt.ClassPermanent || ce.Outcome != rt.Rejected || ce.Status != c.code {
						t.Errorf("error = %v, want the redirect as permanent, rejected", err)
					}
					return
				}
				second := rtr.Requests()[1]
				if second.Method != c.method || second.Body != rtr.Requests()[0].Body {
					t.Errorf("second = %s %q, want the same as the first", second.Method, second.Body)
				}
				has := second.Get("Authorization") != "" && second.Get("Cookie") != "" && second.Key != ""
				none := second.Get("Authorization") == "" && second.Get("Cookie") == "" && second.Key == ""
				if c.trusted && !has || !c.trusted && !none {
					t.Errorf("second request's header = %v, want secrets %t", second.Header, c.trusted)
				}
			})
		})
	}
}

// Once another host was on the way, credentials and key stay behind, on the
// way back too: it chose the path.
func TestRedirectsBackBringNoCredentials(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Deadline = rt.DeadlineRule{Header: "X-Request-Timeout-Ms", Format: rt.Remaining}
		rtr := faulttest.NewRoundTripper(to(302, "http://elsewhere.invalid/b"), to(302, "http://faulttest.invalid/charges"))
		cl := newClient(t, p, rtr)
		cl.edit = setAuth(authFunc(func(r *http.Request) { r.Header.Set("Authorization", "secret") }))
		if _, err := cl.do(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantHits(t, &rtr.Script, 3)
		for i, r := range rtr.Requests() {
			if told := r.Get("Authorization") != "" || r.Get("X-Request-Timeout-Ms") != ""; told != (i == 0) {
				t.Errorf("request %d: %v", i+1, r.Header)
			}
		}
	})
}

func TestRedirectsEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := always(to(302, "/again"))
		_, err := newClient(t, bare(rt.Safe), rtr).do(t.Context())
		if ce := callError(t, err); ce.Status != 302 {
			t.Errorf("= %v, want the last redirect", err)
		}
		wantHits(t, &rtr.Script, 11)
	})
}

// tokens is a source that can be renewed.
type tokens struct {
	now, next string
	asked     int
	renewed   int
	err       error
}

func (s *tokens) Authorize(_ context.Context, r *http.Request) error {
	s.asked++
	r.Header.Set("Authorization", "Bearer "+s.now)
	return s.err
}

func (s *tokens) Refresh(_ context.Context, refused *http.Request) (bool, error) {
	s.renewed++
	changed := refused.Header.Get("Authorization") != "Bearer "+s.next
	s.now = s.next
	return changed, nil
}

func TestRefreshAfter401(t *testing.T) {
	for _, c := range []struct {
		name  string
		class rt.Class
		next  string
		steps []faulttest.Step
		opts  []rt.RepeatableOption
		hits  int
		ok    bool
	}{
		{"another credential", rt.Safe, "b", steps(faulttest.Status(401)), nil, 2, true},
		{"also for an unsafe write", rt.Unsafe, "b", steps(faulttest.Status(401)), nil, 2, true},
		{"the same credential", rt.Safe, "a", steps(faulttest.Status(401)), nil, 1, false},
		{"once a call", rt.Safe, "b", faulttest.Times(5, faulttest.Status(401)), nil, 2, false},
		{"not for 403", rt.Safe, "b", steps(faulttest.Status(403)), nil, 1, false},
		{"not where one attempt was asked for", rt.Safe, "b", steps(faulttest.Status(401)), []rt.RepeatableOption{rt.WithoutRetry()}, 1, false},
		{"not above the caller's ceiling", rt.Safe, "b", steps(faulttest.Status(401)), []rt.RepeatableOption{rt.WithMaxAttempts(1)}, 1, false},
		{"beside the other repeats", rt.Safe, "b", steps(faulttest.Status(503), faulttest.Status(401), faulttest.Status(503)), nil, 3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				source := &tokens{now: "a", next: c.next}
				rtr := faulttest.NewRoundTripper(c.steps...)
				cl := newClient(t, bare(c.class), rtr)
				cl.edit = setAuth(source)
				_, err := cl.do(t.Context(), c.opts...)
				if (err == nil) != c.ok {
					t.Errorf("error = %v", err)
				}
				wantHits(t, &rtr.Script, c.hits)
				if source.renewed > 1 || source.asked != c.hits {
					t.Errorf("renewed %d times, asked %d; want at most once, and once an attempt", source.renewed, source.asked)
				}
			})
		})
	}
}

func TestCredentialsComeLastAndOncePerAttempt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var signed []string
		rtr := faulttest.NewRoundTripper(faulttest.Status(503))
		p := bare(rt.Keyed)
		p.Deadline = rt.DeadlineRule{Header: "X-Left", Format: rt.Remaining}
		c := newClient(t, p, rtr, func(c *rt.ClientConfig) {
			c.BeforeAttempt = func(r *http.Request) error { r.Header.Set("X-Hook", "h"); return nil }
		})
		c.edit = setAuth(authFunc(func(r *http.Request) {
			signed = append(signed, r.Header.Get("X-Hook")+r.Header.Get("X-Left")+time.Now().Format("05.0"))
			r.Header.Add("X-Signature", "s") // adding twice would show
			q := r.URL.Query()
			q.Add("sig", "1")
			r.URL.RawQuery = q.Encode()
		}))
		if _, err := c.do(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(signed) != 2 || signed[0] != "h1000000.0" || signed[1] != "h990000.1" {
			t.Errorf("signed = %q, want hook, what is left and the time, anew", signed)
		}
		for _, r := range rtr.Requests() {
			if len(r.Header["X-Signature"]) != 1 || r.Path != "/charges?sig=1" {
				t.Errorf("signature = %v, path %s; want one of each", r.Header["X-Signature"], r.Path)
			}
		}
	})
}

func TestHookErrorsEndTheCall(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper()
		own := errors.New("no trace")
		c := newClient(t, bare(rt.Safe), rtr, func(c *rt.ClientConfig) { c.BeforeAttempt = func(*http.Request) error { return own } })
		_, err := c.do(t.Context())
		if ce := callError(t, err); ce.Class != rt.ClassInput || !errors.Is(err, own) {
			t.Errorf("= %v, want input and the hook's error", err)
		}
		wantHits(t, &rtr.Script, 0)
	})
}

func TestPoolPerCompartmentAndHost(t *testing.T) {
	server := faulttest.NewServer()
	defer server.Close()
	registry := &rt.Registry{}
	a, b := patient(bare(rt.Safe)), patient(bare(rt.Safe))
	b.Compartment.Name = "reports"
	for _, p := range []*rt.Policy{a, b, a, b} {
		c := newClient(t, p, nil, func(c *rt.ClientConfig) { c.Registry = registry })
		c.base = server.URL
		if _, err := c.do(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(registry.Snapshot().Compartments); n != 2 {
		t.Errorf("compartments = %d, want 2", n)
	}
}

func TestUnusableServersAreInput(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, base := range []string{"ftp://x", "/relative", "http://"} {
			rtr := faulttest.NewRoundTripper()
			c := newClient(t, bare(rt.Safe), rtr)
			c.base = base
			_, err := c.do(t.Context())
			if callError(t, err).Class != rt.ClassInput || rtr.Hits() != 0 {
				t.Errorf("%s: %v, want input", base, err)
			}
		}
	})
}

func TestAnswersAboveTheLimit(t *testing.T) {
	for name, step := range map[string]faulttest.Step{
		"with a length":    {Body: strings.Repeat("x", 101)},
		"without a length": {Chunks: []string{strings.Repeat("x", 60), strings.Repeat("x", 41)}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				server := faulttest.NewPipe(step)
				defer server.Close()
				c := newClient(t, bare(rt.Keyed), server.Transport(), func(c *rt.ClientConfig) { c.MaxResponseBytes = 100 })
				_, err := c.do(t.Context())
				if ce := callError(t, err); !errors.Is(err, rt.ErrTooLarge) || !errors.Is(err, rt.ErrMalformed) || ce.Outcome != rt.Applied {
					t.Errorf("= %v, want too large, applied", err)
				}
			})
		})
	}
}

func TestUserAgent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper()
		_, _ = newClient(t, bare(rt.Safe), rtr).do(t.Context())
		_, _ = newClient(t, bare(rt.Safe), rtr, func(c *rt.ClientConfig) { c.UserAgent = "shop/1" }).do(t.Context())
		_, _ = newClient(t, bare(rt.Safe), rtr).do(t.Context(), rt.WithHeader("User-Agent", "mine"))
		for i, want := range []string{"payments-test", "shop/1", "mine"} {
			if got := rtr.Requests()[i].Get("User-Agent"); got != want {
				t.Errorf("request %d: %q, want %q", i, got, want)
			}
		}
	})
}

func TestOptionMistakesAreErrors(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, o := range []rt.RepeatableOption{
			rt.WithTimeout(0), rt.WithAttemptTimeout(-1), rt.WithMaxAttempts(0), rt.WithHeader("a b", "x"),
			rt.WithHeader("X", "a\r\nb"), rt.WithHeader("X", "a\x7f"), rt.WithHeader("Host", "x"), rt.WithHeader("authorization", "x"),
		} {
			rtr := faulttest.NewRoundTripper()
			_, err := newClient(t, bare(rt.Safe), rtr).do(t.Context(), o)
			if callError(t, err).Class != rt.ClassInput || rtr.Hits() != 0 {
				t.Errorf("= %v, want input", err)
			}
		}
	})
}

// Getting another credential ends with the call.
func TestRefreshEndsWithTheCall(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClient(t, bare(rt.Safe), always(faulttest.Status(401)))
		c.edit = setAuth(hungRefresh{})
		before := time.Now()
		_, err := c.do(t.Context())
		if took := time.Since(before); took != 10*time.Second || callError(t, err).Status != 401 {
			t.Errorf("= %v after %s, want the 401 after the total of 10s", err, took)
		}
	})
}

type hungRefresh struct{}

func (hungRefresh) Authorize(context.Context, *http.Request) error { return nil }
func (hungRefresh) Refresh(ctx context.Context, _ *http.Request) (bool, error) {
	<-ctx.Done()
	return true, ctx.Err()
}

// A body that can be read only once is not sent again, empty, for another credential.
func TestRefreshDoesNotRepeatAnEmptiedBody(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := always(faulttest.Status(401))
		c := newClient(t, bare(rt.Keyed), rtr)
		c.edit = func(call *rt.Call) {
			call.Auth, call.Body = &tokens{now: "a", next: "b"}, rt.Reader(-1, strings.NewReader("once"))
		}
		if _, err := c.do(t.Context()); callError(t, err).Status != 401 {
			t.Errorf("= %v, want the 401", err)
		}
		wantHits(t, &rtr.Script, 1)
	})
}

// The same host and port by another scheme is another origin: what is secret
// does not go there in the clear.
func TestRedirectsToAnotherSchemeBearNoCredentials(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper(to(302, "http://faulttest.invalid:8443/b"))
		cl := newClient(t, bare(rt.Safe), rtr)
		cl.base = "https://faulttest.invalid:8443"
		cl.edit = setAuth(authFunc(func(r *http.Request) { r.Header.Set("Authorization", "secret") }))
		_, _ = cl.do(t.Context())
		wantHits(t, &rtr.Script, 2)
		if got := rtr.Requests()[1].Get("Authorization"); got != "" {
			t.Errorf("Authorization = %q in the clear, want none", got)
		}
	})
}
