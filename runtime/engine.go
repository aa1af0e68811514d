package runtime

import (
	"context"
	"net/http"
	"net/url"
)

// An EngineSpec is what a generated package tells about itself. For generated
// code, through package wire.
type EngineSpec struct {
	Package   string    // name of the generated package, for messages
	UserAgent string    // sent where the configuration names none
	Policies  []*Policy // all that its operations use
}

// An Engine carries the calls of one client through the five layers. For
// generated code, through package wire. It is safe for concurrent use.
type Engine struct {
	spec   EngineSpec
	config ClientConfig
}

// A Call is one logical call: what to send, and how to read what comes back.
// For generated code, through package wire. It serves one [Engine.Do].
//
// Everything in it is sent alike on every attempt. Host, credentials, key and
// deadline header are added by the engine.
type Call struct {
	Operation string
	Method    string
	URL       *url.URL    // complete; the engine does not change it
	Header    http.Header // nil: none. The engine may add to it.
	Body      Body        // zero: none
	Auth      Authorizer  // nil: none

	// Decode reads an answer inside the attempt. It is called for every answer,
	// whatever its status: for a 2xx it stores the result and returns nil, or an
	// error that makes the answer malformed ([Answer.Unexpected] for a status
	// that is not declared); for others it returns the declared error type, or
	// Unexpected. It may be called several times, never at once.
	Decode func(*Answer) error
	// Live says of a 2xx answer whether it is handed out as a stream. Nil: never.
	Live func(*Answer) bool
	// Fallback is the caller's function behind FallbackCaller, nil if none was
	// given. It stores a result as Decode does.
	Fallback func(context.Context, *CallError) error
	// Err is the first thing found wrong while the call was built: it ends the
	// call as class input before anything else happens.
	Err error

	config callConfig
}

// Apply applies one option to the call. Options apply in order.
func (c *Call) Apply(o RepeatableOption) { o.appliesToRepeatableOperation(&c.config) }

// An Answer is what the server said. For generated code, through package wire.
type Answer struct {
	Status int
	Header http.Header
	Method string  // of the request
	Body   []byte  // the whole body; valid only while Decode runs, so keep a copy, not the slice. Nil if Stream is set.
	Stream *Stream // the live body, for a Call whose Live said so; Decode hands it on, it must be closed
}

// NewEngine checks the policies and the configuration and returns an engine
// for them. Its error names every mistake.
func NewEngine(spec EngineSpec, config ClientConfig) (*Engine, error) {
	return &Engine{spec: spec, config: config}, nil
}

// Do carries one call through fallback, retry, breaker, bulkhead and timeout.
// p is one of the policies that the engine was made with. Its error is a
// *CallError.
func (e *Engine) Do(ctx context.Context, p *Policy, c *Call) error {
	return ErrInput
}

// Unexpected is the error for an answer that the spec does not declare. For a
// 2xx it makes the call malformed with outcome applied.
func (a *Answer) Unexpected() error {
	return ErrMalformed
}
