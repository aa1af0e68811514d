package budget

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestFloorPassesThenRefuses(t *testing.T) {
	b := New(2000, 18, 10*time.Second) // 0.3 a second: 3 a window
	for i := range 3 {
		if _, ok := b.Take(0); !ok {
			t.Errorf("repeat %d refused, want the floor of 3", i+1)
		}
	}
	if _, ok := b.Take(0); ok {
		t.Error("a fourth repeat passed")
	}
}

// Peers never refilled their quota in some modes.
func TestFirstAttemptsRefill(t *testing.T) {
	b := New(2000, 0, 10*time.Second)
	if _, ok := b.Take(0); ok {
		t.Error("a repeat passed without any first attempt")
	}
	for range 5 {
		b.First(0)
	}
	if _, ok := b.Take(0); !ok {
		t.Error("20 % of 5 is one repeat, and it was refused")
	}
	if _, ok := b.Take(0); ok {
		t.Error("a second repeat passed")
	}
	for range 5 {
		b.First(time.Second)
	}
	if _, ok := b.Take(time.Second); !ok {
		t.Error("after five more, no repeat")
	}
}

func TestGivenBackOnce(t *testing.T) {
	b := New(0, 6, 10*time.Second)
	r, ok := b.Take(0)
	if !ok {
		t.Fatal("refused")
	}
	b.GiveBack(r)
	b.GiveBack(Repeat{})
	if left, _, _ := b.Left(0); left != 1 {
		t.Errorf("left = %d, want 1", left)
	}
}

// A plain model: lists of what was sent and repeated.
func TestMatchesPlainModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratio := rapid.SampledFrom([]int{0, 1000, 2000, 10000}).Draw(t, "ratio")
		floor := rapid.SampledFrom([]int64{0, 6, 60}).Draw(t, "floor")
		const window, width = 16 * time.Second, time.Second
		b := New(ratio, floor, window)
		var firsts, repeats []time.Duration
		var taken []Repeat
		now := time.Duration(0)
		within := func(list []time.Duration) (n float64) {
			for _, at := range list {
				if now/width-at/width < 16 {
					n++
				}
			}
			return n
		}
		t.Repeat(map[string]func(*rapid.T){
			"first": func(*rapid.T) { b.First(now); firsts = append(firsts, now) },
			"take": func(t *rapid.T) {
				want := within(repeats)+1 <= within(firsts)*float64(ratio)/10000+float64(floor)*window.Minutes()+1e-9
				r, ok := b.Take(now)
				if ok != want {
					t.Fatalf("Take = %t, want %t", ok, want)
				}
				if ok {
					repeats, taken = append(repeats, now), append(taken, r)
				}
			},
			"give back": func(t *rapid.T) {
				if len(taken) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(taken)-1).Draw(t, "which")
				if now/width-repeats[i]/width < 16 {
					b.GiveBack(taken[i])
				}
				taken, repeats = append(taken[:i], taken[i+1:]...), append(repeats[:i], repeats[i+1:]...)
			},
			"wait": func(t *rapid.T) { now += time.Duration(rapid.Int64Range(1, int64(4*time.Second)).Draw(t, "pause")) },
		})
	})
}
