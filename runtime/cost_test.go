//go:build !race

package runtime_test

import (
	"context"
	"net/url"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
)

// What the layers may allocate. Under the race detector pools drop what they
// hold, so that it cannot be measured there.
func TestCostInAllocations(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	nothing := func(context.Context) error { return nil }
	tighter, timer := full(rt.Safe), full(rt.Safe)
	tighter.Timeout.Attempt, tighter.Timeout.Total = 2*time.Hour, 2*time.Hour
	own := testing.AllocsPerRun(200, func() {
		_, cancel := context.WithTimeout(ctx, time.Second)
		cancel()
	})
	for name, c := range map[string]struct {
		policy *rt.Policy
		most   float64
	}{"five layers, caller's deadline tighter": {tighter, 0}, "five layers with the attempt timer": {timer, own}} {
		if got := testing.AllocsPerRun(200, func() { _ = rt.Run(ctx, c.policy, nothing) }); got > c.most {
			t.Errorf("%s: %v allocations, want at most %v", name, got, c.most)
		}
	}
}

// A call allocates at most three times more than the same by hand, httptrace for
// writes among them; a made key is one more.
func TestCostOfACallInAllocations(t *testing.T) {
	body, transport := charge{Amount: 1}, &memory{[]byte(`{"id":"ch_1","amount":1}`)}
	u, err := url.Parse("http://memory.invalid/charges")
	if err != nil {
		t.Fatal(err)
	}
	hand := newHand(transport)
	base := testing.AllocsPerRun(200, func() { _, _ = byHand(t.Context(), hand, u.String(), body) })
	for class, more := range map[rt.Class]float64{rt.Idempotent: 3, rt.Keyed: 4, rt.Unsafe: 3} {
		p := full(class)
		e, err := rt.NewEngine(rt.EngineSpec{Package: "cost", Policies: []*rt.Policy{p}}, rt.ClientConfig{Transport: transport})
		if err != nil {
			t.Fatal(err)
		}
		got := testing.AllocsPerRun(200, func() { _, _ = generated(t.Context(), e, p, u, body) })
		if got > base+more {
			t.Errorf("%s: %v allocations, by hand %v; want at most %v more", class, got, base, more)
		}
	}
}
