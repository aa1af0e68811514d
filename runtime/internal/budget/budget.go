// Package budget bounds how much load repeats may add: a share of the first
// attempts of the last moments, and a small floor.
package budget

import (
	"math"
	"sync"
	"time"

	"github.com/resgen-dev/resgen/runtime/internal/window"
)

// A Budget counts first attempts and repeats over a sliding window. It is safe
// for concurrent use.
type Budget struct {
	ratio int64 // repeats per first attempt, in ten-thousandths
	floor int64 // repeats per window in any case, in ten-thousandths
	mu    sync.Mutex
	ring  window.Ring // first attempts, repeats
}

// A Repeat is one that was taken.
type Repeat struct {
	epoch uint64
	taken bool
}

// New returns a budget of ratio repeats per first attempt, in hundredths of a
// percent, and floorPerMinute further ones.
func New(ratio int, floorPerMinute int64, w time.Duration) *Budget {
	b := &Budget{ratio: int64(ratio), floor: int64(math.Round(float64(floorPerMinute) * w.Minutes() * 10_000))}
	b.ring.Init(w)
	return b
}

// First counts a first attempt that was really sent.
func (b *Budget) First(now time.Duration) { b.ring.Add(now, 1, 0) }

// Take takes one repeat, if one is left.
func (b *Budget) Take(now time.Duration) (r Repeat, ok bool) {
	b.mu.Lock() // two who ask at once must not both take the last one
	defer b.mu.Unlock()
	firsts, repeats := b.ring.Sum(now)
	if (repeats+1)*10_000 > firsts*b.ratio+b.floor {
		return Repeat{}, false
	}
	return Repeat{epoch: b.ring.Add(now, 0, 1), taken: true}, true
}

// GiveBack returns a repeat that was taken but not made. The zero Repeat gives
// nothing back.
func (b *Budget) GiveBack(r Repeat) {
	if r.taken {
		b.ring.Take(r.epoch)
	}
}

// Left returns how many repeats could be taken now, and the counts behind it.
func (b *Budget) Left(now time.Duration) (left, firsts, repeats int64) {
	firsts, repeats = b.ring.Sum(now)
	return max((firsts*b.ratio+b.floor)/10_000-repeats, 0), firsts, repeats
}
