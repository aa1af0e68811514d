package bulkhead

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestFullWithoutQueueRefusesAtOnce(t *testing.T) {
	b := New(1, 0)
	if err := b.Enter(t.Context(), 0); err != nil {
		t.Fatalf("first: %v", err)
	}
	if err := b.Enter(t.Context(), 0); err != ErrFull {
		t.Errorf("second = %v, want ErrFull", err)
	}
	b.Leave()
	if !b.TryEnter() {
		t.Error("after leaving, no place")
	}
}

func TestFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(1, 10)
		b.TryEnter()
		var mu sync.Mutex
		var order []int
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond)
				if err := b.Enter(t.Context(), 0); err != nil {
					t.Errorf("waiter %d: %v", i, err)
				}
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				time.Sleep(time.Second)
				b.Leave()
			})
		}
		time.Sleep(100 * time.Millisecond)
		if err := b.Enter(t.Context(), 0); err != ErrFull {
			t.Errorf("eleventh waiter = %v, want ErrFull", err)
		}
		b.Leave()
		time.Sleep(time.Millisecond)
		if b.TryEnter() {
			t.Error("a newcomer passed the queue")
		}
		wg.Wait()
		if !slices.IsSorted(order) || len(order) != 10 {
			t.Errorf("order = %v, want 0 to 9", order)
		}
		wantEmpty(t, b)
	})
}

func TestWaitsAtMostItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(1, 1)
		b.TryEnter()
		start := time.Now()
		if err := b.Enter(t.Context(), 3*time.Second); err != ErrTooLong || time.Since(start) != 3*time.Second {
			t.Errorf("= %v after %s, want ErrTooLong after 3s", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := b.Enter(ctx, 3*time.Second); err != context.DeadlineExceeded {
			t.Errorf("= %v, want the context's error", err)
		}
		b.Leave()
		wantEmpty(t, b)
	})
}

// Waiters that leave at the very moment of their turn neither lose nor gain a place.
func TestNoPlaceIsLostOrGained(t *testing.T) {
	const places = 3
	b := New(places, 50)
	var inside, most atomic.Int32
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			for range 300 {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rand.Int64N(int64(50*time.Microsecond))))
				if b.Enter(ctx, time.Duration(rand.Int64N(int64(60*time.Microsecond)))) == nil {
					now := inside.Add(1)
					for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
					}
					if rand.IntN(2) == 0 {
						time.Sleep(time.Microsecond)
					}
					inside.Add(-1)
					b.Leave()
				}
				cancel()
			}
		})
	}
	wg.Wait()
	if most.Load() > places {
		t.Errorf("%d inside at once, want at most %d", most.Load(), places)
	}
	wantEmpty(t, b)
	for i := range places {
		if !b.TryEnter() {
			t.Errorf("place %d is missing", i+1)
		}
	}
	if b.TryEnter() {
		t.Error("there is a place too many")
	}
}

func wantEmpty(t *testing.T, b *Bulkhead) {
	t.Helper()
	if taken, queued := b.InFlight(); taken != 0 || queued != 0 || b.first != nil || b.last != nil {
		t.Errorf("in flight %d, queued %d; want none", taken, queued)
	}
}
