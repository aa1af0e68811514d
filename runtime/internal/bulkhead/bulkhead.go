// Package bulkhead bounds how many attempts run at once, with a queue in
// which who comes first is served first.
package bulkhead

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Why no place was given.
var (
	ErrFull    = errors.New("all places and the queue are taken")
	ErrTooLong = errors.New("no place came free in time")
)

// A Bulkhead has a fixed number of places. It is safe for concurrent use.
type Bulkhead struct {
	places int32
	queue  int32
	_      [48]byte

	// word holds the places taken in its low half and the number of waiting in
	// its high half. The high half changes under mu only; while it is zero,
	// places change hands without the lock.
	word atomic.Uint64
	_    [56]byte

	mu          sync.Mutex
	first, last *waiter
}

const waiting = 1 << 32

type waiter struct {
	ready      chan struct{} // closed when the place is handed over
	granted    bool          // under mu: it was
	prev, next *waiter
}

// New returns a bulkhead of so many places and so long a queue.
func New(places, queue int) *Bulkhead {
	return &Bulkhead{places: int32(places), queue: int32(queue)}
}

// TryEnter takes a place if one is free and nobody waits.
func (b *Bulkhead) TryEnter() bool {
	for {
		old := b.word.Load()
		if old >= uint64(b.places) {
			return false // full, or somebody waits (then the high half is set)
		}
		if b.word.CompareAndSwap(old, old+1) {
			return true
		}
	}
}

// Enter takes a place, waiting in the queue for at most maxWait (zero: as long
// as ctx lasts). It returns nil, ErrFull, ErrTooLong or the context's error; in
// the last three cases no place is held.
func (b *Bulkhead) Enter(ctx context.Context, maxWait time.Duration) error {
	if b.TryEnter() {
		return nil
	}
	w, entered := b.enqueue()
	switch {
	case entered:
		return nil
	case w == nil:
		return ErrFull
	}
	var tooLong <-chan time.Time
	if maxWait > 0 {
		timer := time.NewTimer(maxWait)
		defer timer.Stop()
		tooLong = timer.C
	}
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
		b.leaveQueue(w)
		return ctx.Err()
	case <-tooLong:
		b.leaveQueue(w)
		return ErrTooLong
	}
}

// enqueue takes a place after all, or one in the queue, or neither.
func (b *Bulkhead) enqueue() (w *waiter, entered bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		old := b.word.Load()
		taken, queued := int32(old), int32(old>>32)
		switch {
		case queued == 0 && taken < b.places:
			if b.word.CompareAndSwap(old, old+1) {
				return nil, true
			}
		case queued >= b.queue:
			return nil, false
		case b.word.CompareAndSwap(old, old+waiting):
			w = &waiter{ready: make(chan struct{}), prev: b.last}
			if b.last == nil {
				b.first = w
			} else {
				b.last.next = w
			}
			b.last = w
			return w, false
		}
	}
}

// leaveQueue takes w out of the queue, or gives back the place that it was
// handed at the same moment.
func (b *Bulkhead) leaveQueue(w *waiter) {
	b.mu.Lock()
	granted := w.granted
	if !granted {
		b.unlink(w)
		b.word.Add(^uint64(waiting - 1))
	}
	b.mu.Unlock()
	if granted {
		b.Leave()
	}
}

// Leave gives a place back, to the first who waits if there is one.
func (b *Bulkhead) Leave() {
	for {
		old := b.word.Load()
		if old >= waiting {
			if b.handOver() {
				return
			}
			continue // who waited has left meanwhile
		}
		if b.word.CompareAndSwap(old, old-1) {
			return
		}
	}
}

// handOver gives the leaver's place to the first in the queue.
func (b *Bulkhead) handOver() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.first
	if w == nil {
		return false
	}
	b.unlink(w)
	b.word.Add(^uint64(waiting - 1))
	w.granted = true
	close(w.ready)
	return true
}

func (b *Bulkhead) unlink(w *waiter) {
	if w.prev == nil {
		b.first = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		b.last = w.prev
	} else {
		w.next.prev = w.prev
	}
}

// InFlight returns how many places are taken and how many wait.
func (b *Bulkhead) InFlight() (taken, queued int) {
	word := b.word.Load()
	return int(int32(word)), int(word >> 32)
}
