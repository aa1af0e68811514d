package faulttest

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A Script says what happens to the requests that come, and remembers them. It
// is safe for concurrent use, and may be changed while requests come.
type Script struct {
	Book Book

	mu        sync.Mutex
	steps     []Step
	routes    map[string][]Step // "POST /charges" to its own steps
	otherwise *Step
	byRoute   map[string]Step
	keyIn     []string
	requests  []Request
}

// Then adds steps for whatever requests come next.
func (s *Script) Then(steps ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps = append(s.steps, steps...)
}

// On adds steps for one method and path, such as "POST /charges". They come
// before those of Then.
func (s *Script) On(route string, steps ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.routes == nil {
		s.routes = make(map[string][]Step)
	}
	s.routes[route] = append(s.routes[route], steps...)
}

// Otherwise says what happens to requests beyond the script. A step for a
// route ("GET /quotes/1") is given with OtherwiseOn.
func (s *Script) Otherwise(step Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.otherwise = &step
}

// OtherwiseOn is Otherwise for one method and path.
func (s *Script) OtherwiseOn(route string, step Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byRoute == nil {
		s.byRoute = make(map[string]Step)
	}
	s.byRoute[route] = step
}

// KeyIn names the headers that bear an idempotency key, in place of
// Idempotency-Key and X-Idempotency-Key.
func (s *Script) KeyIn(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keyIn = names
}

// Forget drops the rest of the script and the memory of requests; the book stays.
func (s *Script) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps, s.routes, s.requests, s.otherwise, s.byRoute = nil, nil, nil, nil, nil
}

// Requests returns the requests that arrived, in order.
func (s *Script) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Hits returns how many requests arrived.
func (s *Script) Hits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// arrive remembers a request and returns its step. The work that the step does
// is entered into the book.
func (s *Script) arrive(r *http.Request) (Step, Request) {
	var body strings.Builder
	if r.Body != nil {
		_, _ = io.Copy(&body, r.Body) // a body cut short is remembered as far as it came
	}
	s.mu.Lock()
	seen := Request{Method: r.Method, Path: r.URL.RequestURI(), Header: r.Header.Clone(), Body: body.String(), At: time.Now()}
	names := s.keyIn
	if names == nil {
		names = []string{"Idempotency-Key", "X-Idempotency-Key"}
	}
	for _, name := range names {
		if seen.Key == "" {
			seen.Key = seen.Get(name)
		}
	}
	s.requests = append(s.requests, seen)
	step, scripted := s.next(r.Method + " " + r.URL.Path)
	s.mu.Unlock()
	if !scripted {
		if again, ok := s.Book.answer(seen.Key); ok && step.Fault == None {
			return again, seen
		}
	}
	return step, seen
}

// act enters the step's work into the book, if it does any.
func (s *Script) act(step *Step, r Request) {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
	if step.Acts || !reads && step.Handle == nil && step.status() < 300 && (step.Fault == None || step.Fault == Truncate || step.Fault == Stall) {
		s.Book.enter(r, step)
	}
}

// next takes the step for a route; mu is held.
func (s *Script) next(route string) (step Step, scripted bool) {
	if own := s.routes[route]; len(own) > 0 {
		s.routes[route] = own[1:]
		return own[0], true
	}
	if len(s.steps) > 0 {
		step, s.steps = s.steps[0], s.steps[1:]
		return step, true
	}
	if step, ok := s.byRoute[route]; ok {
		return step, false
	}
	if s.otherwise != nil {
		return *s.otherwise, false
	}
	return Step{}, false
}

// Note remembers a request and takes its step, for transports of your own.
func (s *Script) Note(r *http.Request) Step {
	step, _ := s.arrive(r)
	return step
}
