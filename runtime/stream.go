package runtime

import "io"

// A Stream is a live answer. Reads end with io.EOF, an error, the idle limit
// or the end of the caller's context. It holds its place in the bulkhead until
// then or until Close; a Stream that is dropped without either is reported
// ([StreamDropped]) and its place freed when it is collected.
type Stream struct {
	body io.ReadCloser
}

// Read reads from the answer.
func (s *Stream) Read(p []byte) (int, error) { return s.body.Read(p) }

// Close ends the stream and frees what it holds. It may be called more than once.
func (s *Stream) Close() error { return s.body.Close() }
