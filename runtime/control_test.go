package runtime_test

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func TestControls(t *testing.T) {
	bubble(t, func(t *testing.T) {
		controls, registry := &rt.Controls{}, &rt.Registry{}
		var events []rt.Event
		p := tripAt(bare(rt.Safe), 3)
		p.Fallback = rt.Fallback{Kind: rt.FallbackStatic, Value: `"static"`}
		rtr := always(faulttest.Status(503))
		c := newClient(t, p, rtr, func(c *rt.ClientConfig) {
			c.Controls, c.Registry = controls, registry
			c.Observer = observe(func(e rt.Event) { events = append(events, e) })
		})
		call := func() int {
			before := rtr.Hits()
			_, _ = c.do(t.Context())
			return rtr.Hits() - before
		}
		controls.RetriesOff("payments", true)
		if n := call(); n != 1 {
			t.Errorf("retries off: %d requests, want 1", n)
		}
		controls.RetriesOff("payments", false)
		controls.FallbackOnly("payments", true)
		if n := call(); n != 0 {
			t.Errorf("fallback only: %d requests, want 0", n)
		}
		controls.FallbackOnly("payments", false)
		controls.ObserveOnly("", true)
		for range 5 {
			if n := call(); n != 3 {
				t.Errorf("observe only: %d requests, want 3", n)
			}
		}
		if k := registry.Snapshot().Compartments[0]; k.Circuit != "open" || !k.ObserveOnly {
			t.Errorf("observed circuit = %+v, want open", k)
		}
		controls.ObserveOnly("", false)
		if n := call(); n != 0 {
			t.Errorf("open: %d requests, want 0", n)
		}
		if err := controls.Force("payments", rt.Closed); err != nil || call() != 3 || call() != 3 {
			t.Errorf("forced closed: %v, want three requests each", err)
		}
		if err := controls.Force("payments", rt.Open); err != nil || call() != 0 {
			t.Errorf("forced open: %v, want no request", err)
		}
		controls.Reset("payments")
		if n := call(); n != 3 {
			t.Errorf("after reset: %d requests, want 3", n)
		}
		if err := controls.Force("payments", rt.HalfOpen); err == nil {
			t.Error("forcing half-open is no error")
		}
		controls.RetriesOff("another", true)
		changed := 0
		for _, e := range events {
			if e.Kind == rt.ControlChanged {
				changed++
			}
		}
		if changed != 10 {
			t.Errorf("control events = %d, want one a change, 10", changed)
		}
	})
}

func TestControlsReachCompartmentsMadeLater(t *testing.T) {
	bubble(t, func(t *testing.T) {
		controls := &rt.Controls{}
		if err := controls.Force("", rt.Open); err != nil {
			t.Fatal(err)
		}
		_, err := newClient(t, tripAt(bare(rt.Safe), 3), always(faulttest.Step{}), func(c *rt.ClientConfig) { c.Controls = controls }).do(t.Context())
		if !errors.Is(err, rt.ErrCircuitOpen) {
			t.Errorf("= %v, want circuit open", err)
		}
	})
}

func TestRegistryShares(t *testing.T) {
	bubble(t, func(t *testing.T) {
		registry := &rt.Registry{}
		share := func(c *rt.ClientConfig) { c.Registry = registry }
		p := tripAt(bare(rt.Safe), 3)
		_, _ = newClient(t, p, always(faulttest.Status(503)), share).do(t.Context())
		again := *p // another package's literal of the same compartment
		same := *p.Compartment
		again.Compartment = &same
		rtr := always(faulttest.Step{})
		if _, err := newClient(t, &again, rtr, share).do(t.Context()); !errors.Is(err, rt.ErrCircuitOpen) {
			t.Errorf("second client: %v, want the shared open circuit", err)
		}
		if _, err := newClient(t, &again, rtr).do(t.Context()); err != nil {
			t.Errorf("a client of its own: %v", err)
		}
		same.Bulkhead.MaxConcurrent = 7
		_, err := newClient(t, &again, rtr, share).do(t.Context())
		if ce := callError(t, err); ce.Class != rt.ClassInput || !strings.Contains(ce.Cause.Error(), "other values") {
			t.Errorf("another literal: %v, want that it differs", ce.Cause)
		}
	})
}

