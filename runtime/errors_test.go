package runtime_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func TestErrorTextHoldsNothingOfTheCallsOwn(t *testing.T) {
	const secret = "hunter2"
	bubble(t, func(t *testing.T) {
		for name, step := range map[string]faulttest.Step{
			"declared error":   faulttest.JSON(422, `"`+secret+`"`),
			"undeclared error": faulttest.JSON(418, `"`+secret+`"`),
			"malformed":        faulttest.JSON(299, `"`+secret+`"`),
			"reset":            {Fault: faulttest.Reset},
		} {
			c := newClient(t, bare(rt.Keyed), faulttest.NewRoundTripper(faulttest.Times(3, step)...))
			c.edit = func(call *rt.Call) {
				call.URL.RawQuery = "q=" + secret
				call.Body = rt.Bytes([]byte(`"` + secret + `"`))
				call.Auth = authFunc(func(r *http.Request) { r.Header.Set("Authorization", secret) })
			}
			_, err := c.do(t.Context(), rt.WithIdempotencyKey(rt.Key{Value: secret}))
			ce := callError(t, err)
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %q holds the secret", name, err)
			}
			if ce.Key.Value != secret {
				t.Errorf("%s: the field Key = %q, want the key", name, ce.Key.Value)
			}
		}
	})
}

func TestCallErrorHoldsEveryAttempt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		_, _, _, err := play(t, bare(rt.Keyed), steps(faulttest.Slow(50*time.Millisecond, faulttest.Status(503)), faulttest.Step{Fault: faulttest.Reset}, faulttest.JSON(422, `"bad"`)))
		ce := callError(t, err)
		var declared *problem
		if !errors.As(err, &declared) || declared.text != `"bad"` {
			t.Errorf("declared error = %v, want the body of the last answer", declared)
		}
		if ce.Operation != "createCharge" || ce.Dependency != "payments" || ce.Status != 422 || string(ce.Body) != `"bad"` {
			t.Errorf("error = %+v", ce)
		}
		if len(ce.Attempts) != 3 {
			t.Fatalf("attempts = %d, want 3", len(ce.Attempts))
		}
		first := ce.Attempts[0]
		if first.Status != 503 || first.Duration != 50*time.Millisecond || first.Wait != 0 || first.Outcome != rt.Unknown || first.Err == nil {
			t.Errorf("first attempt = %+v", first)
		}
		if second := ce.Attempts[1]; second.Wait != 100*time.Millisecond || second.Status != 0 || !second.Start.Equal(first.Start.Add(150*time.Millisecond)) {
			t.Errorf("second attempt = %+v", second)
		}
	})
}

// Wherever a secret stands, among what is sent, what comes back and what
// others say went wrong, the message does not hold it.
func FuzzErrorText(f *testing.F) {
	for _, s := range []string{"hunter2", "a&b=c", "sk_live_\"x\"", "é\n", "%s%d"} {
		f.Add(s, uint8(0))
		f.Add(s, uint8(5))
	}
	f.Fuzz(func(t *testing.T, s string, where uint8) {
		secret := "«" + s + "»" // nothing that we say by ourselves
		said := fmt.Errorf("it was %s", secret)
		fails := []error{
			&url.Error{Op: "Post", URL: "http://faulttest.invalid/charges?api_key=" + secret, Err: io.ErrUnexpectedEOF},
			&net.OpError{Op: "dial", Net: "tcp", Addr: &net.UnixAddr{Name: secret}, Err: said},
			&net.DNSError{Name: secret, Err: secret}, said, errors.Join(said, context.DeadlineExceeded), x509.HostnameError{Host: secret, Certificate: &x509.Certificate{}},
		}
		p := bare(rt.Keyed)
		p.Fallback.Kind, p.Retry.MaxAttempts = rt.FallbackCaller, 1
		p.Key.In, p.Key.Pointer = rt.InBody, "/key"
		c := newClient(t, p, roundTripFunc(func(r *http.Request) (*http.Response, error) {
			switch where % 4 {
			case 0:
				return nil, fails[int(where/4)%len(fails)]
			case 1:
				return faulttest.NewRoundTripper(faulttest.Step{Status: 200 + int(where)*2%400, Body: secret, Header: http.Header{"X": {secret}, "Retry-After": {secret}, "Location": {secret}}}).RoundTrip(r)
			default:
				return nil, io.EOF
			}
		}), func(config *rt.ClientConfig) {
			if where%4 == 2 {
				config.BeforeAttempt = func(*http.Request) error { return said }
			}
		})
		c.edit = func(call *rt.Call) {
			call.URL.RawQuery = "q=" + url.QueryEscape(secret)
			call.Body = rt.Bytes([]byte(`{"a":` + strconv.Quote(secret) + `}`))
			call.Fallback = func(context.Context, *rt.CallError) error { return said }
			if where%4 == 3 {
				call.Auth = authorizeFunc(func(context.Context, *http.Request) error { return said })
				call.Body = rt.Bytes([]byte(secret))
			}
		}
		var opts []rt.RepeatableOption
		if where%8 == 3 {
			opts = append(opts, rt.WithIdempotencyKey(rt.Key{Value: secret, Host: "other"}), rt.WithHeader("X", secret+"\n"))
		}
		if _, err := c.do(t.Context(), opts...); err != nil && strings.Contains(err.Error(), "«") {
			t.Errorf("%q holds the secret", err)
		}
	})
}
