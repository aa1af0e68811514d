package runtime_test

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// How a breaker takes an end.
const (
	counted = 'F'
	fine    = 'S'
	ignored = '-'
)

// tableRow is one row of the contract's table, written out again: what is
// tested here is not asked of the code.
type tableRow struct {
	name     string
	step     faulttest.Step // what the server does, every time
	fails    *failing       // or how the transport fails
	edit     func(*rt.Call)
	policy   func(*rt.Policy)
	ctx      func(context.Context) (context.Context, context.CancelFunc)
	class    rt.ErrorClass
	breaker  rune
	safe     int // requests of a safe operation with three attempts
	keyed    int // requests of a keyed one; 0: as safe
	unsafe   int // requests of an unsafe one
	fallback bool
	outcome  rt.Outcome // of a keyed write
}

// failing is a transport that fails with an error, before or after it got a connection.
type failing struct {
	faulttest.Script
	err       error
	connected bool
}

func (f *failing) RoundTrip(r *http.Request) (*http.Response, error) {
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil {
		trace.GetConn(r.URL.Host)
		if f.connected {
			trace.GotConn(httptrace.GotConnInfo{})
		}
	}
	f.Note(r)
	return nil, f.err
}

func problemStep(status int, kind string) faulttest.Step {
	return faulttest.Step{
		Status: status, Body: `{"type":"` + kind + `"}`,
		Header: http.Header{"Content-Type": {"application/problem+json; charset=utf-8"}},
	}
}

// h2Error looks like an HTTP/2 stream error.
type h2Error struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (h2Error) Error() string { return "stream error" }

type timeoutError struct{ text string }

func (e timeoutError) Error() string { return e.text }
func (timeoutError) Timeout() bool   { return true }
func (timeoutError) Temporary() bool { return true }

