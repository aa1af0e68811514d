package runtime

import (
	"context"
	"math"
	"time"

	"github.com/resgen-dev/resgen/runtime/internal/budget"
)

// An execution is one call on its way through the layers. Times are the
// compartment's.
type execution struct {
	ctx         context.Context // the caller's
	plan        *plan
	compartment *compartment
	observer    Observer // nil: none
	operation   string
	config      *callConfig
	work        work

	limits
	current
	record
	onceACall
}

// limits are what a call may take.
type limits struct {
	start, end   time.Duration // end: noEnd for none
	callersEnd   bool          // the end is the caller's deadline
	attemptLimit time.Duration // zero: none
	maxAttempts  int
	single       bool          // no repeat of any kind
	onceOnly     bool          // the work cannot be done again
	keyExpires   time.Duration // noEnd: never
}

// current is the attempt that runs, or is about to.
type current struct {
	held         admission     // what it holds
	limit        time.Duration // 0 for none
	clock        clockOwner    // whose limit it is
	wait         time.Duration // slept before it
	repeat       budget.Repeat // taken for it, and not used yet
	answerStatus int           // of its answer; 0 without one
}

// record is what the attempts so far have shown.
type record struct {
	count     int           // attempts made
	outcome   Outcome       // strongest so far; 0 before the first attempt
	earlier   bool          // an earlier attempt, or call with the same key, may have done it
	resumed   bool          // the caller gave the key
	waitNamed time.Duration // the last wait that an answer named
	attempts  []Attempt     // failed ones
	last      result        // of the last failed attempt
}

// onceACall are the repeats that are made once, whatever the policy lists.
type onceACall struct {
	refreshed   bool // credentials were refreshed
	onceUsed    bool // an unsafe write that did nothing was repeated
	misdirected bool // a 421 was repeated
}

// clockOwner is whose time limit ends an attempt.
type clockOwner uint8

const (
	_         clockOwner = iota
	byCaller             // the caller's context, or nobody's: no context of our own
	byAttempt            // the attempt's limit, in full
	byTotal              // what is left of the call
)

// noEnd is the end of a call that has none.
const noEnd = time.Duration(math.MaxInt64)

// work is what one attempt does: an HTTP exchange, or a function of the caller's.
type work interface {
	// attempt does it once. Its limit is x.limit, set by x.clock, from now on.
	attempt(x *execution) result
	// refresh renews credentials after a 401 and says whether they changed.
	refresh(ctx context.Context) bool
}

// A result is how an attempt, or the try to make one, ended.
type result struct {
	happened  happening
	attempted bool
	hasWait   bool // the answer named a wait
	stored    bool // the answer is a stored one and comes back for ever
	word      word // the server's own verdict
	meaning   KeyMeaning
	outcome   Outcome // zero: as the table says
	wait      time.Duration
	err       error
	answer    *failedAnswer // nil without one
}

// word is what a verdict header said.
type word uint8

const (
	noWord word = iota
	sayRepeat
	sayStop
)

func (r *result) row() *row { return &table[r.happened] }

func (r *result) effect() Outcome {
	if r.outcome != 0 {
		return r.outcome
	}
	return r.row().outcome
}

func (r *result) status() int {
	if r.answer == nil {
		return 0
	}
	return r.answer.status
}

// begin sets what the call may take: the policy's limits, the caller's
// deadline, and the options where they lie below.
func (x *execution) begin(ctx context.Context) {
	p := x.plan.policy
	x.ctx, x.start = ctx, x.compartment.now()
	x.attemptLimit, x.maxAttempts, x.end, x.keyExpires = p.Timeout.Attempt, x.plan.maxAttempts, noEnd, noEnd
	total := p.Timeout.Total
	if c := x.config; c != nil {
		total = c.shorter("rt.WithTimeout", total, c.total)
		x.attemptLimit = c.shorter("rt.WithAttemptTimeout", x.attemptLimit, c.attempt)
		x.maxAttempts, x.single = c.fewer(x.maxAttempts), c.withoutRetry
	}
	if total > 0 {
		x.end = x.start + total
	}
	if deadline, ok := ctx.Deadline(); ok {
		if at := deadline.Sub(x.compartment.base); at <= x.end {
			x.end, x.callersEnd = at, true
		}
	}
}

// An ending is why no further attempt is made.
type ending struct {
	result
	reason   Reason
	sentinel error // found with errors.Is; nil where the result says it all
}

