package runtime_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
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

func TestOverrides(t *testing.T) {
	o, err := rt.ParseOverrides([]byte(`{
		"payments": {"attempt": "200ms", "total": "5s", "maxAttempts": 2, "maxConcurrent": 7, "failureRate": 9000},
		"payments/reports": {"maxAttempts": 1, "maxQueue": 0, "total": "6s"}
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
	if err != nil || got.Retry.MaxAttempts != 1 || got.Timeout.Attempt != 200*time.Millisecond || got.Timeout.Total != 6*time.Second || got.Compartment.Bulkhead.MaxQueue != 0 || got.Compartment.Bulkhead.MaxConcurrent != 4 {
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

// Each field that cannot hold is named with its value, whatever stands in the

// literal; nothing panics.

func TestEveryBadFieldIsNamed(t *testing.T) {
	for want, edit := range map[string]func(*rt.Policy){
		"Class is Class(9)":                     func(p *rt.Policy) { p.Class = 9 },
		"Class is keyed and Key is not set":     func(p *rt.Policy) { p.Class = rt.Keyed },
		"Compartment is nil":                    func(p *rt.Policy) { p.Compartment = nil },
		"Timeout.Attempt is -1ns":               func(p *rt.Policy) { p.Timeout.Attempt = -1 },
		"Timeout.Total is 2562047h47m16.8":      func(p *rt.Policy) { p.Timeout.Total = math.MaxInt64 },
		"Retry.MaxAttempts is -1":               func(p *rt.Policy) { p.Retry.MaxAttempts = -1 },
		"Retry.When.Except has 700":             func(p *rt.Policy) { p.Retry.When.Except = []int{700} },
		"Retry.Backoff.Multiplier is NaN":       func(p *rt.Policy) { p.Retry.Backoff.Multiplier = math.NaN() },
		"Retry.Backoff.Jitter is 77":            func(p *rt.Policy) { p.Retry.Backoff.Jitter = 77 },
		`Retry.RetryAfter.Headers is "X Reset"`: func(p *rt.Policy) { p.Retry.RetryAfter.Headers = []string{"X Reset"} },
		`Retry.Verdict.Header is "a b"`:         func(p *rt.Policy) { p.Retry.Verdict.Header = "a b" },
		"Retry.Verdict.WhenAbsent is 5":         func(p *rt.Policy) { p.Retry.Verdict.WhenAbsent = 5 },
		"Rejects has 200":                       func(p *rt.Policy) { p.Rejects = []int{200} },
		"AlreadyDone has -4":                    func(p *rt.Policy) { p.AlreadyDone = []int{-4} },
		"Counts has 99":                         func(p *rt.Policy) { p.Counts = rt.Counts{99: true} },
		"SlowOver is -1ns":                      func(p *rt.Policy) { p.SlowOver = -1 },
		"Fallback.Kind is -2":                   func(p *rt.Policy) { p.Fallback.Kind = -2 },
		"Fallback.Value is":                     func(p *rt.Policy) { p.Fallback = rt.Fallback{Kind: rt.FallbackStatic, Value: "{"} },
		"Fallback.Status is 404":                func(p *rt.Policy) { p.Fallback = rt.Fallback{Kind: rt.FallbackStatic, Status: 404} },
		`Fallback.Vary is "a b"`:                func(p *rt.Policy) { p.Fallback.Vary = []string{"a b"} },
		"Fallback.Principal is 9":               func(p *rt.Policy) { p.Fallback.Principal = 9 },
		`Deadline.Header is "é"`:                func(p *rt.Policy) { p.Deadline = rt.DeadlineRule{Header: "é", Format: rt.Remaining} },
		"Deadline.Margin is -1ns":               func(p *rt.Policy) { p.Deadline = rt.DeadlineRule{Header: "X", Format: rt.Remaining, Margin: -1} },
		"Key.In is 8":                           func(p *rt.Policy) { p.Key.In = 8 },
		`Key.Name is ""`:                        func(p *rt.Policy) { p.Key.In = rt.InHeader },
		`Key.Pointer is "key"`:                  func(p *rt.Policy) { p.Key = rt.KeyRule{In: rt.InBody, Pointer: "key"} },
		"Key.MaxLength is -1":                   func(p *rt.Policy) { p.Key.MaxLength = -1 },
		"Key.Stores is 4":                       func(p *rt.Policy) { p.Key.Stores = 4 },
		`Key.Replayed is " "`:                   func(p *rt.Policy) { p.Key.Replayed = " " },
		"Key.Statuses: 409 means 0":             func(p *rt.Policy) { p.Key.Statuses = []rt.KeyStatus{{Status: 409}} },
		"Compartment.Connect is -1ns":           func(p *rt.Policy) { p.Compartment.Connect = -1 },
		"Breaker.FailureRate is 10001":          func(p *rt.Policy) { p.Compartment.Breaker.FailureRate = 10001 },
		"Breaker.Consecutive is -1":             func(p *rt.Policy) { p.Compartment.Breaker.Consecutive = -1 },
		"Breaker.OpenFor is -1ns":               func(p *rt.Policy) { p.Compartment.Breaker.OpenFor = -1 },
		"Breaker.Probes.Successes is 3 of 2":    func(p *rt.Policy) { tripAt(p, 1).Compartment.Breaker.Probes = rt.Probes{Count: 2, Successes: 3} },
		"Breaker.OpenMax is 1s":                 func(p *rt.Policy) { tripAt(p, 1).Compartment.Breaker.OpenMax = time.Second },
		"Bulkhead.MaxConcurrent is 4294967297":  func(p *rt.Policy) { p.Compartment.Bulkhead.MaxConcurrent = 1<<32 + 1 },
		"Bulkhead.MaxQueue is -1":               func(p *rt.Policy) { p.Compartment.Bulkhead.MaxQueue = -1 },
		"Budget.Ratio is -1":                    func(p *rt.Policy) { p.Compartment.Budget.Ratio = -1 },
		"Budget.Window is -1ns":                 func(p *rt.Policy) { p.Compartment.Budget.Window = -1 },
	} {
		p := bare(rt.Safe)
		edit(p)
		if _, err := rt.NewEngine(rt.EngineSpec{Package: "payments", Policies: []*rt.Policy{p}}, rt.ClientConfig{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q: %v", want, err)
		}
	}
	if _, err := rt.NewEngine(rt.EngineSpec{}, rt.ClientConfig{UserAgent: "a\nb"}); err == nil || !strings.Contains(err.Error(), "UserAgent") {
		t.Errorf("a user agent of two lines: %v", err)
	}
}

// Clients of one registry want the same of a compartment of one name, or the

// second is not made. One that was not made leaves nothing behind.

// Two policies of a client that name the same compartment agree on it.

// A reset of one dependency holds against a force of all.

func TestResetOfOneWhileAllAreForced(t *testing.T) {
	bubble(t, func(t *testing.T) {
		controls := &rt.Controls{}
		rtr := always(faulttest.Status(200))
		c := newClient(t, tripAt(bare(rt.Safe), 3), rtr, func(c *rt.ClientConfig) { c.Controls = controls })
		if err := controls.Force("", rt.Open); err != nil {
			t.Fatal(err)
		}
		if _, err := c.do(t.Context()); !errors.Is(err, rt.ErrCircuitOpen) {
			t.Errorf("forced: %v, want open", err)
		}
		controls.Reset("payments")
		controls.RetriesOff("payments", true) // applies all switches anew
		if _, err := c.do(t.Context()); err != nil {
			t.Errorf("reset: %v, want closed", err)
		}
		c.base = "http://other.invalid" // a compartment made later
		if _, err := c.do(t.Context()); err != nil {
			t.Errorf("reset, another host: %v, want closed", err)
		}
		controls.Reset("")
		if _, err := c.do(t.Context()); err != nil {
			t.Errorf("all reset: %v", err)
		}
	})
}

// Switches that are set at once end in what was said last.

func TestControlsAtOnce(t *testing.T) {
	controls, registry := &rt.Controls{}, &rt.Registry{}
	c := newClient(t, tripAt(bare(rt.Safe), 3), always(faulttest.Step{}), func(c *rt.ClientConfig) { c.Controls, c.Registry = controls, registry })
	_, _ = c.do(t.Context())
	for range 5000 {
		var wg sync.WaitGroup
		wg.Go(func() { controls.RetriesOff("", true) })
		wg.Go(func() { controls.ObserveOnly("", true) })
		wg.Wait()
		if k := registry.Snapshot().Compartments[0]; !k.RetriesOff || !k.ObserveOnly {
			t.Fatalf("both were set: %+v", k)
		}
		controls.RetriesOff("", false)
		controls.ObserveOnly("", false)
	}
}

func TestResetOfAllEndsTheForceOfOne(t *testing.T) {
	bubble(t, func(t *testing.T) {
		controls := &rt.Controls{}
		controlled := func(c *rt.ClientConfig) { c.Controls = controls }
		c := newClient(t, tripAt(bare(rt.Safe), 3), always(faulttest.Step{}), controlled)
		for _, s := range []rt.State{rt.Open, rt.Closed, rt.Open} {
			if err := controls.Force("payments", s); err != nil {
				t.Fatal(err)
			}
			if _, err := c.do(t.Context()); errors.Is(err, rt.ErrCircuitOpen) != (s == rt.Open) {
				t.Errorf("forced %s: %v", s, err)
			}
		}
		controls.Reset("")
		if _, err := c.do(t.Context()); err != nil {
			t.Errorf("reset: %v", err)
		}
		if _, err := newClient(t, tripAt(bare(rt.Safe), 3), always(faulttest.Step{}), controlled).do(t.Context()); err != nil {
			t.Errorf("a client made later: %v, want that the force has ended", err)
		}
	})
}
