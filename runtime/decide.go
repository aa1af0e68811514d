package runtime

import (
	"fmt"
	"slices"
	"time"
)

// decide says whether another attempt is due, and after which wait. The order
// of its questions is part of the contract.
func (x *execution) decide(r result) (wait time.Duration, end ending) {
	stop := func(why Reason, sentinel error) (time.Duration, ending) { return 0, ending{r, why, sentinel} }
	if !r.attempted {
		return stop(refusalReason(r.happened), r.err)
	}
	x.earlier = x.earlier || r.effect() >= Unknown
	if err := x.ctx.Err(); err != nil {
		return stop(ReasonCaller, err)
	}
	if x.refreshHelps(&r) {
		if !x.takeRepeat() {
			return stop(ReasonBudget, ErrRetryBudget)
		}
		return 0, ending{}
	}
	switch r.row().repeat {
	case never:
		return stop(ReasonNotListed, nil)
	case noTimeLeft:
		return stop(ReasonTime, ErrNoTimeLeft)
	}
	once, why := x.worthIt(&r)
	if why != 0 {
		return stop(why, nil)
	}
	if why, sentinel := x.allowed(once); why != 0 {
		return stop(why, sentinel)
	}
	wait = x.waitFor(&r)
	if sentinel := x.fits(&r, wait); sentinel != nil {
		return stop(ReasonTime, sentinel)
	}
	if !x.takeRepeat() {
		return stop(ReasonBudget, ErrRetryBudget)
	}
	x.useUp(&r, once)
	return wait, ending{}
}

// takeRepeat takes a repeat of any kind from the budget.
func (x *execution) takeRepeat() (ok bool) {
	if b := x.compartment.budget; b != nil {
		x.repeat, ok = b.Take(x.compartment.now())
		return ok
	}
	return true
}

// doneBefore reports whether r says that an earlier attempt, or an earlier
// call with the same key, did the work.
func (x *execution) doneBefore(r *result) bool {
	switch {
	case !r.attempted || r.answer == nil:
		return false
	case r.meaning == Done:
		return x.earlier || x.resumed
	default:
		return x.earlier && slices.Contains(x.plan.policy.AlreadyDone, r.answer.status)
	}
}

func refusalReason(h happening) Reason {
	switch h {
	case callerDeadline, callerCanceled:
		return ReasonCaller
	case circuitIsOpen:
		return ReasonCircuit
	case bulkheadIsFull:
		return ReasonBulkhead
	case isOnHold:
		return ReasonHold
	case totalLimit, keyIsDead:
		return ReasonTime
	default:
		panic(fmt.Sprintf("runtime: happening %d is no refusal", h))
	}
}

// worthIt asks class, stored answers, the key, the server's verdict and the
// policy's list, in this order. once says that only a single repeat is due,
// which attempts do not bound.
func (x *execution) worthIt(r *result) (once bool, why Reason) {
	if !x.plan.repeatable {
		switch {
		case r.effect() == NotSent || r.row().unsafe == unsafeOnce && r.effect() == Rejected:
			if x.onceUsed || x.plan.policy.Retry.NotSent == 0 {
				return false, ReasonClass
			}
			return true, 0
		case r.row().unsafe != unsafeIfRejected || !x.plan.rejects.has(r.status()):
			return false, ReasonClass
		}
	}
	switch {
	case r.stored:
		return false, ReasonStored
	case r.meaning == InFlight:
		return false, 0
	case r.meaning != 0:
		return false, ReasonNotListed
	case r.word == sayStop:
		return false, ReasonVerdict
	case r.word == sayRepeat:
		return false, 0
	case r.row().repeat == onceMore && !x.misdirected:
		return false, 0
	case !x.listed(r):
		return false, ReasonNotListed
	}
	return false, 0
}

// listed reports whether retry.when lists what happened.
func (x *execution) listed(r *result) bool {
	when := &x.plan.policy.Retry.When
	switch {
	case r.answer != nil:
		return x.plan.when.has(r.answer.status)
	case r.happened.byConnection():
		return when.Connection
	default:
		return when.Timeout
	}
}

// allowed asks the options, the controls, the attempts and the body.
func (x *execution) allowed(once bool) (Reason, error) {
	switch {
	case x.single:
		return ReasonAttempts, nil
	case x.compartment.retriesOff():
		return ReasonControl, nil
	case !once && x.count >= x.maxAttempts:
		return ReasonAttempts, nil
	case x.onceOnly:
		return ReasonNoReplay, ErrNotReplayable
	}
	return 0, nil
}

// waitFor is the backoff, or what the server asked for if that is longer.
func (x *execution) waitFor(r *result) time.Duration {
	return max(x.plan.policy.Retry.Backoff.wait(x.count-1, x.wait), r.wait)
}

// fits asks whether a wait is within what the policy grants the server, and
// whether an attempt after it would still have time, and a key.
func (x *execution) fits(r *result, wait time.Duration) error {
	if limit := x.plan.policy.Retry.RetryAfter.Max; limit > 0 && r.wait > limit {
		return ErrNoTimeLeft
	}
	now := x.compartment.now()
	switch {
	case x.end != noEnd && wait > x.end-now-x.leastTime():
		return ErrNoTimeLeft
	case x.keyExpires != noEnd && wait > x.keyExpires-now:
		return ErrKeyExpired
	}
	return nil
}

// useUp takes note of single repeats.
func (x *execution) useUp(r *result, once bool) {
	if once {
		x.onceUsed = true
	}
	if r.happened == status421 {
		x.misdirected = true
		x.compartment.freshConnections()
	}
}

// refreshHelps gets another credential after a 401, once a call. If there is
// one, the call is repeated once, an unsafe write too: the server did nothing.
func (x *execution) refreshHelps(r *result) bool {
	if r.status() != 401 || x.refreshed {
		return false
	}
	x.refreshed = true
	changed := x.work.refresh(x.ctx)
	if c := x.config; c != nil && c.maxAttempts > 0 && x.count >= c.maxAttempts {
		return false // the caller's ceiling, unlike the policy's, bounds this repeat too
	}
	return changed && !x.single && !x.onceOnly && !x.compartment.retriesOff() &&
		x.end-x.compartment.now() >= x.leastTime()
}
