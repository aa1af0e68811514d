package breaker

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"
)

const second = time.Second

func config() Config {
	return Config{FailureRate: 5000, SlowRate: 8000, Window: 16 * second, MinimumCalls: 4, OpenFor: 10 * second, OpenMax: 40 * second, Probes: 3, Successes: 2}
}

// one makes an attempt that ends at once.
func one(t *testing.T, b *Breaker, now time.Duration, v Verdict) {
	t.Helper()
	token, _, ok := b.Admit(now, second)
	if !ok {
		t.Fatalf("attempt at %s refused in state %d", now, b.phase.Load().state)
	}
	b.Done(token, v, false, now)
}

func state(b *Breaker) State { return b.phase.Load().state }

func wantState(t *testing.T, b *Breaker, want State) {
	t.Helper()
	if got := state(b); got != want {
		t.Errorf("state = %d, want %d", got, want)
	}
}

// trip opens a breaker of config() at now, and returns when it may be probed.
func trip(t *testing.T, b *Breaker, now time.Duration) (opens time.Duration) {
	t.Helper()
	for range 4 {
		one(t, b, now, Failure)
	}
	wantState(t, b, Open)
	return b.phase.Load().until
}

func TestTripsAtTheRateOnceEnoughCallsWereMade(t *testing.T) {
	b := New(config(), nil)
	for range 3 {
		one(t, b, 0, Failure)
	}
	wantState(t, b, Closed) // three of three failed, but four are needed
	one(t, b, 0, Success)
	wantState(t, b, Open) // the fourth, a success, makes it 75 % of enough
}

func TestRatesAreComparedInIntegers(t *testing.T) {
	c := config()
	c.FailureRate, c.MinimumCalls = 100, 200 // 1 %; a peer opens at 0.5 %
	b := New(c, nil)
	for range 199 {
		one(t, b, 0, Success)
	}
	one(t, b, 0, Failure)
	wantState(t, b, Closed) // 0.5 %
	for range 98 {
		one(t, b, 0, Success)
	}
	one(t, b, 0, Failure)
	wantState(t, b, Closed) // 2 of 299: 0.67 %
	one(t, b, 0, Failure)
	wantState(t, b, Open) // 3 of 300: 1 %
}

func TestTripsOnSlowCallsHoweverTheyEnd(t *testing.T) {
	for _, v := range []Verdict{Success, Failure, Neutral} {
		b := New(config(), nil)
		for range 4 {
			token, _, _ := b.Admit(0, second)
			b.Done(token, v, true, 0)
		}
		wantState(t, b, Open)
	}
}

func TestTripsOnConsecutiveFailures(t *testing.T) {
	b := New(Config{Consecutive: 3, OpenFor: second, Probes: 1, Successes: 1}, nil)
	for _, v := range []Verdict{Failure, Failure, Success, Failure, Neutral, Failure} {
		one(t, b, 0, v)
	}
	wantState(t, b, Closed)
	one(t, b, 0, Failure)
	wantState(t, b, Open)
}

func TestNeutralEndsAreNotCounted(t *testing.T) {
	b := New(config(), nil)
	for range 100 {
		one(t, b, 0, Neutral)
	}
	if s := b.Snapshot(0); s.Calls != 0 || s.State != Closed {
		t.Errorf("snapshot = %+v, want no calls and closed", s)
	}
}

func TestOldFailuresLeaveTheWindow(t *testing.T) {
	b := New(config(), nil)
	for range 3 {
		one(t, b, 0, Failure)
	}
	one(t, b, 17*second, Failure)
	wantState(t, b, Closed)
}

func TestOpensForItsTimeWithinATenth(t *testing.T) {
	seen := map[time.Duration]bool{}
	for range 200 {
		b := New(config(), nil)
		d := trip(t, b, 0)
		if d < 9*second || d > 11*second {
			t.Fatalf("open for %s, want 9s to 11s", d)
		}
		seen[d] = true
	}
	if len(seen) < 100 {
		t.Errorf("%d different times of 200, want them spread", len(seen))
	}
}

func TestOpenRefusesAndSaysHowLong(t *testing.T) {
	b := New(config(), nil)
	until := trip(t, b, 0)
	if _, wait, ok := b.Admit(second, second); ok || wait != until-second {
		t.Errorf("Admit = %s, %t; want %s and refused", wait, ok, until-second)
	}
}

func TestProbesCloseOrReopenAsSoonAsItIsDecided(t *testing.T) {
	for _, c := range []struct {
		verdicts []Verdict
		want     State
	}{
		{[]Verdict{Success, Success}, Closed},
		{[]Verdict{Failure, Success, Success}, Closed},
		{[]Verdict{Failure, Failure}, Open},
		{[]Verdict{Success, Failure}, HalfOpen},
		{[]Verdict{Neutral, Neutral, Neutral, Neutral, Success, Neutral, Success}, Closed},
	} {
		t.Run(fmt.Sprint(c.verdicts), func(t *testing.T) {
			b := New(config(), nil)
			now := trip(t, b, 0)
			for _, v := range c.verdicts {
				one(t, b, now, v)
			}
			wantState(t, b, c.want)
		})
	}
}

func TestNoMoreProbesInFlightThanVerdictsNeeded(t *testing.T) {
	b := New(config(), nil)
	now := trip(t, b, 0)
	var tokens []Token
	for i := range 5 {
		token, _, ok := b.Admit(now, second)
		if ok != (i < 3) {
			t.Errorf("probe %d admitted = %t", i+1, ok)
		}
		if ok {
			tokens = append(tokens, token)
		}
	}
	b.Done(tokens[0], Success, false, now) // one verdict: two more are needed, two are in flight
	if _, _, ok := b.Admit(now, second); ok {
		t.Error("a third probe was admitted while two are in flight and two are needed")
	}
}

