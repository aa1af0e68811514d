package wire

import (
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	rt "github.com/resgen-dev/resgen/runtime"
)

// Lines is a live answer of JSON values that follow each other: JSON lines,
// NDJSON, JSON text sequences.
type Lines[T any] struct {
	Status int
	Header http.Header
	body   *liveBody
}

// DecodeLines reads an answer as JSON values.
func DecodeLines[T any](a *Answer, mediaTypes ...string) (*Lines[T], error) {
	if err := checkType(a, mediaTypes); err != nil {
		return nil, err
	}
	return &Lines[T]{a.Status, a.Header, liveBodyOf(a)}, nil
}

// Close ends the stream. It may be called while All waits, and more than once.
func (l *Lines[T]) Close() error { return l.body.Close() }

// All returns the values as they come. It ends when the server is done, when
// the stream is closed, or with an error: the connection's, the context's, or
// [rt.ErrMalformed] for a line that is no T. Leaving the loop closes the
// stream, so it can be ranged over once.
func (l *Lines[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		defer l.Close()
		d := newLineDecoder(l.body)
		for {
			var v T
			err := d.next(any(&v))
			if err == io.EOF || !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// A lineDecoder reads JSON values one after the other.
type lineDecoder struct {
	in    *sequenceReader
	d     *jsontext.Decoder
	limit int64 // of one value
}

func newLineDecoder(r io.Reader) *lineDecoder {
	in := &sequenceReader{from: r}
	return &lineDecoder{in: in, d: jsontext.NewDecoder(in, decodeOptions), limit: rt.DefaultMaxResponseBytes}
}

func (l *lineDecoder) next(dst any) error {
	l.in.end = l.d.InputOffset() + l.limit
	err := json.UnmarshalDecode(l.d, dst, decodeOptions)
	switch {
	case err == nil || err == io.EOF:
		return err
	case l.in.err != nil && l.in.err != io.EOF: // the decoder wraps it
		return l.in.err
	default:
		return fmt.Errorf("line: %w", malformedJSON(err, dst))
	}
}

// A sequenceReader turns the record separators of JSON text sequences into
// spaces (JSON text holds none unescaped) and ends with an error at a limit.
type sequenceReader struct {
	from io.Reader
	read int64
	end  int64 // of what may be read
	err  error
}

// Read reads, and fails once the end is passed.
func (s *sequenceReader) Read(b []byte) (int, error) {
	if s.read > s.end {
		s.err = fmt.Errorf("line is too long: %w", rt.ErrTooLarge)
		return 0, s.err
	}
	n, err := s.from.Read(b)
	s.read += int64(n)
	s.err = err
	for i, c := range b[:n] {
		if c == 0x1e {
			b[i] = ' '
		}
	}
	return n, err
}
