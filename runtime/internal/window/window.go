// Package window counts two kinds of events over a sliding time window, in
// constant memory and without a lock.
package window

import (
	"sync/atomic"
	"time"
)

// Size is the number of buckets of a ring. A window therefore forgets in steps
// of a sixteenth: it never counts an event older than its length, and always
// one younger than fifteen sixteenths of it.
const Size = 16

// A bucket is one word: 24 bits of epoch, then two counters of 20 bits that
// stop at their maximum rather than run over into each other. An epoch comes
// round again after 2^24 buckets, a million windows.
const (
	counterBits = 20
	counterMax  = 1<<counterBits - 1
	epochMask   = 1<<24 - 1
)

// A Ring counts events of kinds A and B. Times are measured by its owner from
// a base of its own and may come slightly out of order. It is safe for
// concurrent use.
type Ring struct {
	width   time.Duration
	_       [56]byte // the width is read by every call, one bucket is written by every call
	buckets [Size]atomic.Uint64
	_       [64]byte
}

// Init sets the window's length. It must be called before anything else.
func (r *Ring) Init(window time.Duration) {
	r.width = max((window+Size-1)/Size, 1)
}

// Add counts a events of kind A and b of kind B, each 0 or 1, at now, and
// returns the bucket they fell into, for Take.
func (r *Ring) Add(now time.Duration, a, b uint64) (epoch uint64) {
	epoch = uint64(now/r.width) & epochMask
	word := &r.buckets[epoch%Size]
	for {
		old := word.Load()
		fresh := epoch<<(2*counterBits) | a<<counterBits | b
		switch ahead := (old>>(2*counterBits) - epoch) & epochMask; {
		case ahead == 0:
			if full(old) {
				return epoch
			}
			fresh = old + (a<<counterBits | b)
		case ahead <= Size:
			return epoch // the bucket is a later one already: this event has left the window
		}
		if word.CompareAndSwap(old, fresh) {
			return epoch
		}
	}
}

// Take takes one event of kind B back out of the bucket it was counted in, if
// that is still there.
func (r *Ring) Take(epoch uint64) {
	word := &r.buckets[epoch%Size]
	for {
		old := word.Load()
		if old>>(2*counterBits) != epoch || old&counterMax == 0 {
			return // the window has moved on
		}
		if word.CompareAndSwap(old, old-1) {
			return
		}
	}
}

// Sum returns how many events of each kind lie within the window that ends at now.
func (r *Ring) Sum(now time.Duration) (a, b int64) {
	epoch := uint64(now/r.width) & epochMask
	for i := range r.buckets {
		word := r.buckets[i].Load()
		if (epoch-word>>(2*counterBits))&epochMask < Size {
			a += int64(word >> counterBits & counterMax)
			b += int64(word & counterMax)
		}
	}
	return a, b
}

func full(word uint64) bool {
	return word>>counterBits&counterMax == counterMax || word&counterMax == counterMax
}
