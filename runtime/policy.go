package runtime

import "time"

// A Policy is how one or more operations are called: a package-level literal
// in generated code, checked when a client is made and never changed. What is
// left out is off, as the fields say.
type Policy struct {
	Class       Class
	Compartment *Compartment // breaker, bulkhead, budget and pool; shared by the policies that point to the same literal
	Timeout     Timeout
	Retry       Retry
	SlowOver    time.Duration // an attempt that has run this long is a slow call, however it ended. Zero: none is slow.
	Counts      Counts        // per status: does it count against the dependency
	Fallback    Fallback
	Deadline    DeadlineRule
	Key         KeyRule // where the idempotency key goes; for class Keyed, or an Idempotent operation that has one
	Rejects     []int   // statuses of which the provider says that nothing was done: repeatable even when Unsafe
	AlreadyDone []int   // statuses that mean success after an earlier attempt whose outcome is unknown
}

// Timeout holds the time limits of a call. Zero: no limit.
type Timeout struct {
	Attempt      time.Duration // one attempt: from the moment it may start until its answer is decoded
	Total        time.Duration // the whole call, waits included. The caller's deadline holds too.
	Idle         time.Duration // streams: the longest silence between two reads that bring something
	MinRemaining time.Duration // no attempt starts and no wait is slept with less than this left
}

// A Share is a part of a whole in hundredths of a percent, compared in integers.
type Share int

// Units of shares: 25 * Percent, 50 * BasisPoint for 0.5 %.
const (
	BasisPoint Share = 1
	Percent    Share = 100
)

// A Rate is a number of events per time, counted per minute.
type Rate int64

// Units of rates: 1 * PerSecond, 30 * PerMinute.
const (
	PerMinute Rate = 1
	PerSecond Rate = 60
)

// A Compartment is what the operations of a dependency share: a circuit
// breaker, a bulkhead, a retry budget and a connection pool, kept per scheme
// and host. Zero sections are off.
type Compartment struct {
	Dependency string        // slug of the dependency, a label
	Name       string        // empty: the dependency's own
	Connect    time.Duration // limit for dialing and for the TLS handshake, each. Zero: the attempt's limit alone.
	Breaker    Breaker
	Bulkhead   Bulkhead
	Budget     Budget
}

// Breaker opens the circuit when the dependency fails. It is off when Window
// and Consecutive are zero.
type Breaker struct {
	FailureRate  Share         // opens at this share of failed attempts within Window. Zero: not by failures.
	SlowRate     Share         // opens at this share of slow attempts (Policy.SlowOver). Zero: not by slowness.
	Window       time.Duration // the time looked back on
	MinimumCalls int           // rates are looked at from this many attempts in the window on. At least 1 with a rate.
	Consecutive  int           // opens after this many failures in a row. Zero: not by a row.
	OpenFor      time.Duration // how long it stays open, ±10 %
	OpenMax      time.Duration // OpenFor doubles up to this while it trips again within a Window of closing. Zero: no doubling.
	Probes       Probes
	Observe      bool // report what it would do, refuse nothing
}

// Probes decide whether an open circuit closes.
type Probes struct {
	Count     int // verdicts needed, and the most that are in flight at once. At least 1.
	Successes int // that many of them close it. 1 to Count.
}

// Bulkhead bounds what runs at once. It is off when MaxConcurrent is zero.
type Bulkhead struct {
	MaxConcurrent int           // in flight
	MaxQueue      int           // waiting, first come first served. Zero: none waits.
	MaxWait       time.Duration // the longest wait. Zero: until the call ends.
}

// Budget bounds the share of repeats. It is off when Window is zero: then
// repeats are bounded by attempts and time alone.
type Budget struct {
	Ratio  Share         // repeats per first attempt really sent within Window
	Floor  Rate          // repeats allowed on top of that, so that quiet clients may repeat at all
	Window time.Duration // the time looked back on
}

// Counts edits, per status, what the breaker counts: true is a failure, false
// is not counted. A key of 1 to 5 stands for a whole hundred (5 is 5XX); an
// exact status wins over it.
type Counts map[int]bool

// A DeadlineRule tells the server how much time is left, anew on each attempt.
// It is off when Header is empty.
type DeadlineRule struct {
	Header  string
	Format  DeadlineFormat
	Margin  time.Duration // held back for the way there and back
	MaxSkew time.Duration // Timestamp: the most that the two clocks differ, held back too
}

// A DeadlineFormat is how a deadline is written. The zero value is not valid.
type DeadlineFormat int

// The deadline formats.
const (
	_         DeadlineFormat = iota
	Remaining                // milliseconds left, rounded down: needs no clocks
	Timestamp                // RFC 3339 with milliseconds, UTC: survives queues, needs clocks within MaxSkew
)

// A Fallback answers a read when the dependency does not. Static and stale
// answers are for class Safe only.
type Fallback struct {
	Kind      FallbackKind
	Because   string        // FallbackNone: why there can be none
	MaxAge    time.Duration // FallbackStale: the oldest copy given out
	Value     string        // FallbackStatic: the answer's body, JSON
	Status    int           // FallbackStatic: the status the value is decoded as. Zero: 200.
	Vary      []string      // request headers that make two answers different, besides what the answer's Vary says
	Principal Principal     // whose an answer is, for stale and coalesced ones. Zero: ByCredential.
	Coalesce  bool          // identical concurrent reads are sent once
}

// A FallbackKind is where a fallback's answer comes from. Zero is as FallbackNone.
type FallbackKind int

// The kinds of fallback.
const (
	FallbackUnset  FallbackKind = iota
	FallbackNone                // none, for a stated reason
	FallbackStatic              // a fixed value
	FallbackStale               // the last good answer, up to MaxAge old
	FallbackCaller              // a function given in the client's configuration
)

// A Principal says what tells one user's answers from another's.
type Principal int

// The principals.
const (
	PrincipalUnset Principal = iota // as ByCredential
	ByCredential                    // WithPrincipal, else a hash of the credential; with neither nothing is kept
	ByContext                       // WithPrincipal alone; without it nothing is kept
	Shared                          // answers are the same for everyone
)
