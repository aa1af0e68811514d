package runtime_test

import (
	"errors"
	"net/http"
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
