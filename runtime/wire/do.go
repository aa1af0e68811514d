package wire

import (
	"context"
	"slices"

	rt "github.com/resgen-dev/resgen/runtime"
)

// Do carries r out and returns what decode made of the answer. decode runs
// inside the attempt, once for every answer that comes. A failed call returns
// the zero T and a [*rt.CallError].
func Do[T any, O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, decode func(*Answer) (T, error)) (T, error) {
	return DoWithFallback(ctx, e, p, r, opts, decode, nil)
}

// DoWithFallback is [Do] with the caller's function behind a fallback of kind
// caller; nil is none. See [Bind].
func DoWithFallback[T any, O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, decode func(*Answer) (T, error), fallback func(context.Context, *rt.CallError) (T, error)) (T, error) {
	c := &call[T]{decode: decode, fallback: fallback}
	applyAll(r, opts)
	r.finish()
	r.call.Decode, r.call.HasResult = c.decodeAnswer, true
	if fallback != nil {
		r.call.Fallback = c.fallBack
	}
	err := e.Do(ctx, p, &r.call)
	return c.result(err)
}

// Bind gives a caller's fallback function its request; nil stays nil.
func Bind[Q, T any](f func(context.Context, Q, *rt.CallError) (T, error), req Q) func(context.Context, *rt.CallError) (T, error) {
	if f == nil {
		return nil
	}
	return func(ctx context.Context, err *rt.CallError) (T, error) { return f(ctx, req, err) }
}

// DoNone is [Do] without a result.
func DoNone[O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, decode func(*Answer) error) error {
	applyAll(r, opts)
	r.finish()
	r.call.Decode = decode
	return e.Do(ctx, p, &r.call)
}

// DoLive is [Do] for operations whose success is streamed where its media type
// is one of live; without any, every success is. T is [*rt.Stream], [*Events],
// [*Lines], or a result struct that holds one.
func DoLive[T any, O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, live []string, decode func(*Answer) (T, error)) (T, error) {
	r.live = live
	r.call.Live = r.isLive
	return DoWithFallback(ctx, e, p, r, opts, decode, nil)
}

// DoStream returns a success as a stream of bytes, which the caller closes.
func DoStream[O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, decode func(*Answer) (*rt.Stream, error)) (*rt.Stream, error) {
	return DoLive(ctx, e, p, r, opts, nil, decode)
}

// DoEvents returns a text/event-stream success as events, while they come.
func DoEvents[T any, O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, decode func(*Answer) (*Events[T], error)) (*Events[T], error) {
	return DoLive(ctx, e, p, r, opts, eventTypes, decode)
}

// DoLines returns a success as JSON values that follow each other (JSON lines,
// NDJSON, JSON text sequences), while they come.
func DoLines[T any, O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, decode func(*Answer) (*Lines[T], error)) (*Lines[T], error) {
	return DoLive(ctx, e, p, r, opts, nil, decode)
}

// A call keeps what decode or the fallback returned until the engine is done.
type call[T any] struct {
	value    T
	decode   func(*Answer) (T, error)
	fallback func(context.Context, *rt.CallError) (T, error)
}

func (c *call[T]) decodeAnswer(a *Answer) (err error) {
	c.value, err = c.decode(a)
	closeRefused(a, err)
	return err
}

func (c *call[T]) fallBack(ctx context.Context, failed *rt.CallError) (err error) {
	c.value, err = c.fallback(ctx, failed)
	return err
}

func (c *call[T]) result(err error) (T, error) {
	if err != nil {
		var zero T
		return zero, err
	}
	return c.value, nil
}

// closeRefused closes a live answer that decode did not take.
func closeRefused(a *Answer, err error) {
	if err != nil && a.Stream != nil {
		_ = a.Stream.Close() // the answer is refused; how its stream ends changes nothing
	}
}

func applyAll[O rt.RepeatableOption](r *Request, opts []O) {
	for _, o := range opts {
		r.call.Apply(o)
	}
}

// Kept names the media types of the successes that are not streamed, for an
// operation that has both kinds; see [DoLive]. What fits one of them better than
// any that is streamed is read whole.
func (r *Request) Kept(mediaTypes ...string) { r.kept = mediaTypes }

// isLive says which successes are streamed.
func (r *Request) isLive(a *Answer) bool {
	switch {
	case bodiless(a):
		return false
	case len(r.live) == 0:
		return true
	case len(r.kept) == 0:
		return Match(a, r.live...) >= 0
	}
	return Match(a, append(slices.Clone(r.kept), r.live...)...) >= len(r.kept)
}
