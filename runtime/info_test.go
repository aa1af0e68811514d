package runtime_test

import (
	"sync"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// The info tells of calls that fail as well, and of those that nothing was sent for.
func TestInfoOfCallsThatFail(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := tripAt(bare(rt.Safe), 1)
		p.Retry.MaxAttempts = 1
		c := newClient(t, p, faulttest.NewRoundTripper(faulttest.RetryAfter(503, "2")))
		var info rt.Info
		_, _ = c.do(t.Context(), rt.WithInfo(&info))
		if info.Status != 503 || info.RetryAfter != 2*time.Second || info.Attempts != 1 || info.Outcome != rt.Unknown || info.Source != 0 {
			t.Errorf("a 503: %+v", info)
		}
		_, err := c.do(t.Context(), rt.WithInfo(&info))
		if info.Status != 0 || info.Attempts != 0 || info.Outcome != rt.NotSent {
			t.Errorf("%v: %+v; want no attempt, not sent", err, info)
		}
		_, err = c.do(t.Context(), rt.WithInfo(&info), rt.WithTimeout(-1))
		if info.Attempts != 0 || info.Outcome != rt.NotSent {
			t.Errorf("%v: %+v; want no attempt, not sent", err, info)
		}
	})
}

// Everybody who shares a read is told of all its attempts.
func TestInfoOfSharedReads(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Safe)
		p.Fallback = rt.Fallback{Coalesce: true, Principal: rt.Shared}
		rtr := faulttest.NewRoundTripper(faulttest.Slow(50*time.Millisecond, faulttest.Status(503)), faulttest.Slow(50*time.Millisecond, faulttest.JSON(200, `"x"`)))
		c := newClient(t, p, rtr)
		var wg sync.WaitGroup
		infos := make([]rt.Info, 3)
		for i := range infos {
			wg.Go(func() {
				if out, err := c.do(t.Context(), rt.WithInfo(&infos[i])); err != nil || out != `"x"` {
					t.Errorf("= %q, %v", out, err)
				}
			})
		}
		wg.Wait()
		shared := 0
		for _, in := range infos {
			if in.Coalesced {
				shared++
			}
			if in.Attempts != 2 || in.Status != 200 || in.Outcome != rt.Applied || in.Source != rt.Live {
				t.Errorf("info = %+v, want two attempts, live", in)
			}
		}
		if shared != 2 {
			t.Errorf("%d shared, want 2 of 3", shared)
		}
		wantHits(t, &rtr.Script, 2)
	})
}
