package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// A sentinel is a state that ends a call. It may be a case of a wider error.
type sentinel struct {
	text string
	is   error
}

func (s *sentinel) Error() string        { return s.text }
func (s *sentinel) Is(target error) bool { return s.is != nil && target == s.is }

// States that end a call, for errors.Is. They are found in the *CallError that
// a call returns, beside the last real error where there is one.
var (
	ErrInput         error = &sentinel{text: "request cannot be sent"}
	ErrCircuitOpen   error = &sentinel{text: "circuit open"}
	ErrBulkheadFull  error = &sentinel{text: "bulkhead full"}
	ErrOnHold        error = &sentinel{text: "on hold: the server asked to wait"}
	ErrRetryBudget   error = &sentinel{text: "retry budget spent"}
	ErrNoTimeLeft    error = &sentinel{text: "no time left for another attempt", is: context.DeadlineExceeded} // also errors.Is context.DeadlineExceeded
	ErrAlreadyDone   error = &sentinel{text: "already done by an earlier attempt; the answer has no result"}
	ErrKeyExpired    error = &sentinel{text: "idempotency key is past its retention"}
	ErrKeyHost       error = &sentinel{text: "idempotency key was sent to another host"}
	ErrNotReplayable error = &sentinel{text: "body can be sent only once"}
	ErrTooLarge      error = &sentinel{text: "answer too large", is: ErrMalformed}
	ErrMalformed     error = &sentinel{text: "answer is not what was declared"}
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

	Reason   error // why no further attempt was made: a sentinel above, the context's error, or nil where none was due
	Cause    error // the last real error, typed where the spec declares a type
	Fallback error // why the fallback did not answer either; nil if there was none
}

// Error says what was called, what happened and what is known of the effect.
// It is made of fixed words and numbers alone.
func (e *CallError) Error() string {
	var b strings.Builder
	if e.Dependency != "" {
		b.WriteString(e.Dependency + " ")
	}
	fmt.Fprintf(&b, "%s: %s", e.Operation, e.Class)
	if e.Status != 0 {
		fmt.Fprintf(&b, ": status %d %s", e.Status, http.StatusText(e.Status))
		if text := wordsIn(e.Cause); text != "" {
			b.WriteString(": " + text)
		}
	} else if text := plainText(e.Cause); text != "" {
		b.WriteString(": " + text)
	}
	if s := stateIn(e.Reason); s != "" && e.Reason != e.Cause {
		b.WriteString(": " + s)
	}
	switch n := len(e.Attempts); n {
	case 0:
	case 1:
		b.WriteString(" (1 attempt)")
	default:
		fmt.Fprintf(&b, " (%d attempts)", n)
	}
	if e.Outcome != 0 {
		fmt.Fprintf(&b, "; outcome %s", e.Outcome)
	}
	return b.String()
}

// Unwrap lets errors.Is and errors.As see the reason, the cause and the
// fallback's error.
func (e *CallError) Unwrap() []error {
	var list []error
	for _, err := range []error{e.Reason, e.Cause, e.Fallback} {
		if err != nil {
			list = append(list, err)
		}
	}
	return list
}

// plainText describes an error in words that hold nothing of the call's own:
// an error's text may hold a URL, a body, or a key.
func plainText(err error) string {
	var dns *net.DNSError
	var errno syscall.Errno
	switch {
	case err == nil:
		return ""
	case wordsIn(err) != "":
		return wordsIn(err)
	case stateIn(err) != "":
		return stateIn(err)
	case errors.As(err, &dns):
		return "host not found"
	case errors.As(err, &errno):
		return errno.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "connection closed"
	case errors.Is(err, errProxy):
		return errProxy.Error()
	case isIdentityError(err):
		return "TLS handshake refused"
	}
	return ""
}

// worded is an error that says in words what is wrong, with nothing of the
// call's own in them. Package wire refuses arguments and answers with such.
type worded interface{ Worded() string }

// wording is our own error of such words, a case of a sentinel where is is set.
type wording struct {
	is   error
	text string
}

// wordedf makes one. args hold names, numbers and places, never a key, a body,
// a query or a credential.
func wordedf(is error, format string, args ...any) error {
	return &wording{is, fmt.Sprintf(format, args...)}
}

func (w *wording) Error() string {
	if w.is == nil {
		return w.text
	}
	return w.is.Error() + ": " + w.text
}

func (w *wording) Worded() string { return w.Error() }
func (w *wording) Unwrap() error  { return w.is }

// wordsIn returns the words of the worded error within err.
func wordsIn(err error) string {
	var w worded
	if errors.As(err, &w) {
		return w.Worded()
	}
	return ""
}

// stateIn returns the text of the sentinel or context error within err.
func stateIn(err error) string {
	var s *sentinel
	switch {
	case errors.As(err, &s):
		return s.text
	case errors.Is(err, context.DeadlineExceeded):
		return "time limit reached"
	case errors.Is(err, context.Canceled):
		return "canceled by the caller"
	}
	return ""
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
