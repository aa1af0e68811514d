package faulttest

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// A Request is one that arrived.
type Request struct {
	Method string
	Path   string // escaped, with the query
	Header map[string][]string
	Body   string
	Key    string // idempotency key, empty without one
	At     time.Time
}

// Get returns a header, whatever its spelling.
func (r Request) Get(name string) string {
	for have, values := range r.Header {
		if strings.EqualFold(have, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// An Effect is work that was done.
type Effect struct {
	Method   string
	Path     string
	Key      string // empty: none was sent
	Times    int    // how often it was done: more than once is a duplicate
	Replayed int    // how often it was asked for again and not done, thanks to the key
	At       time.Time
}

// A Book holds what was done. Work under a key is done once, as a careful
// server does it; work without one is done each time it is asked for.
type Book struct {
	mu      sync.Mutex
	effects []*Effect
	byKey   map[string]*Effect
	stored  map[string]*Step
}

// enter notes work and reports whether it was done already under its key.
func (b *Book) enter(r Request, s *Step) (replayed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.byKey[r.Key]; r.Key != "" && e != nil {
		e.Replayed++
		return true
	}
	e := &Effect{Method: r.Method, Path: r.Path, Key: r.Key, Times: 1, At: r.At}
	b.effects = append(b.effects, e)
	if r.Key != "" {
		if b.byKey == nil {
			b.byKey, b.stored = make(map[string]*Effect), make(map[string]*Step)
		}
		b.byKey[r.Key], b.stored[r.Key] = e, s
	}
	return false
}

// answer returns the answer that was stored under a key.
func (b *Book) answer(key string) (Step, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.stored[key]
	if key == "" || s == nil {
		return Step{}, false
	}
	again := *s
	again.Fault, again.Wait, again.Acts = None, 0, true // to be noted in the book as a replay
	again.Header = again.header()
	again.Header.Set("Idempotent-Replayed", "true")
	return again, true
}

// Effects returns what was done, in order.
func (b *Book) Effects() []Effect {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := make([]Effect, len(b.effects))
	for i, e := range b.effects {
		list[i] = *e
	}
	return list
}

// Done reports how often work was done under a key.
func (b *Book) Done(key string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.byKey[key]; e != nil {
		return e.Times
	}
	return 0
}

// Duplicates returns the keys under which something was done more than once,
// and of work without a key the path for each time after the first.
func (b *Book) Duplicates() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []string
	seen := map[string]bool{}
	for _, e := range b.effects {
		name := e.Key
		if name == "" {
			name = e.Method + " " + e.Path
		}
		if seen[name] {
			list = append(list, name)
		}
		seen[name] = true
	}
	slices.Sort(list)
	return list
}
