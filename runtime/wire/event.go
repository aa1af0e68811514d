package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	rt "github.com/resgen-dev/resgen/runtime"
)

// An Event is one event of a text/event-stream answer.
type Event[T any] struct {
	ID   string // the last id that the stream named
	Name string // its event field; empty: "message"
	Data T      // its data: as it is for string types, else decoded as JSON
	Raw  string // its data lines as they came, joined by line breaks
}

// Events is a live text/event-stream answer.
type Events[T any] struct {
	Status int
	Header http.Header
	body   *liveBody
}

// DecodeEvents reads an answer as events. Without media types it is
// text/event-stream.
func DecodeEvents[T any](a *Answer, mediaTypes ...string) (*Events[T], error) {
	if len(mediaTypes) == 0 {
		mediaTypes = eventTypes
	}
	if err := checkType(a, mediaTypes); err != nil {
		return nil, err
	}
	return &Events[T]{a.Status, a.Header, liveBodyOf(a)}, nil
}

// Close ends the stream. It may be called while All waits, and more than once.
func (e *Events[T]) Close() error { return e.body.Close() }

// All returns the events as they come. It ends when the server is done, after
// the event [DONE] that some servers of JSON events end with, when the stream
// is closed, or with an error: the connection's, the context's, or
// [rt.ErrMalformed] for data that is no T. Leaving the loop closes the stream,
// so it can be ranged over once.
func (e *Events[T]) All() iter.Seq2[Event[T], error] {
	return func(yield func(Event[T], error) bool) {
		defer e.Close()
		p := newEventParser(e.body)
		for raw, err := p.next(); err != io.EOF; raw, err = p.next() {
			event := Event[T]{ID: raw.id, Name: raw.name, Raw: raw.data}
			if err == nil {
				err = readData(any(&event.Data), raw.data)
			}
			if err == errDone || !yield(event, err) || err != nil {
				return
			}
		}
	}
}

var errDone = errors.New("done")

// readData reads an event's data into dst, a pointer to a T.
func readData(dst any, data string) error {
	v := reflect.ValueOf(dst).Elem()
	if v.Kind() == reflect.String && !speaksForItself(v.Interface()) {
		v.SetString(data)
		return nil
	}
	if data == "[DONE]" {
		return errDone
	}
	if err := json.Unmarshal([]byte(data), dst, decodeOptions); err != nil {
		return fmt.Errorf("event data: %w", malformedJSON(err, dst))
	}
	return nil
}

// A rawEvent is an event with its data still text.
type rawEvent struct{ id, name, data string }

// An eventParser reads an event stream as the HTML standard tells.
type eventParser struct {
	lines lineReader
	id    string
	begun bool
}

func newEventParser(r io.Reader) *eventParser {
	return &eventParser{lines: lineReader{from: r, limit: rt.DefaultMaxResponseBytes}}
}

// next returns the next event that has data. What stands after the last empty
// line is no event: it may have been cut off.
func (p *eventParser) next() (rawEvent, error) {
	var (
		event   rawEvent
		data    strings.Builder
		hasData bool
	)
	for {
		line, err := p.lines.next(data.Len())
		if err != nil {
			return rawEvent{}, err
		}
		if !p.begun {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
			p.begun = true
		}
		if len(line) == 0 {
			if hasData {
				event.id, event.data = p.id, data.String()
				return event, nil
			}
			event = rawEvent{}
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "data":
			if hasData {
				data.WriteByte('\n')
			}
			data.Write(value)
			hasData = true
		case "event":
			event.name = string(value)
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				p.id = string(value)
			}
		}
	}
}

// A lineReader reads lines that end in LF, CR or CRLF, each as soon as its end
// is there.
type lineReader struct {
	from   io.Reader
	limit  int    // of what a caller holds and the line together
	buf    []byte // read and not yet returned
	start  int    // of what is not yet returned
	seen   int    // of buf, searched for a line's end
	afterC bool   // the last line ended in CR: an LF that follows belongs to it
	err    error  // of from
}

// next returns a line without its end. It is valid until the next call. held
// is the size of what the caller keeps of earlier lines.
func (l *lineReader) next(held int) ([]byte, error) {
	for {
		if l.afterC && l.start < len(l.buf) {
			if l.buf[l.start] == '\n' {
				l.start++
				l.seen = max(l.seen, l.start)
			}
			l.afterC = false
		}
		if i := lineEnd(l.buf[l.seen:]); i >= 0 {
			end := l.seen + i
			line := l.buf[l.start:end]
			l.afterC = l.buf[end] == '\r'
			l.start, l.seen = end+1, end+1
			return line, nil
		}
		l.seen = len(l.buf)
		if l.err != nil {
			return nil, l.err
		}
		if held+len(l.buf)-l.start > l.limit {
			return nil, fmt.Errorf("event is longer than %d bytes: %w", l.limit, rt.ErrTooLarge)
		}
		l.fill()
	}
}

// lineEnd is the index of the first line end, or -1.
func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	if lf >= 0 {
		b = b[:lf]
	}
	if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
		return cr
	}
	return lf
}

func (l *lineReader) fill() {
	if l.start > 0 {
		l.buf = append(l.buf[:0], l.buf[l.start:]...)
		l.seen -= l.start
		l.start = 0
	}
	if cap(l.buf)-len(l.buf) < 512 {
		l.buf = append(make([]byte, 0, max(4096, 2*cap(l.buf))), l.buf...)
	}
	n, err := l.from.Read(l.buf[len(l.buf):cap(l.buf)])
	l.buf = l.buf[:len(l.buf)+n]
	l.err = err
}
