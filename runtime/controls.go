package runtime

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"weak"
)

// Controls are switches for people on call, used while the process runs. Give
// one to the clients it should reach; each change is an event. A dependency of
// "" stands for all. The zero Controls changes nothing. It is safe for
// concurrent use.
type Controls struct {
	mu         sync.Mutex
	version    int // of rules
	rules      []rule
	registries []weak.Pointer[Registry]
	observers  []Observer
}

// A rule is one switch that was set.
type rule struct {
	which      which
	dependency string // "" is all
	state      State  // forceState
}

type which uint8

const (
	_ which = iota
	retriesAreOff
	onlyObserve
	onlyFallback
	forceState
)

// switches is what the rules say for one compartment.
type switches struct {
	noRetries, observe, fallback bool
	force                        State // 0: none
}

// RetriesOff stops all repeats to a dependency, and starts them again.
func (c *Controls) RetriesOff(dependency string, on bool) {
	c.set(rule{which: retriesAreOff, dependency: dependency}, on, "retries off")
}

// ObserveOnly lets circuits change their state without refusing anything.
func (c *Controls) ObserveOnly(dependency string, on bool) {
	c.set(rule{which: onlyObserve, dependency: dependency}, on, "observe only")
}

// FallbackOnly answers every call to a dependency by its fallback: nothing is sent.
func (c *Controls) FallbackOnly(dependency string, on bool) {
	c.set(rule{which: onlyFallback, dependency: dependency}, on, "fallback only")
}

// Force forces the circuits of a dependency [Open] or [Closed], until Reset.
// Other states are an error.
func (c *Controls) Force(dependency string, s State) error {
	if s != Open && s != Closed {
		return fmt.Errorf("state is %s; want open or closed", s)
	}
	c.set(rule{forceState, dependency, s}, true, "force "+s.String())
	return nil
}

// Reset ends Force for the circuits of a dependency: they close and start anew.
func (c *Controls) Reset(dependency string) {
	c.mu.Lock()
	c.rules = slices.DeleteFunc(c.rules, func(r rule) bool {
		return r.which == forceState && (r.dependency == dependency || dependency == "")
	})
	if slices.ContainsFunc(c.rules, func(r rule) bool { return r.which == forceState && r.dependency == "" }) {
		c.rules = append(c.rules, rule{which: forceState, dependency: dependency}) // all are forced but this one
	}
	c.version++
	c.mu.Unlock()
	for _, k := range c.reached() {
		if k.breaker != nil && (dependency == "" || k.key.dependency == dependency) {
			k.breaker.Reset()
		}
		c.apply(k)
	}
	c.tell("reset", dependency, true)
}

func (c *Controls) set(r rule, on bool, detail string) {
	c.mu.Lock()
	c.rules = slices.DeleteFunc(c.rules, func(have rule) bool { return have == r })
	if on {
		c.rules = append(c.rules, r)
	}
	c.version++
	c.mu.Unlock()
	for _, k := range c.reached() {
		c.apply(k)
	}
	c.tell(detail, r.dependency, on)
}

// reached returns the compartments of the attached registries. A registry's
// lock is never taken under ours.
func (c *Controls) reached() []*compartment {
	c.mu.Lock()
	c.registries = slices.DeleteFunc(c.registries, func(p weak.Pointer[Registry]) bool { return p.Value() == nil })
	registries := slices.Clone(c.registries)
	c.mu.Unlock()
	var list []*compartment
	for _, p := range registries {
		if r := p.Value(); r != nil {
			list = append(list, r.all()...)
		}
	}
	return list
}

// apply sets the switches of one compartment. No lock is held while its
// circuit changes, since that tells observers; so it looks afterwards whether
// somebody has set another switch meanwhile.
func (c *Controls) apply(k *compartment) {
	for {
		s, version := c.switchesOf(k)
		k.apply(s)
		c.mu.Lock()
		current := c.version
		c.mu.Unlock()
		if current == version {
			return
		}
	}
}

// switchesOf says what the rules are for a compartment; of several that force
// its circuit the last one wins.
func (c *Controls) switchesOf(k *compartment) (s switches, version int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.rules {
		if r.dependency != "" && r.dependency != k.key.dependency {
			continue
		}
		switch r.which {
		case retriesAreOff:
			s.noRetries = true
		case onlyObserve:
			s.observe = true
		case onlyFallback:
			s.fallback = true
		case forceState:
			s.force = r.state
		default:
			panic(fmt.Sprintf("runtime: control %d not handled", r.which))
		}
	}
	return s, c.version
}

func (k *compartment) apply(s switches) {
	before := k.switches.Swap(&s)
	if k.breaker == nil {
		return
	}
	k.breaker.Observe(s.observe || k.config.Breaker.Observe)
	if before != nil && before.force == s.force {
		return
	}
	switch s.force {
	case 0:
	case Open:
		k.breaker.ForceOpen()
	case Closed:
		k.breaker.ForceClosed()
	default:
		panic(fmt.Sprintf("runtime: forced state %s not handled", s.force))
	}
}

// attach makes c reach the compartments of a registry. c may be nil.
func (c *Controls) attach(r *Registry, o Observer) {
	if c == nil {
		return
	}
	c.mu.Lock()
	known := slices.Contains(c.registries, weak.Make(r))
	if !known {
		c.registries = append(c.registries, weak.Make(r))
	}
	if o != nil && !slices.ContainsFunc(c.observers, func(have Observer) bool { return same(have, o) }) {
		c.observers = append(c.observers, o)
	}
	c.mu.Unlock()
	if known {
		return
	}
	r.mu.Lock()
	r.switches = append(r.switches, c)
	r.mu.Unlock()
	for _, k := range r.all() {
		c.apply(k)
	}
}

func (c *Controls) tell(detail, dependency string, on bool) {
	c.mu.Lock()
	observers := slices.Clone(c.observers)
	c.mu.Unlock()
	if !on {
		detail += ": off"
	}
	for _, o := range observers {
		o.Observe(context.Background(), Event{Kind: ControlChanged, Dependency: dependency, Detail: detail, Reason: ReasonControl})
	}
}

func (k *compartment) retriesOff() bool {
	s := k.switches.Load()
	return s != nil && s.noRetries
}

func (k *compartment) fallbackOnly() bool {
	s := k.switches.Load()
	return s != nil && s.fallback
}
