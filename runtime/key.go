package runtime

import "time"

// A Key is an idempotency key through its life. Keep it with the work that it
// stands for: a call that failed is resumed by giving its error's key to the
// next one ([WithIdempotencyKey]), which then sends the same key.
type Key struct {
	Value     string
	FirstSent time.Time // when it first went out. Zero: it was made now.
	Host      string    // the host it went to. Zero: any.
}
