package runtime

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
)

// ownFault says whether a request failed over what we gave to send: then the
// dependency had no part in it. It is asked after the failure, so that a
// request that goes well does not pay for it.
func (c *Call) ownFault(r *http.Request, err error) result {
	if content, ok := r.Body.(*contentReader); ok {
		if fault := content.fault.Load(); fault != nil { // some of it may have gone out
			return result{happened: badInput, outcome: Unknown, err: *fault}
		}
	}
	if !token(r.Method) {
		return result{happened: badInput, err: fmt.Errorf("%w: %w", wordedf(ErrInput, "method is %q; want an HTTP method", r.Method), err)}
	}
	for name, values := range r.Header {
		if token(name) && !slices.ContainsFunc(values, isNoFieldValue) {
			continue
		}
		if c.Auth != nil && !slices.Equal(values, c.Header[name]) {
			return result{happened: noCredentials, err: fmt.Errorf("header %q of the credential has a line break or another character that a header cannot have", name)}
		}
		return result{happened: badInput, err: fmt.Errorf("%w: %w", wordedf(ErrInput, "header %q has a line break or another character that a header cannot have", name), err)}
	}
	return result{}
}

// isNoFieldValue reports whether s cannot be the value of a header.
func isNoFieldValue(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 && r != '\t' || r == 0x7f })
}

// A contentReader notices when content that is sent cannot be read, or has
// another length than was said. The end of what is too long is held back, so
// that the server does not take its beginning for the whole.
type contentReader struct {
	io.ReadCloser
	size   int64 // -1 is not known
	count  int64
	closed atomic.Bool
	fault  atomic.Pointer[error] // read while the transport may still send
}

func (c *contentReader) Read(p []byte) (int, error) {
	if left := c.size - c.count; c.size >= 0 && int64(len(p)) > left {
		if left == 0 {
			return 0, io.EOF
		}
		p = p[:left]
	}
	n, err := c.ReadCloser.Read(p)
	c.count += int64(n)
	if err == nil && c.count == c.size && len(p) > 0 {
		err = c.atEnd()
	}
	switch {
	case c.closed.Load(): // the transport gave up; what a closed file says then is no fault
	case err != nil && err != io.EOF:
		c.fail(fmt.Errorf("%w: %w", errUnreadable, err))
		n = 0
	case err == io.EOF && c.size >= 0 && c.count < c.size:
		c.fail(errLength)
	}
	return n, err
}

var (
	errUnreadable = wordedf(ErrInput, "body cannot be read")
	errLength     = wordedf(ErrInput, "body has another length than was said")
)

// atEnd asks for more than was said: io.EOF is as it should be.
func (c *contentReader) atEnd() error {
	var more [1]byte
	for {
		switch n, err := c.ReadCloser.Read(more[:]); {
		case n > 0:
			return errLength
		case err != nil:
			return err
		}
	}
}

func (c *contentReader) fail(err error) { c.fault.CompareAndSwap(nil, &err) }

func (c *contentReader) Close() error {
	c.closed.Store(true)
	return c.ReadCloser.Close()
}
