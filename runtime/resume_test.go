package runtime_test

import (
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func TestKeyThatWasNotSentIsMadeNow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Idempotent)
		p.Key, p.AlreadyDone, p.Retry.MaxAttempts = rt.KeyRule{In: rt.InHeader, Name: "Idempotency-Key", Retention: time.Hour}, []int{404}, 1
		c := newClient(t, p, faulttest.NewRoundTripper(faulttest.Step{Fault: faulttest.Refuse}, faulttest.Status(404)))
		_, err := c.do(t.Context())
		ce := callError(t, err)
		if ce.Outcome != rt.NotSent || ce.Key.Value == "" || !ce.Key.FirstSent.IsZero() || ce.Key.Host != "" {
			t.Fatalf("%s with %+v, want a key that was not sent", ce.Outcome, ce.Key)
		}
		if _, err := c.do(t.Context(), rt.WithIdempotencyKey(ce.Key)); callError(t, err).Status != 404 {
			t.Errorf("= %v, want the 404", err)
		}
	})
}

func TestAlreadyDoneAfterAnEarlierCall(t *testing.T) {
	for _, c := range []struct {
		name     string
		first    faulttest.Step
		outcome  rt.Outcome
		rejected bool
		done     bool
	}{
		{"that may have done it", faulttest.Step{Fault: faulttest.Reset}, rt.Unknown, false, true},
		{"that was refused", faulttest.Status(422), rt.Rejected, true, false},
		{"that was asked to wait", faulttest.Status(429), rt.Rejected, true, false},
		{"that was not sent", faulttest.Step{Fault: faulttest.Refuse}, rt.NotSent, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(rt.Keyed)
				p.AlreadyDone, p.Retry.MaxAttempts = []int{409}, 1
				cl := newClient(t, p, faulttest.NewRoundTripper(c.first, faulttest.Status(409), faulttest.Step{}))
				cl.edit = func(call *rt.Call) { call.HasResult = false }
				_, err := cl.do(t.Context())
				ce := callError(t, err)
				if ce.Outcome != c.outcome || ce.Key.Rejected != c.rejected {
					t.Errorf("first call: %s, key rejected %t; want %s, %t", ce.Outcome, ce.Key.Rejected, c.outcome, c.rejected)
				}
				var info rt.Info
				_, err = cl.do(t.Context(), rt.WithIdempotencyKey(ce.Key), rt.WithInfo(&info))
				if info.AlreadyDone != c.done || (err == nil) != c.done {
					t.Errorf("resumed: %v, already done %t; want %t", err, info.AlreadyDone, c.done)
				}
				_, err = cl.do(t.Context(), rt.WithIdempotencyKey(ce.Key), rt.WithInfo(&info))
				if err != nil || info.Key.Rejected {
					t.Errorf("at last: %v, key rejected %t; want success under a key that was not", err, info.Key.Rejected)
				}
			})
		})
	}
}

func TestResumedCallIsRejectedOnlyForBoth(t *testing.T) {
	for _, c := range []struct {
		name    string
		key     func(rt.Key) rt.Key
		step    faulttest.Step
		outcome rt.Outcome
	}{
		{"refused under the key", nil, faulttest.Status(422), rt.Rejected},
		{"refused before the key", nil, faulttest.Status(403), rt.Unknown},
		{"asked to wait", nil, faulttest.Status(429), rt.Unknown},
		{"key used with other content", nil, faulttest.Status(409), rt.Unknown},
		{"nothing sent", nil, faulttest.Step{Fault: faulttest.Refuse}, rt.NotSent},
		{"a rejected key, refused before it", func(k rt.Key) rt.Key { k.Rejected = true; return k }, faulttest.Status(403), rt.Rejected},
		{"a rejected key, nothing sent", func(k rt.Key) rt.Key { k.Rejected = true; return k }, faulttest.Step{Fault: faulttest.Refuse}, rt.NotSent},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(rt.Keyed)
				p.Key.Statuses, p.Retry.MaxAttempts = []rt.KeyStatus{{Status: 409, Means: rt.Mismatch}}, 1
				_, err := newClient(t, p, always(faulttest.Step{Fault: faulttest.Reset})).do(t.Context())
				key := callError(t, err).Key
				if c.key != nil {
					key = c.key(key)
				}
				_, err = newClient(t, p, always(c.step)).do(t.Context(), rt.WithIdempotencyKey(key))
				ce := callError(t, err)
				wantRejected := c.outcome == rt.Rejected || c.outcome == rt.NotSent && key.Rejected
				if ce.Outcome != c.outcome || ce.Key.Rejected != wantRejected || !ce.Key.FirstSent.Equal(key.FirstSent) {
					t.Errorf("= %s with %+v, want %s, rejected %t", ce.Outcome, ce.Key, c.outcome, wantRejected)
				}
			})
		})
	}
}

func TestResumedKeyKeepsItsFirstSending(t *testing.T) {
	bubble(t, func(t *testing.T) {
		_, err := newClient(t, bare(rt.Keyed), always(faulttest.Step{Fault: faulttest.Reset})).do(t.Context())
		first := callError(t, err).Key
		time.Sleep(time.Hour)
		for _, fault := range []faulttest.Fault{faulttest.Reset, faulttest.Refuse} {
			_, err = newClient(t, bare(rt.Keyed), always(faulttest.Step{Fault: fault})).do(t.Context(), rt.WithIdempotencyKey(first))
			if got := callError(t, err).Key; got != first || got.Host != "faulttest.invalid" {
				t.Errorf("%+v, want %+v", got, first)
			}
		}
	})
}