func TestSnapshotHandler(t *testing.T) {
	bubble(t, func(t *testing.T) {
		registry := &rt.Registry{}
		p := tripAt(bare(rt.Safe), 3)
		p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 4}
		_, _ = newClient(t, p, always(faulttest.Status(503)), func(c *rt.ClientConfig) { c.Registry = registry }).do(t.Context())
		w := httptest.NewRecorder()
		registry.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		var s struct {
			Compartments []struct {
				Dependency, Host, Circuit, ReopensIn string
				MaxConcurrent, RepeatsLeft           int
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || w.Code != 200 {
			t.Fatalf("%d %s: %v", w.Code, w.Body, err)
		}
		k := s.Compartments[0]
		if d, err := time.ParseDuration(k.ReopensIn); err != nil || d <= 0 || k.Dependency != "payments" || k.Circuit != "open" || k.MaxConcurrent != 4 || k.RepeatsLeft != -1 {
			t.Errorf("snapshot = %s", w.Body)
		}
		if w.Header().Get("X-Not-A-Readiness-Probe") == "" {
			t.Error("it does not say that it is no readiness probe")
		}
	})
}

func TestOverrides(t *testing.T) {
	o, err := rt.ParseOverrides([]byte(`{
		"payments": {"attempt": "200ms", "total": "5s", "maxAttempts": 2, "maxConcurrent": 7, "failureRate": 9000},
		"payments/reports": {"maxAttempts": 1, "maxQueue": 0}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	p := *tripAt(bare(rt.Safe), 3)
	p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 4, MaxQueue: 9}
	got, err := rt.WithOverrides(p, o)
	if err != nil || got.Timeout.Attempt != 200*time.Millisecond || got.Timeout.Total != 5*time.Second || got.Retry.MaxAttempts != 2 ||
		got.Compartment.Bulkhead.MaxConcurrent != 7 || got.Compartment.Bulkhead.MaxQueue != 9 || got.Compartment.Breaker.FailureRate != 90*rt.Percent {
		t.Errorf("= %+v %+v, %v", got, got.Compartment, err)
	}
	if p.Timeout.Attempt != time.Second || p.Compartment.Bulkhead.MaxConcurrent != 4 {
		t.Error("the policy itself was changed")
	}
	p.Compartment.Name = "reports"
	got, err = rt.WithOverrides(p, o)
	if err != nil || got.Retry.MaxAttempts != 1 || got.Timeout.Attempt != 200*time.Millisecond || got.Compartment.Bulkhead.MaxQueue != 0 || got.Compartment.Bulkhead.MaxConcurrent != 4 {
		t.Errorf("named compartment = %+v %+v, %v", got, got.Compartment, err)
	}
}

func TestOverridesOnlyLowerAttempts(t *testing.T) {
	for class, want := range map[rt.Class]int{rt.Safe: 3, rt.Unsafe: 1} {
		p, err := rt.WithOverrides(*bare(class), rt.Overrides{"payments": {MaxAttempts: 9}})
		if err != nil || max(p.Retry.MaxAttempts, 1) != want {
			t.Errorf("%s: attempts = %d, %v; want %d as the policy says", class, p.Retry.MaxAttempts, err, want)
		}
	}
}

func TestOverridesThatCannotHoldAreErrors(t *testing.T) {
	for _, text := range []string{`{"payments": {"atempt": "1s"}}`, `{"payments": {"attempt": "1 sec"}}`, `{"payments": 1}`, `[`} {
		if _, err := rt.ParseOverrides([]byte(text)); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
	_, err := rt.NewEngine(rt.EngineSpec{Package: "payments", Policies: []*rt.Policy{bare(rt.Safe)}},
		rt.ClientConfig{Overrides: rt.Overrides{"payments": {Attempt: -1}}})
	if err == nil || !strings.Contains(err.Error(), "Timeout.Attempt is -1ns; want 0 or more") {
		t.Errorf("NewEngine = %v, want what is wrong", err)
	}
	t.Setenv("RESGEN_OVERRIDES", `{"payments": {"total": "2s"}}`)
	o, err := rt.OverridesFromEnv("RESGEN_OVERRIDES")
	if err != nil || time.Duration(o["payments"].Total) != 2*time.Second {
		t.Errorf("from the environment = %v, %v", o, err)
	}
}

func TestPoliciesAreCheckedWhenAClientIsMade(t *testing.T) {
	bad := &rt.Policy{
		Class: rt.Unsafe, Retry: rt.Retry{MaxAttempts: 3, NotSent: 2, When: rt.When{Statuses: []int{42}}},
		Fallback: rt.Fallback{Kind: rt.FallbackStale}, Deadline: rt.DeadlineRule{Header: "a b"},
		Compartment: &rt.Compartment{Breaker: rt.Breaker{Window: time.Second}, Bulkhead: rt.Bulkhead{MaxConcurrent: -1}},
	}
	_, err := rt.NewEngine(rt.EngineSpec{Package: "payments", Policies: []*rt.Policy{bad, nil}}, rt.ClientConfig{MaxResponseBytes: -1})
	for _, want := range []string{
		"Retry.MaxAttempts is 3 for an unsafe operation", "Retry.NotSent is 2", "Retry.When.Statuses has 42", "stale for class unsafe",
		`Deadline.Header is "a b"`, "Breaker.OpenFor is 0s", "Bulkhead.MaxConcurrent is -1", "MaxResponseBytes is -1", "it is nil",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q:\n%v", want, err)
		}
	}
}

func TestObserverSeesEveryStep(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var kinds []rt.EventKind
		p := tripAt(bare(rt.Safe), 2)
		p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 1}
		p.Fallback = rt.Fallback{Kind: rt.FallbackStatic, Value: `"x"`}
		c := newClient(t, p, always(faulttest.Hang()), func(c *rt.ClientConfig) {
			c.Observer = observe(func(e rt.Event) {
				kinds = append(kinds, e.Kind)
				if e.Dependency != "payments" || e.Kind != rt.CircuitChanged && e.Operation != "createCharge" {
					t.Errorf("labels of %d = %q, %q", e.Kind, e.Dependency, e.Operation)
				}
				if e.Kind == rt.CircuitChanged && (e.State != rt.Open || e.From != rt.Closed || e.Failures != 2 || e.Calls != 2) {
					t.Errorf("circuit event = %+v, want the rates that caused it", e)
				}
				if e.Kind == rt.RetrySuppressed && e.Reason != rt.ReasonCircuit {
					t.Errorf("suppressed by %d, want the circuit", e.Reason)
				}
			})
		})
		if _, err := c.do(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []rt.EventKind{
			rt.AttemptStarted, rt.AttemptEnded, rt.DeadlineExceeded, rt.RetryScheduled,
			rt.AttemptStarted, rt.CircuitChanged, rt.AttemptEnded, rt.DeadlineExceeded, rt.RetryScheduled,
			rt.RetrySuppressed, rt.FallbackUsed, rt.CallDone,
		}
		if !slices.Equal(kinds, want) {
			t.Errorf("events = %v, want %v", kinds, want)
		}
	})
}
