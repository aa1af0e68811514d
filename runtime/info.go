package runtime

import (
	"fmt"
	"net/http"
	"time"
)

// An Info is filled by a call that was given [WithInfo], whether it succeeds
// or fails. It belongs to one call at a time.
type Info struct {
	Source      Source
	Age         time.Duration // Stale: how old the copy is
	Attempts    int           // attempts that were made
	Status      int           // of the answer that was used, or the last one
	Header      http.Header   // of that answer
	Key         Key           // the idempotency key that was sent
	Outcome     Outcome
	Replayed    bool          // the server said that the answer was stored under the key
	AlreadyDone bool          // an earlier attempt did it: the result is the zero value
	Coalesced   bool          // the answer was fetched by an identical call
	Duration    time.Duration // of the whole call
	RetryAfter  time.Duration // a wait that an answer named
	Ignored     []string      // options that lay above the policy, and retry headers that could not be read
}

// A Source is where a result came from. The zero Source is not valid.
type Source int

// The sources.
const (
	_            Source = iota
	Live                // from the dependency, now
	Stale               // a kept copy
	FromFallback        // a static value or the caller's function
)

// String returns the source as it stands in labels.
func (s Source) String() string {
	switch s {
	case Live:
		return "live"
	case Stale:
		return "stale"
	case FromFallback:
		return "fallback"
	default:
		return fmt.Sprintf("Source(%d)", int(s))
	}
}
