package runtime

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/resgen-dev/resgen/runtime/internal/breaker"
	"github.com/resgen-dev/resgen/runtime/internal/budget"
	"github.com/resgen-dev/resgen/runtime/internal/bulkhead"
)

// A compartment is the state of one Compartment for one scheme and host. Its
// times are monotonic, from a base of its own.
type compartment struct {
	key       compartmentKey
	config    Compartment
	base      time.Time
	breaker   *breaker.Breaker   // nil: none
	bulkhead  *bulkhead.Bulkhead // nil: none
	budget    *budget.Budget     // nil: none
	transport http.RoundTripper
	pooled    bool         // transport is ours alone
	held      atomic.Int64 // on hold until then
	observers atomic.Pointer[[]Observer]
	switches  atomic.Pointer[switches]
}

type compartmentKey struct{ dependency, name, scheme, host string }

func newCompartment(key compartmentKey, config Compartment, transport http.RoundTripper) *compartment {
	c := &compartment{key: key, config: config, base: time.Now(), transport: transport}
	if transport == nil {
		c.transport, c.pooled = newPool(config), true
	}
	if b := config.Breaker; b.Window > 0 || b.Consecutive > 0 {
		c.breaker = breaker.New(breaker.Config{
			FailureRate: int(b.FailureRate), SlowRate: int(b.SlowRate), Window: b.Window, MinimumCalls: b.MinimumCalls,
			Consecutive: b.Consecutive, OpenFor: b.OpenFor, OpenMax: b.OpenMax, Probes: b.Probes.Count, Successes: b.Probes.Successes,
		}, c.circuitChanged)
		c.breaker.Observe(b.Observe)
	}
	if b := config.Bulkhead; b.MaxConcurrent > 0 {
		c.bulkhead = bulkhead.New(b.MaxConcurrent, b.MaxQueue)
	}
	if b := config.Budget; b.Window > 0 {
		c.budget = budget.New(int(b.Ratio), int64(b.Floor), b.Window)
	}
	return c
}

// now is the time since the compartment's base.
func (c *compartment) now() time.Duration { return time.Since(c.base) }

// at turns a reading of now into a time, for contexts and reports.
func (c *compartment) at(now time.Duration) time.Time { return c.base.Add(now) }

// hold puts the compartment on hold for wait, at most as long as its circuit
// would stay open.
func (c *compartment) hold(now, wait time.Duration) {
	wait = min(wait, c.config.Breaker.OpenFor)
	if c.breaker == nil || wait <= 0 {
		return
	}
	for until := int64(now + wait); ; {
		old := c.held.Load()
		if old >= until || c.held.CompareAndSwap(old, until) {
			return
		}
	}
}

// onHold says how long the compartment is still on hold.
func (c *compartment) onHold(now time.Duration) time.Duration {
	held := c.held.Load()
	if held == 0 {
		return 0
	}
	left := time.Duration(held) - now
	if left <= 0 || c.breaker == nil || c.breaker.Passes() {
		return 0
	}
	return left
}

func (c *compartment) circuitChanged(ch breaker.Change) {
	observers := c.observers.Load()
	if observers == nil {
		return
	}
	e := Event{
		Kind: CircuitChanged, Dependency: c.key.dependency, Compartment: c.key.name,
		From: stateOf(ch.From), State: stateOf(ch.To), Calls: int(ch.Calls), Failures: int(ch.Failures), SlowOnes: int(ch.Slow),
		Duration: ch.OpenFor,
	}
	if ch.ByHand {
		e.Reason = ReasonControl
	}
	for _, o := range *observers {
		o.Observe(context.Background(), e)
	}
}

// watch adds an observer of the circuit, once.
func (c *compartment) watch(o Observer) {
	if o == nil {
		return
	}
	for {
		old := c.observers.Load()
		var list []Observer
		if old != nil {
			for _, have := range *old {
				if same(have, o) {
					return
				}
			}
			list = append(list, *old...)
		}
		list = append(list, o)
		if c.observers.CompareAndSwap(old, &list) {
			return
		}
	}
}

// same compares two observers, of which either may be of a type that cannot be
// compared.
func same(a, b Observer) (equal bool) {
	defer func() {
		if recover() != nil {
			equal = false
		}
	}()
	return a == b
}

func stateOf(s breaker.State) State {
	switch s {
	case breaker.Closed:
		return Closed
	case breaker.HalfOpen:
		return HalfOpen
	case breaker.Open:
		return Open
	default:
		panic(fmt.Sprintf("runtime: circuit state %d not handled", s))
	}
}

// freshConnections makes the next attempt use a new connection. A transport of
// the caller's is left alone: it serves other hosts too.
func (c *compartment) freshConnections() {
	if pool, ok := c.transport.(*http.Transport); ok && c.pooled {
		pool.CloseIdleConnections()
	}
}
