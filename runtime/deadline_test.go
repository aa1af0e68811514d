package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func TestDeadlineHeaderTellsEachAttemptWhatIsLeft(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Timeout.Total = 3 * time.Second
		p.Deadline = rt.DeadlineRule{Header: "X-Request-Timeout-Ms", Format: rt.Remaining, Margin: 20 * time.Millisecond}
		_, rtr, _, _ := play(t, p, steps(faulttest.Hang(), faulttest.Slow(50*time.Millisecond+500*time.Microsecond, faulttest.Status(503))))
		var got []string
		for _, r := range rtr.Requests() {
			got = append(got, r.Get("X-Request-Timeout-Ms"))
		}
		// 3000-20; after 1 s and 100 ms; after 50.5 ms and 200 ms more, rounded down.
		if want := []string{"2980", "1880", "1629"}; len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
			t.Errorf("header = %q, want %q", got, want)
		}
	})
}

func TestDeadlineHeaderOfTheCallersDeadline(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Deadline = rt.DeadlineRule{Header: "X-Deadline", Format: rt.Timestamp, Margin: 20 * time.Millisecond, MaxSkew: 100 * time.Millisecond}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		rtr := faulttest.NewRoundTripper()
		_, _ = newClient(t, p, rtr).do(ctx)
		if got := rtr.Requests()[0].Get("X-Deadline"); got != "2000-01-01T00:00:00.880Z" {
			t.Errorf("header = %q, want a second less margin and skew", got)
		}
	})
}

func TestNoAttemptWhereTheServerCouldBeToldOfNoTime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Deadline = rt.DeadlineRule{Header: "X-Request-Timeout-Ms", Format: rt.Remaining, Margin: 20 * time.Millisecond}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		rtr := faulttest.NewRoundTripper()
		_, err := newClient(t, p, rtr).do(ctx)
		if ce := callError(t, err); !errors.Is(err, rt.ErrNoTimeLeft) || ce.Class != rt.ClassTimeout || ce.Outcome != rt.NotSent {
			t.Errorf("error = %v, want no time left, not sent", err)
		}
		wantHits(t, &rtr.Script, 0)
	})
}

// serve runs a request against a handler behind rt.Deadline, and says how long
// the handler was given.
func serve(t *testing.T, config rt.DeadlineConfig, r *http.Request) (left time.Duration, limited bool, w *httptest.ResponseRecorder) {
	t.Helper()
	w = httptest.NewRecorder()
	rt.Deadline(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var at time.Time
		if at, limited = r.Context().Deadline(); limited {
			left = time.Until(at)
		}
	}), config).ServeHTTP(w, r)
	return left, limited, w
}

