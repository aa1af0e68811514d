package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
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
	config    ClientConfig
	userAgent []string
	maxBytes  int64
	registry  *Registry
	effective map[*Policy]*Policy // as overridden
	copies    *copies
	flights   flights

	mu    sync.Mutex // for adding plans
	plans atomic.Pointer[map[planKey]*plan]
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
	HasResult bool        // the operation's success has a body: "already done" is then an error, not a zero value

	// Decode reads an answer inside the attempt. It is called for every answer,
	// whatever its status: for a 2xx it stores the result and returns nil, or an
	// error that makes the answer malformed ([Answer.Unexpected] for a status
	// that is not declared); for others it returns the declared error type, or
	// Unexpected; nil for a 3xx means that it is a declared success. It may be
	// called several times, never at once.
	Decode func(*Answer) error
	// Live says of a 2xx answer whether it is handed out as a stream. Nil: never.
	Live func(*Answer) bool
	// Fallback is the caller's function behind FallbackCaller, nil if none was
	// given. It stores a result as Decode does.
	Fallback func(context.Context, *CallError) error
	// Err is the first thing found wrong while the call was built: it ends the
	// call as class input before anything else happens.
	Err error

	config    callConfig
	engine    *Engine
	execution execution
	proof     evidence     // of the first attempt
	capture   **keptAnswer // set: a success is kept there, not decoded
	coalesced bool         // an identical call fetches the answer
	prepared
	reply
}

// prepared is what all attempts send.
type prepared struct {
	template http.Request
	target   *url.URL
	key      Key
	keyField [1]string // its value, where it goes into a header
}

// reply is what the last answer told.
type reply struct {
	header      http.Header
	to          *http.Request // the request that it answers
	copied      *keptAnswer   // the answer itself, to keep for later
	replayed    bool
	alreadyDone bool
}

// Apply applies one option to the call. Options apply in order.
func (c *Call) Apply(o RepeatableOption) { c.config.apply(o) }

// An Answer is what the server said. For generated code, through package wire.
type Answer struct {
	Status int
	Header http.Header
	Method string  // of the request
	Body   []byte  // the whole body; valid only while Decode runs, so keep a copy, not the slice. Nil if Stream is set.
	Stream *Stream // the live body, for a Call whose Live said so; Decode hands it on, it must be closed
}

// Unexpected is the error for an answer that the spec does not declare. For a
// 2xx it makes the call malformed with outcome applied.
func (a *Answer) Unexpected() error {
	if a.Status >= 200 && a.Status <= 299 {
		return fmt.Errorf("%w: status %d", ErrMalformed, a.Status)
	}
	return statusError(a.Status)
}

// statusError is an answer with a status that the spec does not declare.
type statusError int

func (s statusError) Error() string {
	return fmt.Sprintf("status %d %s", int(s), http.StatusText(int(s)))
}

// NewEngine checks the policies and the configuration and returns an engine
// for them. Its error names every mistake.
func NewEngine(spec EngineSpec, config ClientConfig) (*Engine, error) {
	e := &Engine{
		config: config, maxBytes: config.MaxResponseBytes, registry: config.Registry,
		copies: newCopies(config.Keep),
	}
	var errs []error
	switch {
	case e.maxBytes < 0:
		errs = append(errs, fmt.Errorf("MaxResponseBytes is %d; want more than 0, or 0 for %d", e.maxBytes, int64(DefaultMaxResponseBytes)))
	case e.maxBytes == 0:
		e.maxBytes = DefaultMaxResponseBytes
	}
	if config.Keep.Entries < 0 || config.Keep.Bytes < 0 {
		errs = append(errs, fmt.Errorf("Keep is %+v; want 0 or more", config.Keep))
	}
	if e.registry == nil {
		e.registry = &Registry{}
	}
	agent := spec.UserAgent
	if config.UserAgent != "" {
		agent = config.UserAgent
	}
	if agent == "" {
		agent = "resgen"
	}
	e.userAgent = []string{agent}
	if isNoFieldValue(agent) {
		errs = append(errs, fmt.Errorf("UserAgent is %q; want one line of text", agent))
	}
	effective, wrong := settle(spec.Policies, config.Overrides, e.registry)
	e.effective = effective
	errs = append(errs, wrong...)
	e.plans.Store(&map[planKey]*plan{})
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("client of %s: %w", spec.Package, err)
	}
	config.Controls.attach(e.registry, config.Observer)
	return e, nil
}

