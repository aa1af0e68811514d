package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// charges is what a generated client looks like to these examples: one method
// that charges a card under an idempotency key.
type charges struct {
	engine *rt.Engine
	policy *rt.Policy
	server *faulttest.RoundTripper
}

func newCharges(config rt.ClientConfig, steps ...faulttest.Step) *charges {
	policy := patient(bare(rt.Keyed))
	policy.Retry.Backoff = rt.Backoff{Initial: time.Millisecond}
	server := faulttest.NewRoundTripper(steps...)
	config.Transport = server
	engine, err := rt.NewEngine(rt.EngineSpec{Package: "payments", Policies: []*rt.Policy{policy}}, config)
	if err != nil {
		panic(err)
	}
	return &charges{engine, policy, server}
}

// Create charges a card.
func (c *charges) Create(ctx context.Context, amount int, opts ...rt.RepeatableOption) (string, error) {
	cl := &client{engine: c.engine, policy: c.policy, base: "https://payments.internal", method: http.MethodPost}
	cl.edit = func(call *rt.Call) { call.Body = rt.Bytes(fmt.Appendf(nil, `{"amount":%d}`, amount)) }
	return cl.do(ctx, opts...)
}

// A retry rides out what a moment mends. The info says what it took.
func ExampleWithInfo() {
	client := newCharges(rt.ClientConfig{}, faulttest.Status(503), faulttest.JSON(201, `{"id":"ch_1"}`))

	var info rt.Info
	charge, err := client.Create(context.Background(), 100, rt.WithInfo(&info))
	fmt.Println(charge, err)
	fmt.Println("attempts:", info.Attempts, "live:", info.Source == rt.Live)
	// Output:
	// {"id":"ch_1"} <nil>
	// attempts: 2 live: true
}

// A call that failed without telling its outcome is resumed with the key of
// its error: the server does the work once, however often it is asked.
func ExampleWithIdempotencyKey() {
	lost := faulttest.Lost() // the card is charged, the answer is lost
	client := newCharges(rt.ClientConfig{}, lost, lost, lost)

	_, err := client.Create(context.Background(), 100)
	var failed *rt.CallError
	if errors.As(err, &failed) {
		fmt.Println("outcome:", failed.Outcome)
	}
	// Keep failed.Key with the order. Later, perhaps by hand:
	_, err = client.Create(context.Background(), 100, rt.WithIdempotencyKey(failed.Key))
	fmt.Println("resumed:", err)
	fmt.Println("charged:", client.server.Book.Done(failed.Key.Value))
	// Output:
	// outcome: unknown
	// resumed: <nil>
	// charged: 1
}

// A process that was restarted makes the same key from what identifies the work.
func ExampleKeyFrom() {
	before := rt.KeyFrom("order-17", "capture")
	after := rt.KeyFrom("order-17", "capture")
	fmt.Println(before == after, before == rt.KeyFrom("order-18", "capture"))
	// Output: true false
}

// Errors are told apart by state and class, never by their text.
func ExampleCallError() {
	client := newCharges(rt.ClientConfig{}, faulttest.JSON(422, `{"reason":"card declined"}`))

	_, err := client.Create(context.Background(), 100)
	var declined *problem // a type that the spec declares for 422
	var failed *rt.CallError
	switch {
	case errors.Is(err, rt.ErrCircuitOpen):
		fmt.Println("payments are down")
	case errors.As(err, &declined) && errors.As(err, &failed):
		fmt.Println(failed.Class, failed.Outcome, failed.Status, declined.text)
	}
	fmt.Println(err)
	// Output:
	// permanent rejected 422 {"reason":"card declined"}
	// payments createCharge: permanent: status 422 Unprocessable Entity (1 attempt); outcome rejected
}

// A ceiling for one call: a caller with less patience than the policy.
func ExampleWithTimeout() {
	client := newCharges(rt.ClientConfig{}, faulttest.Hang())

	_, err := client.Create(context.Background(), 100, rt.WithTimeout(20*time.Millisecond), rt.WithMaxAttempts(1))
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	// Output: true
}

