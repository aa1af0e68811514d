package runtime

import (
	"context"
	"fmt"
	"time"
)

// An Observer is told what happens, synchronously and under no lock of ours,
// so that it may ask anything back. It must be quick and safe for concurrent
// use. The context is the call's, or the background where there is none.
type Observer interface {
	Observe(ctx context.Context, e Event)
}

// An Event is one thing that happened. Its labels are bounded: none holds a
// path, a host of the caller's choosing or an error's text.
type Event struct {
	Kind        EventKind
	Dependency  string
	Compartment string
	Operation   string
	Class       ErrorClass // of what failed; 0 for success
	Status      int        // of the answer; 0 without one
	Attempt     int        // from 1
	Outcome     Outcome    // CallDone, AttemptEnded: of a failure
	Source      Source     // CallDone, FallbackUsed

	Duration time.Duration // AttemptEnded, CallDone, BulkheadEntered (the wait), RetryScheduled (the wait to come)
	Limit    time.Duration // AttemptEnded, CallDone, DeadlineExceeded: the limit that held. Duration/Limit is the proximity.

	Reason Reason // RetrySuppressed, BulkheadRefused, AttemptEnded: why
	Slow   bool   // AttemptEnded, ProbeEnded: it was a slow call
	Result string // AttemptEnded: what the circuit took it for, "success", "failure" or "ignored"

	State    State  // CircuitChanged: the new state; AttemptEnded: the state it was admitted in
	From     State  // CircuitChanged: the old state
	Failures int    // CircuitChanged: failed attempts in the window
	SlowOnes int    // CircuitChanged: slow attempts in the window
	Calls    int    // CircuitChanged: attempts in the window
	Detail   string // ControlChanged: which and to what
}

// An EventKind is what happened. The zero value is not valid.
type EventKind int

// The events.
const (
	_ EventKind = iota
	AttemptStarted
	AttemptEnded
	RetryScheduled
	RetrySuppressed
	CircuitChanged
	ProbeEnded
	BulkheadEntered
	BulkheadQueued
	BulkheadRefused
	FallbackUsed
	DeadlineExceeded
	ControlChanged
	StreamDropped // a stream was dropped without Close; its place was freed late
	CallDone
)

// A Reason is why something was not done. Zero: no reason.
type Reason int

// The reasons.
const (
	_               Reason = iota
	ReasonCaller           // the caller's context is done
	ReasonClass            // the operation may not be repeated
	ReasonStored           // the server stores the answer under the key
	ReasonVerdict          // the server said no
	ReasonNotListed        // the policy does not repeat after this
	ReasonAttempts         // all attempts are made
	ReasonTime             // the wait does not fit
	ReasonBudget           // the budget is spent
	ReasonControl          // repeats are switched off
	ReasonCircuit          // the circuit is open
	ReasonBulkhead         // the bulkhead is full
	ReasonHold             // the server asked to wait
	ReasonNoReplay         // the body cannot be sent again
)

// A State is the state of a circuit. The zero value is not valid.
type State int

// The states of a circuit.
const (
	_        State = iota
	Closed         // calls pass
	HalfOpen       // a few probes pass
	Open           // calls are refused
	Disabled       // there is no breaker
)

// String returns the state as it stands in labels.
func (s State) String() string {
	switch s {
	case Closed:
		return "closed"
	case HalfOpen:
		return "half-open"
	case Open:
		return "open"
	case Disabled:
		return "disabled"
	default:
		return fmt.Sprintf("State(%d)", int(s))
	}
}

// String returns the kind as it stands in logs.
func (k EventKind) String() string { return name(eventNames, int(k), "EventKind") }

// String returns the reason as it stands in labels; "" for none.
func (r Reason) String() string {
	if r == 0 {
		return ""
	}
	return name(reasonNames, int(r), "Reason")
}

var eventNames = []string{
	AttemptStarted: "attempt started", AttemptEnded: "attempt ended", RetryScheduled: "retry scheduled", RetrySuppressed: "retry suppressed",
	CircuitChanged: "circuit changed", ProbeEnded: "probe ended", BulkheadEntered: "bulkhead entered", BulkheadQueued: "bulkhead queued",
	BulkheadRefused: "bulkhead refused", FallbackUsed: "fallback used", DeadlineExceeded: "deadline exceeded", ControlChanged: "control changed",
	StreamDropped: "stream dropped", CallDone: "call done",
}

var reasonNames = []string{
	ReasonCaller: "caller", ReasonClass: "class", ReasonStored: "stored", ReasonVerdict: "verdict", ReasonNotListed: "not-listed",
	ReasonAttempts: "attempts", ReasonTime: "time", ReasonBudget: "budget", ReasonControl: "control", ReasonCircuit: "circuit",
	ReasonBulkhead: "bulkhead", ReasonHold: "hold", ReasonNoReplay: "no-replay",
}

// name finds the name of a value, or shows the value.
func name(names []string, value int, kind string) string {
	if value > 0 && value < len(names) && names[value] != "" {
		return names[value]
	}
	return fmt.Sprintf("%s(%d)", kind, value)
}
