package runtime_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// drawStep draws anything a server may do. Times are drawn to the nanosecond:
// events at the same instant have no order.
func drawStep(t *rapid.T) faulttest.Step {
	wait := time.Duration(rapid.Int64Range(0, int64(1500*time.Millisecond)).Draw(t, "wait"))
	switch rapid.IntRange(0, 9).Draw(t, "step") {
	case 0:
		return faulttest.Hang()
	case 1:
		return faulttest.Step{Fault: faulttest.Reset, Wait: wait}
	case 2:
		return faulttest.Step{Fault: faulttest.Reset, Wait: wait, Acts: true}
	case 3:
		return faulttest.Step{Fault: faulttest.Truncate, Body: `{"a":1}`, CutAt: 3}
	case 4:
		return faulttest.Step{Fault: faulttest.Stall, Body: `{"a":1}`, CutAt: 3}
	case 5:
		return faulttest.RetryAfter(rapid.SampledFrom([]int{429, 503}).Draw(t, "status"), strconv.Itoa(rapid.IntRange(0, 8).Draw(t, "seconds")))
	case 6:
		return faulttest.Slow(wait, faulttest.Status(rapid.SampledFrom([]int{400, 408, 409, 421, 425, 429, 500, 502, 503, 504}).Draw(t, "status")))
	case 7:
		return faulttest.Step{Fault: faulttest.Drop, Wait: wait}
	default:
		return faulttest.Slow(wait, faulttest.JSON(201, `{"a":1}`))
	}
}

// Whatever the server does: no more requests than the policy allows, one key,
// the same bytes, an end by the deadline, nothing done twice, and nothing left
// running or held.
func TestAnyServer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		class := rapid.SampledFrom([]rt.Class{rt.Safe, rt.Idempotent, rt.Keyed, rt.Unsafe}).Draw(t, "class")
		var script []faulttest.Step
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			script = append(script, drawStep(t))
		}
		caller := time.Duration(rapid.Int64Range(int64(time.Millisecond), int64(20*time.Second)).Draw(t, "caller"))
		rapid.SyncTest(t, func(t *rapid.T) { anyServer(t, class, script, caller) })
	})
}

func anyServer(t *rapid.T, class rt.Class, script []faulttest.Step, caller time.Duration) {
	server := faulttest.NewPipe(script...)
	defer server.Close()
	p := full(class)
	p.Retry.MaxAttempts = map[rt.Class]int{rt.Unsafe: 1}[class]
	if class != rt.Unsafe {
		p.Retry.MaxAttempts = 4
	}
	if class != rt.Keyed {
		p.Key = rt.KeyRule{}
	}
	registry := &rt.Registry{}
	trips, inner := 0, server.Transport() // net/http may send a read once more by itself: requests are counted here
	transport := roundTripFunc(func(r *http.Request) (*http.Response, error) { trips++; return inner.RoundTrip(r) })
	e, err := rt.NewEngine(rt.EngineSpec{Package: "any", Policies: []*rt.Policy{p}}, rt.ClientConfig{Transport: transport, Registry: registry})
	if err != nil {
		t.Fatal(err)
	}
	c := &client{engine: e, policy: p, base: server.URL, method: http.MethodPost}
	if class == rt.Safe {
		c.method = http.MethodGet
	}
	ctx, cancel := context.WithTimeout(context.Background(), caller)
	defer cancel()
	before := time.Now()
	_, err = c.do(ctx)
	took := time.Since(before)

	if limit := min(caller, p.Timeout.Total); took > limit {
		t.Errorf("took %s, want at most %s", took, limit)
	}
	most := p.Retry.MaxAttempts + 1 // 421 once more for an unsafe write
	if class != rt.Unsafe {
		most = p.Retry.MaxAttempts
	}
	if trips > most || class != rt.Safe && server.Hits() > most {
		t.Errorf("%d round trips, %d requests; want at most %d", trips, server.Hits(), most)
	}
	for _, r := range server.Requests() {
		if first := server.Requests()[0]; r.Key != first.Key || r.Body != first.Body || (class == rt.Keyed) != (r.Key != "") {
			t.Errorf("a request differs: key %q, body %q", r.Key, r.Body)
		}
	}
	if n := len(server.Book.Effects()); n > 1 && (class == rt.Keyed || class == rt.Unsafe) {
		t.Errorf("done %d times", n)
	}
	var ce *rt.CallError
	if err != nil && !errors.As(err, &ce) {
		t.Errorf("error of type %T", err)
	}
	if ce != nil && len(server.Book.Effects()) > 0 && c.method == http.MethodPost && ce.Outcome < rt.Unknown && len(ce.Attempts) == server.Hits() && class == rt.Unsafe {
		t.Errorf("it was done, and the outcome is %s", ce.Outcome)
	}
	for _, k := range registry.Snapshot().Compartments {
		if k.InFlight != 0 || k.Queued != 0 {
			t.Errorf("in flight %d, queued %d; want none", k.InFlight, k.Queued)
		}
	}
}

