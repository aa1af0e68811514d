package main

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// The numbers of payments.yaml that the scenes promise.
const (
	maxAttempts  = 3
	minimumCalls = 5
	attemptLimit = 200 * time.Millisecond
	openFor      = 2 * time.Second
	searchSlots  = 2
)

func healthy(d *demo) {
	d.begin("HEALTHY", "everything answers at once, and the five layers are not felt")
	made, fee, receipt := d.charge(), d.fee(), d.receipt()
	d.promise(made.err == nil && fee.err == nil && receipt.err == nil && d.server.Hits() == 3, "three calls, three requests")
}

func blinking(d *demo) {
	d.begin("BLINKING", "two answers in three are 503: a retry mends what a moment mends")
	d.server.On("POST /charges", faulttest.Status(503), faulttest.Status(503))
	call := d.charge()
	d.promise(call.err == nil && call.info.Attempts == maxAttempts, "the third attempt of %d got through", maxAttempts)
	d.promise(sameKey(d.server.Requests(), call.info.Key.Value), "all attempts bore one idempotency key")
}

func lost(d *demo) {
	d.begin("LOST", "the card is charged, and the connection breaks before the server can say so")
	d.server.On("POST /charges", faulttest.Step{Status: 201, Body: charge, Acts: true, Fault: faulttest.Reset})
	call := d.charge()
	d.promise(call.err == nil && call.info.Replayed, "asked again under the same key, the server told what it had done")
	d.promise(d.server.Book.Done(call.info.Key.Value) == 1, "the card was charged once")
}

func unsafeWrite(d *demo) {
	d.begin("UNSAFE", "mailing a receipt has no key: nobody can tell a lost mail from a lost answer")
	d.server.On("POST /receipts", faulttest.Status(503))
	call := d.receipt()
	d.promise(call.err != nil && d.server.Hits() == 1, "sent once, and no option makes it twice: it would not compile")
	d.promise(call.info.Outcome == rt.Unknown, "the error says what is known: the outcome is %s", call.info.Outcome)
}

func hung(d *demo) {
	d.begin("HUNG", "searching reports hangs; it has a compartment of its own")
	d.server.OtherwiseOn("POST /reports/search", faulttest.Hang())
	const callers = 6
	refused := crowd(d, callers)
	timeouts, opened := 0, false
	for _, e := range d.watch.take() {
		if e.Kind == rt.AttemptEnded && e.Class == rt.ClassTimeout {
			timeouts++
		}
		opened = opened || e.Kind == rt.CircuitChanged && e.State == rt.Open
	}
	d.remark("%d searches at once: %d were refused at once, the others ran %d times into the limit of %s", callers, refused, timeouts, attemptLimit)
	d.promise(refused == callers-searchSlots, "its bulkhead let %d in and kept nobody waiting", searchSlots)
	d.promise(opened, "a hang is a failure like any other: the circuit of the reports opened")
	call := d.charge()
	d.promise(call.err == nil && call.info.Attempts == 1 && call.info.Duration < attemptLimit, "charges went on as if nothing had happened")
}

// crowd searches several times at once, and counts those that the bulkhead
// refused.
func crowd(d *demo, callers int) int {
	var group sync.WaitGroup
	var refused atomic.Int64
	for range callers {
		group.Go(func() {
			if errors.Is(d.search(context.Background()), rt.ErrBulkheadFull) {
				refused.Add(1)
			}
		})
	}
	group.Wait()
	return int(refused.Load())
}

func down(d *demo) {
	d.begin("DOWN", "every answer is 503: a fresh client finds out, and stops asking")
	d.server.OtherwiseOn("POST /charges", faulttest.Status(503))
	for range 4 {
		d.charge()
	}
	d.promise(d.server.Hits() == minimumCalls, "the circuit opened after exactly %d real requests (it got %d)", minimumCalls, d.server.Hits())
	start := time.Now()
	call := d.charge()
	d.promise(errors.Is(call.err, rt.ErrCircuitOpen) && time.Since(start) < 20*time.Millisecond, "from then on the answer is no, at once, and the server is left in peace")
}

func stale(d *demo) {
	d.begin("COPIES", "a fee may be a minute old, says its policy, so a read has something to fall back on")
	d.fee()
	d.server.Refuse(true)
	d.remark("the server is gone: connections are refused")
	call := d.fee()
	d.promise(call.err == nil && call.info.Source == rt.Stale, "the caller got the last good answer, marked as a copy")
	failed := d.charge()
	d.promise(failed.err != nil && failed.info.Source != rt.Stale, "a payment is never made up: the charge failed, and said so")
}

func recovery(d *demo) {
	d.begin("RECOVERY", "the circuit opens, waits, tries a few probes and closes again")
	d.server.OtherwiseOn("POST /charges", faulttest.Status(503))
	for d.server.Hits() < minimumCalls {
		d.charge()
	}
	opened := time.Now()
	d.server.OtherwiseOn("POST /charges", faulttest.JSON(201, charge))
	d.remark("the server is well again; the circuit stays open for %s, give or take a tenth", openFor)
	call := d.charge()
	d.promise(errors.Is(call.err, rt.ErrCircuitOpen), "while it is open, nobody asks")
	time.Sleep(time.Until(opened.Add(openFor + openFor/10)))
	first, second, third := d.charge(), d.charge(), d.charge()
	d.promise(first.err == nil && second.err == nil && third.err == nil, "probes got through, the circuit closed, and calls pass again")
}

// sameKey reports whether every request bore the key.
func sameKey(requests []faulttest.Request, key string) bool {
	for _, r := range requests {
		if r.Key != key {
			return false
		}
	}
	return key != "" && len(requests) > 0
}
