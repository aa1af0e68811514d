package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	stdruntime "runtime"
	"sync/atomic"
	"time"
)

// A Stream is a live answer. Reads end with io.EOF, an error, the idle limit
// or the end of the caller's context. It holds its place in the bulkhead until
// then or until Close; a Stream that is dropped without either is reported
// ([StreamDropped]) and its place freed when it is collected. It is read by one
// goroutine at a time; Close may be called by any. A nil Stream, which stands for
// an answer that has no body (204), is at its end.
type Stream struct {
	life *streamLife
}

// A streamLife is what a stream holds. It does not know its Stream, so that
// one that was dropped can be collected.
type streamLife struct {
	cancel    context.CancelCauseFunc
	timer     *time.Timer // the attempt's limit, then the idle limit. Nil: none.
	handedOut bool

	body      io.ReadCloser
	caller    context.Context
	idle      time.Duration
	ended     atomic.Bool
	silent    atomic.Bool // the idle limit ended it
	over      error       // what Read has ended with, and goes on to say
	key       Key
	place     bool // it holds a place in the bulkhead
	operation string
	owner     *compartment
	observer  Observer
}

var errIdle = fmt.Errorf("stream was silent for its idle limit: %w", context.DeadlineExceeded)

// handOut ends the attempt at the headers: the answer's body lives on as a
// stream, with the attempt's context and place.
func (c *Call) handOut(x *execution, response *http.Response, a *Answer, life *streamLife) result {
	if life.timer != nil && !life.timer.Stop() {
		response.Body.Close()
		return x.truncated(cutContext{}, errAttemptCut)
	}
	life.timer = nil
	life.body, life.caller, life.idle = response.Body, x.ctx, x.plan.policy.Timeout.Idle
	life.operation, life.owner, life.observer, life.key = x.operation, x.compartment, x.observer, c.key
	life.handedOut, life.place, x.held.place = true, x.held.place, false
	if life.idle > 0 {
		life.timer = time.AfterFunc(life.idle, life.fellSilent)
	}
	a.Stream = &Stream{life}
	stdruntime.AddCleanup(a.Stream, (*streamLife).dropped, life)
	decoded := false
	defer func() {
		if !decoded {
			life.end()
		}
	}()
	if err := c.Decode(a); err != nil {
		if !errors.Is(err, ErrMalformed) {
			err = fmt.Errorf("%w: %w", ErrMalformed, err)
		}
		return result{happened: answerMalformed, err: err, answer: c.failed(a)}
	}
	decoded = true
	return result{happened: answered}
}

// fellSilent ends a stream that brought nothing for its idle limit.
func (l *streamLife) fellSilent() {
	l.silent.Store(true)
	l.cancel(errIdle)
	l.end()
}

// cutContext is a context that has ended.
type cutContext struct{ context.Context }

func (cutContext) Err() error { return context.DeadlineExceeded }

// Read reads from the answer. An error other than io.EOF is a *CallError. Once
// it has ended, it ends alike each further time.
func (s *Stream) Read(p []byte) (int, error) {
	if s == nil {
		return 0, io.EOF
	}
	l := s.life
	if l.over != nil {
		return 0, l.over
	}
	n, err := l.body.Read(p)
	switch {
	case err == nil:
		if n > 0 && l.timer != nil && !l.ended.Load() {
			l.timer.Reset(l.idle)
		}
	case err == io.EOF:
		l.over = err
		l.end()
	default:
		err = l.failure(err)
		l.over = err
		l.end()
	}
	stdruntime.KeepAlive(s)
	return n, err
}

// Close ends the stream and frees what it holds. It may be called more than once.
func (s *Stream) Close() error {
	if s == nil {
		return nil
	}
	s.life.end()
	stdruntime.KeepAlive(s)
	return nil
}

// end frees what the stream holds, once.
func (l *streamLife) end() {
	if l.ended.Swap(true) {
		return
	}
	if !l.silent.Load() && l.timer != nil { // a timer that fired may not know itself yet
		l.timer.Stop()
	}
	l.cancel(nil)
	l.body.Close()
	if l.place {
		l.owner.bulkhead.Leave()
	}
}

// dropped runs when a Stream was collected.
func (l *streamLife) dropped() {
	if l.ended.Load() {
		return
	}
	l.end()
	if l.observer != nil {
		l.observer.Observe(context.WithoutCancel(l.caller), Event{
			Kind: StreamDropped, Dependency: l.owner.key.dependency, Compartment: l.owner.key.name, Operation: l.operation,
		})
	}
}

// failure says why a stream broke off: what it stood for was done.
func (l *streamLife) failure(err error) error {
	e := &CallError{
		Operation: l.operation, Dependency: l.owner.key.dependency, Compartment: l.owner.key.name,
		Class: ClassTransient, Outcome: Applied, Cause: err, Key: l.key,
	}
	switch ctxErr := l.caller.Err(); {
	case ctxErr != nil:
		e.Class, e.Reason = table[callerHappening(ctxErr)].class, ctxErr
	case l.silent.Load():
		e.Class, e.Reason = ClassTimeout, errIdle
	}
	return e
}
