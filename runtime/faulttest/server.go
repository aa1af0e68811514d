package faulttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// A Server is a scripted HTTP server.
type Server struct {
	Script
	URL string // base URL, without a slash at the end

	pipe *pipeListener // nil on loopback

	mu       sync.Mutex
	http     *http.Server
	address  string
	listener net.Listener
	refusing bool
	pools    []*http.Transport

	connections atomic.Int64
}

// Connections returns how many connections were made.
func (s *Server) Connections() int { return int(s.connections.Load()) }

// NewServer starts a server on loopback. It panics if it cannot listen, as
// httptest does.
func NewServer(steps ...Step) *Server {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(fmt.Sprintf("faulttest: listen on loopback: %v", err))
	}
	s := &Server{URL: "http://" + l.Addr().String(), address: l.Addr().String(), listener: l}
	s.start(l, steps)
	return s
}

// NewPipe starts a server on pipes in memory; only [Server.Transport] reaches it.
func NewPipe(steps ...Step) *Server {
	l := newPipeListener()
	s := &Server{URL: "http://faulttest.invalid", pipe: l, listener: l}
	s.start(l, steps)
	return s
}

func (s *Server) start(l net.Listener, steps []Step) {
	s.Then(steps...)
	server := &http.Server{
		Handler:  http.HandlerFunc(s.serve),
		ErrorLog: log.New(io.Discard, "", 0), // broken connections are the point
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			s.connections.Add(1)
			return context.WithValue(ctx, connKey{}, c)
		},
	}
	s.http = server
	go func() { _ = server.Serve(l) }() // ends with Close or Refuse
}

// Transport returns a new transport that reaches the server, on its pipes if
// it has any. Close closes its idle connections.
func (s *Server) Transport() *http.Transport {
	t := &http.Transport{MaxIdleConnsPerHost: 256}
	if s.pipe != nil {
		t.DialContext = s.pipe.dial
	}
	s.mu.Lock()
	s.pools = append(s.pools, t)
	s.mu.Unlock()
	return t
}

// Close stops the server and what hangs in it.
func (s *Server) Close() {
	s.mu.Lock()
	s.stop()
	pools := s.pools
	s.mu.Unlock()
	for _, t := range pools {
		t.CloseIdleConnections()
	}
}

// Refuse refuses new connections and cuts those there are, or takes new ones again.
func (s *Server) Refuse(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refusing == on {
		return
	}
	s.refusing = on
	if s.pipe != nil {
		s.pipe.refuse(on)
		return
	}
	if on {
		s.stop()
		return
	}
	l, err := listenAgain(s.address)
	if err != nil {
		panic(fmt.Sprintf("faulttest: listen again on %s: %v", s.address, err))
	}
	s.listener = l
	s.start(l, nil)
}

// stop closes the listener and the connections. The server closes a listener
// only once Serve knows it, and until then dials would be taken.
func (s *Server) stop() {
	_ = s.listener.Close()
	_ = s.http.Close()
}

// refused reports whether connections are refused. A connection taken while
// Refuse cuts the others is not known to the server yet, and is cut when it asks.
func (s *Server) refused() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refusing
}

// listenAgain waits for the port to be free.
func listenAgain(address string) (net.Listener, error) {
	for try := 0; ; try++ {
		l, err := net.Listen("tcp", address)
		if err == nil || try == 50 {
			return l, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Blackhole lets dials hang until their context ends. It needs a pipe.
func (s *Server) Blackhole(on bool) {
	if s.pipe == nil {
		panic("faulttest: Blackhole needs a server made by NewPipe")
	}
	s.pipe.blackhole(on)
}

type connKey struct{}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	conn, _ := r.Context().Value(connKey{}).(net.Conn)
	if s.refused() {
		conn.Close()
		panic(http.ErrAbortHandler)
	}
	step, seen := s.arrive(r)
	if step.Wait > 0 && !sleep(r.Context(), step.Wait) {
		return
	}
	s.act(&step, seen)
	switch step.Fault {
	case HangUp:
		<-r.Context().Done()
		return
	case Reset:
		reset(conn)
		panic(http.ErrAbortHandler)
	case Drop:
		conn.Close()
		panic(http.ErrAbortHandler)
	case None, Truncate, Stall:
	case Refuse:
		panic("faulttest: a server cannot refuse one request; use Server.Refuse")
	default:
		panic(fmt.Sprintf("faulttest: fault %d not handled", step.Fault))
	}
	if step.Handle != nil {
		step.Handle(w, r)
		return
	}
	s.write(w, r, conn, &step)
}

// write answers with the step's header and body, as far as its fault lets it.
func (s *Server) write(w http.ResponseWriter, r *http.Request, conn net.Conn, step *Step) {
	for name, values := range step.header() {
		w.Header()[name] = values
	}
	body := step.body()
	if step.Fault != None {
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		w.WriteHeader(step.status())
		_, _ = io.WriteString(w, body[:min(step.CutAt, len(body))])
		_ = http.NewResponseController(w).Flush()
		if step.Fault == Stall {
			<-r.Context().Done()
		}
		conn.Close()
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(step.status())
	if len(step.Chunks) == 0 {
		if body != "" && r.Method != http.MethodHead {
			_, _ = io.WriteString(w, body) // the client may be gone
		}
		return
	}
	for i, chunk := range step.Chunks {
		if i > 0 && !sleep(r.Context(), step.Pace) {
			return
		}
		_, _ = io.WriteString(w, chunk)
		_ = http.NewResponseController(w).Flush()
	}
}

// sleep waits, and reports false if the client left.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// reset closes a connection so that the other end sees a reset.
func reset(conn net.Conn) {
	switch c := conn.(type) {
	case *net.TCPConn:
		_ = c.SetLinger(0)
		c.Close()
	case *pipeConn:
		c.reset()
	default:
		panic(fmt.Sprintf("faulttest: connection of type %T not handled", conn))
	}
}

var errClosed = errors.New("faulttest: listener closed")
