package runtime

import "time"

// Retry says when an attempt is followed by another. The zero Retry makes one attempt.
type Retry struct {
	MaxAttempts int // all attempts, the first included. Zero is as 1.
	When        When
	NotSent     int // Unsafe: 1 repeats an attempt once that provably did not go out; 0 does not
	Backoff     Backoff
	RetryAfter  RetryAfter
	Verdict     Verdict
}

// When lists what is worth another attempt. Exact statuses win over hundreds.
type When struct {
	Statuses   []int // a status, or 1 to 5 for a whole hundred (5 is 5XX)
	Except     []int // statuses taken out of a hundred
	Timeout    bool  // the attempt's own time limit
	Connection bool  // refused, reset, not found, cut short
}

// Backoff is the wait before a repeat: the attempt's value is clamped to Max
// first and drawn then, so that callers at the cap do not line up.
type Backoff struct {
	Initial    time.Duration // zero: no wait
	Max        time.Duration // zero: as Initial
	Multiplier float64       // at least 1. Zero is as 1.
	Jitter     Jitter
}

// Jitter is how a wait is drawn. The zero Jitter is as FullJitter.
type Jitter int

// The jitters. d is min(Max, Initial·Multiplier^n) for the n-th repeat from 0.
const (
	JitterUnset        Jitter = iota
	FullJitter                // between 0 and d
	EqualJitter               // between d/2 and d
	DecorrelatedJitter        // min(Max, between Initial and three times the last wait)
	NoJitter                  // d
)

// RetryAfter is how the server's wish to wait is read. The wait is a minimum
// and never shortened: one beyond Max ends the call.
type RetryAfter struct {
	Max     time.Duration // zero: any wait that fits the call
	Headers []string      // read in this order, and Retry-After last where it is not among them: Retry-After-Ms, reset headers that hold seconds or an epoch
}

// A Verdict is a header in which the server says whether to repeat. It never
// makes an Unsafe operation repeatable. It is off when Header is empty.
type Verdict struct {
	Header     string
	Retry      string // the value that asks for a repeat; any other forbids it
	WhenAbsent Absent
}

// Absent is what a missing verdict header means. Zero is as Judge.
type Absent int

// What an absent verdict means.
const (
	AbsentUnset Absent = iota
	Judge              // decide by the rest of the policy
	Stop               // do not repeat
)

// A KeyRule says where an idempotency key goes and what the server makes of
// it. It is off when In is zero.
type KeyRule struct {
	In        KeyPlace
	Name      string        // InHeader, InQuery
	Pointer   string        // InBody: JSON pointer into the request body
	MaxLength int           // longest key the server takes. Zero: not known.
	ByCaller  bool          // the caller must give the key; none is made
	Retention time.Duration // the server forgets the key after it. Zero: not known; a key serves one call then.
	Stores    Stores
	Statuses  []KeyStatus
	Replayed  string // header that marks a stored answer: final on any attempt
}

// A KeyPlace is the part of the request that bears the key.
type KeyPlace int

// The places of a key. Zero: the operation bears none.
const (
	_ KeyPlace = iota
	InHeader
	InQuery
	InBody
)

// Stores is what a server keeps under a key. Zero is as StoresErrors, the careful one.
type Stores int

// What a server stores.
const (
	StoresUnset   Stores = iota
	StoresErrors         // server errors too: they come back for ever and are not repeated, but 502 to 504
	StoresSuccess        // successes only: failures run again
)

// A KeyStatus says what a status means where a key was sent.
type KeyStatus struct {
	Status int
	Means  KeyMeaning
	At     string   // JSON pointer into the answer's body. Empty: the status alone says it.
	Is     []string // values at that place that mean it
}

// A KeyMeaning is what an answer says about the key. The zero value is not valid.
type KeyMeaning int

// The meanings.
const (
	_        KeyMeaning = iota
	InFlight            // the first attempt still runs: repeat later
	Done                // the first attempt succeeded
	Mismatch            // the key was used with other content: permanent
	NewKey              // the key is spent: permanent, a new one is needed
)
