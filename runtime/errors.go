package runtime

import (
	"errors"
	"net/http"
	"time"
)

// States that end a call, for errors.Is. They are found in the *CallError that
// a call returns, beside the last real error where there is one.
var (
	ErrCircuitOpen   = errors.New("circuit open")
	ErrBulkheadFull  = errors.New("bulkhead full")
	ErrOnHold        = errors.New("on hold: the server asked to wait")
	ErrRetryBudget   = errors.New("retry budget spent")
	ErrNoTimeLeft    = errors.New("no time left for another attempt")
	ErrAlreadyDone   = errors.New("already done by an earlier attempt; the answer has no result")
	ErrKeyExpired    = errors.New("idempotency key is past its retention")
	ErrKeyHost       = errors.New("idempotency key was sent to another host")
	ErrNotReplayable = errors.New("body cannot be sent again")
	ErrTooLarge      = errors.New("answer too large")
	ErrMalformed     = errors.New("answer is not what was declared")
	ErrInput         = errors.New("request cannot be sent")
)

// A CallError is why a call of a generated client failed. Its message holds no
// key, body, query or credential; its fields do where they say so.
//
// errors.Is finds the sentinel states, the context's error and the transport's
// own; errors.As finds the error types that the spec declares.
type CallError struct {
	Operation   string
	Dependency  string
	Compartment string
	Class       ErrorClass
	Outcome     Outcome
	Attempts    []Attempt     // in order; empty if nothing was tried
	Key         Key           // the idempotency key of all attempts; secret enough to be kept out of messages
	RetryAfter  time.Duration // what the last answer that named a wait asked for. Zero: none did.

	Status int         // of the last answer; 0 if there was none
	Header http.Header // of the last answer
	Body   []byte      // of the last answer, its first 64 KiB

	Reason error // why no further attempt was made: a sentinel above, or nil where none was due
	Cause  error // the last real error, typed where the spec declares a type
}

// An Attempt is one time that a call was tried.
type Attempt struct {
	Start    time.Time     // when its place was held and its clock began
	Duration time.Duration // until its verdict
	Wait     time.Duration // slept before it
	Status   int           // 0 without an answer
	Class    ErrorClass
	Outcome  Outcome
	Err      error
}
