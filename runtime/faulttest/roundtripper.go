package faulttest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"strings"
	"syscall"
)

// A RoundTripper answers from a script without any connection. It reports to
// httptrace as net/http does: a refused one asks for a connection and gets none.
type RoundTripper struct {
	Script
	Silent bool // report nothing to httptrace, as some transports do
}

// NewRoundTripper returns a round tripper that plays the steps.
func NewRoundTripper(steps ...Step) *RoundTripper {
	t := &RoundTripper{}
	t.Then(steps...)
	return t
}

// RoundTrip plays the next step.
func (t *RoundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	step, seen := t.arrive(r)
	if r.Body != nil {
		r.Body.Close()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t.trace(ctx, r, step.Fault)
	if step.Wait > 0 && !sleep(ctx, step.Wait) {
		return nil, ctx.Err()
	}
	t.act(&step, seen)
	switch step.Fault {
	case HangUp:
		<-ctx.Done()
		return nil, ctx.Err()
	case Reset:
		return nil, &net.OpError{Op: "read", Net: "tcp", Addr: pipeAddr{}, Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	case Drop:
		return nil, io.EOF
	case Refuse:
		return nil, refused("tcp")
	case None, Truncate, Stall:
	default:
		panic(fmt.Sprintf("faulttest: fault %d not handled", step.Fault))
	}
	if step.Handle != nil {
		w := httptest.NewRecorder()
		step.Handle(w, r)
		answer := w.Result()
		answer.Request = r
		return answer, nil
	}
	return step.response(ctx, r), nil
}

func (t *RoundTripper) trace(ctx context.Context, r *http.Request, f Fault) {
	trace := httptrace.ContextClientTrace(ctx)
	if trace == nil || t.Silent {
		return
	}
	if trace.GetConn != nil {
		trace.GetConn(r.URL.Host)
	}
	if trace.GotConn != nil && f != Refuse {
		trace.GotConn(httptrace.GotConnInfo{})
	}
}

func (s *Step) response(ctx context.Context, r *http.Request) *http.Response {
	body := s.body()
	answer := &http.Response{
		Status: fmt.Sprintf("%d %s", s.status(), http.StatusText(s.status())), StatusCode: s.status(),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: s.header(), Request: r, ContentLength: int64(len(body)),
	}
	switch {
	case r.Method == http.MethodHead:
		answer.Body = http.NoBody
	case s.Fault != None || len(s.Chunks) > 0:
		ctx, stop := context.WithCancel(ctx)
		answer.Body = &slowBody{ctx: ctx, stop: stop, step: s, rest: s.chunks()}
		if len(s.Chunks) > 0 {
			answer.ContentLength = -1
		}
	default:
		answer.Body = io.NopCloser(strings.NewReader(body))
	}
	return answer
}

// chunks are the pieces in which the body comes, cut as the fault says.
func (s *Step) chunks() []string {
	switch {
	case s.Fault == Truncate || s.Fault == Stall:
		body := s.body()
		return []string{body[:min(s.CutAt, len(body))]}
	default:
		return append([]string(nil), s.Chunks...)
	}
}

// A slowBody comes in pieces, and may break off.
type slowBody struct {
	ctx     context.Context
	stop    context.CancelFunc
	step    *Step
	rest    []string
	started bool
}

func (b *slowBody) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if len(b.rest) == 0 {
		switch b.step.Fault {
		case Truncate:
			return 0, io.ErrUnexpectedEOF
		case Stall:
			<-b.ctx.Done()
			return 0, b.ctx.Err()
		default:
			return 0, io.EOF
		}
	}
	if b.started && b.step.Pace > 0 && !sleep(b.ctx, b.step.Pace) {
		return 0, b.ctx.Err()
	}
	n := copy(p, b.rest[0])
	if b.rest[0] = b.rest[0][n:]; b.rest[0] == "" {
		b.rest, b.started = b.rest[1:], true
	} else {
		b.started = false
	}
	return n, nil
}

func (b *slowBody) Close() error { b.stop(); return nil }
