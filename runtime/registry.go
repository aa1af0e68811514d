package runtime

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
)

// A Registry holds compartments, so that several clients of one dependency in
// a process can share them: its circuit, its bulkhead, its budget and its
// connections. Without one each client has its own. Clients that share a
// registry must want the same values of a compartment of one name, whatever
// host they call: the second of two that differ is not made. The connections
// are those of the first that uses a compartment, with its Transport. The zero
// Registry is ready to use, and safe for concurrent use.
type Registry struct {
	mu           sync.Mutex
	wanted       map[compartmentName]Compartment // by the clients that were made
	compartments map[compartmentKey]*compartment
	switches     []*Controls
}

type compartmentName struct{ dependency, name string }

// settle checks the policies of a client, applies the overrides to them, and
// notes in the registry what they want of their compartments. Its errors name
// every mistake; then the registry is as before.
func settle(policies []*Policy, o Overrides, r *Registry) (effective map[*Policy]*Policy, errs []error) {
	effective = make(map[*Policy]*Policy, len(policies))
	r.mu.Lock()
	defer r.mu.Unlock()
	wanted := maps.Clone(r.wanted)
	if wanted == nil {
		wanted = make(map[compartmentName]Compartment)
	}
	for i, p := range policies {
		as, err := p.overridden(o)
		if err == nil {
			k := *as.Compartment
			name := compartmentName{k.Dependency, k.Name}
			if have, ok := wanted[name]; ok && have != k {
				err = fmt.Errorf("Compartment %q has other values than in an earlier policy, or in another client of the registry; want the same", k.Name)
			}
			wanted[name], effective[p] = k, as
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("policy %d (%s): %w", i+1, p.label(), err))
		}
	}
	if len(errs) == 0 {
		r.wanted = wanted
	}
	return effective, errs
}

// overridden checks a policy and applies the overrides.
func (p *Policy) overridden(o Overrides) (*Policy, error) {
	if p == nil {
		return nil, errors.New("it is nil")
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	as, err := WithOverrides(*p, o)
	return &as, err
}

func (p *Policy) label() string {
	if p == nil || p.Compartment == nil {
		return "no compartment"
	}
	return p.Class.String() + " of " + p.Compartment.Dependency
}

// compartment returns the compartment for a scheme and host, made at the first
// use. Who asks has settled what it is like.
func (r *Registry) compartment(config *Compartment, scheme, host string, transport http.RoundTripper) *compartment {
	key := compartmentKey{config.Dependency, config.Name, scheme, host}
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.compartments[key]; c != nil {
		return c
	}
	if r.compartments == nil {
		r.compartments = make(map[compartmentKey]*compartment)
	}
	c := newCompartment(key, *config, transport)
	r.compartments[key] = c
	for _, s := range r.switches {
		s.apply(c) // nobody watches it yet: no observer is told under the lock
	}
	return c
}

// all returns the compartments in a fixed order.
func (r *Registry) all() []*compartment {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]*compartment, 0, len(r.compartments))
	for _, c := range r.compartments {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *compartment) int {
		return cmp.Or(
			cmp.Compare(a.key.dependency, b.key.dependency), cmp.Compare(a.key.name, b.key.name),
			cmp.Compare(a.key.host, b.key.host), cmp.Compare(a.key.scheme, b.key.scheme),
		)
	})
	return list
}
