package wire

import (
	"bytes"
	"io"
	"sync/atomic"

	rt "github.com/resgen-dev/resgen/runtime"
)

// eventTypes and lineTypes are the media types of streams.
var eventTypes = []string{"text/event-stream"}

// DecodeStream hands on the live body of an answer.
func DecodeStream(a *Answer, mediaTypes ...string) (*rt.Stream, error) {
	if err := checkType(a, mediaTypes); err != nil {
		return nil, err
	}
	if a.Stream == nil && !bodiless(a) {
		return nil, malformedf("answer is not live; want a stream")
	}
	return a.Stream, nil
}

// A liveBody is the body of a stream: live, or kept bytes where the answer
// comes from a fallback. Closing it while it is read ends it without an error.
type liveBody struct {
	body   io.ReadCloser
	closed atomic.Bool
	err    error // that ended it
}

func liveBodyOf(a *Answer) *liveBody {
	if a.Stream != nil {
		return &liveBody{body: a.Stream}
	}
	return &liveBody{body: io.NopCloser(bytes.NewReader(bytes.Clone(a.Body)))}
}

// Read reads from the body; once it is closed it is at its end.
func (l *liveBody) Read(b []byte) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	n, err := l.body.Read(b)
	if l.closed.Load() {
		n, err = 0, io.EOF
	}
	l.err = err
	return n, err
}

// Close ends the stream, from any goroutine.
func (l *liveBody) Close() error {
	if l.closed.Swap(true) {
		return nil
	}
	return l.body.Close()
}