// Switches for people on call. This one stops all repeats to a dependency.
func ExampleControls() {
	controls := &rt.Controls{}
	client := newCharges(rt.ClientConfig{Controls: controls}, faulttest.Status(503), faulttest.Status(503))

	controls.RetriesOff("payments", true)
	_, err := client.Create(context.Background(), 100)
	fmt.Println(err)
	fmt.Println("requests:", client.server.Hits())
	// Output:
	// payments createCharge: transient: status 503 Service Unavailable (1 attempt); outcome unknown
	// requests: 1
}

// Policies can be changed where a process is configured, for times and
// thresholds. Attempts only go down.
func ExampleParseOverrides() {
	overrides, err := rt.ParseOverrides([]byte(`{"payments": {"attempt": "300ms", "maxAttempts": 2}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	policy, err := rt.WithOverrides(*bare(rt.Keyed), overrides)
	fmt.Println(policy.Timeout.Attempt, policy.Retry.MaxAttempts, err)
	// Output: 300ms 2 <nil>
}

// One registry for all clients of a dependency shares its circuit, and shows
// how it stands.
func ExampleRegistry() {
	registry := &rt.Registry{}
	client := newCharges(rt.ClientConfig{Registry: registry})

	_, _ = client.Create(context.Background(), 100)
	for _, c := range registry.Snapshot().Compartments {
		fmt.Println(c.Dependency, c.Circuit, c.InFlight)
	}
	// Output: payments disabled 0
}

// A server keeps its callers' deadlines, and says what failed in a form that
// their clients know.
func ExampleDeadline() {
	handler := rt.Deadline(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done() // work that does not end in time
		rt.WriteError(w, r.Context().Err())
	}), rt.DeadlineConfig{Default: time.Second, Max: 10 * time.Second})

	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("X-Request-Timeout-Ms", "20")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	fmt.Println(w.Code, bytes.Contains(w.Body.Bytes(), []byte("urn:resgen:deadline-exceeded")))
	// Output: 504 true
}

// A database call gets the same layers.
func ExampleRun() {
	policy := &rt.Policy{
		Class:       rt.Safe,
		Compartment: &rt.Compartment{Dependency: "ledger-db"},
		Timeout:     rt.Timeout{Attempt: time.Second, Total: 3 * time.Second},
		Retry:       rt.Retry{MaxAttempts: 3, When: rt.When{Connection: true}},
	}
	tries := 0
	err := rt.Run(context.Background(), policy, func(ctx context.Context) error {
		if tries++; tries < 3 {
			return errors.New("deadlock found")
		}
		return nil
	})
	fmt.Println(tries, err)
	// Output: 3 <nil>
}

// A read falls back to the last good answer, which belongs to whoever it was
// made for.
func ExampleWithPrincipal() {
	policy := oneAttempt()
	policy.Fallback = rt.Fallback{Kind: rt.FallbackStale, MaxAge: time.Minute}
	quotes, server := newQuotes(policy, rt.ClientConfig{}, faulttest.JSON(200, `{"quote":17}`))
	server.Otherwise(faulttest.Status(503))

	for _, user := range []string{"ann", "ann", "bob"} {
		var info rt.Info
		quote, err := quotes.do(rt.WithPrincipal(context.Background(), user), rt.WithInfo(&info))
		fmt.Println(user, quote, info.Source == rt.Stale, err != nil)
	}
	// Output:
	// ann {"quote":17} false false
	// ann {"quote":17} true false
	// bob  false true
}

// An observer is told of every step, for metrics and logs.
func ExampleObserver() {
	client := newCharges(rt.ClientConfig{Observer: observe(func(e rt.Event) {
		fmt.Printf("%s %d [%s]\n", e.Kind, e.Status, e.Reason)
	})}, faulttest.Status(404))

	_, _ = client.Create(context.Background(), 100)
	// Output:
	// attempt started 0 []
	// attempt ended 404 []
	// retry suppressed 404 [not-listed]
	// call done 404 []
}

// A service answers failures of its dependencies in a form that the callers'
// clients know, and that tells nothing of its insides.
func ExampleWriteError() {
	handler := func(w http.ResponseWriter, _ *http.Request) {
		err := &rt.CallError{Operation: "getQuote", Class: rt.ClassCircuitOpen, RetryAfter: 1500 * time.Millisecond} // of a call that the handler made
		rt.WriteError(w, err)
	}
	w := httptest.NewRecorder()
	handler(w, httptest.NewRequest(http.MethodGet, "/", nil))
	fmt.Println(w.Code, w.Header().Get("Retry-After"), w.Header().Get("Content-Type"))
	fmt.Println(w.Body)
	// Output:
	// 503 2 application/problem+json
	// {"type":"urn:resgen:circuit-open","title":"Service Unavailable","status":503,"detail":"a dependency is not available"}
}

// A service that starts asks for what its first users will want.
func ExampleWarm() {
	rates := func(ctx context.Context) error { return nil } // a call of a generated client
	stocks := func(ctx context.Context) error { return errors.New("stocks are down") }

	err := rt.Warm(context.Background(), rates, stocks)
	fmt.Println("started, though:", err)
	// Output: started, though: stocks are down
}

// A function says of its errors what the layers cannot know: of these two only
// the first is tried again, since nothing was written.
func ExampleNotDone() {
	policy := bare(rt.Unsafe)
	policy.Retry.Backoff = rt.Backoff{}
	for _, mark := range []func(error) error{rt.NotDone, rt.Permanent} {
		calls := 0
		err := rt.Run(context.Background(), policy, func(context.Context) error {
			calls++
			return mark(errors.New("insert failed"))
		})
		var failed *rt.CallError
		fmt.Println(calls, errors.As(err, &failed) && failed.Outcome == rt.NotSent)
	}
	// Output:
	// 2 true
	// 1 false
}

// Absent, null and a value are three things.
func ExampleNullable() {
	for _, n := range []rt.Nullable[int]{{}, rt.Null[int](), rt.Some(7)} {
		v, ok := n.Get()
		fmt.Println(n.IsZero(), n.IsNull(), v, ok)
	}
	// Output:
	// true false 0 false
	// false true 0 false
	// false false 7 true
}

// A value of any shape keeps every digit until it is known what it is.
func ExampleDecodeValue() {
	v := rt.Value(`{"amount":12.3400000000000000001}`)
	money, err := rt.DecodeValue[struct {
		Amount rt.Number `json:"amount"`
	}](v)
	fmt.Println(money.Amount, err)
	// Output: 12.3400000000000000001 <nil>
}

// Content that is opened anew for every attempt may be sent more than once;
// what can be read only once makes the call a single attempt.
func ExampleOpener() {
	report := "a large report"
	again := rt.Opener(int64(len(report)), func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(report)), nil })
	once := rt.Reader(-1, strings.NewReader(report))
	fmt.Println(again.Replayable(), once.Replayable())
	// Output: true false
}

// A token that the server refuses is renewed once a call, and the call made again.
func ExampleTokenRefresher() {
	var source rt.TokenRefresher = &rotating{token: "first"}
	token, _ := source.Token(context.Background())
	_ = source.Refresh(context.Background(), token) // what a client does after a 401
	renewed, _ := source.Token(context.Background())
	fmt.Println(token, renewed)
	// Output: first second
}

// rotating renews its token only if it is the one that was refused: of many
// calls that are refused at once, one renews it.
type rotating struct {
	mu    sync.Mutex
	token string
}

func (r *rotating) Token(context.Context) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.token, nil
}

func (r *rotating) Refresh(_ context.Context, refused string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.token == refused {
		r.token = "second"
	}
	return nil
}
