package breaker

import "time"

// admitProbe turns an open circuit whose time is over half-open, and gives out
// a probe's place if one is free or its lease has run out.
func (b *Breaker) admitProbe(now, lease time.Duration) (t Token, wait time.Duration, ok bool) {
	b.mu.Lock()
	p := b.phase.Load()
	var change Change
	switch p.state {
	case Closed:
		b.mu.Unlock()
		return Token{phase: p}, 0, true
	case Open:
		if now < p.until {
			b.mu.Unlock()
			return Token{}, p.until - now, false
		}
		p = &phase{state: HalfOpen, openedBy: p.openedBy, probes: make([]probe, b.config.Probes)}
		b.phase.Store(p)
		change = Change{From: Open, To: HalfOpen}
	}
	t, wait, ok = b.place(p, now, lease)
	b.mu.Unlock()
	if change.To != 0 {
		b.tell(change)
	}
	return t, wait, ok
}

// place finds a place for a probe: no more are in flight than verdicts are
// still needed.
func (b *Breaker) place(p *phase, now, lease time.Duration) (t Token, wait time.Duration, ok bool) {
	if lease <= 0 {
		lease = b.config.OpenFor
	}
	free, busy := -1, 0
	soonest := time.Duration(0)
	for i := range p.probes {
		switch at := &p.probes[i]; {
		case at.id == 0 || now >= at.expires:
			at.id = 0 // a lease that ran out: its late result will not be taken
			free = i
		default:
			busy++
			if left := at.expires - now; soonest == 0 || left < soonest {
				soonest = left
			}
		}
	}
	if free < 0 || busy+p.good+p.bad >= len(p.probes) {
		return Token{}, soonest, false
	}
	b.probeID++
	p.probes[free] = probe{id: b.probeID, expires: now + lease}
	return Token{phase: p, probe: b.probeID}, 0, true
}

// probeDone takes a probe's verdict. A slow probe is a failed one; a neutral
// end frees the place and says nothing.
func (b *Breaker) probeDone(t Token, v Verdict, slow bool, now time.Duration) {
	b.mu.Lock()
	p := t.phase
	if b.phase.Load() != p || !p.leave(t.probe, now) || v == Neutral && !slow {
		b.mu.Unlock()
		return
	}
	switch {
	case slow:
		p.bad++
		p.badSlow++
	case v == Failure:
		p.bad++
	default:
		p.good++
	}
	change := Change{From: HalfOpen, Calls: int64(p.good + p.bad), Failures: int64(p.bad - p.badSlow), Slow: int64(p.badSlow)}
	switch {
	case p.good >= b.config.Successes:
		change.To = Closed
		b.closed, b.closedAt = true, now
		b.phase.Store(b.newClosed(false))
	case p.bad > b.config.Probes-b.config.Successes:
		d := b.openFor()
		change.To, change.OpenFor = Open, d
		b.phase.Store(&phase{state: Open, until: now + d, openedBy: d})
	}
	b.mu.Unlock()
	if change.To != 0 {
		b.tell(change)
	}
}

// leave frees the place of a probe, and reports false where it has lost it.
func (p *phase) leave(id uint64, now time.Duration) bool {
	for i := range p.probes {
		if p.probes[i].id == id {
			late := now >= p.probes[i].expires
			p.probes[i] = probe{}
			return !late
		}
	}
	return false
}
