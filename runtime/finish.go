package runtime

import (
	"time"

	"github.com/resgen-dev/resgen/runtime/internal/breaker"
)

// succeed fills the info of a call that has a result.
func (c *Call) succeed(x *execution, source Source, age time.Duration) {
	if source == Live {
		c.key.Rejected = false
	}
	c.fillInfo(x, source, age, max(x.outcome, NotSent))
	x.tellDone(nil, source)
}

// fail makes the error of a call that ended without a result.
func (c *Call) fail(x *execution, e ending) *CallError {
	err := x.callError(e)
	err.Outcome = c.outcomeOf(x, &e)
	if c.key.Rejected = err.Outcome == Rejected; err.Outcome == NotSent { // so was the key
		c.key.FirstSent, c.key.Host, c.key.Rejected = c.config.key.FirstSent, c.config.key.Host, c.config.key.Rejected
	}
	err.Key = c.key
	return err
}

// callError is the error of an execution, without what only HTTP knows.
func (x *execution) callError(e ending) *CallError {
	err := &CallError{
		Operation: x.operation, Class: e.row().class, Outcome: x.outcome, Attempts: x.attempts,
		Reason: e.sentinel, Cause: e.err, RetryAfter: x.waitNamed,
	}
	if x.compartment != nil {
		err.Dependency, err.Compartment = x.compartment.key.dependency, x.compartment.key.name
	}
	if e.hasWait {
		err.RetryAfter = e.wait
	}
	if !e.attempted { // the last real error stays visible
		if err.Reason == nil {
			err.Reason = e.err
		}
		err.Cause = x.last.err
		err.Outcome = max(x.outcome, e.effectIfAlone(x))
	}
	if a := x.last.answer; a != nil {
		err.Status, err.Header, err.Body = a.status, a.header, a.body
	}
	return err
}

// effectIfAlone is the outcome of a call without any attempt.
func (e *ending) effectIfAlone(x *execution) Outcome {
	if x.count == 0 {
		return NotSent
	}
	return x.outcome
}

// outcomeOf lowers the outcome where the last word is the server's: under the
// same key a permanent refusal speaks for all attempts. Any other refusal does
// not, and so says nothing of an earlier call whose key was given.
func (c *Call) outcomeOf(x *execution, e *ending) Outcome {
	outcome := max(x.outcome, e.effectIfAlone(x))
	forAll := c.key.Value != "" && e.attempted && e.happened == refused && e.meaning == 0 && !beforeKey(e.status())
	switch {
	case outcome == Unknown && forAll:
		return Rejected
	case outcome == Rejected && !forAll && c.config.key.mayBeDone():
		return Unknown
	}
	return outcome
}

// beforeKey reports whether a server refuses with this status before it looks
// at the key, so that it says nothing of an earlier attempt.
func beforeKey(status int) bool { return status == 401 || status == 403 || status == 407 }

// beginKey tells the execution what the caller's key means for it.
func (c *Call) beginKey(x *execution) {
	if c.key.Value == "" {
		return
	}
	x.resumed = c.config.keyGiven
	x.earlier = c.key.mayBeDone()
	if kept := x.plan.policy.Key.Retention; kept > 0 {
		x.keyExpires = x.start + kept
		if !c.key.FirstSent.IsZero() {
			x.keyExpires -= c.key.age()
		}
	}
}

func (c *Call) fillInfo(x *execution, source Source, age time.Duration, outcome Outcome) {
	info := c.config.info
	if info == nil {
		return
	}
	status := x.answerStatus
	if a := x.last.answer; status == 0 && a != nil {
		status = a.status
	}
	*info = Info{
		Source: source, Age: age, Attempts: x.count, Status: status, Header: c.header, Key: c.key, Outcome: outcome,
		Replayed: c.replayed, AlreadyDone: c.alreadyDone, Coalesced: c.coalesced, RetryAfter: x.waitNamed, Ignored: c.config.ignored,
	}
	if x.compartment != nil {
		info.Duration = x.compartment.now() - x.start
	}
}

// tellDone reports the end of a call.
func (x *execution) tellDone(err *CallError, source Source) {
	if x.observer == nil {
		return
	}
	e := Event{Kind: CallDone, Attempt: x.count, Status: x.answerStatus, Source: source, Outcome: x.outcome, Duration: x.compartment.now() - x.start}
	if x.end != noEnd {
		e.Limit = x.end - x.start
	}
	if err != nil {
		e.Class, e.Outcome = err.Class, err.Outcome
	}
	x.observe(e)
}

// observe adds the labels of the call and tells the observer.
func (x *execution) observe(e Event) {
	e.Operation = x.operation
	e.Dependency, e.Compartment = x.compartment.key.dependency, x.compartment.key.name
	x.observer.Observe(x.ctx, e)
}

func (x *execution) tellAttempt(a *admission, r *result, took time.Duration, slow bool) {
	class := r.row().class
	x.observe(Event{
		Kind: AttemptEnded, Attempt: x.count, Class: class, Status: x.answerStatus, Outcome: r.effect(),
		Duration: took, Limit: x.limit, Slow: slow, State: a.state, Result: verdictNames[x.verdict(r)],
	})
	if a.state == HalfOpen {
		x.observe(Event{Kind: ProbeEnded, Attempt: x.count, Class: class, Status: x.answerStatus, Slow: slow, Duration: took, State: HalfOpen})
	}
	if r.happened == attemptLimit || r.happened == totalLimit || r.happened == callerDeadline || r.happened == answerIdle {
		x.observe(Event{Kind: DeadlineExceeded, Attempt: x.count, Class: class, Duration: took, Limit: x.limit})
	}
}

var verdictNames = [...]string{breaker.Success: "success", breaker.Failure: "failure", breaker.Neutral: "ignored"}

// tellSuppressed reports why no further attempt is made, if one was thinkable.
func (x *execution) tellSuppressed(e *ending) {
	if x.observer != nil {
		x.observe(Event{Kind: RetrySuppressed, Attempt: x.count, Class: e.row().class, Status: e.status(), Reason: e.reason})
	}
}
