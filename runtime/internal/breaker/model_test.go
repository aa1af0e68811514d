package breaker

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// plain is a breaker that does everything the slow way: a list of all ends,
// a list of all probes. Only how long the circuit stays open is taken from the
// real one, since that is drawn.
type plain struct {
	c       Config
	state   State
	ends    []plainEnd
	row     int
	until   time.Duration
	leases  map[int]time.Duration // attempt to expiry
	good    int
	bad     int
	entered int // number of the phase
}

type plainEnd struct {
	bucket       int64
	failed, slow bool
}

type plainToken struct {
	id, phase int
	probe     bool
}

func (p *plain) admit(id int, now, lease time.Duration) (plainToken, bool) {
	if p.state == Open && now >= p.until {
		p.state, p.good, p.bad, p.leases = HalfOpen, 0, 0, map[int]time.Duration{}
		p.entered++
	}
	switch p.state {
	case Closed:
		return plainToken{id: id, phase: p.entered}, true
	case Open:
		return plainToken{}, false
	}
	for id, expires := range p.leases {
		if now >= expires {
			delete(p.leases, id)
		}
	}
	if len(p.leases)+p.good+p.bad >= p.c.Probes {
		return plainToken{}, false
	}
	p.leases[id] = now + lease
	return plainToken{id: id, phase: p.entered, probe: true}, true
}

func (p *plain) done(t plainToken, v Verdict, slow bool, now time.Duration) (opens bool) {
	if t.phase != p.entered || v == Neutral && !slow && !t.probe {
		return false
	}
	if t.probe {
		expires, held := p.leases[t.id]
		delete(p.leases, t.id)
		if !held || now >= expires || v == Neutral && !slow {
			return false
		}
		if slow || v == Failure {
			p.bad++
		} else {
			p.good++
		}
		switch {
		case p.good >= p.c.Successes:
			p.state, p.ends, p.row = Closed, nil, 0
			p.entered++
		case p.good+(p.c.Probes-p.good-p.bad) < p.c.Successes:
			return true
		}
		return false
	}
	width := (p.c.Window + 15) / 16
	p.ends = append(p.ends, plainEnd{int64(now / width), v == Failure, slow})
	switch v {
	case Failure:
		p.row++
	case Success:
		p.row = 0
	}
	var calls, failures, slows int64
	for _, e := range p.ends {
		if int64(now/width)-e.bucket < 16 {
			calls++
			if e.failed {
				failures++
			}
			if e.slow {
				slows++
			}
		}
	}
	if p.c.Consecutive > 0 && p.row >= p.c.Consecutive {
		return true
	}
	if calls < int64(p.c.MinimumCalls) {
		return false
	}
	// Rates are looked at when they may have risen: at a failure, at a slow
	// call, and when the number of calls is reached.
	rises := v == Failure || slow || calls == int64(p.c.MinimumCalls)
	return rises && (failures > 0 && float64(failures)/float64(calls) >= float64(p.c.FailureRate)/10_000 ||
		slows > 0 && float64(slows)/float64(calls) >= float64(p.c.SlowRate)/10_000)
}

func TestMatchesPlainModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Config{
			FailureRate:  rapid.SampledFrom([]int{2500, 5000, 10000}).Draw(t, "failureRate"),
			SlowRate:     rapid.SampledFrom([]int{5000, 8000}).Draw(t, "slowRate"),
			Window:       16 * time.Second,
			MinimumCalls: rapid.IntRange(1, 8).Draw(t, "minimumCalls"),
			Consecutive:  rapid.IntRange(0, 4).Draw(t, "consecutive"),
			OpenFor:      10 * time.Second,
			OpenMax:      40 * time.Second,
			Probes:       rapid.IntRange(1, 4).Draw(t, "probes"),
		}
		c.Successes = rapid.IntRange(1, c.Probes).Draw(t, "successes")
		b, p := New(c, nil), &plain{c: c, state: Closed}
		type pair struct {
			real  Token
			plain plainToken
		}
		var open []pair
		now, id := time.Duration(0), 0
		check := func(*rapid.T) {
			if got := state(b); got != p.state {
				t.Fatalf("at %s: state = %d, want %d", now, got, p.state)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"admit": func(t *rapid.T) {
				id++
				lease := time.Duration(rapid.Int64Range(1, int64(5*time.Second)).Draw(t, "lease"))
				real, _, ok := b.Admit(now, lease)
				want, wantOK := p.admit(id, now, lease)
				if ok != wantOK {
					t.Fatalf("at %s: admitted = %t, want %t", now, ok, wantOK)
				}
				if ok {
					open = append(open, pair{real, want})
				}
			},
			"done": func(t *rapid.T) { // late ones, panics and cancellations (neutral) among them
				if len(open) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				v := rapid.SampledFrom([]Verdict{Success, Failure, Neutral}).Draw(t, "verdict")
				slow := rapid.IntRange(0, 4).Draw(t, "slow") == 0
				b.Done(open[i].real, v, slow, now)
				if p.done(open[i].plain, v, slow, now) {
					p.state, p.until = Open, b.phase.Load().until
					p.entered++
					if d := p.until - now; d < 9*time.Second || d > 44*time.Second {
						t.Fatalf("open for %s", d)
					}
				}
				open = append(open[:i], open[i+1:]...)
			},
			"wait": func(t *rapid.T) {
				now += time.Duration(rapid.Int64Range(1, int64(6*time.Second)).Draw(t, "pause"))
			},
			"": check,
		})
	})
}
