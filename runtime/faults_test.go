package runtime_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// Faults of peers, by their number in the list of what was reproduced. None
// may hold here. Rows that other tests hold are named where they would stand.
//
//	1, 2, 4   TestRow12PanicAndGoexitGiveBackPlaceAndProbe
//	5         TestRow12NoUserCodeUnderALock
//	10        TestRow02RefusalsEndTheLoopAtOnce/budget
//	12, 13    TestRetryAfterIsAMinimumNeverShortened
//	16, 18    TestRow04NoSleepThatLeavesNoTime
//	25        TestRow11NetHTTPDoesNotResendKeyedWrites
//
// Row 24 is about state shared between processes, which we do not have.

func TestFault03HungProbeIsReplacedAfterItsLease(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := tripAt(bare(rt.Safe), 1)
		p.Retry.MaxAttempts, p.Compartment.Connect = 1, 500*time.Millisecond
		deaf := make(chan struct{}) // a transport that does not hear its context
		var n atomic.Int32
		c := newClient(t, p, roundTripFunc(func(r *http.Request) (*http.Response, error) {
			switch n.Add(1) {
			case 1:
				return nil, io.EOF
			case 2:
				<-deaf
				return nil, io.EOF
			}
			return faulttest.NewRoundTripper().RoundTrip(r)
		}))
		_, _ = c.do(t.Context())
		time.Sleep(12 * time.Second)
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = c.do(t.Context()) }) // the probe that hangs
		time.Sleep(1400 * time.Millisecond)
		if _, err := c.do(t.Context()); !errors.Is(err, rt.ErrCircuitOpen) {
			t.Errorf("within the lease: %v, want circuit open", err)
		}
		time.Sleep(100 * time.Millisecond) // attempt + connect
		if _, err := c.do(t.Context()); err != nil {
			t.Errorf("after the lease: %v, want the place", err)
		}
		close(deaf)
		wg.Wait()
		if _, err := c.do(t.Context()); err != nil {
			t.Errorf("after the late result: %v, want it ignored", err)
		}
	})
}

func TestFault06CancellationsDoNotOpenTheCircuit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClient(t, tripAt(bare(rt.Safe), 5), always(faulttest.Hang()))
		for range 100 {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Millisecond, cancel)
			_, err := c.do(ctx)
			if ce := callError(t, err); ce.Class != rt.ClassCanceled {
				t.Fatalf("class = %s, want canceled", ce.Class)
			}
		}
	})
}

func always(s faulttest.Step) *faulttest.RoundTripper {
	t := faulttest.NewRoundTripper()
	t.Otherwise(s)
	return t
}

func TestFault07ResultsFromBeforeTheTripDoNotClose(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := tripAt(bare(rt.Safe), 1)
		p.Retry.MaxAttempts, p.Timeout = 1, rt.Timeout{Attempt: time.Minute}
		registry := &rt.Registry{}
		rtr := faulttest.NewRoundTripper(
			faulttest.Slow(20*time.Second, faulttest.JSON(200, "{}")), // from before the trip
			faulttest.Status(503),
			faulttest.Slow(20*time.Second, faulttest.JSON(200, "{}")), // the probe
		)
		c := newClient(t, p, rtr, func(c *rt.ClientConfig) { c.Registry = registry })
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = c.do(t.Context()) })
		time.Sleep(time.Second)
		_, _ = c.do(t.Context())
		time.Sleep(12 * time.Second)
		wg.Go(func() { _, _ = c.do(t.Context()) })
		time.Sleep(8 * time.Second) // the first success has arrived
		if k := registry.Snapshot().Compartments[0]; k.Circuit != "half-open" {
			t.Errorf("circuit = %s, want half-open: its probe still runs", k.Circuit)
		}
		wg.Wait()
		if k := registry.Snapshot().Compartments[0]; k.Circuit != "closed" {
			t.Errorf("circuit = %s, want closed by its probe", k.Circuit)
		}
	})
}

