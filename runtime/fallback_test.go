package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func stale(p *rt.Policy) *rt.Policy {
	p.Fallback = rt.Fallback{Kind: rt.FallbackStale, MaxAge: time.Minute, Principal: rt.Shared}
	p.Retry.MaxAttempts = 1
	return p
}

func TestStaleCopyAnswersWhenTheDependencyDoesNot(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper(faulttest.JSON(200, `"fresh"`))
		rtr.Otherwise(faulttest.Status(503))
		c := newClient(t, stale(bare(rt.Safe)), rtr)
		var info rt.Info
		if _, err := c.do(t.Context(), rt.WithInfo(&info)); err != nil || info.Source != rt.Live {
			t.Fatalf("first: %v from %d, want live", err, info.Source)
		}
		time.Sleep(40 * time.Second)
		out, err := c.do(t.Context(), rt.WithInfo(&info))
		if err != nil || out != `"fresh"` || info.Source != rt.Stale || info.Age != 40*time.Second || info.Status != 200 {
			t.Errorf("= %s, %v, info %+v; want the copy, 40s old", out, err, info)
		}
		time.Sleep(21 * time.Second)
		if _, err := c.do(t.Context()); callError(t, err).Status != 503 {
			t.Errorf("a copy too old: %v, want the original 503", err)
		}
	})
}

func TestColdStartGivesTheOriginalError(t *testing.T) {
	bubble(t, func(t *testing.T) {
		_, err := newClient(t, stale(bare(rt.Safe)), always(faulttest.Status(503))).do(t.Context())
		if ce := callError(t, err); ce.Status != 503 || ce.Fallback != nil {
			t.Errorf("error = %v, fallback %v; want the 503 alone", err, ce.Fallback)
		}
	})
}

func TestNoFallbackForPermanentAndInput(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper(faulttest.JSON(200, `"x"`), faulttest.Status(404))
		c := newClient(t, stale(bare(rt.Safe)), rtr)
		_, _ = c.do(t.Context())
		if _, err := c.do(t.Context()); err == nil {
			t.Error("a 404 was answered with a copy")
		}
	})
}

func TestStaticFallback(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Fallback = rt.Fallback{Kind: rt.FallbackStatic, Value: `"closed"`}
		var info rt.Info
		out, err := newClient(t, p, always(faulttest.Step{Fault: faulttest.Reset})).do(t.Context(), rt.WithInfo(&info))
		if err != nil || out != `"closed"` || info.Source != rt.FromFallback || info.Attempts != 3 {
			t.Errorf("= %s, %v, %+v; want the static value after three attempts", out, err, info)
		}
	})
}

func TestCallersFallbackRunsOnTheCallersContext(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Fallback = rt.Fallback{Kind: rt.FallbackCaller}
		p.Timeout.Total = time.Second
		type key struct{}
		ctx := context.WithValue(t.Context(), key{}, "v")
		c := newClient(t, p, always(faulttest.Hang()))
		own := errors.New("no last known quote")
		c.edit = func(call *rt.Call) {
			call.Fallback = func(ctx context.Context, err *rt.CallError) error {
				if ctx.Value(key{}) != "v" || ctx.Err() != nil || err.Class != rt.ClassTimeout {
					t.Errorf("context %v, error %v", ctx, err)
				}
				return own
			}
		}
		_, err := c.do(ctx)
		if !errors.Is(err, own) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error = %v, want the original and the fallback's own", err)
		}
	})
}

// One user's data never reaches another.

func TestCopiesBelongToAPrincipal(t *testing.T) {
	as := func(token string) authFunc {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
	}
	for _, c := range []struct {
		name          string
		principal     rt.Principal
		first, second func(*rt.Call) // how the call is made
		ctx           [2]string
		served        bool
	}{
		{"same credential", rt.ByCredential, setAuth(as("a")), setAuth(as("a")), [2]string{}, true},
		{"another credential", rt.ByCredential, setAuth(as("a")), setAuth(as("b")), [2]string{}, false},
		{"no credential", rt.ByCredential, nil, nil, [2]string{}, false},
		{"same principal, another credential", rt.ByCredential, setAuth(as("a")), setAuth(as("b")), [2]string{"u", "u"}, true},
		{"another principal, same credential", rt.ByCredential, setAuth(as("a")), setAuth(as("a")), [2]string{"u", "v"}, false},
		{"by context, none", rt.ByContext, setAuth(as("a")), setAuth(as("a")), [2]string{}, false},
		{"by context, same", rt.ByContext, nil, nil, [2]string{"u", "u"}, true},
		{"shared", rt.Shared, setAuth(as("a")), setAuth(as("b")), [2]string{}, true},
		{"credential against principal", rt.ByCredential, setAuth(as("u")), setAuth(as("u")), [2]string{"", "u"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := stale(bare(rt.Safe))
				p.Fallback.Principal = c.principal
				rtr := faulttest.NewRoundTripper(faulttest.JSON(200, `"mine"`))
				rtr.Otherwise(faulttest.Status(503))
				cl := newClient(t, p, rtr)
				call := func(edit func(*rt.Call), id string) error {
					ctx := t.Context()
					if id != "" {
						ctx = rt.WithPrincipal(ctx, id)
					}
					cl.edit = edit
					_, err := cl.do(ctx)
					return err
				}
				if err := call(c.first, c.ctx[0]); err != nil {
					t.Fatal(err)
				}
				if err := call(c.second, c.ctx[1]); (err == nil) != c.served {
					t.Errorf("second = %v, want served %t", err, c.served)
				}
			})
		})
	}
}

