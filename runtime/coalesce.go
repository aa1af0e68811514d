package runtime

import (
	"context"
	"crypto/sha256"
	"fmt"
	"runtime"
	"sync"
)

// flights are the reads on their way that others may share.
type flights struct {
	mu   sync.Mutex
	open map[identity]*flight
}

// A flight is one read, made for everybody who asks for the same. It flies in
// a goroutine of its own, so that no caller's cancellation fails the others.
type flight struct {
	done    chan struct{} // closed when answer or ending is there
	cancel  context.CancelFunc
	waiters int // under flights.mu; the last who leaves cancels it
	answer  *keptAnswer
	failed  *CallError // of the flight; nil if it has an answer
	ending  ending     // zero if user code left by a panic or Goexit

	attempts int
	panicked any // what user code panicked with
}

// shareFlight joins the flight for the same read, or starts one.
func (c *Call) shareFlight(x *execution) error {
	id, ok := c.identity(x)
	if !ok {
		return c.conclude(x, x.run())
	}
	h := sha256.New()
	h.Write(id[:])
	addHeader(h, c.Header)                                                       // what the answer varies by is not known yet
	fmt.Fprint(h, c.config.maxAttempts, c.config.withoutRetry, c.config.attempt) // ceilings hold for who set them
	id = identity(h.Sum(nil))

	fs := &c.engine.flights
	fs.mu.Lock()
	fl := fs.open[id]
	c.coalesced = fl != nil
	if fl == nil {
		fl = c.takeOff(x, id)
	}
	fl.waiters++
	fs.mu.Unlock()
	return c.land(x, fl, id)
}

// takeOff starts a flight; flights.mu is held.
func (c *Call) takeOff(x *execution, id identity) *flight {
	fs := &c.engine.flights
	ctx, cancel := context.WithCancel(context.WithoutCancel(x.ctx))
	fl := &flight{done: make(chan struct{}), cancel: cancel}
	if fs.open == nil {
		fs.open = make(map[identity]*flight)
	}
	fs.open[id] = fl
	own := &Call{
		Operation: c.Operation, Method: c.Method, URL: c.URL, Header: c.Header.Clone(), Body: c.Body, Auth: c.Auth,
		engine: c.engine, prepared: c.prepared, capture: &fl.answer,
	}
	own.template.Header = own.Header
	own.config.maxAttempts, own.config.withoutRetry, own.config.attempt = c.config.maxAttempts, c.config.withoutRetry, c.config.attempt
	y := &own.execution
	y.operation, y.observer, y.config, y.work, y.plan, y.compartment = x.operation, x.observer, &own.config, own, x.plan, x.compartment
	y.begin(ctx)
	go func() {
		defer cancel()
		defer fs.close(id, fl)
		defer func() { fl.panicked = recover() }() // a panic of user code goes on in the callers
		fl.ending = y.run()
		fl.attempts = y.count
		if fl.ending.happened != answered {
			fl.failed = own.fail(y, fl.ending)
		}
	}()
	return fl
}

func (fs *flights) close(id identity, fl *flight) {
	fs.mu.Lock()
	if fs.open[id] == fl {
		delete(fs.open, id)
	}
	fs.mu.Unlock()
	close(fl.done)
}

// leave is called by a caller who no longer waits.
func (fs *flights) leave(id identity, fl *flight) {
	fs.mu.Lock()
	fl.waiters--
	if fl.waiters == 0 {
		fl.cancel()
		if fs.open[id] == fl {
			delete(fs.open, id) // who comes now starts anew
		}
	}
	fs.mu.Unlock()
}

// land waits for the flight's end and decodes it for this caller.
func (c *Call) land(x *execution, fl *flight, id identity) error {
	defer c.engine.flights.leave(id, fl)
	ctx := x.ctx
	if x.end != noEnd && !x.callersEnd {
		limited, cancel := context.WithDeadline(ctx, x.compartment.at(x.end))
		defer cancel()
		ctx = limited
	}
	select {
	case <-fl.done:
	case <-ctx.Done():
		x.clock = byTotal
		h, _ := x.cut(ctx)
		return c.conclude(x, ending{result{happened: h, err: ctx.Err(), outcome: Unknown}, ReasonTime, nil})
	}
	switch {
	case fl.panicked != nil:
		panic(fl.panicked)
	case fl.ending.happened == 0:
		runtime.Goexit() // user code did so in the flight, in this caller's name
	}
	x.count = fl.attempts
	if fl.failed == nil {
		a := fl.answer.answer(c.Method)
		x.outcome = Applied
		c.show(a)
		c.copied = fl.answer
		return c.conclude(x, ending{result: c.decode(a)})
	}
	return c.conclude(x, c.failedLike(x, fl))
}

// failedLike makes this caller's ending out of the flight's, with the declared
// error decoded for it alone.
func (c *Call) failedLike(x *execution, fl *flight) ending {
	e := fl.ending
	x.attempts, x.outcome, x.waitNamed = fl.failed.Attempts, fl.failed.Outcome, fl.failed.RetryAfter
	if fl.failed.Status != 0 {
		a := &Answer{Status: fl.failed.Status, Header: fl.failed.Header.Clone(), Method: c.Method, Body: fl.failed.Body}
		err := fl.failed.Cause
		if a.Status > 299 {
			if own := c.Decode(a); own != nil {
				err = own
			}
		}
		x.last = e.result
		x.last.err, x.last.answer = err, c.failed(a)
		if e.attempted {
			e.err = err
		}
		c.show(a)
	}
	return e
}