func TestDeadlineMiddleware(t *testing.T) {
	for _, c := range []struct {
		name   string
		config rt.DeadlineConfig
		header [2]string
		own    time.Duration
		want   time.Duration // -1: no deadline; 0: refused
	}{
		{"none named", rt.DeadlineConfig{}, [2]string{}, 0, -1},
		{"remaining", rt.DeadlineConfig{}, [2]string{"X-Request-Timeout-Ms", "1500"}, 0, 1500 * time.Millisecond},
		{"timestamp", rt.DeadlineConfig{}, [2]string{"X-Request-Deadline", "2000-01-01T00:00:02.500Z"}, 0, 2500 * time.Millisecond},
		{"timestamp elsewhere", rt.DeadlineConfig{}, [2]string{"X-Request-Deadline", "2000-01-01T02:00:02+02:00"}, 0, 2 * time.Second},
		{"passed", rt.DeadlineConfig{}, [2]string{"X-Request-Timeout-Ms", "0"}, 0, 0},
		{"negative", rt.DeadlineConfig{}, [2]string{"X-Request-Timeout-Ms", "-5"}, 0, 0},
		{"passed by the clock", rt.DeadlineConfig{}, [2]string{"X-Request-Deadline", "1999-12-31T23:59:59Z"}, 0, 0},
		{"huge", rt.DeadlineConfig{Max: time.Minute}, [2]string{"X-Request-Timeout-Ms", "9223372036854775807"}, 0, time.Minute},
		{"unreadable", rt.DeadlineConfig{}, [2]string{"X-Request-Timeout-Ms", "soon"}, 0, -1},
		{"default", rt.DeadlineConfig{Default: 5 * time.Second}, [2]string{}, 0, 5 * time.Second},
		{"max", rt.DeadlineConfig{Max: 2 * time.Second}, [2]string{"X-Request-Timeout-Ms", "9000"}, 0, 2 * time.Second},
		{"max without any", rt.DeadlineConfig{Max: 2 * time.Second}, [2]string{}, 0, 2 * time.Second},
		{"never extended", rt.DeadlineConfig{Default: 5 * time.Second}, [2]string{"X-Request-Timeout-Ms", "9000"}, time.Second, time.Second},
		{"own has passed", rt.DeadlineConfig{}, [2]string{"X-Request-Timeout-Ms", "9000"}, -1, 0},
		{"own header", rt.DeadlineConfig{Headers: []string{"Grace"}}, [2]string{"Grace", "300"}, 0, 300 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				ctx := t.Context()
				if c.own != 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, c.own)
					defer cancel()
				}
				r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
				if c.header[0] != "" {
					r.Header.Set(c.header[0], c.header[1])
				}
				left, limited, w := serve(t, c.config, r)
				switch {
				case c.want == 0:
					if w.Code != 504 || w.Header().Get("Content-Type") != "application/problem+json" || !strings.Contains(w.Body.String(), "urn:resgen:deadline-exceeded") {
						t.Errorf("answer = %d %s, want the 504 problem", w.Code, w.Body)
					}
				case limited != (c.want > 0) || left != max(c.want, 0):
					t.Errorf("left = %s, limited %t; want %s", left, limited, c.want)
				}
				if c.name == "default" && r.Header.Get("X-Request-Timeout-Ms") != "5000" {
					t.Errorf("stamp = %q, want 5000", r.Header.Get("X-Request-Timeout-Ms"))
				}
			})
		})
	}
}

// Whatever a request names, the earliest of what can be read holds.
func TestDeadlineMiddlewareWithAbsurdHeaders(t *testing.T) {
	const ms, at = "X-Request-Timeout-Ms", "X-Request-Deadline"
	bubble(t, func(t *testing.T) {
		for _, c := range []struct {
			header http.Header
			max    time.Duration
			want   time.Duration // -1: no deadline; 0: refused
		}{
			{http.Header{ms: {"9000", "200"}}, 0, 200 * time.Millisecond},
			{http.Header{ms: {"9000, 200"}}, 0, 200 * time.Millisecond},
			{http.Header{ms: {"soon", "200"}}, 0, 200 * time.Millisecond},
			{http.Header{ms: {""}, at: {"2000-01-01T00:00:03Z"}}, 0, 3 * time.Second},
			{http.Header{ms: {"200"}, at: {"1999-01-01T00:00:00Z"}}, 0, 200 * time.Millisecond}, // no clocks where there is what needs none
			{http.Header{ms: {"99999999999999999999999"}}, time.Minute, time.Minute},
			{http.Header{ms: {"-99999999999999999999999"}}, 0, 0},
			{http.Header{ms: {"-0"}}, 0, 0},
			{http.Header{ms: {"1e9"}}, 0, -1},
			{http.Header{ms: {"12.5"}}, 0, -1},
			{http.Header{ms: {"0x10"}}, 0, -1},
			{http.Header{at: {"9999-12-31T23:59:59Z"}}, time.Minute, time.Minute},
			{http.Header{at: {"0000-01-01T00:00:00Z"}}, 0, 0},
			{http.Header{at: {"2000-02-30T00:00:00Z"}}, 0, -1},
		} {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header = c.header
			left, limited, w := serve(t, rt.DeadlineConfig{Max: c.max}, r)
			switch {
			case c.want == 0 && w.Code != 504, c.want != 0 && w.Code != 200, limited != (c.want > 0), left != max(c.want, 0):
				t.Errorf("%v: %s, limited %t, status %d; want %s", c.header, left, limited, w.Code, c.want)
			}
		}
		huge := httptest.NewRequest(http.MethodGet, "/", nil)
		huge.Header.Set(ms, "9223372036854775807")
		if left, limited, w := serve(t, rt.DeadlineConfig{}, huge); !limited || left < 24*365*time.Hour || w.Code != 200 {
			t.Errorf("the longest: %s, status %d; want to be served", left, w.Code)
		}
	})
}

