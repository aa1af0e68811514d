package breaker

import (
	"math"
	"time"
)

// ForceOpen refuses every attempt until Reset, in observe mode too.
func (b *Breaker) ForceOpen() { b.force(&phase{state: Open, forced: true, until: math.MaxInt64}) }

// ForceClosed admits every attempt until Reset.
func (b *Breaker) ForceClosed() { b.force(b.newClosed(true)) }

// Reset closes the circuit and forgets its window and its streak.
func (b *Breaker) Reset() {
	b.mu.Lock()
	b.streak, b.closed = 0, false
	b.mu.Unlock()
	b.force(b.newClosed(false))
}

// Observe switches refusing off and on: the circuit still changes its state.
func (b *Breaker) Observe(on bool) { b.observe.Store(on) }

func (b *Breaker) force(p *phase) {
	b.mu.Lock()
	from := b.phase.Load().state
	b.phase.Store(p)
	b.mu.Unlock()
	b.tell(Change{From: from, To: p.state, ByHand: true})
}

// A Snapshot is how a breaker stands.
type Snapshot struct {
	State                 State
	Forced, Observed      bool
	Calls, Failures, Slow int64         // within the window
	Reopens               time.Duration // Open: how long it will still refuse
	Probes                int           // HalfOpen: in flight
}

// Snapshot says how the breaker stands at now.
func (b *Breaker) Snapshot(now time.Duration) Snapshot {
	p := b.phase.Load()
	s := Snapshot{State: p.state, Forced: p.forced, Observed: b.observe.Load()}
	switch p.state {
	case Closed:
		s.Calls, s.Failures = p.calls.Sum(now)
		s.Slow, _ = p.slow.Sum(now)
	case Open:
		s.Reopens = max(p.until-now, 0)
	case HalfOpen:
		b.mu.Lock()
		for _, at := range p.probes {
			if at.id != 0 && now < at.expires {
				s.Probes++
			}
		}
		s.Calls, s.Failures, s.Slow = int64(p.good+p.bad), int64(p.bad-p.badSlow), int64(p.badSlow)
		b.mu.Unlock()
	}
	return s
}

// Passes reports whether a hold may be ignored: by hand, or because nothing is refused.
func (b *Breaker) Passes() bool {
	p := b.phase.Load()
	return p.forced && p.state == Closed || b.observe.Load()
}
