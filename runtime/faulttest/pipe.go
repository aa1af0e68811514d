package faulttest

import (
	"context"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
)

// A pipeListener is a net.Listener whose connections are pipes in memory.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once

	mu       sync.Mutex
	refusing bool
	hole     bool
	open     map[*pipeConn]bool
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), done: make(chan struct{}), open: make(map[*pipeConn]bool)}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, errClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

func (l *pipeListener) refuse(on bool) {
	l.mu.Lock()
	l.refusing = on
	cut := make([]*pipeConn, 0, len(l.open))
	for c := range l.open {
		cut = append(cut, c)
	}
	l.mu.Unlock()
	if on {
		for _, c := range cut {
			c.Close()
		}
	}
}

func (l *pipeListener) blackhole(on bool) {
	l.mu.Lock()
	l.hole = on
	l.mu.Unlock()
}

// dial is a DialContext. Its errors are those of a real network.
func (l *pipeListener) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	l.mu.Lock()
	refusing, hole := l.refusing, l.hole
	l.mu.Unlock()
	if hole {
		<-ctx.Done()
		return nil, &net.OpError{Op: "dial", Net: network, Addr: pipeAddr{}, Err: os.ErrDeadlineExceeded}
	}
	if refusing {
		return nil, refused(network)
	}
	near, far := net.Pipe()
	cut := &atomic.Bool{}
	server := &pipeConn{Conn: far, cut: cut, owner: l}
	l.mu.Lock()
	l.open[server] = true // before the server has it, which may close it at once
	l.mu.Unlock()
	select {
	case l.conns <- server:
	case <-l.done:
		near.Close()
		server.Close()
		return nil, refused(network)
	case <-ctx.Done():
		near.Close()
		server.Close()
		return nil, ctx.Err()
	}
	return &pipeConn{Conn: near, cut: cut}, nil
}

func refused(network string) error {
	return &net.OpError{Op: "dial", Net: network, Addr: pipeAddr{}, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
}

// A pipeConn is one end of a pipe that can be reset: a closed pipe alone would
// be seen as an end of file.
type pipeConn struct {
	net.Conn
	cut   *atomic.Bool  // shared by both ends
	owner *pipeListener // nil on the client's end
}

func (c *pipeConn) reset() {
	c.cut.Store(true)
	c.Close()
}

func (c *pipeConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	return n, c.seen("read", err)
}

func (c *pipeConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	return n, c.seen("write", err)
}

func (c *pipeConn) Close() error {
	if c.owner != nil {
		c.owner.mu.Lock()
		delete(c.owner.open, c)
		c.owner.mu.Unlock()
	}
	return c.Conn.Close()
}

func (c *pipeConn) seen(op string, err error) error {
	if err == nil || !c.cut.Load() {
		return err
	}
	return &net.OpError{Op: op, Net: "tcp", Addr: pipeAddr{}, Err: os.NewSyscallError(op, syscall.ECONNRESET)}
}

type pipeAddr struct{}

func (pipeAddr) Network() string { return "tcp" }
func (pipeAddr) String() string  { return "faulttest.invalid:80" }
