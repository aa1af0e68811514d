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
			return result{happened: badInput, outcome: Unknown, err: fmt.Errorf("%w: %w", ErrInput, *fault)}
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
// another length than was said.
type contentReader struct {
	io.ReadCloser
	size   int64 // -1 is not known
	count  int64
	closed atomic.Bool
	fault  atomic.Pointer[error] // read while the transport may still send
}

func (c *contentReader) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.count += int64(n)
	switch {
	case c.closed.Load(): // the transport gave up; what a closed file says then is no fault
	case err != nil && err != io.EOF:
		c.noticed(fmt.Errorf("read body: %w", err))
	case c.size >= 0 && (c.count > c.size || err == io.EOF && c.count < c.size):
		c.noticed(wordedf(nil, "body has another length than the %d bytes that were said", c.size))
	}
	return n, err
}

func (c *contentReader) noticed(err error) { c.fault.CompareAndSwap(nil, &err) }

func (c *contentReader) Close() error {
	c.closed.Store(true)
	return c.ReadCloser.Close()
}
