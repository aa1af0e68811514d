package runtime_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
)

// newRunner makes a runner for p.
func newRunner(t *testing.T, config rt.RunnerConfig, p *rt.Policy) *rt.Runner {
	t.Helper()
	r, err := rt.NewRunner(config, p)
	if err != nil {
		t.Fatalf("NewRunner: %v", err)
	}
	return r
}

var errQuery = errors.New("deadlock found")

func deadlocked(context.Context) error { return errQuery }
func unhurt(context.Context) error     { return nil }

func TestRunnerShowsInASnapshot(t *testing.T) {
	bubble(t, func(t *testing.T) {
		registry := &rt.Registry{}
		p := tripAt(bare(rt.Safe), 2)
		r := newRunner(t, rt.RunnerConfig{Registry: registry}, p)
		if got := registry.Snapshot().Compartments; len(got) != 1 || got[0].Circuit != "closed" || got[0].Host != "" {
			t.Errorf("before = %+v, want one closed circuit without a host", got)
		}
		_ = r.Run(t.Context(), p, deadlocked)
		if got := registry.Snapshot().Compartments[0]; got.Circuit != "open" || got.Dependency != "payments" {
			t.Errorf("after = %+v, want it open", got)
		}
		if err := rt.Run(t.Context(), p, unhurt); err != nil {
			t.Errorf("Run: %v, want a state of its own", err)
		}
		again := newRunner(t, rt.RunnerConfig{Registry: registry}, p)
		if err := again.Run(t.Context(), p, unhurt); !errors.Is(err, rt.ErrCircuitOpen) {
			t.Errorf("another runner of the registry: %v, want the shared open circuit", err)
		}
	})
}

func TestControlsReachRunners(t *testing.T) {
	bubble(t, func(t *testing.T) {
		controls := &rt.Controls{}
		p := tripAt(bare(rt.Safe), 100)
		r := newRunner(t, rt.RunnerConfig{Controls: controls}, p)
		calls := 0
		run := func(err error) error {
			calls = 0
			return r.Run(t.Context(), p, func(context.Context) error { calls++; return err })
		}
		if err := controls.Force("payments", rt.Open); err != nil {
			t.Fatal(err)
		}
		if err := run(nil); !errors.Is(err, rt.ErrCircuitOpen) || calls != 0 {
			t.Errorf("forced open: %v after %d calls, want the circuit open and none", err, calls)
		}
		controls.Reset("payments")
		controls.RetriesOff("", true)
		if _ = run(errQuery); calls != 1 {
			t.Errorf("retries off: %d calls, want 1", calls)
		}
		controls.RetriesOff("", false)
		if _ = run(errQuery); calls != 3 {
			t.Errorf("retries on: %d calls, want 3", calls)
		}
		controls.FallbackOnly("payments", true)
		if err := run(nil); !errors.Is(err, rt.ErrCircuitOpen) || calls != 0 || callError(t, err).Outcome != rt.NotSent {
			t.Errorf("fallback only: %v after %d calls, want the circuit open and none", err, calls)
		}
	})
}

func TestRunnersAreObserved(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var events []rt.Event
		controls := &rt.Controls{}
		p := tripAt(bare(rt.Safe), 4)
		p.Compartment.Name = "ledger"
		r := newRunner(t, rt.RunnerConfig{Controls: controls, Observer: observe(func(e rt.Event) { events = append(events, e) })}, p)
		kinds := func() (list []rt.EventKind) {
			for _, e := range events {
				if e.Kind != rt.ControlChanged && (e.Dependency != "payments" || e.Compartment != "ledger") {
					t.Errorf("%s is of %q %q, want payments ledger", e.Kind, e.Dependency, e.Compartment)
				}
				list = append(list, e.Kind)
			}
			events = nil
			return list
		}
		want := []rt.EventKind{rt.AttemptStarted, rt.AttemptEnded, rt.CallDone}
		if _ = r.Run(t.Context(), p, unhurt); !slices.Equal(kinds(), want) {
			t.Errorf("a run that works: not %v", want)
		}
		want = []rt.EventKind{
			rt.AttemptStarted, rt.AttemptEnded, rt.RetryScheduled, rt.AttemptStarted, rt.AttemptEnded, rt.RetryScheduled,
			rt.AttemptStarted, rt.CircuitChanged, rt.AttemptEnded, rt.RetrySuppressed, rt.CallDone,
		}
		_ = r.Run(t.Context(), p, deadlocked)
		last := events[len(events)-1]
		if got := kinds(); !slices.Equal(got, want) || last.Class != rt.ClassTransient || last.Attempt != 3 || last.Operation != "run" {
			t.Errorf("a run that fails: %v, the last %+v; want %v, transient after 3", got, last, want)
		}
		controls.RetriesOff("", true)
		if got := kinds(); !slices.Equal(got, []rt.EventKind{rt.ControlChanged}) {
			t.Errorf("a control: %v, want that it changed", got)
		}
		_ = r.Run(t.Context(), p, nil)
		if last := events[0]; last.Class != rt.ClassInput || !slices.Equal(kinds(), []rt.EventKind{rt.CallDone}) {
			t.Errorf("no function: %+v, want one call done of class input", last)
		}
	})
}

