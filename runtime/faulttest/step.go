package faulttest

import (
	"net/http"
	"time"
)

// A Step is what happens to one request. The zero Step answers 200 with "{}".
type Step struct {
	Status int           // zero: 200
	Header http.Header   // Content-Type is application/json where it is not set
	Body   string        // empty: "{}"; see NoBody
	NoBody bool          // answer without a body
	Wait   time.Duration // before anything is answered
	Chunks []string      // instead of Body: written and flushed one by one
	Pace   time.Duration // before each chunk but the first
	Fault  Fault
	CutAt  int              // Truncate: bytes of the body that still come
	Acts   bool             // the work is done although the answer does not say so, as with a 500 or a reset
	Handle http.HandlerFunc // answers instead of Status, Header, Body and Chunks; only Acts says that it does work
}

// A Fault is how a step goes wrong. The zero Fault is none.
type Fault int

// The faults.
const (
	None     Fault = iota
	HangUp         // no answer ever, until the client leaves
	Reset          // the connection is reset before the headers
	Drop           // the connection is closed before the headers
	Truncate       // the connection is closed within the body, after CutAt bytes
	Stall          // no more comes within the body, after CutAt bytes, until the client leaves
	Refuse         // RoundTripper only: connection refused; see Server.Refuse
)

// Status answers with a status and an empty object.
func Status(code int) Step { return Step{Status: code} }

// JSON answers with a status and a JSON body.
func JSON(code int, body string) Step { return Step{Status: code, Body: body} }

// Hang never answers.
func Hang() Step { return Step{Fault: HangUp} }

// Slow answers the step after a while.
func Slow(d time.Duration, s Step) Step { s.Wait = d; return s }

// RetryAfter answers with a status and a Retry-After header.
func RetryAfter(code int, value string) Step {
	return Step{Status: code, Header: http.Header{"Retry-After": {value}}}
}

// Lost does the work and resets the connection instead of saying so.
func Lost() Step { return Step{Fault: Reset, Acts: true} }

// Times repeats a step.
func Times(n int, s Step) []Step {
	steps := make([]Step, n)
	for i := range steps {
		steps[i] = s
	}
	return steps
}

// status, header and body with their defaults.
func (s *Step) status() int {
	if s.Status == 0 {
		return http.StatusOK
	}
	return s.Status
}

func (s *Step) header() http.Header {
	h := s.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	if h.Get("Content-Type") == "" && !s.NoBody {
		h.Set("Content-Type", "application/json")
	}
	return h
}

func (s *Step) body() string {
	switch {
	case s.NoBody || s.status() == http.StatusNoContent || s.status() == http.StatusNotModified:
		return ""
	case len(s.Chunks) > 0:
		var all string
		for _, chunk := range s.Chunks {
			all += chunk
		}
		return all
	case s.Body == "":
		return "{}"
	default:
		return s.Body
	}
}