// run makes attempts until one succeeds or no further one is due.
func (x *execution) run() ending {
	if x.compartment.fallbackOnly() {
		return ending{result{happened: circuitIsOpen, err: ErrCircuitOpen, outcome: NotSent}, ReasonControl, nil}
	}
	defer x.giveBackRepeat() // whatever ends the call before its repeat was made, a panic too
	for {
		r := x.once()
		switch {
		case r.happened == answered:
			return ending{result: r}
		case x.doneBefore(&r):
			x.outcome = Applied
			return ending{result: r, sentinel: ErrAlreadyDone}
		}
		wait, e := x.decide(r)
		if e.reason == 0 {
			e = x.sleep(r, wait)
		}
		if e.reason != 0 {
			x.tellSuppressed(&e)
			return e
		}
	}
}

// sleep waits before a repeat.
func (x *execution) sleep(r result, wait time.Duration) ending {
	x.wait = wait
	if x.observer != nil {
		x.observe(Event{Kind: RetryScheduled, Attempt: x.count + 1, Duration: wait, Class: r.row().class, Status: r.status()})
	}
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-x.ctx.Done():
		}
	}
	if err := x.ctx.Err(); err != nil {
		return ending{result{happened: callerHappening(err)}, ReasonCaller, err}
	}
	return ending{}
}

// giveBackRepeat gives back to the budget what was taken and not used.
func (x *execution) giveBackRepeat() {
	if b := x.compartment.budget; b != nil {
		b.GiveBack(x.repeat)
	}
	x.repeat = budget.Repeat{}
}

// once passes breaker and bulkhead and makes one attempt. What it took is
// given back on every way out, a panic and Goexit among them.
func (x *execution) once() (r result) {
	if err := x.ctx.Err(); err != nil {
		return result{happened: callerHappening(err), outcome: NotSent, err: err}
	}
	a := &x.held
	*a = admission{}
	defer x.leave(a)
	now := x.start // reading the clock costs more than the layers: the first attempt has just done so
	if x.count > 0 {
		now = x.compartment.now()
	}
	if r := x.admit(a, now); r.happened != 0 {
		return r
	}
	x.setLimit(a.start)
	switch {
	case x.end-a.start < x.leastTime():
		return result{happened: totalLimit, outcome: NotSent, err: ErrNoTimeLeft}
	case a.start > x.keyExpires: // it was queued for too long
		return result{happened: keyIsDead, err: ErrKeyExpired}
	}
	repeat := x.repeat
	x.repeat = budget.Repeat{} // used
	x.count++
	x.answerStatus = 0
	if x.observer != nil {
		x.observe(Event{Kind: AttemptStarted, Attempt: x.count, Limit: x.limit, State: a.state})
	}
	r = x.work.attempt(x)
	r.attempted = true
	if !r.reachesOut() {
		x.repeat = repeat // nothing was sent: not used after all
	}
	x.settle(a, &r)
	return r
}

// setLimit finds the limit of an attempt that starts now: the tightest of the
// attempt's, the call's and the caller's. No context is made for the caller's.
func (x *execution) setLimit(now time.Duration) {
	left := x.end - now
	switch {
	case x.attemptLimit > 0 && x.attemptLimit <= left:
		x.limit, x.clock = x.attemptLimit, byAttempt
	case x.end == noEnd:
		x.limit, x.clock = 0, byCaller
	case x.callersEnd:
		x.limit, x.clock = left, byCaller
	default:
		x.limit, x.clock = left, byTotal
	}
}

// leastTime is the time below which an attempt is not worth starting.
func (x *execution) leastTime() time.Duration {
	p := x.plan.policy
	least := max(p.Timeout.MinRemaining, 1)
	if p.Deadline.Header != "" {
		least = max(least, p.Deadline.heldBack()+time.Millisecond) // the server must be told of at least one
	}
	return least
}

// cut says whether ctx, an attempt's, ended, and what that means. The caller's
// own end is recognised by the caller's context, not by the error.
func (x *execution) cut(ctx context.Context) (happening, bool) {
	if err := x.ctx.Err(); err != nil {
		return callerHappening(err), true
	}
	if ctx.Err() == nil {
		return 0, false
	}
	if x.clock == byTotal {
		return totalLimit, true
	}
	return attemptLimit, true
}

func callerHappening(err error) happening {
	if err == context.DeadlineExceeded {
		return callerDeadline
	}
	return callerCanceled
}
