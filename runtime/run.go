package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
)

// Run carries a call that is no HTTP, to a database or a queue, through the
// same layers: retry, breaker, bulkhead and timeout. call is run within the
// attempt's context and must end with it. Its error is a *CallError around
// call's own.
//
// The policy is a package-level variable; its state lives in the process, one
// for each Compartment literal. Class decides over repeats as it does for
// HTTP. An error of call counts as a failure of the dependency and is repeated
// where When.Connection is set, unless it is marked by [Permanent] or [NotDone].
// Statuses, keys, headers and fallbacks of the policy do not apply. A [Runner]
// does the same with an observer, overrides, controls and a registry.
func Run(ctx context.Context, p *Policy, call func(context.Context) error, opts ...RepeatableOption) error {
	pl, err := runs.plan(p)
	if err != nil {
		return refuseRun(ctx, p, nil, err, opts)
	}
	return pl.carry(ctx, p, nil, call, opts)
}

// carry takes one function through the layers.
func (pl *plan) carry(ctx context.Context, p *Policy, o Observer, call func(context.Context) error, opts []RepeatableOption) error {
	switch {
	case ctx == nil:
		return refuseRun(ctx, p, o, wordedf(ErrInput, "the context is nil; want one"), opts)
	case call == nil:
		return refuseRun(ctx, p, o, wordedf(ErrInput, "the function is nil; want one"), opts)
	}
	r := runPool.Get().(*running)
	x := &r.execution
	*x = execution{operation: "run", plan: pl, compartment: pl.compartment, observer: o, work: r}
	r.call = call
	if len(opts) > 0 {
		x.config = &callConfig{}
		for _, option := range opts {
			x.config.apply(option)
		}
		if x.config.err != nil {
			return refuseRun(ctx, p, o, x.config.err, opts)
		}
	}
	x.begin(ctx)
	e := x.run()
	if e.happened == answered {
		x.tellDone(nil, Live)
		fillRunInfo(x, nil)
		x.ctx, x.observer, r.call = nil, nil, nil
		runPool.Put(r) // not on other ways out: a panic leaves it to the collector
		return nil
	}
	failed := x.callError(e)
	x.tellDone(failed, 0)
	fillRunInfo(x, failed)
	return failed
}

// refuseRun ends a run whose arguments cannot be used.
func refuseRun(ctx context.Context, p *Policy, o Observer, err error, opts []RepeatableOption) error {
	var config callConfig
	for _, option := range opts {
		config.apply(option)
	}
	if config.info != nil {
		*config.info = Info{Outcome: NotSent}
	}
	if ctx == nil {
		ctx = context.Background() // for the observer
	}
	e := &CallError{Operation: "run", Class: ClassInput, Outcome: NotSent, Cause: err}
	e.tellRefused(ctx, p, o)
	return e
}

func fillRunInfo(x *execution, failed *CallError) {
	if x.config == nil || x.config.info == nil {
		return
	}
	info := Info{Source: Live, Attempts: x.count, Outcome: x.outcome, Duration: x.compartment.now() - x.start, Ignored: x.config.ignored}
	if failed != nil {
		info.Source, info.Outcome = 0, failed.Outcome
	}
	*x.config.info = info
}

// running is one call of Run.
type running struct {
	execution execution
	call      func(context.Context) error
}

var runPool = sync.Pool{New: func() any { return new(running) }}

// attempt runs the function once.
func (r *running) attempt(x *execution) result {
	if x.clock == byCaller {
		return x.functionEnded(x.ctx, r.call(x.ctx))
	}
	ctx, cancel := context.WithTimeout(x.ctx, x.limit)
	defer cancel()
	return x.functionEnded(ctx, r.call(ctx))
}

// refresh does nothing: only HTTP has credentials of ours.
func (r *running) refresh(context.Context) bool { return false }

// functionEnded says what the error of a function means.
func (x *execution) functionEnded(ctx context.Context, err error) result {
	if err == nil {
		return result{happened: answered}
	}
	return x.functionFailed(ctx, err)
}

func (x *execution) functionFailed(ctx context.Context, err error) result {
	var marked *markedError
	if errors.As(err, &marked) {
		return result{happened: marked.happened, outcome: marked.outcome, err: err}
	}
	if h, ended := x.cut(ctx); ended {
		return result{happened: h, err: err}
	}
	return result{happened: connectionBroke, err: err} // a refused dial too: the function may have done something before it
}

// markedError is an error of which the function knows what it means.
type markedError struct {
	error
	happened happening
	outcome  Outcome
}

func (m *markedError) Unwrap() error { return m.error }

// Permanent marks the error of a function given to [Run]: the dependency did
// its part, and another attempt would fail alike. nil stays nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &markedError{err, markedPermanent, Rejected}
}

// NotDone marks the error of a function given to [Run]: the dependency failed,
// and nothing was done for certain. nil stays nil.
func NotDone(err error) error {
	if err == nil {
		return nil
	}
	return &markedError{err, noConnection, NotSent}
}

// runs holds the plans of Run, by policy.
var runs runPlans

type runPlans struct {
	mu       sync.Mutex
	byPolicy sync.Map // *Policy to *plan
	byPlace  map[*Compartment]*compartment
}

func (r *runPlans) plan(p *Policy) (*plan, error) {
	if pl, ok := r.byPolicy.Load(p); ok {
		return pl.(*plan), nil
	}
	if p == nil {
		return nil, wordedf(ErrInput, "the policy is nil; want one")
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if pl, ok := r.byPolicy.Load(p); ok {
		return pl.(*plan), nil
	}
	c := r.byPlace[p.Compartment]
	if c == nil {
		if r.byPlace == nil {
			r.byPlace = make(map[*Compartment]*compartment)
		}
		c = newCompartment(compartmentKey{dependency: p.Compartment.Dependency, name: p.Compartment.Name}, *p.Compartment, notHTTP{})
		r.byPlace[p.Compartment] = c
	}
	pl := newPlan(p, c)
	r.byPolicy.Store(p, pl)
	return pl, nil
}

// notHTTP stands where Run has no transport.
type notHTTP struct{}

func (notHTTP) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("runtime: Run sends no HTTP")
}
