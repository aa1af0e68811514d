package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/resgen-dev/resgen/runtime/internal/retryafter"
)

// How much of a failed answer is read, and for how long where another attempt
// may follow: then the connection is worth little more than that.
const (
	drainBytes     = 64 << 10
	drainTime      = 50 * time.Millisecond
	errorBodyBytes = 1 << 20 // of an answer that ends the call
	believed       = 1 << 20 // up to here a declared length is allocated at once
	pooledBytes    = 64 << 10
)

// A failedAnswer is what is kept of an answer that is no success.
type failedAnswer struct {
	status int
	header http.Header
	body   []byte
}

// read takes the answer in: decoded if it is a success, classified if not.
func (c *Call) read(ctx context.Context, x *execution, response *http.Response, life *streamLife) result {
	a := Answer{Status: response.StatusCode, Header: response.Header, Method: c.Method}
	c.show(&a)
	c.replayed = c.key.Value != "" && x.plan.policy.Key.marked(a.Header)
	if a.Status < 200 || a.Status > 299 {
		return c.readFailure(ctx, x, response, &a)
	}
	if c.Live != nil && c.Live(&a) {
		return c.handOut(x, response, &a, life)
	}
	buffer := bodies.Get().(*bodyBuffer)
	body, err := c.readBody(response, buffer)
	response.Body.Close()
	a.Body = body
	switch {
	case errors.Is(err, ErrTooLarge):
		return result{happened: answerMalformed, err: err, answer: c.failed(&a)}
	case err != nil:
		return x.truncated(ctx, err)
	}
	r := c.decode(&a)
	if r.happened == answered { // an error may hold on to the bytes
		buffer.giveBack()
	}
	return r
}

// show makes a the answer that the info and the events tell of.
func (c *Call) show(a *Answer) { c.header, c.execution.answerStatus = a.Header, a.Status }

// A bodyBuffer holds an answer's body while it is decoded.
type bodyBuffer struct {
	bytes.Buffer
	limited io.LimitedReader
}

var bodies = sync.Pool{New: func() any { return new(bodyBuffer) }}

// giveBack keeps the buffer for another call, unless it is a large one.
func (b *bodyBuffer) giveBack() {
	if b.Cap() > pooledBytes {
		return
	}
	b.Reset()
	b.limited.R = nil
	bodies.Put(b)
}

// readBody reads the whole body, up to the client's limit.
func (c *Call) readBody(response *http.Response, buffer *bodyBuffer) ([]byte, error) {
	limit := c.engine.maxBytes
	if c.Method == http.MethodHead {
		return nil, nil // the length is that of the answer to a GET
	}
	if response.ContentLength > limit {
		return nil, fmt.Errorf("%w: %d bytes; the limit is %d", ErrTooLarge, response.ContentLength, limit)
	}
	if n := int(response.ContentLength); n >= 0 && n <= believed {
		buffer.Grow(n)
		body := buffer.AvailableBuffer()[:n]
		_, err := io.ReadFull(response.Body, body)
		return body, err
	}
	buffer.limited = io.LimitedReader{R: response.Body, N: limit + 1}
	_, err := buffer.ReadFrom(&buffer.limited)
	if int64(buffer.Len()) > limit {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	}
	return buffer.Bytes(), err
}

// decode reads a success. What cannot be read was done all the same.
func (c *Call) decode(a *Answer) result {
	if c.capture != nil {
		*c.capture = a.kept()
		return result{happened: answered}
	}
	err := c.Decode(a)
	if err == nil {
		if c.execution.plan.policy.Fallback.Kind == FallbackStale {
			c.copied = a.kept()
		}
		return result{happened: answered}
	}
	if !errors.Is(err, ErrMalformed) {
		err = fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return result{happened: answerMalformed, err: err, answer: c.failed(a)}
}

// truncated is a success of which the body did not come to its end.
func (x *execution) truncated(ctx context.Context, err error) result {
	r := result{happened: answerTruncated, err: err, outcome: Applied}
	if h, ended := x.cut(ctx); ended {
		r.happened = h
		if h == attemptLimit {
			r.happened = answerIdle
		}
	}
	return r
}

// readFailure takes in an answer that is no success.
func (c *Call) readFailure(ctx context.Context, x *execution, response *http.Response, a *Answer) result {
	if a.Status < 200 { // 101 among them, which net/http hands on unasked
		response.Body.Close()
		return result{happened: answerMalformed, outcome: Unknown, err: wordedf(ErrMalformed, "status %d is no end of an answer", a.Status), answer: c.failed(a)}
	}
	wait, named, malformed := retryafter.Read(a.Header, x.plan.waitHeaders, time.Now())
	if a.Status < 400 {
		wait, named = 0, false
	}
	for _, name := range malformed {
		c.config.ignore(name + " of the answer could not be read")
	}
	r := result{happened: ofStatus(a.Status, named), wait: wait, hasWait: named}
	a.Body = readSome(response.Body, c.followed(x, &r, a.Status))
	response.Body.Close()
	c.judge(x, &r, a)
	if c.capture == nil {
		r.err = c.Decode(a)
	}
	if r.err == nil && c.capture == nil && a.Status < 400 {
		return result{happened: answered} // the spec declares this redirect as a success
	}
	r.answer = c.failed(a)
	if r.err == nil {
		r.err = a.Unexpected()
	}
	return r
}

// followed reports whether another attempt is likely to follow an answer of
// which only the status is known.
func (c *Call) followed(x *execution, r *result, status int) bool {
	p := x.plan
	switch repeat := r.row().repeat; {
	case x.single || x.count >= x.maxAttempts:
		return false
	case c.key.Value != "" && p.policy.Key.inFlight(status):
		return true
	case repeat == ifListed:
		return p.when.has(status) && (p.repeatable || p.rejects.has(status))
	default:
		return repeat == onceMore && p.repeatable
	}
}

// readSome reads the body of a failed answer, briefly if another attempt is to
// follow. What it could not read is not an error: the status stands.
func readSome(body io.ReadCloser, briefly bool) []byte {
	limit := int64(errorBodyBytes)
	if briefly {
		limit = drainBytes
		timer := time.AfterFunc(drainTime, func() { body.Close() })
		defer timer.Stop()
	}
	var buffer bytes.Buffer
	_, _ = buffer.ReadFrom(io.LimitReader(body, limit)) // kept as far as it came
	return buffer.Bytes()
}

// drain reads what is left of a body that nobody wants, so that its connection
// can be used again, or gives the connection up.
func drain(body io.ReadCloser) {
	timer := time.AfterFunc(drainTime, func() { body.Close() })
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, body, drainBytes) // whatever comes
	body.Close()
}

// failed keeps of an answer what an error may hold.
func (c *Call) failed(a *Answer) *failedAnswer {
	return &failedAnswer{a.Status, a.Header, bytes.Clone(a.Body[:min(len(a.Body), drainBytes)])}
}