func TestRunnersAreOverridden(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		r := newRunner(t, rt.RunnerConfig{Overrides: rt.Overrides{"payments": {Attempt: rt.Duration(20 * time.Millisecond), MaxAttempts: 1}}}, p)
		start := time.Now()
		err := r.Run(t.Context(), p, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		if ce := callError(t, err); len(ce.Attempts) != 1 || time.Since(start) != 20*time.Millisecond {
			t.Errorf("= %v after %s, want one attempt of 20ms", err, time.Since(start))
		}
		if p.Timeout.Attempt != time.Second {
			t.Errorf("the policy itself says %s, want it untouched", p.Timeout.Attempt)
		}
	})
}

func TestRunnerMistakesAreErrors(t *testing.T) {
	bad, differs := bare(rt.Safe), bare(rt.Safe)
	bad.Timeout.Attempt = -1
	differs.Compartment.Bulkhead.MaxConcurrent = 3
	for name, c := range map[string]struct {
		policies []*rt.Policy
		config   rt.RunnerConfig
		want     string
	}{
		"nil":           {[]*rt.Policy{nil}, rt.RunnerConfig{}, "policy 1 (no compartment): it is nil"},
		"a bad limit":   {[]*rt.Policy{bare(rt.Safe), bad}, rt.RunnerConfig{}, "policy 2 (safe of payments): Timeout.Attempt"},
		"two literals":  {[]*rt.Policy{bare(rt.Safe), differs}, rt.RunnerConfig{}, "policy 2 (safe of payments): Compartment"},
		"bad overrides": {[]*rt.Policy{bare(rt.Safe)}, rt.RunnerConfig{Overrides: rt.Overrides{"payments": {MaxAttempts: -1}}}, "maxAttempts is -1"},
	} {
		if _, err := rt.NewRunner(c.config, c.policies...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	p := bare(rt.Safe)
	r := newRunner(t, rt.RunnerConfig{Observer: observe(func(rt.Event) {})}, p)
	var none context.Context
	for name, err := range map[string]error{
		"another policy":      r.Run(t.Context(), bare(rt.Safe), unhurt),
		"no policy":           r.Run(none, nil, unhurt),
		"no context":          r.Run(none, p, unhurt),
		"no function":         r.Run(t.Context(), p, nil),
		"an option too small": r.Run(t.Context(), p, unhurt, rt.WithMaxAttempts(0)),
	} {
		if ce := callError(t, err); ce.Class != rt.ClassInput || ce.Outcome != rt.NotSent {
			t.Errorf("%s: %v, want input, not sent", name, err)
		}
	}
}

// observeIn is an observer that wants a context.
type observeIn func(context.Context, rt.Event)

func (f observeIn) Observe(ctx context.Context, e rt.Event) { f(ctx, e) }

// What is refused at once is told too, by its name and within a context.
func TestRefusedCallsAreTold(t *testing.T) {
	told := 0
	o := observeIn(func(ctx context.Context, e rt.Event) {
		told++
		if ctx == nil || e.Kind != rt.CallDone || e.Class != rt.ClassInput || e.Dependency != "payments" {
			t.Errorf("told of %+v in %v, want a call done of payments, class input, in a context", e, ctx)
		}
	})
	p := bare(rt.Safe)
	var none context.Context
	err := newRunner(t, rt.RunnerConfig{Observer: o}, p).Run(none, p, unhurt)
	if ce := callError(t, err); ce.Dependency != "payments" {
		t.Errorf("a run of %q, want payments", ce.Dependency)
	}
	c := newClient(t, p, nil, func(c *rt.ClientConfig) { c.Observer = o })
	c.base = "ftp://faulttest.invalid"
	_, err = c.do(none)
	if ce := callError(t, err); ce.Dependency != "payments" || told != 2 {
		t.Errorf("a call of %q, told %d times; want payments, twice", ce.Dependency, told)
	}
}