func FuzzDeadlineHeader(f *testing.F) {
	for _, s := range []string{"1500", "-1", "9223372036854775807", "2026-03-14T15:09:26.500Z", "0", "1e3", "２"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header["X-Request-Timeout-Ms"] = []string{value}
		left, limited, _ := serve(t, rt.DeadlineConfig{Max: time.Hour}, r)
		if limited && left > time.Hour {
			t.Errorf("%q gives %s", value, left)
		}
	})
}

func TestWriteError(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		kind   string
		wait   string
	}{
		{&rt.CallError{Class: rt.ClassCircuitOpen, RetryAfter: 2500 * time.Millisecond}, 503, "urn:resgen:circuit-open", "3"},
		{&rt.CallError{Class: rt.ClassCircuitOpen}, 503, "urn:resgen:circuit-open", "1"},
		{&rt.CallError{Class: rt.ClassBulkheadFull}, 503, "urn:resgen:overloaded", "1"},
		{&rt.CallError{Class: rt.ClassOverload, RetryAfter: 7 * time.Second}, 503, "urn:resgen:overloaded", "7"},
		{&rt.CallError{Class: rt.ClassTimeout}, 504, "urn:resgen:deadline-exceeded", ""},
		{&rt.CallError{Class: rt.ClassPermanent, Status: 404}, 502, "about:blank", ""},
		{&rt.CallError{Class: rt.ClassMalformed}, 502, "about:blank", ""},
		{&rt.CallError{Class: rt.ClassInput}, 500, "about:blank", ""},
		{&rt.CallError{Class: rt.ClassTransient, Cause: errors.New("hunter2")}, 502, "about:blank", ""},
		{&rt.CallError{Class: rt.ClassAuth}, 502, "about:blank", ""},
		{&rt.CallError{Class: rt.ClassCanceled}, 499, "about:blank", ""},
		{&rt.CallError{Class: rt.ClassCircuitOpen, RetryAfter: math.MaxInt64}, 503, "urn:resgen:circuit-open", "9223372037"},
		{fmt.Errorf("handler: %w", &rt.CallError{Class: rt.ClassTimeout}), 504, "urn:resgen:deadline-exceeded", ""},
		{context.Canceled, 499, "about:blank", ""},
		{nil, 500, "about:blank", ""},
		{context.DeadlineExceeded, 504, "urn:resgen:deadline-exceeded", ""},
		{errors.New("hunter2"), 500, "about:blank", ""},
	} {
		w := httptest.NewRecorder()
		rt.WriteError(w, c.err)
		if w.Code != c.status || w.Header().Get("Retry-After") != c.wait || !strings.Contains(w.Body.String(), `"type":"`+c.kind+`"`) || strings.Contains(w.Body.String(), "hunter2") {
			t.Errorf("%v: %d, Retry-After %q, %s; want %d, %q, %s", c.err, w.Code, w.Header().Get("Retry-After"), w.Body, c.status, c.wait, c.kind)
		}
	}
}

// What one service writes, the next one reads as what it is.
func TestWrittenErrorsAreReadByCallers(t *testing.T) {
	for class, want := range map[rt.ErrorClass]rt.ErrorClass{
		rt.ClassCircuitOpen: rt.ClassCircuitOpen, rt.ClassTimeout: rt.ClassTimeout, rt.ClassBulkheadFull: rt.ClassOverload, rt.ClassPermanent: rt.ClassTransient,
	} {
		bubble(t, func(t *testing.T) {
			p := bare(rt.Safe)
			p.Retry.MaxAttempts = 1
			step := faulttest.Step{Handle: func(w http.ResponseWriter, _ *http.Request) { rt.WriteError(w, &rt.CallError{Class: class}) }}
			_, err := newClient(t, p, faulttest.NewRoundTripper(step)).do(t.Context())
			if got := callError(t, err).Class; got != want {
				t.Errorf("%s is read as %s, want %s", class, got, want)
			}
		})
	}
}