// plan returns the plan for p, which is one of e's, and a scheme and host, made
// at the first call.
func (e *Engine) plan(p *Policy, scheme, host string) *plan {
	key := planKey{p, scheme, host}
	if pl := (*e.plans.Load())[key]; pl != nil {
		return pl
	}
	effective := e.effective[p]
	e.mu.Lock()
	defer e.mu.Unlock()
	old := *e.plans.Load()
	if pl := old[key]; pl != nil {
		return pl
	}
	c := e.registry.compartment(effective.Compartment, scheme, host, e.config.Transport)
	c.watch(e.config.Observer)
	added := maps.Clone(old)
	added[key] = newPlan(effective, c)
	e.plans.Store(&added)
	return added[key]
}

// Do carries one call through fallback, retry, breaker, bulkhead and timeout.
// p is one of the policies that the engine was made with. Its error is a
// *CallError.
func (e *Engine) Do(ctx context.Context, p *Policy, c *Call) error {
	c.engine = e
	x := &c.execution
	switch {
	case ctx == nil:
		ctx, c.Err = context.Background(), wordedf(nil, "the context is nil; want one")
	case p == nil:
		c.Err = wordedf(nil, "the policy is nil; want one")
	case e.effective[p] == nil:
		c.Err = wordedf(nil, "the client was not made with this operation's policy")
	}
	x.ctx, x.operation, x.observer, x.config, x.work = ctx, c.Operation, e.config.Observer, &c.config, c
	if err := c.prepare(p); err != nil {
		return c.refuse(p, err)
	}
	pl := e.plan(p, c.target.Scheme, c.target.Host)
	x.plan, x.compartment = pl, pl.compartment
	x.onceOnly = !c.Body.Replayable()
	x.begin(ctx)
	c.beginKey(x)
	if pl.policy.Fallback.Coalesce && c.Live == nil && c.capture == nil {
		return c.shareFlight(x)
	}
	return c.conclude(x, x.run())
}

// conclude turns an ending into what the caller gets, by the fallback if that
// is due.
func (c *Call) conclude(x *execution, e ending) error {
	switch {
	case e.happened == answered:
		c.keepCopy(x)
		c.succeed(x, Live, 0)
		return nil
	case e.sentinel == ErrAlreadyDone && !c.HasResult:
		c.alreadyDone = true
		c.succeed(x, Live, 0)
		return nil
	}
	err := c.fail(x, e)
	if e.row().fallback && x.ctx.Err() == nil {
		if source, age, ok := c.fallBack(x, err); ok {
			c.succeed(x, source, age)
			return nil
		}
	}
	c.fillInfo(x, 0, 0, err.Outcome)
	x.tellDone(err, 0)
	return err
}

// refuse ends a call whose arguments cannot be sent.
func (c *Call) refuse(p *Policy, err error) error {
	e := &CallError{Operation: c.Operation, Class: ClassInput, Outcome: NotSent, Cause: err, Key: c.config.key}
	c.fillInfo(&c.execution, 0, 0, NotSent)
	e.tellRefused(c.execution.ctx, p, c.engine.config.Observer)
	return e
}

// tellRefused labels the error of a call that was not begun, and reports it.
func (e *CallError) tellRefused(ctx context.Context, p *Policy, o Observer) {
	if p != nil && p.Compartment != nil {
		e.Dependency, e.Compartment = p.Compartment.Dependency, p.Compartment.Name
	}
	if o != nil {
		o.Observe(ctx, Event{
			Kind: CallDone, Operation: e.Operation, Dependency: e.Dependency, Compartment: e.Compartment, Class: e.Class, Outcome: e.Outcome,
		})
	}
}
