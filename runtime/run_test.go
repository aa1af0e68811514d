package runtime_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
)

func TestRun(t *testing.T) {
	dial := &net.OpError{Op: "dial", Err: errors.New("refused")}
	other := errors.New("deadlock found")
	for _, c := range []struct {
		name  string
		class rt.Class
		err   error
		calls int
		want  rt.Outcome
	}{
		{"safe", rt.Safe, other, 3, rt.Unknown},
		{"unsafe", rt.Unsafe, other, 1, rt.Unknown},
		{"unsafe, not done", rt.Unsafe, rt.NotDone(other), 2, rt.NotSent},
		{"unsafe, a refused dial proves nothing", rt.Unsafe, dial, 1, rt.Unknown},
		{"permanent", rt.Safe, rt.Permanent(other), 1, rt.Rejected},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				calls := 0
				err := rt.Run(t.Context(), bare(c.class), func(context.Context) error { calls++; return c.err })
				if ce := callError(t, err); calls != c.calls || ce.Outcome != c.want {
					t.Errorf("calls = %d, outcome %s; want %d, %s", calls, ce.Outcome, c.calls, c.want)
				}
				if !errors.Is(err, other) && !errors.Is(err, dial) {
					t.Errorf("error = %v, want the function's own within", err)
				}
			})
		})
	}
}

func TestRunHasAllLayers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := tripAt(bare(rt.Safe), 2)
		p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 1}
		var info rt.Info
		err := rt.Run(t.Context(), p, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, rt.WithInfo(&info))
		if !errors.Is(err, rt.ErrCircuitOpen) || info.Attempts != 2 {
			t.Errorf("= %v after %d attempts, want the circuit open after 2", err, info.Attempts)
		}
		if err := rt.Run(t.Context(), p, func(context.Context) error { t.Error("called"); return nil }); !errors.Is(err, rt.ErrCircuitOpen) {
			t.Errorf("= %v, want the state kept", err)
		}
		time.Sleep(12 * time.Second)
		if err := rt.Run(t.Context(), p, func(context.Context) error { return nil }); err != nil {
			t.Errorf("probe: %v", err)
		}
	})
}

func TestRunMistakesAreErrors(t *testing.T) {
	for _, p := range []*rt.Policy{nil, {}, {Class: rt.Keyed, Compartment: &rt.Compartment{}}} {
		if err := rt.Run(t.Context(), p, func(context.Context) error { return nil }); callError(t, err).Class != rt.ClassInput {
			t.Errorf("%+v: %v, want input", p, err)
		}
	}
}

func TestRunWithoutContextOrFunction(t *testing.T) {
	var none context.Context
	var info rt.Info
	if err := rt.Run(none, bare(rt.Safe), func(context.Context) error { return nil }, rt.WithInfo(&info)); callError(t, err).Class != rt.ClassInput || info.Outcome != rt.NotSent {
		t.Errorf("no context: %v, %s; want input, not sent", err, info.Outcome)
	}
	if err := rt.Run(t.Context(), bare(rt.Safe), nil); callError(t, err).Class != rt.ClassInput {
		t.Errorf("no function: %v, want input", err)
	}
	if err := rt.Run(t.Context(), bare(rt.Safe), func(context.Context) error { return nil }, rt.WithTimeout(-1), rt.WithInfo(&info)); callError(t, err).Class != rt.ClassInput {
		t.Errorf("an option that is wrong: %v, want input", err)
	}
}

// A function that panics gives back its place and its probe.
func TestRunGivesBackAfterAPanic(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Unsafe)
		p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 1}
		for range 3 {
			func() {
				defer func() { _ = recover() }()
				_ = rt.Run(t.Context(), p, func(context.Context) error { panic("user code") })
			}()
		}
		if err := rt.Run(t.Context(), p, func(context.Context) error { return nil }); err != nil {
			t.Errorf("= %v, want the place given back", err)
		}
	})
}