func tableRows() []tableRow {
	withKeyInFlight := func(p *rt.Policy) {
		p.Key.Statuses = []rt.KeyStatus{{Status: 409, Means: rt.InFlight}}
	}
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	return []tableRow{
		{name: "cannot encode", step: faulttest.Step{}, edit: func(c *rt.Call) { c.Err = errors.New("path segment is empty") },
			class: rt.ClassInput, breaker: ignored, outcome: rt.NotSent},
		{name: "credentials could not be had", step: faulttest.Step{}, edit: func(c *rt.Call) { c.Auth = noToken{} },
			class: rt.ClassAuth, breaker: ignored, fallback: true, outcome: rt.NotSent},
		{name: "dial refused", fails: &failing{err: dial}, class: rt.ClassTransient, breaker: counted, safe: 3, unsafe: 2, fallback: true, outcome: rt.NotSent},
		{name: "dial timed out", fails: &failing{err: &net.OpError{Op: "dial", Err: timeoutError{"i/o timeout"}}}, class: rt.ClassTransient, breaker: counted, safe: 3, unsafe: 2, fallback: true, outcome: rt.NotSent},
		{name: "host not found", fails: &failing{err: &net.DNSError{IsNotFound: true}}, class: rt.ClassTransient, breaker: counted, safe: 3, unsafe: 2, fallback: true, outcome: rt.NotSent},
		{name: "handshake timed out", fails: &failing{err: timeoutError{"net/http: TLS handshake timeout"}}, class: rt.ClassTransient, breaker: counted, safe: 3, unsafe: 2, fallback: true, outcome: rt.NotSent},
		{name: "certificate refused", fails: &failing{err: x509.UnknownAuthorityError{}}, class: rt.ClassPermanent, breaker: counted, safe: 1, unsafe: 1, fallback: true, outcome: rt.NotSent},
		{name: "REFUSED_STREAM", fails: &failing{err: h2Error{Code: 7}, connected: true}, class: rt.ClassTransient, breaker: counted, safe: 3, unsafe: 2, fallback: true, outcome: rt.NotSent},
		{name: "other stream error", fails: &failing{err: h2Error{Code: 2}, connected: true}, class: rt.ClassTransient, breaker: counted, safe: 3, unsafe: 1, fallback: true, outcome: rt.Unknown},
		{name: "GOAWAY", fails: &failing{err: errors.New("http2: server sent GOAWAY and closed the connection"), connected: true}, class: rt.ClassTransient, breaker: counted, safe: 3, unsafe: 1, fallback: true, outcome: rt.Unknown},
		{name: "reset", step: faulttest.Step{Fault: faulttest.Reset}, class: rt.ClassTransient, breaker: counted, safe: 3, unsafe: 1, fallback: true, outcome: rt.Unknown},
		{name: "EOF", step: faulttest.Step{Fault: faulttest.Drop}, class: rt.ClassTransient, breaker: counted, safe: 3, unsafe: 1, fallback: true, outcome: rt.Unknown},
		{name: "attempt limit", step: faulttest.Hang(), class: rt.ClassTimeout, breaker: counted, safe: 3, unsafe: 1, fallback: true, outcome: rt.Unknown},
		{name: "cut short by the total", step: faulttest.Hang(), policy: func(p *rt.Policy) { p.Timeout.Total = 700 * time.Millisecond },
			class: rt.ClassTimeout, breaker: ignored, safe: 1, unsafe: 1, fallback: true, outcome: rt.Unknown},
		{name: "caller's deadline", step: faulttest.Hang(), ctx: func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 300*time.Millisecond)
		}, class: rt.ClassTimeout, breaker: ignored, safe: 1, unsafe: 1, outcome: rt.Unknown},
		{name: "caller's cancellation", step: faulttest.Hang(), ctx: func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(300*time.Millisecond, cancel)
			return ctx, cancel
		}, class: rt.ClassCanceled, breaker: ignored, safe: 1, unsafe: 1, outcome: rt.Unknown},
		{name: "2xx undeclared", step: faulttest.Status(299), class: rt.ClassMalformed, breaker: ignored, safe: 1, unsafe: 1, fallback: true, outcome: rt.Applied},
		{name: "2xx truncated", step: faulttest.Step{Fault: faulttest.Truncate, Body: `{"a":1}`, CutAt: 3}, class: rt.ClassTransient, breaker: counted, safe: 3, unsafe: 1, fallback: true, outcome: rt.Applied},
		{name: "2xx idle", step: faulttest.Step{Fault: faulttest.Stall, Body: `{"a":1}`, CutAt: 3}, class: rt.ClassTransient, breaker: counted, safe: 3, unsafe: 1, fallback: true, outcome: rt.Applied},
		{name: "3xx not followed", step: faulttest.Step{Status: 304, NoBody: true}, class: rt.ClassPermanent, breaker: fine, safe: 1, unsafe: 1, outcome: rt.Rejected},
		status(400, rt.ClassPermanent, fine, 1, 1, false, rt.Rejected),
		status(401, rt.ClassPermanent, fine, 1, 1, false, rt.Rejected),
		status(403, rt.ClassPermanent, fine, 1, 1, false, rt.Rejected),
		status(404, rt.ClassPermanent, fine, 1, 1, false, rt.Rejected),
		status(405, rt.ClassPermanent, fine, 1, 1, false, rt.Rejected),
		status(410, rt.ClassPermanent, fine, 1, 1, false, rt.Rejected),
		status(412, rt.ClassPermanent, fine, 1, 1, false, rt.Rejected),
		status(422, rt.ClassPermanent, fine, 1, 1, false, rt.Rejected),
		status(408, rt.ClassTimeout, ignored, 3, 1, true, rt.Unknown),
		{name: "in flight", step: faulttest.Status(409), policy: withKeyInFlight, class: rt.ClassTransient, breaker: fine, safe: -1, keyed: 3, unsafe: -1, fallback: true, outcome: rt.Unknown},
		status(421, rt.ClassTransient, ignored, 2, 2, true, rt.Rejected),
		status(425, rt.ClassTransient, ignored, 3, 1, true, rt.Rejected),
		status(429, rt.ClassOverload, ignored, 3, 1, true, rt.Rejected),
		status(500, rt.ClassTransient, counted, 1, 1, true, rt.Unknown),
		status(507, rt.ClassTransient, counted, 1, 1, true, rt.Unknown),
		status(501, rt.ClassPermanent, fine, 1, 1, false, rt.Rejected),
		status(505, rt.ClassPermanent, fine, 1, 1, false, rt.Rejected),
		status(502, rt.ClassTransient, counted, 3, 1, true, rt.Unknown),
		status(504, rt.ClassTransient, counted, 3, 1, true, rt.Unknown),
		status(503, rt.ClassTransient, counted, 3, 1, true, rt.Unknown),
		{name: "503 with Retry-After", step: faulttest.RetryAfter(503, "1"), class: rt.ClassOverload, breaker: counted, safe: 3, unsafe: 1, fallback: true, outcome: rt.Unknown},
		{name: "503 circuit open there", step: problemStep(503, "urn:resgen:circuit-open"), class: rt.ClassCircuitOpen, breaker: ignored, safe: 1, unsafe: 1, fallback: true, outcome: rt.NotSent},
		{name: "504 deadline exceeded there", step: problemStep(504, "urn:resgen:deadline-exceeded"), class: rt.ClassTimeout, breaker: ignored, safe: 1, unsafe: 1, fallback: true, outcome: rt.Rejected},
	}
}

