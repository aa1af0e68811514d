package runtime_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	rt "github.com/resgen-dev/resgen/runtime"
)

// refusingH2 speaks as much HTTP/2 as it takes to end the first streams with
// an error code, and to answer the further ones with 200.
func refusingH2(t *testing.T, streams int32, code uint32) (base string, seen *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	seen = new(atomic.Int32)
	ended := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-ended })
	go func() { // the one connection of a test: it ends with its client's
		defer close(ended)
		if conn, err := l.Accept(); err == nil {
			serveH2(conn, seen, streams, code)
		}
	}()
	return "http://" + l.Addr().String(), seen
}

func serveH2(conn net.Conn, seen *atomic.Int32, refuse int32, code uint32) {
	defer conn.Close()
	const headers, reset, settings, ping = 1, 3, 4, 6
	frame := func(kind, flags byte, stream uint32, payload []byte) {
		head := make([]byte, 9)
		binary.BigEndian.PutUint32(head, uint32(len(payload))<<8)
		head[3], head[4] = kind, flags
		binary.BigEndian.PutUint32(head[5:], stream)
		_, _ = conn.Write(append(head, payload...))
	}
	if _, err := io.ReadFull(conn, make([]byte, len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))); err != nil {
		return
	}
	frame(settings, 0, 0, nil)
	for {
		head := make([]byte, 9)
		if _, err := io.ReadFull(conn, head); err != nil {
			return
		}
		kind, flags, stream := head[3], head[4], binary.BigEndian.Uint32(head[5:])
		payload := make([]byte, binary.BigEndian.Uint32(head)>>8)
		if _, err := io.ReadFull(conn, payload); err != nil {
			return
		}
		switch {
		case kind == settings && flags == 0:
			frame(settings, 1, 0, nil)
		case kind == ping && flags == 0:
			frame(ping, 1, 0, payload)
		case flags&1 == 0 || kind > headers: // the request goes on
		default:
			if seen.Add(1) <= refuse {
				frame(reset, 0, stream, binary.BigEndian.AppendUint32(nil, code))
			} else {
				frame(headers, 5, stream, []byte{0x88}) // :status 200, the end
			}
		}
	}
}

// REFUSED_STREAM over a real connection: net/http gives it as a text where the
// request has a body that it cannot open again. An unsafe write is sent once more.
func TestRefusedStreamOverHTTP2(t *testing.T) {
	for _, c := range []struct {
		name string
		code uint32
		hits int32
		want rt.Outcome
	}{
		{"REFUSED_STREAM", 7, 2, rt.Applied},
		{"INTERNAL_ERROR", 2, 1, rt.Unknown},
		{"CANCEL", 8, 1, rt.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, seen := refusingH2(t, 1, c.code)
			transport := &http.Transport{Protocols: &http.Protocols{}}
			transport.Protocols.SetUnencryptedHTTP2(true)
			var conn net.Conn
			transport.DialContext = func(ctx context.Context, network, address string) (_ net.Conn, err error) {
				conn, err = (&net.Dialer{}).DialContext(ctx, network, address)
				return conn, err
			}
			defer func() { conn.Close() }() // a stream that was reset keeps net/http from calling it idle
			cl := newClient(t, patient(bare(rt.Unsafe)), transport)
			cl.base = base
			var info rt.Info
			_, err := cl.do(t.Context(), rt.WithInfo(&info))
			if info.Outcome != c.want || (err == nil) != (c.want == rt.Applied) {
				t.Errorf("= %v, outcome %s; want %s", err, info.Outcome, c.want)
			}
			if seen.Load() != c.hits {
				t.Errorf("streams = %d, want %d", seen.Load(), c.hits)
			}
		})
	}
}