// Three services in one process: when the outermost gives up, the innermost
// stops. Clocks that differ by five seconds change nothing with "remaining".
func TestThreeServicesStopTogether(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var stopped time.Duration
		start := time.Now()
		policy := func() *rt.Policy {
			p := bare(rt.Safe)
			p.Timeout = rt.Timeout{Attempt: 20 * time.Second, Total: 30 * time.Second}
			p.Retry.MaxAttempts = 1
			p.Deadline = rt.DeadlineRule{Header: "X-Request-Timeout-Ms", Format: rt.Remaining, Margin: 20 * time.Millisecond}
			return p
		}
		inner := faulttest.NewPipe()
		defer inner.Close()
		inner.Otherwise(faulttest.Step{Handle: rt.Deadline(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done() // works until it is told to stop
			stopped = time.Since(start)
			rt.WriteError(w, r.Context().Err())
		}), rt.DeadlineConfig{}).ServeHTTP})
		toInner := newClient(t, policy(), inner.Transport())
		middle := faulttest.NewPipe()
		defer middle.Close()
		middle.Otherwise(faulttest.Step{Handle: rt.Deadline(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := toInner.do(r.Context()); err != nil {
				rt.WriteError(w, err)
			}
		}), rt.DeadlineConfig{}).ServeHTTP})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := newClient(t, policy(), middle.Transport()).do(ctx)
		if took := time.Since(start); took > time.Second || err == nil {
			t.Errorf("outermost: %v after %s, want an error within its second", err, took)
		}
		if ce := callError(t, err); ce.Class != rt.ClassTimeout {
			t.Errorf("class = %s, want timeout", ce.Class)
		}
		if stopped == 0 || stopped > 980*time.Millisecond {
			t.Errorf("innermost stopped after %s, want before the outermost's second less the margins", stopped)
		}
		for _, s := range []*faulttest.Server{middle, inner} {
			ms, err := strconv.Atoi(s.Requests()[0].Get("X-Request-Timeout-Ms"))
			if err != nil || ms > 980 {
				t.Errorf("told %d ms, %v; want at most 980", ms, err)
			}
		}
	})
}

// The remaining time needs no clocks: what a client says is the same whatever
// its clock shows, and so is what a server makes of it. A time needs both.
func TestSkewChangesNothingWithRemaining(t *testing.T) {
	says := func(clock time.Duration, format rt.DeadlineFormat) (header string) {
		bubble(t, func(t *testing.T) {
			time.Sleep(clock)
			p := bare(rt.Safe)
			p.Timeout.Total = time.Second
			p.Deadline = rt.DeadlineRule{Header: "X-Deadline", Format: format}
			rtr := faulttest.NewRoundTripper()
			_, _ = newClient(t, p, rtr).do(t.Context())
			header = rtr.Requests()[0].Get("X-Deadline")
		})
		return header
	}
	hears := func(clock time.Duration, header string) (left time.Duration) {
		bubble(t, func(t *testing.T) {
			time.Sleep(clock)
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header.Set("X-Deadline", header)
			rt.Deadline(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				at, _ := r.Context().Deadline()
				left = time.Until(at)
			}), rt.DeadlineConfig{Headers: []string{"X-Deadline"}}).ServeHTTP(httptest.NewRecorder(), r)
		})
		return left
	}
	for _, skew := range []time.Duration{-5 * time.Second, 0, 5 * time.Second} {
		const client = 10 * time.Second
		if left := hears(client+skew, says(client, rt.Remaining)); left != time.Second {
			t.Errorf("skew %s: the server has %s, want 1s", skew, left)
		}
		if left := hears(client+skew, says(client, rt.Timestamp)); (left == time.Second) != (skew == 0) {
			t.Errorf("skew %s: the server has %s by its clock", skew, left)
		}
	}
}
