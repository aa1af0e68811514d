package runtime_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func shown(m *rt.Metrics) string {
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

// The metrics have the names that the operators' rules are written for, and
// count what happened.
func TestMetrics(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var next atomic.Int32
		registry := &rt.Registry{}
		m := &rt.Metrics{Registry: registry, Next: observe(func(rt.Event) { next.Add(1) })}
		p := tripAt(bare(rt.Safe), 4)
		p.Compartment.Name, p.Compartment.Bulkhead = "quotes", rt.Bulkhead{MaxConcurrent: 1}
		server := faulttest.NewRoundTripper(
			faulttest.Slow(700*time.Millisecond, faulttest.Step{}), faulttest.Status(404), faulttest.Status(503), faulttest.Hang(), faulttest.Status(503))
		c := newClient(t, p, server, func(c *rt.ClientConfig) { c.Registry, c.Observer = registry, m })
		calls := func(n int) {
			for range n {
				_, _ = c.do(t.Context())
			}
		}
		go calls(1)
		time.Sleep(time.Millisecond)
		for _, line := range []string{
			`circuit_breaker_state{dependency="payments",compartment="quotes"} 0`,
			`bulkhead_active_calls{dependency="payments",compartment="quotes"} 1`,
		} {
			if got := shown(m); !strings.Contains(got, line+"\n") {
				t.Errorf("while a call runs: no line %s in\n%s", line, got)
			}
		}
		calls(1) // no place
		time.Sleep(time.Second)
		calls(3) // 404; 503, hung, 503: it opens; refused
		got := shown(m)
		for _, line := range []string{
			`# TYPE circuit_breaker_state gauge`,
			`circuit_breaker_state{dependency="payments",compartment="quotes"} 2`,
			`bulkhead_active_calls{dependency="payments",compartment="quotes"} 0`,
			`# TYPE circuit_breaker_calls_total counter`,
			`circuit_breaker_calls_total{dependency="payments",compartment="quotes",state="closed",result="success"} 2`,
			`circuit_breaker_calls_total{dependency="payments",compartment="quotes",state="closed",result="failure"} 2`,
			`circuit_breaker_calls_total{dependency="payments",compartment="quotes",state="open",result="short-circuited"} 2`,
			`bulkhead_rejected_calls_total{dependency="payments",compartment="quotes"} 1`,
			`retry_attempts_total{dependency="payments",compartment="quotes",operation="createCharge",attempt_number="1"} 3`,
			`retry_attempts_total{dependency="payments",compartment="quotes",operation="createCharge",attempt_number="2"} 1`,
			`timeout_exceeded_total{dependency="payments",compartment="quotes",operation="createCharge"} 1`,
			`# TYPE attempt_duration_seconds histogram`,
			`attempt_duration_seconds_bucket{dependency="payments",compartment="quotes",operation="createCharge",le="0.5"} 2`,
			`attempt_duration_seconds_bucket{dependency="payments",compartment="quotes",operation="createCharge",le="1"} 4`,
			`attempt_duration_seconds_bucket{dependency="payments",compartment="quotes",operation="createCharge",le="+Inf"} 4`,
			`attempt_duration_seconds_sum{dependency="payments",compartment="quotes",operation="createCharge"} 1.7`,
			`attempt_duration_seconds_count{dependency="payments",compartment="quotes",operation="createCharge"} 4`,
			`attempt_limit_ratio_bucket{dependency="payments",compartment="quotes",operation="createCharge",le="0.6"} 2`,
			`attempt_limit_ratio_bucket{dependency="payments",compartment="quotes",operation="createCharge",le="0.7"} 3`,
			`attempt_limit_ratio_bucket{dependency="payments",compartment="quotes",operation="createCharge",le="0.99"} 3`,
			`attempt_limit_ratio_bucket{dependency="payments",compartment="quotes",operation="createCharge",le="+Inf"} 4`,
		} {
			if !strings.Contains(got, line+"\n") {
				t.Errorf("no line %s", line)
			}
		}
		if t.Failed() {
			t.Log(got)
		}
		if next.Load() == 0 {
			t.Error("the next observer was told of nothing")
		}
	})
}

// What a name holds cannot break the page, attempts are bounded, and an
// attempt without a limit is near none.
func TestMetricsAreBounded(t *testing.T) {
	var m rt.Metrics
	for attempt := range 100 {
		m.Observe(context.Background(), rt.Event{Kind: rt.AttemptStarted, Dependency: "a\"b\\c\nd", Attempt: attempt + 1})
	}
	m.Observe(context.Background(), rt.Event{Kind: rt.AttemptEnded, State: rt.Disabled, Result: "ignored", Duration: time.Minute})
	got := shown(&m)
	if n := strings.Count(got, "retry_attempts_total{"); n != 10 {
		t.Errorf("%d series of attempts, want 10", n)
	}
	for _, line := range []string{
		`retry_attempts_total{dependency="a\"b\\c\nd",compartment="",attempt_number="10"} 91`,
		`circuit_breaker_calls_total{dependency="",compartment="",state="disabled",result="ignored"} 1`,
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("no line %s in\n%s", line, got)
		}
	}
	if strings.Contains(got, "attempt_limit_ratio") || strings.Contains(got, "circuit_breaker_state") {
		t.Errorf("a ratio without a limit, or a gauge without a registry:\n%s", got)
	}
}

// What Prometheus reads.
func ExampleMetrics() {
	registry := &rt.Registry{}
	metrics := &rt.Metrics{Registry: registry}
	mux := http.NewServeMux()
	mux.Handle("/metrics", metrics)
	quotes, _ := newQuotes(oneAttempt(), rt.ClientConfig{Registry: registry, Observer: metrics}, faulttest.Step{})
	_, _ = quotes.do(context.Background())

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "circuit_breaker_calls_total") || strings.HasPrefix(line, "retry_attempts_total") {
			fmt.Print(line)
		}
	}
	// Output:
	// circuit_breaker_calls_total{dependency="quotes",compartment="",state="disabled",result="success"} 1
	// retry_attempts_total{dependency="quotes",compartment="",operation="getQuote",attempt_number="1"} 1
}

// Hosts are no label: of their circuits the worst shows, of their calls the sum.
func TestMetricsOverHosts(t *testing.T) {
	bubble(t, func(t *testing.T) {
		registry := &rt.Registry{}
		m := &rt.Metrics{Registry: registry}
		p := tripAt(bare(rt.Safe), 1)
		p.Retry.MaxAttempts, p.Compartment.Bulkhead = 1, rt.Bulkhead{MaxConcurrent: 5}
		server := faulttest.NewRoundTripper(faulttest.Status(503))
		server.Otherwise(faulttest.Slow(100*time.Millisecond, faulttest.Step{}))
		c := newClient(t, p, server, func(c *rt.ClientConfig) { c.Registry = registry })
		at := func(host string) { c.base = "http://" + host; _, _ = c.do(t.Context()) }
		at("b.invalid") // opens
		for _, host := range []string{"a.invalid", "c.invalid"} {
			base := *c
			base.base = "http://" + host
			go func() { _, _ = base.do(t.Context()) }()
		}
		time.Sleep(time.Millisecond)
		got := shown(m)
		for _, line := range []string{
			`circuit_breaker_state{dependency="payments",compartment=""} 2`,
			`bulkhead_active_calls{dependency="payments",compartment=""} 2`,
		} {
			if !strings.Contains(got, line+"\n") {
				t.Errorf("no line %s in\n%s", line, got)
			}
		}
	})
}
