package window

import (
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A model of a ring: every event with its bucket, summed by hand.
func TestRingMatchesList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := time.Duration(rapid.Int64Range(1, int64(time.Minute)).Draw(t, "window"))
		var r Ring
		r.Init(length)
		type event struct {
			bucket int64
			b      int64
		}
		var events []event
		now := time.Duration(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now += time.Duration(rapid.Int64Range(0, int64(length)/3+1).Draw(t, "pause"))
			b := rapid.Int64Range(0, 1).Draw(t, "b")
			r.Add(now, 1, uint64(b))
			bucket := int64(now / r.width)
			events = append(events, event{bucket, b})
			var wantA, wantB int64
			for _, e := range events {
				if bucket-e.bucket < Size {
					wantA++
					wantB += e.b
				}
			}
			if a, b := r.Sum(now); a != wantA || b != wantB {
				t.Fatalf("Sum(%s) = %d, %d; want %d, %d", now, a, b, wantA, wantB)
			}
		}
	})
}

func TestRingForgetsWithinItsWindow(t *testing.T) {
	var r Ring
	r.Init(16 * time.Second)
	r.Add(0, 1, 1)
	if a, b := r.Sum(15*time.Second + 999*time.Millisecond); a != 1 || b != 1 {
		t.Errorf("just before its length = %d, %d; want 1, 1", a, b)
	}
	if a, b := r.Sum(16 * time.Second); a != 0 || b != 0 {
		t.Errorf("at its length = %d, %d; want 0, 0", a, b)
	}
}

func TestRingStopsAtItsMaximum(t *testing.T) {
	var r Ring
	r.Init(time.Hour)
	for range counterMax + 10 {
		r.Add(0, 1, 1)
	}
	if a, b := r.Sum(0); a != counterMax || b != counterMax {
		t.Errorf("Sum = %d, %d; want both %d, epoch untouched", a, b, counterMax)
	}
}

func TestRingAfterLongSilence(t *testing.T) {
	var r Ring
	r.Init(16 * time.Second)
	r.Add(0, 1, 1)
	late := time.Duration(9_000_000) * time.Second // more than half of all epochs later
	r.Add(late, 1, 0)
	if a, b := r.Sum(late); a != 1 || b != 0 {
		t.Errorf("Sum = %d, %d; want 1, 0", a, b)
	}
}

func TestRingTakesBackWhereItCounted(t *testing.T) {
	var r Ring
	r.Init(16 * time.Second)
	old := r.Add(0, 0, 1)
	r.Add(20*time.Second, 0, 1)
	r.Take(old) // has left the window: nothing happens
	if _, b := r.Sum(20 * time.Second); b != 1 {
		t.Errorf("after taking back an event that is gone: %d, want 1", b)
	}
}

func TestRingCountsConcurrently(t *testing.T) {
	var r Ring
	r.Init(time.Hour)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5000 {
				r.Add(time.Second, 1, 1)
			}
		})
	}
	wg.Wait()
	if a, b := r.Sum(time.Second); a != 40000 || b != 40000 {
		t.Errorf("Sum = %d, %d; want 40000 each", a, b)
	}
}

// An event that comes late does not take the place of those that followed it.
func TestLateEventsDoNotClearTheWindow(t *testing.T) {
	var r Ring
	r.Init(Size * time.Second)
	now := 20 * time.Second
	r.Add(now, 1, 1)
	r.Add(now-Size*time.Second, 1, 1) // of the same bucket, a window ago
	if a, b := r.Sum(now); a != 1 || b != 1 {
		t.Errorf("Sum = %d, %d; want 1, 1", a, b)
	}
}
