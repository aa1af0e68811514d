package runtime

import (
	"errors"
	"math"
	"time"

	"github.com/resgen-dev/resgen/runtime/internal/breaker"
	"github.com/resgen-dev/resgen/runtime/internal/bulkhead"
)

// An admission is what an attempt holds: a breaker's token and a bulkhead's place.
type admission struct {
	token   breaker.Token
	state   State // of the circuit that admitted it
	pending bool  // the token has no verdict yet
	place   bool
	start   time.Duration
}

// admit asks for both. A refusal has a happening; otherwise the zero result is
// returned and a.start is when the attempt may begin. While an admission waits
// for a place it gives the breaker's back unmeasured, so that a probe's place
// is never held by who only waits.
func (x *execution) admit(a *admission, now time.Duration) result {
	a.start = now
	if r := x.passCircuit(a, now); r.happened != 0 {
		return r
	}
	b := x.compartment.bulkhead
	if b == nil || b.TryEnter() {
		a.place = b != nil
		return result{}
	}
	x.giveBack(a)
	if r := x.queue(now); r.happened != 0 {
		return r
	}
	a.place, a.start = true, x.compartment.now()
	if x.observer != nil {
		x.observe(Event{Kind: BulkheadEntered, Duration: a.start - now})
	}
	return x.passCircuit(a, a.start)
}

// passCircuit asks whether the compartment is on hold and whether its circuit lets pass.
func (x *execution) passCircuit(a *admission, now time.Duration) result {
	c := x.compartment
	if c.breaker == nil {
		a.state = Disabled
		return result{}
	}
	if left := c.onHold(now); left > 0 {
		return result{happened: isOnHold, err: ErrOnHold, wait: left, hasWait: true}
	}
	token, wait, ok := c.breaker.Admit(now, x.plan.lease)
	if !ok {
		return result{happened: circuitIsOpen, err: ErrCircuitOpen, wait: wait, hasWait: wait < math.MaxInt64/2}
	}
	a.token, a.pending, a.state = token, true, Closed
	if token.Probe() {
		a.state = HalfOpen
	}
	return result{}
}

// queue waits for a place in the bulkhead, at most its time and the call's.
func (x *execution) queue(now time.Duration) result {
	rule := x.compartment.config.Bulkhead
	full := result{happened: bulkheadIsFull, err: ErrBulkheadFull}
	if rule.MaxQueue == 0 {
		return x.tellFull(full)
	}
	wait, byCall := rule.MaxWait, false
	if left := x.end - now; x.end != noEnd && !x.callersEnd && (wait == 0 || left < wait) {
		wait, byCall = max(left, 1), true
	}
	if x.observer != nil {
		x.observe(Event{Kind: BulkheadQueued, Limit: wait})
	}
	switch err := x.compartment.bulkhead.Enter(x.ctx, wait); {
	case err == nil:
		return result{}
	case errors.Is(err, bulkhead.ErrTooLong) && byCall:
		return result{happened: totalLimit, outcome: NotSent, err: ErrNoTimeLeft}
	case errors.Is(err, bulkhead.ErrFull), errors.Is(err, bulkhead.ErrTooLong):
		return x.tellFull(full)
	default:
		return result{happened: callerHappening(err), outcome: NotSent, err: err}
	}
}

func (x *execution) tellFull(r result) result {
	if x.observer != nil {
		x.observe(Event{Kind: BulkheadRefused, Class: ClassBulkheadFull, Reason: ReasonBulkhead})
	}
	return r
}

// giveBack returns the breaker's place unmeasured.
func (x *execution) giveBack(a *admission) {
	if a.pending {
		a.pending = false
		x.compartment.breaker.Done(a.token, breaker.Neutral, false, x.compartment.now())
	}
}

// leave gives back whatever the attempt still holds.
func (x *execution) leave(a *admission) {
	x.giveBack(a)
	if a.place {
		x.compartment.bulkhead.Leave()
	}
}

// settle takes the attempt's verdict to the breaker, the budget and the call.
func (x *execution) settle(a *admission, r *result) {
	c := x.compartment
	now := c.now()
	took := now - a.start
	slow := x.plan.policy.SlowOver > 0 && took >= x.plan.policy.SlowOver && r.reachesOut()
	if a.pending {
		a.pending = false
		c.breaker.Done(a.token, x.verdict(r), slow, now)
	}
	if x.count == 1 && c.budget != nil && r.effect() > NotSent {
		c.budget.First(now)
	}
	if r.happened == unavailableUntil {
		c.hold(now, r.wait)
	}
	x.note(a, r, took, now)
	if x.observer != nil {
		x.tellAttempt(a, r, took, slow)
	}
}

// reachesOut reports whether the dependency had a part in how the attempt
// ended: what we refuse ourselves does not count against it, slow or not.
func (r *result) reachesOut() bool {
	return r.happened != badInput && r.happened != noCredentials
}

// verdict is the table's, edited by breaker.counts.
func (x *execution) verdict(r *result) breaker.Verdict {
	switch status := r.status(); {
	case status == 0:
	case x.plan.counted.has(status):
		return breaker.Failure
	case x.plan.uncounted.has(status):
		return breaker.Neutral
	}
	return r.row().breaker
}

// note keeps what the call must know of an attempt.
func (x *execution) note(a *admission, r *result, took, now time.Duration) {
	if r.hasWait {
		x.waitNamed = r.wait
	}
	if r.happened == answered {
		x.outcome = Applied
		return
	}
	x.outcome = max(x.outcome, r.effect())
	x.last = *r
	x.attempts = append(x.attempts, Attempt{
		Start: x.compartment.at(a.start), Duration: took, Wait: x.wait,
		Status: r.status(), Class: r.row().class, Outcome: r.effect(), Err: r.err,
	})
}
