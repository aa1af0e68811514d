package drive

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
)

// A server answers each request with the current answer and keeps the first
// request. It is also the round tripper of the clients: whatever host they
// address, the request goes to it.
type server struct {
	http   *httptest.Server
	inner  *http.Transport
	mu     sync.Mutex
	answer Answer
	seen   *Request
	url    string // of the request under way, as addressed
}

func newServer() *server {
	s := &server{inner: &http.Transport{DisableCompression: true, DisableKeepAlives: true}}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

func (s *server) close() { s.http.Close() }

// next sets the answer and forgets what was seen.
func (s *server) next(a Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer, s.seen = a, nil
}

func (s *server) request() *Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// RoundTrip sends the request to the test server.
func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.url = r.URL.String()
	s.mu.Unlock()
	to, err := url.Parse(s.http.URL)
	if err != nil {
		return nil, err
	}
	sent := r.Clone(r.Context())
	sent.URL.Scheme, sent.URL.Host = to.Scheme, to.Host
	if sent.Host == "" {
		sent.Host = r.URL.Host
	}
	return s.inner.RoundTrip(sent)
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	s.mu.Lock()
	if s.seen == nil {
		s.seen = &Request{
			Method: r.Method, URL: s.url, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery,
			Header: r.Header, Body: body, HasBody: r.ContentLength != 0 || len(body) > 0,
		}
		if raw, _, ok := cutQuery(r.RequestURI); ok || raw != "" {
			s.seen.Path = raw
		}
	}
	a := s.answer
	if a.Then != nil {
		s.answer = *a.Then
	}
	s.mu.Unlock()
	if _, ok := a.Header["Content-Type"]; !ok {
		w.Header()["Content-Type"] = nil // no sniffing
	}
	for name, values := range a.Header {
		for _, v := range values {
			w.Header().Add(name, v)
		}
	}
	w.WriteHeader(a.Status)
	if a.Body != nil {
		_, _ = w.Write(a.Body)
	}
	for _, c := range a.Chunks {
		_, _ = w.Write(c)
		_ = http.NewResponseController(w).Flush()
	}
}

// cutQuery splits a request URI as it was on the wire.
func cutQuery(uri string) (path, query string, found bool) {
	for i := range len(uri) {
		if uri[i] == '?' {
			return uri[:i], uri[i+1:], true
		}
	}
	return uri, "", false
}
