package runtime

import (
	"cmp"
	"net/http"
	"slices"
	"sync"
)

// A Registry holds compartments, so that several clients of one dependency in
// a process can share them: its circuit, its bulkhead, its budget and its
// connections. Without one each client has its own. The zero Registry is ready
// to use, and safe for concurrent use.
type Registry struct {
	mu           sync.Mutex
	compartments map[compartmentKey]*compartment
	switches     []*Controls
}

// compartment returns the compartment for a scheme and host, made at the first
// use. Two clients that share one must agree on it.
func (r *Registry) compartment(config *Compartment, scheme, host string, transport http.RoundTripper) (*compartment, error) {
	key := compartmentKey{config.Dependency, config.Name, scheme, host}
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.compartments[key]; c != nil {
		if c.config != *config {
			return nil, wordedf(ErrInput, "compartment %q of %q has other values in another client of the registry; want the same", key.name, key.dependency)
		}
		return c, nil
	}
	if r.compartments == nil {
		r.compartments = make(map[compartmentKey]*compartment)
	}
	c := newCompartment(key, *config, transport)
	r.compartments[key] = c
	for _, s := range r.switches {
		s.apply(c) // nobody watches it yet: no observer is told under the lock
	}
	return c, nil
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