func setAuth(a rt.Authorizer) func(*rt.Call) { return func(c *rt.Call) { c.Auth = a } }

func TestCopiesObeyTheAnswersHeaders(t *testing.T) {
	for _, c := range []struct {
		name          string
		header        http.Header
		first, second http.Header
		vary          []string
		served        bool
	}{
		{"plain", nil, nil, nil, nil, true},
		{"no-store", http.Header{"Cache-Control": {"max-age=5, no-store"}}, nil, nil, nil, false},
		{"no-cache", http.Header{"Cache-Control": {"no-cache"}}, nil, nil, nil, false},
		{"must-revalidate", http.Header{"Cache-Control": {"max-age=5, Must-Revalidate"}}, nil, nil, nil, false},
		{"vary, same", http.Header{"Vary": {"accept-language"}}, http.Header{"Accept-Language": {"de"}}, http.Header{"Accept-Language": {"de"}}, nil, true},
		{"vary, other", http.Header{"Vary": {"accept-language"}}, http.Header{"Accept-Language": {"de"}}, http.Header{"Accept-Language": {"en"}}, nil, false},
		{"vary *", http.Header{"Vary": {"*"}}, nil, nil, nil, false},
		{"the policy's vary", nil, http.Header{"X-Tenant": {"a"}}, http.Header{"X-Tenant": {"b"}}, []string{"X-Tenant"}, false},
		{"a header that does not matter", nil, http.Header{"X-Trace": {"a"}}, http.Header{"X-Trace": {"b"}}, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := stale(bare(rt.Safe))
				p.Fallback.Vary = c.vary
				rtr := faulttest.NewRoundTripper(faulttest.Step{Body: `"x"`, Header: c.header})
				rtr.Otherwise(faulttest.Status(503))
				cl := newClient(t, p, rtr)
				cl.edit = func(call *rt.Call) { call.Header = c.first.Clone() }
				_, _ = cl.do(t.Context())
				cl.edit = func(call *rt.Call) { call.Header = c.second.Clone() }
				if _, err := cl.do(t.Context()); (err == nil) != c.served {
					t.Errorf("second = %v, want served %t", err, c.served)
				}
			})
		})
	}
}

func TestCopiesTellURLsAndBodiesApart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper(faulttest.JSON(200, `"x"`))
		rtr.Otherwise(faulttest.Status(503))
		c := newClient(t, stale(bare(rt.Safe)), rtr)
		c.method = http.MethodPost // a search
		_, _ = c.do(t.Context())
		if _, err := c.do(t.Context()); err != nil {
			t.Errorf("same: %v", err)
		}
		c.edit = func(call *rt.Call) { call.URL.RawQuery = "page=2" }
		if _, err := c.do(t.Context()); err == nil {
			t.Error("another URL was served")
		}
		c.edit = func(call *rt.Call) { call.Body = rt.Bytes([]byte(`{"amount":2}`)) }
		if _, err := c.do(t.Context()); err == nil {
			t.Error("another body was served")
		}
	})
}

// A copy is the answer as it came, whatever became of the bytes that a decoder
// was given.
func TestCopiesAreNobodysBytes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper(faulttest.JSON(200, `"first"`), faulttest.JSON(200, `"other"`))
		rtr.Otherwise(faulttest.Status(503))
		c := newClient(t, stale(bare(rt.Safe)), rtr)
		do := func(query string, scribble bool) (out string) {
			c.edit = func(call *rt.Call) {
				call.URL.RawQuery = query
				call.Decode = func(a *rt.Answer) error {
					if a.Status != 200 {
						return a.Unexpected()
					}
					out = string(a.Body)
					if scribble {
						clear(a.Body)
					}
					return nil
				}
			}
			if _, err := c.do(t.Context()); err != nil {
				t.Fatal(err)
			}
			return out
		}
		do("a", false)
		do("b", false) // its bytes lie where the first ones lay
		do("a", true)
		if out := do("a", false); out != `"first"` {
			t.Errorf("the copy is %q, want %q", out, `"first"`)
		}
	})
}

func TestCopiesAreBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper(faulttest.Times(3, faulttest.JSON(200, `"x"`))...)
		rtr.Otherwise(faulttest.Status(503))
		c := newClient(t, stale(bare(rt.Safe)), rtr, func(c *rt.ClientConfig) { c.Keep.Entries = 2 })
		page := func(n string) error {
			c.edit = func(call *rt.Call) { call.URL.RawQuery = "page=" + n }
			_, err := c.do(t.Context())
			return err
		}
		_, _, _ = page("1"), page("2"), page("3")
		if page("1") == nil || page("2") != nil || page("3") != nil {
			t.Error("want the oldest gone and the two newest kept")
		}
	})
}

// --- coalescing

func TestWarmFillsTheCopies(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper(faulttest.JSON(200, `"x"`))
		rtr.Otherwise(faulttest.Status(503))
		c := newClient(t, stale(bare(rt.Safe)), rtr)
		failed := errors.New("one of them")
		err := rt.Warm(t.Context(),
			func(ctx context.Context) error { _, err := c.do(ctx); return err },
			func(context.Context) error { return failed },
		)
		if !errors.Is(err, failed) {
			t.Errorf("Warm = %v, want the failure", err)
		}
		if _, err := c.do(t.Context()); err != nil {
			t.Errorf("after warming: %v", err)
		}
	})
}

// Once the caller's context is done nobody reads an answer, whatever ended the attempt.

func TestNoFallbackOnceTheCallersContextIsDone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Fallback = rt.Fallback{Kind: rt.FallbackStatic, Value: `"x"`}
		ctx, cancel := context.WithCancel(t.Context())
		c := newClient(t, p, always(faulttest.Status(503)), func(c *rt.ClientConfig) {
			c.AfterAttempt = func(*http.Response) { cancel() }
		})
		if _, err := c.do(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("= %v, want canceled and no fallback", err)
		}
	})
}

// A cookie or another header of the operation that the answer varies by tells

// users apart who share the service's credential.

func TestCopiesTellCookiesApart(t *testing.T) {
	for _, vary := range []string{"", "Cookie", "Accept-Encoding, cookie"} {
		for _, same := range []bool{true, false} {
			bubble(t, func(t *testing.T) {
				rtr := faulttest.NewRoundTripper(faulttest.Step{Body: `"mine"`, Header: http.Header{"Vary": {vary}}})
				rtr.Otherwise(faulttest.Status(503))
				p := stale(bare(rt.Safe))
				p.Fallback.Principal = rt.ByCredential
				c := newClient(t, p, rtr)
				as := func(session string) {
					c.edit = func(call *rt.Call) {
						call.Header = http.Header{"Cookie": {"session=" + session}}
						call.Auth = authFunc(func(r *http.Request) { r.Header.Set("Authorization", "Bearer the service's") })
					}
				}
				as("a")
				if _, err := c.do(t.Context()); err != nil {
					t.Fatal(err)
				}
				if !same {
					as("b")
				}
				if _, err := c.do(t.Context()); (err == nil) != same {
					t.Errorf("Vary %q, same session %t: %v", vary, same, err)
				}
			})
		}
	}
}

// An answer that the server calls private is nobody else's, though the policy

// says that answers are shared.

func TestPrivateAnswersAreNotShared(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper(faulttest.Step{Body: `"mine"`, Header: http.Header{"Cache-Control": {"max-age=60, private"}}})
		rtr.Otherwise(faulttest.Status(503))
		c := newClient(t, stale(bare(rt.Safe)), rtr)
		if _, err := c.do(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := c.do(t.Context()); err == nil {
			t.Error("it was kept")
		}
	})
}

// One answer above the bound drives out no others.

func TestOversizedCopyDrivesOutNoOthers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper(faulttest.JSON(200, `"small"`), faulttest.JSON(200, `"`+strings.Repeat("x", 4000)+`"`))
		rtr.Otherwise(faulttest.Status(503))
		c := newClient(t, stale(bare(rt.Safe)), rtr, func(c *rt.ClientConfig) { c.Keep.Bytes = 2000 })
		for _, path := range []string{"/small", "/big"} {
			c.edit = func(call *rt.Call) { call.URL.Path = path }
			if _, err := c.do(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		c.edit = func(call *rt.Call) { call.URL.Path = "/small" }
		if out, err := c.do(t.Context()); out != `"small"` {
			t.Errorf("= %q, %v; want the small copy", out, err)
		}
	})
}

// Reads that differ in a header are not the same: nobody knows yet what the

// answer varies by.

// A fallback that gives the original error back adds nothing to it.

func TestFallbackThatHandsTheErrorBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Fallback = rt.Fallback{Kind: rt.FallbackCaller}
		c := newClient(t, p, always(faulttest.Status(500)))
		c.edit = func(call *rt.Call) {
			call.Fallback = func(_ context.Context, err *rt.CallError) error { return fmt.Errorf("as it was: %w", err) }
		}
		_, err := c.do(t.Context())
		if ce := callError(t, err); ce.Fallback != nil || ce.Status != 500 {
			t.Errorf("fallback's error = %v, want none", ce.Fallback)
		}
	})
}
