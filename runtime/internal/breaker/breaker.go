// Package breaker is a circuit breaker: a state machine over a sliding window
// of attempts. It knows nothing of HTTP, policies or retries.
package breaker

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/resgen-dev/resgen/runtime/internal/window"
)

// Config is how a breaker judges. Shares are in hundredths of a percent.
type Config struct {
	FailureRate  int // zero: not by failures
	SlowRate     int // zero: not by slowness
	Window       time.Duration
	MinimumCalls int
	Consecutive  int // zero: not by a row
	OpenFor      time.Duration
	OpenMax      time.Duration // zero: no doubling
	Probes       int
	Successes    int
}

// A State is the state of a circuit. The zero State is not valid.
type State int

// The states.
const (
	_ State = iota
	Closed
	HalfOpen
	Open
)

// A Verdict is how an attempt ended. The zero Verdict is not valid.
type Verdict int

// The verdicts.
const (
	_       Verdict = iota
	Success         // the dependency did its part
	Failure         // it did not
	Neutral         // nothing can be said: cancelled, refused by ourselves
)

// A Change is a transition and what caused it.
type Change struct {
	From, To              State
	Calls, Failures, Slow int64 // in the window (or among the probes) when it happened
	OpenFor               time.Duration
	ByHand                bool
}

// A Breaker is one circuit. Times are measured by its owner, monotonic and
// from a base of its own. It is safe for concurrent use.
type Breaker struct {
	config Config
	notify func(Change) // called after a transition, under no lock

	phase   atomic.Pointer[phase]
	observe atomic.Bool
	_       [40]byte // keeps the words that every call reads off the lines that calls write

	mu       sync.Mutex
	closedAt time.Duration // when it last closed after being open
	closed   bool          // it has closed after being open
	streak   int           // times it tripped within a window of closing, in a row
	probeID  uint64
}

// A phase is the time between two transitions. Attempts hold on to the phase
// that admitted them, so the results of an earlier phase cannot reach a later one.
type phase struct {
	state  State
	forced bool // by hand: stays until Reset

	// Closed. What every call reads comes first; the rings keep off its line.
	row         atomic.Int64
	belowNumber atomic.Bool // the rate is reached, the number of calls is not
	calls       window.Ring // all, failures
	slow        window.Ring // slow ones in kind A

	// Open.
	until time.Duration

	// HalfOpen, under the breaker's lock.
	probes   []probe
	good     int
	bad      int
	badSlow  int
	openedBy time.Duration // how long it was open before, kept when the probes fail
}

// A probe is a place for one attempt in a half-open circuit.
type probe struct {
	id      uint64 // 0: free
	expires time.Duration
}

// A Token is an admitted attempt. Every admission ends with one Done. The zero
// Token is an attempt that is not measured.
type Token struct {
	phase *phase
	probe uint64
}

// Probe reports whether the attempt is one that decides over a half-open circuit.
func (t Token) Probe() bool { return t.probe != 0 }

// New returns a closed breaker. notify may be nil.
func New(c Config, notify func(Change)) *Breaker {
	b := &Breaker{config: c, notify: notify}
	b.phase.Store(b.newClosed(false))
	return b
}

// Admit asks to make an attempt now. lease is how long it may hold a probe's
// place. If it is refused, wait is how long the circuit stays open at least.
func (b *Breaker) Admit(now, lease time.Duration) (t Token, wait time.Duration, ok bool) {
	p := b.phase.Load()
	switch {
	case p.state == Closed:
		return Token{phase: p}, 0, true
	case p.state == Open && now < p.until:
		if b.observe.Load() && !p.forced {
			return Token{}, 0, true
		}
		return Token{}, p.until - now, false
	}
	t, wait, ok = b.admitProbe(now, lease)
	if !ok && b.observe.Load() {
		return Token{}, 0, true
	}
	return t, wait, ok
}

// Done records how an admitted attempt ended. A slow one is counted as slow
// whatever its verdict.
func (b *Breaker) Done(t Token, v Verdict, slow bool, now time.Duration) {
	p := t.phase
	if p == nil || v == Neutral && !slow && t.probe == 0 {
		return
	}
	if t.probe != 0 {
		b.probeDone(t, v, slow, now)
		return
	}
	if p != b.phase.Load() {
		return // admitted in an earlier phase
	}
	switch {
	case v == Failure:
		p.calls.Add(now, 1, 1)
		p.row.Add(1)
	default:
		p.calls.Add(now, 1, 0)
		if v == Success && p.row.Load() != 0 {
			p.row.Store(0)
		}
	}
	if slow {
		p.slow.Add(now, 1, 0)
	}
	if v == Failure || slow || p.belowNumber.Load() {
		b.judge(p, now)
	}
}

// judge opens the circuit if the window of p asks for it.
func (b *Breaker) judge(p *phase, now time.Duration) {
	c := &b.config
	if p.forced {
		return
	}
	calls, failures := p.calls.Sum(now)
	slow, _ := p.slow.Sum(now)
	bad := c.FailureRate > 0 && failures > 0 && failures*10_000 >= calls*int64(c.FailureRate) ||
		c.SlowRate > 0 && slow > 0 && slow*10_000 >= calls*int64(c.SlowRate)
	enough := calls >= int64(c.MinimumCalls)
	p.belowNumber.Store(bad && !enough)
	if bad && enough || c.Consecutive > 0 && p.row.Load() >= int64(c.Consecutive) {
		b.trip(p, now, calls, failures, slow)
	}
}

// trip opens the circuit for longer each time that it trips soon after closing.
func (b *Breaker) trip(p *phase, now time.Duration, calls, failures, slow int64) {
	b.mu.Lock()
	if b.phase.Load() != p {
		b.mu.Unlock()
		return // somebody else did
	}
	quiet := b.config.Window
	if quiet == 0 {
		quiet = b.config.OpenFor
	}
	if b.closed && now-b.closedAt <= quiet {
		b.streak++
	} else {
		b.streak = 0
	}
	d := b.openFor()
	b.phase.Store(&phase{state: Open, until: now + d, openedBy: d})
	b.mu.Unlock()
	b.tell(Change{From: Closed, To: Open, Calls: calls, Failures: failures, Slow: slow, OpenFor: d})
}

// openFor is the configured time, doubled by the streak, spread by a tenth
// either way so that many processes do not probe together.
func (b *Breaker) openFor() time.Duration {
	d := b.config.OpenFor
	for range b.streak {
		if d >= b.config.OpenMax {
			break
		}
		d = min(2*d, b.config.OpenMax)
	}
	spread := int64(d / 10)
	if spread > 0 {
		d += time.Duration(rand.Int64N(2*spread+1) - spread)
	}
	if b.streak > 0 {
		d = min(d, max(b.config.OpenMax, b.config.OpenFor))
	}
	return d
}

func (b *Breaker) newClosed(forced bool) *phase {
	p := &phase{state: Closed, forced: forced}
	p.calls.Init(b.config.Window)
	p.slow.Init(b.config.Window)
	return p
}

func (b *Breaker) tell(c Change) {
	if b.notify != nil {
		b.notify(c)
	}
}
