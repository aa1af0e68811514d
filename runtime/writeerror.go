package runtime

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
)

// WriteError answers a request whose handler failed with err, in a form that
// callers can rely on, as problem+json (RFC 9457):
//
//   - an open circuit: 503, urn:resgen:circuit-open, with Retry-After;
//   - a full bulkhead, a hold or an overloaded dependency: 503, urn:resgen:overloaded, with Retry-After;
//   - a deadline, ours or the caller's: 504, urn:resgen:deadline-exceeded;
//   - a dependency's refusal, a failure of it, or an answer that could not be used: 502;
//   - a caller who has left: 499, for the access log;
//   - arguments that could not be sent, and any error that is not of this package: 500.
//
// Nothing of err's own text is written.
func WriteError(w http.ResponseWriter, err error) {
	var ce *CallError
	if !errors.As(err, &ce) {
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			writeProblem(w, http.StatusGatewayTimeout, problemDeadline, "the deadline has passed", 0)
		case errors.Is(err, context.Canceled):
			writeProblem(w, statusClientClosed, "about:blank", "", 0)
		default:
			writeProblem(w, http.StatusInternalServerError, "about:blank", "", 0)
		}
		return
	}
	switch ce.Class {
	case ClassCircuitOpen:
		writeProblem(w, http.StatusServiceUnavailable, problemCircuitOpen, "a dependency is not available", max(ce.RetryAfter, time.Second))
	case ClassBulkheadFull, ClassOverload:
		writeProblem(w, http.StatusServiceUnavailable, problemOverloaded, "a dependency is overloaded", max(ce.RetryAfter, time.Second))
	case ClassTimeout:
		writeProblem(w, http.StatusGatewayTimeout, problemDeadline, "a dependency did not answer in time", 0)
	case ClassCanceled:
		writeProblem(w, statusClientClosed, "about:blank", "", 0)
	case ClassInput:
		writeProblem(w, http.StatusInternalServerError, "about:blank", "", 0)
	default:
		writeProblem(w, http.StatusBadGateway, "about:blank", "a dependency failed", 0)
	}
}

// statusClientClosed is what proxies log for a caller who has left. Nobody
// reads the answer; the access log does.
const statusClientClosed = 499

// wholeSeconds rounds up.
func wholeSeconds(d time.Duration) int64 {
	n := int64(d / time.Second)
	if d%time.Second > 0 {
		n++
	}
	return n
}

type problemBody struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitzero"`
}

func writeProblem(w http.ResponseWriter, status int, kind, detail string, wait time.Duration) {
	title := http.StatusText(status)
	if title == "" {
		title = "Client Closed Request"
	}
	body, err := json.Marshal(problemBody{Type: kind, Title: title, Status: status, Detail: detail})
	if err != nil {
		panic("runtime: a problem of fixed words cannot be encoded: " + err.Error())
	}
	w.Header().Set("Content-Type", "application/problem+json")
	if wait > 0 {
		w.Header().Set("Retry-After", strconv.FormatInt(wholeSeconds(wait), 10))
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller may be gone
}
