package policy

import "time"

// StepKind is a kind of Step.
type StepKind int

// The kinds of steps.
const (
	_        StepKind = iota
	Queueing          // waiting for the bulkhead
	Attempt           // one attempt until its limit
	Wait              // a backoff wait, at its longest
	Cut               // the total ends the call
)

// A Step is a piece of the worst case's time line.
type Step struct {
	Kind    StepKind
	Number  int // of the attempt, from 1
	At, End time.Duration
	Started bool // false: an attempt that can no longer start
	NotSent bool // an attempt of an unsafe write that ends at the connect limit, unsent
}

// forever stands for no limit.
const forever = time.Duration(1<<63 - 1)

// worstCase is the time line of a call of which every attempt waits in the
// queue as long as it may, takes all of its limit, and is followed by the
// longest wait.
func worstCase(o *Operation) (steps []Step, end time.Duration, unlimited bool) {
	w := newWorst(o)
	if w.total == forever && w.attempt == forever {
		return nil, 0, true
	}
	for n := 1; n <= w.attempts; n++ {
		if n > 1 && !w.pause(n) || !w.try(n) {
			for ; n <= w.attempts && w.cut; n++ {
				if n != w.last {
					w.steps = append(w.steps, Step{Kind: Attempt, Number: n, At: w.at, End: w.at})
				}
			}
			break
		}
	}
	return w.steps, w.at, false
}

type worst struct {
	total, attempt, connect, queue, least time.Duration
	wait                                  func(repeat int) time.Duration
	attempts                              int
	unsent                                bool // the first attempt is one that was not sent

	steps []Step
	at    time.Duration
	last  int  // number of the last attempt that started
	cut   bool // no further attempt can start
}

func newWorst(o *Operation) *worst {
	limit := func(l Leaf) time.Duration {
		if d, limited := o.Value(l).Duration(); limited {
			return d
		}
		return forever
	}
	w := &worst{
		total: limit(TimeoutTotal), attempt: limit(TimeoutAttempt), connect: limit(TimeoutConnect),
		attempts: max(1, o.Leaves.Get(RetryMaxAttempts).Int()), wait: longestWait(o.Leaves),
	}
	w.queue, _ = o.Value(BulkheadMaxWait).Duration()
	w.least, _ = o.Value(TimeoutMinRemaining).Duration()
	if o.Class == Unsafe && w.attempts == 1 && o.Leaves.Get(RetryNotSent).Int() > 0 {
		w.attempts, w.unsent = 2, true
	}
	return w
}

// pause is the wait before attempt n; false where it does not fit.
func (w *worst) pause(n int) bool {
	d := w.wait(n - 2)
	if w.total != forever && w.at+d+w.least > w.total {
		w.cut = true
		return false
	}
	if d > 0 {
		w.steps = append(w.steps, Step{Kind: Wait, Number: n, At: w.at, End: w.at + d, Started: true})
		w.at += d
	}
	return true
}

// try is attempt n with its time in the queue; false where the total ends the
// call within it.
func (w *worst) try(n int) bool {
	if q := min(w.queue, w.total-w.at); q > 0 {
		w.steps = append(w.steps, Step{Kind: Queueing, Number: n, At: w.at, End: w.at + q, Started: true})
		w.at += q
	}
	limit := w.attempt
	unsent := w.unsent && n == 1
	if unsent {
		limit = min(limit, w.connect)
	}
	left := w.total - w.at
	if left <= 0 {
		w.cut = true
		return false
	}
	w.last = n
	d := min(limit, left)
	w.steps = append(w.steps, Step{Kind: Attempt, Number: n, At: w.at, End: w.at + d, Started: true, NotSent: unsent})
	w.at += d
	if w.total != forever && w.at >= w.total {
		w.steps = append(w.steps, Step{Kind: Cut, Number: n, At: w.total, End: w.total, Started: true})
		w.cut = true
		return false
	}
	return true
}

// longestWait is the longest wait before each repeat, from 0.
func longestWait(ls Leaves) func(int) time.Duration {
	initial, _ := ls.Get(RetryBackoffInitial).Duration()
	limit, _ := ls.Get(RetryBackoffMax).Duration()
	factor := ls.Get(RetryBackoffMultiplier).Factor()
	if ls.Get(RetryBackoffJitter).Text == "decorrelated" {
		factor = 3000 // each is drawn from up to three times the last
		initial = min(limit, 3*initial)
	}
	return func(repeat int) time.Duration {
		d := min(initial, limit)
		for range repeat {
			if d >= limit {
				break
			}
			d = min(limit, grown(d, factor))
		}
		return d
	}
}

// grown is d times a factor in thousandths, saturated.
func grown(d time.Duration, factor int64) time.Duration {
	if factor > 0 && int64(d) > int64(forever)/factor {
		return forever
	}
	return time.Duration(int64(d) * factor / 1000)
}
