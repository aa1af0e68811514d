package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// bubble runs a test in a synctest bubble: waiting takes no time, and a
// goroutine left over fails it.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

// A compartment with everything off, and a policy over it; tests switch on
// what they are about.
func bare(class rt.Class) *rt.Policy {
	p := &rt.Policy{
		Class:       class,
		Compartment: &rt.Compartment{Dependency: "payments"},
		Timeout:     rt.Timeout{Attempt: time.Second, Total: 10 * time.Second, MinRemaining: time.Millisecond},
		Retry: rt.Retry{
			MaxAttempts: 3, NotSent: 1,
			When:    rt.When{Statuses: []int{408, 425, 429, 502, 503, 504}, Timeout: true, Connection: true},
			Backoff: rt.Backoff{Initial: 100 * time.Millisecond, Max: 2 * time.Second, Multiplier: 2, Jitter: rt.NoJitter},
		},
	}
	switch class {
	case rt.Keyed:
		p.Key = rt.KeyRule{In: rt.InHeader, Name: "Idempotency-Key", Retention: 24 * time.Hour}
	case rt.Unsafe:
		p.Retry.MaxAttempts = 1
	}
	return p
}

// patient is p for a test over real connections, in real time: with limits that
// no busy machine reaches.
func patient(p *rt.Policy) *rt.Policy {
	p.Timeout.Attempt, p.Timeout.Total = time.Minute, 5*time.Minute
	return p
}

// A client makes calls with one policy.
type client struct {
	t      *testing.T
	engine *rt.Engine
	policy *rt.Policy
	base   string
	method string
	edit   func(*rt.Call) // further fields of the call
}

func newClient(t *testing.T, p *rt.Policy, transport http.RoundTripper, config ...func(*rt.ClientConfig)) *client {
	t.Helper()
	c := rt.ClientConfig{Transport: transport}
	for _, f := range config {
		f(&c)
	}
	e, err := rt.NewEngine(rt.EngineSpec{Package: "payments", UserAgent: "payments-test", Policies: []*rt.Policy{p}}, c)
	if err != nil {
		t.Fatalf("NewEngine: %v", err)
	}
	method := http.MethodPost
	switch p.Class {
	case rt.Safe:
		method = http.MethodGet
	case rt.Idempotent:
		method = http.MethodDelete
	}
	return &client{t: t, engine: e, policy: p, base: "http://faulttest.invalid", method: method}
}

// do makes one call and returns the body of its answer.
func (c *client) do(ctx context.Context, opts ...rt.RepeatableOption) (string, error) {
	u, err := url.Parse(c.base + "/charges")
	if err != nil {
		c.t.Fatal(err)
	}
	var out string
	call := &rt.Call{Operation: "createCharge", Method: c.method, URL: u, HasResult: c.method != http.MethodDelete}
	if c.method == http.MethodPost {
		call.Body = rt.Bytes([]byte(`{"amount":1}`))
		call.Header = http.Header{"Content-Type": {"application/json"}}
	}
	call.Decode = func(a *rt.Answer) error {
		if a.Status == 200 || a.Status == 201 {
			out = string(a.Body)
			return nil
		}
		if a.Status == 422 {
			return &problem{string(a.Body)}
		}
		return a.Unexpected()
	}
	if c.edit != nil {
		c.edit(call)
	}
	for _, o := range opts {
		call.Apply(o)
	}
	err = c.engine.Do(ctx, c.policy, call)
	return out, err
}

// problem is a declared error type.
type problem struct{ text string }

func (p *problem) Error() string { return p.text }

// callError asserts the type of a call's error.
func callError(t *testing.T, err error) *rt.CallError {
	t.Helper()
	var ce *rt.CallError
	if !errors.As(err, &ce) {
		t.Fatalf("error = %v (%T), want a *rt.CallError", err, err)
	}
	return ce
}

func wantHits(t *testing.T, s *faulttest.Script, want int) {
	t.Helper()
	if got := s.Hits(); got != want {
		t.Errorf("requests = %d, want %d", got, want)
	}
}