func TestSlowProbeIsAFailedOne(t *testing.T) {
	b := New(config(), nil)
	now := trip(t, b, 0)
	for range 2 {
		token, _, _ := b.Admit(now, second)
		b.Done(token, Success, true, now)
	}
	wantState(t, b, Open)
}

func TestHungProbeLosesItsPlaceAndItsVoice(t *testing.T) {
	c := config()
	c.Probes, c.Successes = 1, 1
	b := New(c, nil)
	now := trip(t, b, 0)
	hung, _, _ := b.Admit(now, 5*second)
	if _, wait, ok := b.Admit(now+second, 5*second); ok || wait != 4*second {
		t.Errorf("second probe = %s, %t; want 4s and refused", wait, ok)
	}
	next, _, ok := b.Admit(now+5*second, 5*second)
	if !ok {
		t.Fatal("no probe admitted after the lease")
	}
	b.Done(hung, Failure, false, now+6*second)
	wantState(t, b, HalfOpen)
	b.Done(next, Success, false, now+6*second)
	wantState(t, b, Closed)
}

// An attempt without a limit holds its place as long as the circuit was to stay open.
func TestProbeWithoutALeaseHasOne(t *testing.T) {
	c := config()
	c.Probes, c.Successes = 1, 1
	b := New(c, nil)
	now := trip(t, b, 0)
	for _, step := range []struct {
		after time.Duration
		ok    bool
	}{{0, true}, {c.OpenFor - 1, false}, {c.OpenFor, true}} {
		if _, _, ok := b.Admit(now+step.after, 0); ok != step.ok {
			t.Errorf("after %s: admitted %t, want %t", step.after, ok, step.ok)
		}
	}
}

func TestLateResultOfALeaseThatNobodyTookIsIgnored(t *testing.T) {
	b := New(config(), nil)
	now := trip(t, b, 0)
	hung, _, _ := b.Admit(now, second)
	b.Done(hung, Failure, false, now+2*second)
	if p := b.phase.Load(); p.bad != 0 {
		t.Errorf("failed probes = %d, want 0", p.bad)
	}
}

func TestResultsOfAnEarlierPhaseAreDropped(t *testing.T) {
	b := New(config(), nil)
	slow, _, _ := b.Admit(0, second)
	now := trip(t, b, 0)
	probe, _, _ := b.Admit(now, second)
	b.Done(slow, Success, false, now)
	b.Done(slow, Success, false, now)
	wantState(t, b, HalfOpen)
	b.Done(probe, Success, false, now)
	one(t, b, now, Success)
	wantState(t, b, Closed)
	b.Done(slow, Failure, false, now)
	if s := b.Snapshot(now); s.Calls != 0 {
		t.Errorf("calls after closing = %d, want 0: the window starts empty", s.Calls)
	}
}

func TestFlappingDoublesTheTimeUpToItsMax(t *testing.T) {
	b := New(config(), nil)
	now := time.Duration(0)
	for i, want := range []time.Duration{10, 20, 40, 40} {
		until := trip(t, b, now)
		d := until - now
		if low, high := want*second*9/10, min(want*second*11/10, 44*second); d < low || d > high {
			t.Errorf("trip %d: open for %s, want %ds within a tenth", i+1, d, want)
		}
		if i > 0 && d > 40*second {
			t.Errorf("trip %d: open for %s, above openMax", i+1, d)
		}
		now = until
		one(t, b, now, Success)
		one(t, b, now, Success)
		wantState(t, b, Closed)
		now += second // trips again soon after closing
	}
	now += 17 * second // a quiet window
	if d := trip(t, b, now) - now; d > 11*second {
		t.Errorf("after a quiet window: open for %s, want 10s within a tenth", d)
	}
}

func TestObserveRefusesNothing(t *testing.T) {
	b := New(config(), nil)
	b.Observe(true)
	until := trip(t, b, 0)
	for _, now := range []time.Duration{0, until, until, until, until, until, until} {
		if _, _, ok := b.Admit(now, second); !ok {
			t.Errorf("refused at %s while it only observes", now)
		}
	}
	wantState(t, b, HalfOpen)
}

func TestByHand(t *testing.T) {
	b := New(config(), nil)
	b.ForceOpen()
	b.Observe(true)
	if _, _, ok := b.Admit(1000*time.Hour, second); ok {
		t.Error("forced open, and admitted")
	}
	b.ForceClosed()
	for range 20 {
		one(t, b, 0, Failure)
	}
	wantState(t, b, Closed)
	b.Reset()
	trip(t, b, 0)
}

// Peers deadlock or hold their lock when a listener asks back.
func TestListenerMayAskBack(t *testing.T) {
	var b *Breaker
	var changes []Change
	b = New(config(), func(c Change) {
		changes = append(changes, c)
		b.Snapshot(0)
		b.Admit(0, second)
	})
	trip(t, b, 0)
	if len(changes) != 1 || changes[0].To != Open || changes[0].Failures != 4 || changes[0].Calls != 4 {
		t.Errorf("changes = %+v, want one to open with 4 failures of 4", changes)
	}
}

func TestGoexitAndPanicGiveTheProbeBack(t *testing.T) {
	c := config()
	c.Probes, c.Successes = 1, 1
	for name, leave := range map[string]func(){"panic": func() { panic("user") }, "goexit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			b := New(c, nil)
			now := trip(t, b, 0)
			var wg sync.WaitGroup
			wg.Go(func() {
				defer func() { _ = recover() }()
				token, _, _ := b.Admit(now, second)
				defer b.Done(token, Neutral, false, now)
				leave()
			})
			wg.Wait()
			if _, _, ok := b.Admit(now, second); !ok {
				t.Error("the next probe is refused")
			}
		})
	}
}
