package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
	"github.com/resgen-dev/resgen/runtime/wire"
)

// newQuotes is what a generated client looks like to these examples: one read.
func newQuotes(policy *rt.Policy, config rt.ClientConfig, steps ...faulttest.Step) (*client, *faulttest.RoundTripper) {
	rtr := faulttest.NewRoundTripper(steps...)
	config.Transport = rtr
	engine, err := rt.NewEngine(rt.EngineSpec{Package: "quotes", Policies: []*rt.Policy{policy}}, config)
	if err != nil {
		panic(err)
	}
	return &client{engine: engine, policy: policy, base: "http://quotes.internal", method: http.MethodGet, edit: asGetQuote}, rtr
}

func asGetQuote(call *rt.Call) { call.Operation = "getQuote" }

// oneAttempt is a policy of reads without repeats.
func oneAttempt() *rt.Policy {
	policy := bare(rt.Safe)
	policy.Compartment.Dependency, policy.Retry.MaxAttempts = "quotes", 1
	return policy
}

// A dependency that fails is left alone: after three failures in a row no
// request reaches it, until a probe finds it well.
func ExampleBreaker() {
	policy := oneAttempt()
	policy.Compartment.Breaker = rt.Breaker{Consecutive: 3, OpenFor: 30 * time.Second, Probes: rt.Probes{Count: 1, Successes: 1}}
	quotes, server := newQuotes(policy, rt.ClientConfig{}, faulttest.Times(5, faulttest.Status(503))...)

	for range 5 {
		_, err := quotes.do(context.Background())
		fmt.Println(errors.Is(err, rt.ErrCircuitOpen))
	}
	fmt.Println("requests:", server.Hits())
	// Output:
	// false
	// false
	// false
	// true
	// true
	// requests: 3
}

// A dependency that is slow holds up no more calls than its places.
func ExampleBulkhead() {
	policy := oneAttempt()
	policy.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 1}
	arrived, answer := make(chan struct{}), make(chan struct{})
	transport := roundTripFunc(func(*http.Request) (*http.Response, error) {
		close(arrived)
		<-answer
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody}, nil
	})
	engine, err := rt.NewEngine(rt.EngineSpec{Package: "quotes", Policies: []*rt.Policy{policy}}, rt.ClientConfig{Transport: transport})
	if err != nil {
		fmt.Println(err)
		return
	}
	quotes := &client{engine: engine, policy: policy, base: "http://quotes.internal", method: http.MethodGet, edit: asGetQuote}

	first := make(chan error)
	go func() {
		_, err := quotes.do(context.Background())
		first <- err
	}()
	<-arrived
	_, err = quotes.do(context.Background())
	close(answer)
	fmt.Println("first:", <-first)
	fmt.Println("second:", err)
	// Output:
	// first: <nil>
	// second: quotes getQuote: bulkhead-full: bulkhead full; outcome not sent
}

// Repeats are a share of what is sent at all, and a few: a dependency that is
// down is not met with three times the load.
func ExampleBudget() {
	policy := bare(rt.Safe) // three attempts
	policy.Retry.Backoff = rt.Backoff{}
	policy.Compartment.Budget = rt.Budget{Ratio: 20 * rt.Percent, Floor: 6 * rt.PerMinute, Window: 10 * time.Second}
	quotes, server := newQuotes(policy, rt.ClientConfig{}, faulttest.Times(9, faulttest.Status(503))...)

	_, err := quotes.do(context.Background())
	fmt.Println(errors.Is(err, rt.ErrRetryBudget), server.Hits())
	// Output: true 2
}

// A write that may not be sent twice is not, when nobody knows whether it was done.
func ExampleClass() {
	for _, class := range []rt.Class{rt.Keyed, rt.Unsafe} {
		policy := bare(class)
		policy.Retry.Backoff = rt.Backoff{}
		client, server := newQuotes(policy, rt.ClientConfig{}, faulttest.Lost())
		client.method, client.edit = http.MethodPost, nil
		_, err := client.do(context.Background())
		fmt.Println(class, "requests:", server.Hits(), "error:", err)
	}
	// Output:
	// keyed requests: 2 error: <nil>
	// unsafe requests: 1 error: payments createCharge: transient: connection reset by peer (1 attempt); outcome unknown
}

// A read with a fixed answer for bad times. The info tells that it is one.
func ExampleFallback() {
	policy := oneAttempt()
	policy.Fallback = rt.Fallback{Kind: rt.FallbackStatic, Value: `{"quote":0}`}
	quotes, _ := newQuotes(policy, rt.ClientConfig{}, faulttest.Status(503))

	var info rt.Info
	quote, err := quotes.do(context.Background(), rt.WithInfo(&info))
	fmt.Println(quote, err, info.Source)
	// Output: {"quote":0} <nil> fallback
}