func status(code int, class rt.ErrorClass, breaker rune, safe, unsafe int, fallback bool, outcome rt.Outcome) tableRow {
	return tableRow{
		name: http.StatusText(code), step: faulttest.Status(code), class: class, breaker: breaker,
		safe: safe, unsafe: unsafe, fallback: fallback, outcome: outcome,
	}
}

type noToken struct{}

func (noToken) Authorize(context.Context, *http.Request) error { return errors.New("no token") }

// watched gives a policy a breaker that never trips, so that its window shows
// what was counted.
func watched(p *rt.Policy) *rt.Policy {
	p.Compartment.Breaker = rt.Breaker{
		FailureRate: 100 * rt.Percent, Window: time.Hour, MinimumCalls: 1000, OpenFor: time.Second, Probes: rt.Probes{Count: 1, Successes: 1},
	}
	return p
}

// TestTable holds every row of "One table for everything" for a safe, a keyed
// and an unsafe operation.
func TestTable(t *testing.T) {
	for _, row := range tableRows() {
		for _, class := range []rt.Class{rt.Safe, rt.Keyed, rt.Unsafe} {
			want := map[rt.Class]int{rt.Safe: row.safe, rt.Keyed: row.safe, rt.Unsafe: row.unsafe}[class]
			if class == rt.Keyed && row.keyed != 0 {
				want = row.keyed
			}
			if want < 0 {
				continue // the row is about keys
			}
			t.Run(row.name+"/"+class.String(), func(t *testing.T) {
				bubble(t, func(t *testing.T) { row.check(t, class, want) })
			})
		}
	}
}

func (row *tableRow) check(t *testing.T, class rt.Class, want int) {
	p := watched(bare(class))
	p.Fallback = rt.Fallback{Kind: rt.FallbackCaller}
	if row.policy != nil {
		row.policy(p)
	}
	if class != rt.Keyed {
		p.Key = rt.KeyRule{}
	}
	registry := &rt.Registry{}
	transport, script := row.fresh()
	c := newClient(t, p, transport, func(c *rt.ClientConfig) { c.Registry = registry })
	fellBack := 0
	c.edit = func(call *rt.Call) {
		call.Fallback = func(_ context.Context, err *rt.CallError) error { fellBack++; return err }
		if row.edit != nil {
			row.edit(call)
		}
	}
	ctx, cancel := t.Context(), context.CancelFunc(func() {})
	if row.ctx != nil {
		ctx, cancel = row.ctx(ctx)
	}
	defer cancel()
	_, err := c.do(ctx)
	ce := callError(t, err)
	if ce.Class != row.class {
		t.Errorf("class = %s, want %s (%v)", ce.Class, row.class, err)
	}
	if class == rt.Keyed && ce.Outcome != row.outcome {
		t.Errorf("outcome = %s, want %s", ce.Outcome, row.outcome)
	}
	if got := script.Hits(); got != want {
		t.Errorf("requests = %d, want %d", got, want)
	}
	if got := fellBack == 1; got != row.fallback {
		t.Errorf("fallback asked = %t, want %t", got, row.fallback)
	}
	row.checkBreaker(t, registry, want)
}

// checkBreaker compares what the window holds with the row's letter.
func (row *tableRow) checkBreaker(t *testing.T, registry *rt.Registry, attempts int) {
	t.Helper()
	var calls, failures int64
	for _, k := range registry.Snapshot().Compartments {
		calls, failures = k.Calls, k.Failures
	}
	n := int64(attempts)
	want := map[rune][2]int64{counted: {n, n}, fine: {n, 0}, ignored: {0, 0}}[row.breaker]
	if calls != want[0] || failures != want[1] {
		t.Errorf("breaker counted %d calls, %d failures; want %d, %d", calls, failures, want[0], want[1])
	}
}

// fresh returns the row's transport with an empty memory.
func (row *tableRow) fresh() (http.RoundTripper, *faulttest.Script) {
	if row.fails != nil {
		again := &failing{err: row.fails.err, connected: row.fails.connected}
		return again, &again.Script
	}
	again := faulttest.NewRoundTripper()
	again.Otherwise(row.step)
	return again, &again.Script
}
