package policy

import "time"

// An Explanation is everything about one operation's policy, as plain data to
// be drawn.
type Explanation struct {
	Operation *Operation
	Sections  []ExplainSection // outermost first: fallback, retry, breaker, bulkhead, timeout; then deadline, idempotency, expect
	Repeats   []Repeat         // what may be sent again and why; empty: nothing is
	Never     []string         // what is not sent again although offered, a sentence each
	WorstCase []Step           // if every attempt takes all it may
	Total     time.Duration    // when the worst case ends; 0: no limit
	Unlimited bool             // no limit holds: Total means nothing
}

// An ExplainSection is a layer of the stack with its leaves.
type ExplainSection struct {
	Name   string // "retry"
	Off    bool
	Leaves Leaves
	Scope  string // "compartment payments https://…" where the layer is shared, else empty
}

// A Repeat is a reason for which a request goes out again.
type Repeat struct {
	After string // "503", "timeout", "the request was not sent"
	Why   string // "every attempt bears the same Idempotency-Key"
	From  Origin
}

// StepKind is a kind of Step.
type StepKind int

// The kinds of steps.
const (
	_        StepKind = iota
	Queueing          // waiting for the bulkhead
	Attempt           // one attempt until its limit
	Wait              // a backoff wait, at its longest
	Cut               // the total ends the call
)

// A Step is a piece of the worst case's time line.
type Step struct {
	Kind    StepKind
	Number  int // of the attempt, from 1
	At, End time.Duration
	Started bool // false: an attempt that can no longer start
}

// Explain gathers what there is to say about an operation of the plan.
func Explain(op *Operation) *Explanation { panic("contract") }
