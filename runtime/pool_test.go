package runtime

import (
	"context"
	"net/http"
	"testing"
	"time"
)

func TestPoolOfACompartment(t *testing.T) {
	p := newPool(Compartment{Connect: 700 * time.Millisecond, Bulkhead: Bulkhead{MaxConcurrent: 5}})
	if p.MaxIdleConnsPerHost != 5 || p.IdleConnTimeout != 30*time.Second || p.TLSHandshakeTimeout != 700*time.Millisecond {
		t.Errorf("pool = %d idle for %s, handshake %s; want 5 for 30s, 700ms", p.MaxIdleConnsPerHost, p.IdleConnTimeout, p.TLSHandshakeTimeout)
	}
	if p.HTTP2 == nil || p.HTTP2.SendPingTimeout == 0 || p.HTTP2.PingTimeout == 0 {
		t.Error("no HTTP/2 pings: a dead connection would be used again and again")
	}
	if err := p.OnProxyConnectResponse(context.Background(), nil, nil, &http.Response{StatusCode: 407}); kindOf(err) != identityRefused {
		t.Errorf("a proxy's 407 is %d, want that it refused us", kindOf(err))
	}
	if err := p.OnProxyConnectResponse(context.Background(), nil, nil, &http.Response{StatusCode: 200}); err != nil {
		t.Errorf("a proxy's 200: %v", err)
	}
	if a, b := newPool(Compartment{}), newPool(Compartment{}); a == b {
		t.Error("two compartments share a pool")
	}
}

// Every happening has a row, and every row is whole.
func TestTableIsWhole(t *testing.T) {
	for h := happening(1); h < lastHappening; h++ {
		r := table[h]
		if r.breaker == 0 || r.repeat == 0 || r.unsafe == 0 || r.outcome == 0 || (r.class == 0) != (h == answered) {
			t.Errorf("row %d = %+v, want every column", h, r)
		}
	}
}
