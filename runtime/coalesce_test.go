package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func TestIdenticalReadsAreSentOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Fallback = rt.Fallback{Coalesce: true, Principal: rt.Shared}
		rtr := always(faulttest.Slow(500*time.Millisecond, faulttest.JSON(200, `"x"`)))
		c := newClient(t, p, rtr)
		var wg sync.WaitGroup
		coalesced := make([]rt.Info, 10)
		for i := range 10 {
			wg.Go(func() {
				if out, err := c.do(t.Context(), rt.WithInfo(&coalesced[i])); err != nil || out != `"x"` {
					t.Errorf("= %s, %v", out, err)
				}
			})
		}
		wg.Wait()
		wantHits(t, &rtr.Script, 1)
		shared := 0
		for _, info := range coalesced {
			if info.Coalesced {
				shared++
			}
		}
		if shared != 9 {
			t.Errorf("coalesced = %d, want 9", shared)
		}
		_, _ = c.do(t.Context())
		wantHits(t, &rtr.Script, 2) // what comes later is sent again
	})
}

func TestOneCallersCancellationDoesNotFailTheOthers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Fallback = rt.Fallback{Coalesce: true, Principal: rt.Shared}
		rtr := always(faulttest.Slow(500*time.Millisecond, faulttest.JSON(200, `"x"`)))
		c := newClient(t, p, rtr)
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() {
				ctx := t.Context()
				if i == 0 { // the one who started it leaves
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, 100*time.Millisecond)
					defer cancel()
				}
				time.Sleep(time.Duration(i) * time.Millisecond)
				_, err := c.do(ctx)
				if (err != nil) != (i == 0) {
					t.Errorf("caller %d: %v", i, err)
				}
			})
		}
		wg.Wait()
		wantHits(t, &rtr.Script, 1)
	})
}

func TestAFlightNobodyWaitsForEnds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Timeout = rt.Timeout{}
		p.Fallback = rt.Fallback{Coalesce: true, Principal: rt.Shared}
		c := newClient(t, p, always(faulttest.Hang()))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := c.do(ctx)
		if ce := callError(t, err); ce.Class != rt.ClassTimeout {
			t.Errorf("= %v, want the caller's deadline", err)
		}
	}) // the bubble fails if the flight still hangs
}

func TestCoalescedFailuresAreDecodedForEachCaller(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Fallback = rt.Fallback{Coalesce: true, Principal: rt.Shared}
		c := newClient(t, p, always(faulttest.Slow(100*time.Millisecond, faulttest.JSON(422, `"bad"`))))
		var wg sync.WaitGroup
		var found [2]*problem
		var headers [2]http.Header
		for i := range 2 {
			wg.Go(func() {
				_, err := c.do(t.Context())
				headers[i] = callError(t, err).Header
				if !errors.As(err, &found[i]) || callError(t, err).Status != 422 {
					t.Errorf("caller %d: %v, want the declared error", i, err)
				}
			})
		}
		wg.Wait()
		if found[0] == found[1] {
			t.Error("both callers share one error value")
		}
		headers[0].Set("X-Seen", "1")
		if headers[1].Get("X-Seen") != "" {
			t.Error("both callers share one header")
		}
	})
}

func TestReadsWithOtherHeadersAreNotShared(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Fallback = rt.Fallback{Coalesce: true, Principal: rt.Shared}
		rtr := always(faulttest.Slow(500*time.Millisecond, faulttest.Step{}))
		c := newClient(t, p, rtr)
		var wg sync.WaitGroup
		for _, language := range []string{"de", "de", "fr"} {
			wg.Go(func() { _, _ = c.do(t.Context(), rt.WithHeader("Accept-Language", language)) })
		}
		wg.Wait()
		wantHits(t, &rtr.Script, 2)
	})
}
