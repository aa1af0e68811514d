package runtime

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"
)

// IdleConnTimeout is how long a pooled connection is kept unused: below the
// minute that many servers and load balancers allow.
const idleConnTimeout = 30 * time.Second

// errProxy marks a proxy that refused to connect us.
var errProxy = errors.New("proxy refused the connection")

// newPool makes the connection pool of one compartment: what another one does
// to its connections does not reach this one.
func newPool(c Compartment) *http.Transport {
	dialer := &net.Dialer{Timeout: c.Connect, KeepAlive: 15 * time.Second}
	t := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		TLSHandshakeTimeout:   c.Connect,
		ForceAttemptHTTP2:     true,
		MaxIdleConnsPerHost:   c.Bulkhead.MaxConcurrent,
		IdleConnTimeout:       idleConnTimeout,
		ExpectContinueTimeout: time.Second,
		// A connection that died silently is found by pings, not by every call's limit.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
		OnProxyConnectResponse: func(_ context.Context, _ *url.URL, _ *http.Request, r *http.Response) error {
			if r.StatusCode != http.StatusOK {
				return errProxy
			}
			return nil
		},
	}
	if c.Bulkhead.MaxConcurrent == 0 {
		t.MaxIdleConnsPerHost = 64
	}
	return t
}