// A read with an answer of the caller's own for bad times. A generated client
// takes the function in its configuration:
//
//	quotes.Config{Fallbacks: quotes.Fallbacks{GetQuote: lastKnown}}
func ExampleFallback_caller() {
	policy := oneAttempt()
	policy.Fallback = rt.Fallback{Kind: rt.FallbackCaller}
	quotes, _ := newQuotes(policy, rt.ClientConfig{}, faulttest.Status(503), faulttest.Status(404))
	lastKnown := func(_ context.Context, symbol string, failed *rt.CallError) (int, error) {
		fmt.Println("no quote of", symbol, "because of", failed.Class)
		return 17, nil
	}
	getQuote := func(ctx context.Context, symbol string) (int, error) { // a method of the client
		r := wire.NewRequest("getQuote", http.MethodGet, wire.BaseURL("http://quotes.internal"))
		r.Path("/quote")
		return wire.DoWithFallback(ctx, quotes.engine, policy, r, []rt.RepeatableOption(nil), func(a *wire.Answer) (int, error) {
			return 0, a.Unexpected()
		}, wire.Bind(lastKnown, symbol))
	}

	fmt.Println(getQuote(context.Background(), "ACME"))
	_, err := getQuote(context.Background(), "NONE") // a refusal is an answer: no fallback
	fmt.Println(err)
	// Output:
	// no quote of ACME because of transient
	// 17 <nil>
	// quotes getQuote: permanent: status 404 Not Found (1 attempt); outcome rejected
}

// An answer that is a stream is read while it comes. It must be closed, or read
// to its end: it holds its place in the bulkhead until then.
func ExampleStream() {
	policy := oneAttempt()
	policy.Timeout.Idle = 5 * time.Second // of silence; attempt and total end at the headers
	quotes, _ := newQuotes(policy, rt.ClientConfig{}, faulttest.Step{Body: "17\n18\n"})

	stream, err := openStream(context.Background(), quotes)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stream.Close()
	text, err := io.ReadAll(stream)
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// 17
	// 18
	// <nil>
}

// Operators see how circuits, places and budgets stand.
func ExampleRegistry_Handler() {
	registry := &rt.Registry{}
	policy := oneAttempt()
	policy.Compartment.Breaker = rt.Breaker{Consecutive: 1, OpenFor: 30 * time.Second, Probes: rt.Probes{Count: 1, Successes: 1}}
	quotes, _ := newQuotes(policy, rt.ClientConfig{Registry: registry}, faulttest.Status(503))
	_, _ = quotes.do(context.Background())

	w := httptest.NewRecorder()
	registry.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/circuits", nil))
	var shown rt.Snapshot
	if err := json.UnmarshalRead(w.Body, &shown); err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range shown.Compartments {
		fmt.Println(c.Dependency, c.Host, c.Circuit)
	}
	// Output: quotes quotes.internal open
}

// Queries of a database under the same eyes and switches as the clients.
func ExampleRunner() {
	policy := &rt.Policy{
		Class:       rt.Safe,
		Compartment: &rt.Compartment{Dependency: "ledger-db", Bulkhead: rt.Bulkhead{MaxConcurrent: 20}},
		Timeout:     rt.Timeout{Attempt: time.Second, Total: 3 * time.Second},
		Retry:       rt.Retry{MaxAttempts: 3, When: rt.When{Connection: true}},
	}
	registry, controls := &rt.Registry{}, &rt.Controls{}
	runner, err := rt.NewRunner(rt.RunnerConfig{Registry: registry, Controls: controls}, policy)
	if err != nil {
		fmt.Println(err)
		return
	}
	tries := 0
	query := func(context.Context) error { tries++; return errors.New("deadlock found") }

	_ = runner.Run(context.Background(), policy, query)
	controls.RetriesOff("ledger-db", true)
	_ = runner.Run(context.Background(), policy, query)
	fmt.Println("tries:", tries, "places:", registry.Snapshot().Compartments[0].MaxConcurrent)
	// Output: tries: 4 places: 20
}

// Each attempt tells the server how long its answer is still wanted.
func ExampleDeadlineRule() {
	policy := oneAttempt()
	policy.Timeout.Total = 3 * time.Second
	policy.Deadline = rt.DeadlineRule{Header: "X-Request-Timeout-Ms", Format: rt.Remaining, Margin: 100 * time.Millisecond}
	quotes, _ := newQuotes(policy, rt.ClientConfig{AfterAttempt: func(answer *http.Response) {
		left, err := strconv.Atoi(answer.Request.Header.Get("X-Request-Timeout-Ms"))
		fmt.Println(left > 0 && left <= 2900, err)
	}})

	_, _ = quotes.do(context.Background())
	// Output: true <nil>
}

// Hooks see each attempt's request before its credentials are added, and each
// answer before its body is read.
func ExampleClientConfig() {
	quotes, _ := newQuotes(bare(rt.Safe), rt.ClientConfig{
		BeforeAttempt: func(r *http.Request) error { r.Header.Set("X-Trace", "7"); return nil },
		AfterAttempt:  func(answer *http.Response) { fmt.Println(answer.StatusCode, answer.Request.Header.Get("X-Trace")) },
	})

	_, _ = quotes.do(context.Background())
	// Output: 200 7
}