// TestSoak makes many calls with random faults over an in-memory transport. It
// ends with no goroutine and no place missing and not one duplicate in the
// book. RESGEN_SOAK is the number of calls; make soak makes a million.
func TestSoak(t *testing.T) {
	calls := 20_000
	if text := os.Getenv("RESGEN_SOAK"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("RESGEN_SOAK is %q; want a number of calls", text)
		}
		calls = n
	}
	goroutines := runtime.NumGoroutine()
	ledger := &ledger{byKey: map[string]int{}}
	registry := &rt.Registry{}
	p := full(rt.Keyed)
	p.Timeout = rt.Timeout{Attempt: 2 * time.Millisecond, Total: 10 * time.Millisecond}
	p.Retry.Backoff = rt.Backoff{Initial: 50 * time.Microsecond, Max: 200 * time.Microsecond}
	p.Compartment.Breaker.OpenFor, p.Compartment.Breaker.OpenMax = time.Millisecond, 2*time.Millisecond
	p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 16, MaxQueue: 32, MaxWait: time.Millisecond}
	c := newClient(t, p, ledger, func(c *rt.ClientConfig) { c.Registry = registry })
	var made, succeeded atomic.Int64
	var wg sync.WaitGroup
	for range 24 {
		wg.Go(func() {
			for made.Add(1) <= int64(calls) {
				if ledger.soakOne(t, c) {
					succeeded.Add(1)
				}
			}
		})
	}
	wg.Wait()
	ledger.check(t, registry, succeeded.Load())
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > goroutines && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("goroutines = %d, want %d as before", n, goroutines)
	}
}

// A ledger is a server in memory that does work once a key, and fails at random.
type ledger struct {
	mu    sync.Mutex
	byKey map[string]int // times that the work of a key was done
}

func (l *ledger) RoundTrip(r *http.Request) (*http.Response, error) {
	fate := rand.IntN(100)
	key := rt.KeyHeader(r.Header, "Idempotency-Key")
	switch {
	case fate < 3:
		return nil, errors.New("lost on the way there")
	case fate < 6:
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	l.mu.Lock()
	if l.byKey[key] == 0 {
		l.byKey[key]++
	}
	l.mu.Unlock()
	if fate < 15 {
		return nil, errors.New("lost on the way back")
	}
	status := 201
	if fate < 20 {
		status = 503
	}
	rtr := faulttest.NewRoundTripper(faulttest.JSON(status, `{"key":"`+key+`"}`))
	return rtr.RoundTrip(r)
}

// soakOne makes one call, and now and then leaves it early or panics in it.
func (l *ledger) soakOne(t *testing.T, c *client) (ok bool) {
	ctx := context.Background()
	fate := rand.IntN(50)
	if fate == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(rand.IntN(int(time.Millisecond))))
		defer cancel()
	}
	own := *c
	if fate == 1 {
		own.edit = func(call *rt.Call) { call.Auth = authFunc(func(*http.Request) { panic("user code") }) }
		defer func() { _ = recover() }()
	}
	var info rt.Info
	_, err := own.do(ctx, rt.WithInfo(&info))
	if err != nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byKey[info.Key.Value] != 1 {
		t.Errorf("a call succeeded and its work was done %d times", l.byKey[info.Key.Value])
	}
	return true
}

func (l *ledger) check(t *testing.T, registry *rt.Registry, succeeded int64) {
	t.Helper()
	k := registry.Snapshot().Compartments[0]
	if k.InFlight != 0 || k.Queued != 0 {
		t.Errorf("in flight %d, queued %d; want none", k.InFlight, k.Queued)
	}
	for key, times := range l.byKey {
		if times != 1 || key == "" {
			t.Fatalf("key %q was done %d times", key, times)
		}
	}
	t.Logf("%d calls succeeded, %d keys in the book", succeeded, len(l.byKey))
}