func TestFault09NoSleepBeforeAnOpenCircuit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := tripAt(bare(rt.Safe), 1)
		rtr := always(faulttest.Status(503))
		c := newClient(t, p, rtr)
		_, _ = c.do(t.Context())
		before := time.Now()
		for range 10 {
			_, err := c.do(t.Context())
			if ce := callError(t, err); len(ce.Attempts) != 0 || ce.RetryAfter <= 0 {
				t.Errorf("%d attempts, RetryAfter %s; want none, and when it may work", len(ce.Attempts), ce.RetryAfter)
			}
		}
		if time.Since(before) != 0 {
			t.Errorf("slept %s", time.Since(before))
		}
		wantHits(t, &rtr.Script, 1)
	})
}

// Each body that is opened is closed, and one connection serves all attempts.
func TestFault11BodiesAreClosed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Times(2, faulttest.Status(503))...)
		defer server.Close()
		transport, dials := countDials(server.Transport())
		var opened, closed atomic.Int32
		c := newClient(t, bare(rt.Keyed), roundTripFunc(func(r *http.Request) (*http.Response, error) {
			answer, err := transport.RoundTrip(r)
			if err == nil {
				opened.Add(1)
				answer.Body = &countedBody{answer.Body, &closed}
			}
			return answer, err
		}))
		before := time.Now()
		if _, err := c.do(t.Context()); err != nil {
			t.Fatal(err)
		}
		if opened.Load() != 3 || closed.Load() < 3 || *dials != 1 {
			t.Errorf("opened %d, closed %d, connections %d; want 3, 3, 1", opened.Load(), closed.Load(), *dials)
		}
		if time.Since(before) != 300*time.Millisecond {
			t.Errorf("took %s, want both backoffs", time.Since(before))
		}
	})
}

type countedBody struct {
	io.ReadCloser
	closed *atomic.Int32
}

func (b *countedBody) Close() error { b.closed.Add(1); return b.ReadCloser.Close() }

func TestFault14NoGoroutineOfItsOwn(t *testing.T) {
	bubble(t, func(t *testing.T) { // the bubble fails on any goroutine left
		server := faulttest.NewPipe()
		defer server.Close()
		server.Otherwise(faulttest.Step{Chunks: []string{"a", "b"}})
		p := bare(rt.Safe)
		p.Timeout.Idle = time.Minute
		c := newClient(t, p, server.Transport())
		var streams []*rt.Stream
		c.edit = func(call *rt.Call) {
			call.Live = func(*rt.Answer) bool { return true }
			call.Decode = func(a *rt.Answer) error { streams = append(streams, a.Stream); return nil }
		}
		for range 40 {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if _, err := c.do(ctx); err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range streams {
			s.Close()
		}
	})
}

func TestFault19UnsafePostIsNotSentTwiceOnASlowFirstTry(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Step{Status: 201, Wait: 5 * time.Second, Acts: true})
		defer server.Close()
		_, err := newClient(t, bare(rt.Unsafe), server.Transport()).do(t.Context())
		if ce := callError(t, err); ce.Class != rt.ClassTimeout || ce.Outcome != rt.Unknown {
			t.Errorf("class %s, outcome %s; want timeout, unknown", ce.Class, ce.Outcome)
		}
		wantHits(t, &server.Script, 1)
	})
}

func TestFault20LengthMatchesTheBodyOnEveryAttempt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Status(503))
		defer server.Close()
		if _, err := newClient(t, bare(rt.Keyed), server.Transport()).do(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, r := range server.Requests() {
			if r.Body != `{"amount":1}` || r.Get("Content-Length") != "" && r.Get("Content-Length") != "12" {
				t.Errorf("attempt %d: %q with length %s", i+1, r.Body, r.Get("Content-Length"))
			}
		}
	})
}

func TestFault22AttemptLimitWithoutACallersDeadlineIsRepeated(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper(faulttest.Hang())
		if _, err := newClient(t, bare(rt.Safe), rtr).do(context.Background()); err != nil {
			t.Error(err)
		}
		wantHits(t, &rtr.Script, 2)
	})
}

func TestFault23ReturnsAtTheCallersDeadline(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		before := time.Now()
		_, err := newClient(t, bare(rt.Safe), always(faulttest.Step{Fault: faulttest.Reset})).do(ctx)
		if took := time.Since(before); took > 50*time.Millisecond || err == nil {
			t.Errorf("returned %v after %s, want an error within the caller's 50ms", err, took)
		}
	})
}
