package wire

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"
)

// A sent is a request as it stands on the wire.
type sent struct {
	method string
	target string // path and query
	host   string
	header http.Header
	body   string
}

// sentBy writes one attempt of r and reads it back.
func sentBy(t *testing.T, r *Request) sent {
	t.Helper()
	r.finish()
	if r.call.Err != nil {
		t.Fatalf("the request is refused: %v", r.call.Err)
	}
	return attempt(t, r)
}

// attempt writes one attempt of a finished request.
func attempt(t *testing.T, r *Request) sent {
	t.Helper()
	body, err := r.call.Body.Open()
	if err != nil {
		t.Fatalf("open body: %v", err)
	}
	req := (&http.Request{
		Method: r.call.Method, URL: r.call.URL, Header: r.call.Header.Clone(),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(context.Background())
	if req.Header == nil {
		req.Header = http.Header{}
	}
	if !r.call.Body.IsZero() {
		req.Body, req.ContentLength = body, r.call.Body.Size()
		if req.ContentLength == 0 {
			req.Body = http.NoBody
		}
	}
	if r.call.Auth != nil {
		if err := r.call.Auth.Authorize(req.Context(), req); err != nil {
			t.Fatalf("authorize: %v", err)
		}
	}
	var wire bytes.Buffer
	if err := req.Write(&wire); err != nil {
		t.Fatalf("write the request: %v", err)
	}
	got, err := http.ReadRequest(bufio.NewReader(&wire))
	if err != nil {
		t.Fatalf("read the request: %v", err)
	}
	content, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatalf("read the body: %v", err)
	}
	return sent{got.Method, got.RequestURI, got.Host, got.Header, string(content)}
}

// refusedBy is why r is refused.
func refusedBy(t *testing.T, r *Request) string {
	t.Helper()
	r.finish()
	if r.call.Err == nil {
		t.Fatalf("the request goes out to %s; want it refused", r.call.URL)
	}
	return r.call.Err.Error()
}

func newRequest(template string) *Request {
	r := NewRequest("tend", http.MethodGet, BaseURL("http://garden.test/v1"))
	r.Path(template)
	return r
}
