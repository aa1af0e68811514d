package main

import (
	"context"
	"sync"

	rt "github.com/resgen-dev/resgen/runtime"
)

// A watch remembers what the client says of itself. Real ones count and
// export; see docs/runtime.md.
type watch struct {
	mu     sync.Mutex
	events []rt.Event
}

// Observe keeps the event.
func (w *watch) Observe(_ context.Context, e rt.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
}

// take returns what was seen since the last time.
func (w *watch) take() []rt.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	events := w.events
	w.events = nil
	return events
}
