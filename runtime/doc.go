// Package runtime carries the calls of generated clients through five layers.
// Import it as rt:
//
//	import rt "github.com/resgen-dev/resgen/runtime"
//
// Each call passes, from the outside in:
//
//	fallback( retry( breaker( bulkhead( timeout( call ) ) ) ) )
//
//	 ┌ fallback ──────────────────────────────────────────────┐  a fixed value, a kept copy, or the caller's function
//	 │ ┌ retry ─────────────────────────────────────────────┐ │  another attempt, where that is safe and worth it
//	 │ │ ┌ breaker ───────────────────────────────────────┐ │ │  no attempt at all while the dependency is down
//	 │ │ │ ┌ bulkhead ──────────────────────────────────┐ │ │ │  so many attempts at once, and no more
//	 │ │ │ │ ┌ timeout ───────────────────────────────┐ │ │ │ │  so long an attempt, within so long a call
//	 │ │ │ │ │ credentials, request, answer, decoding │ │ │ │ │
//	 │ │ │ │ └────────────────────────────────────────┘ │ │ │ │
//	 │ │ │ └────────────────────────────────────────────┘ │ │ │
//	 │ │ └────────────────────────────────────────────────┘ │ │
//	 │ └────────────────────────────────────────────────────┘ │
//	 └────────────────────────────────────────────────────────┘
//
// The order is the program, and no option changes it. What each layer does:
//
//	            healthy        blinking                hung                     down
//	fallback    –              –                       answers reads            answers reads
//	retry       –              repeats, with backoff   repeats while time is    stops at the open circuit
//	breaker     counts         counts                  opens: slow is failed    refuses at once, then probes
//	bulkhead    passes         passes                  fills up, refuses        empty
//	timeout     starts, stops  –                       ends each attempt        –
//
// # What a caller sees
//
// A failed call returns a [*CallError]: what class of failure it was
// ([ErrorClass]), what is known of its effect ([Outcome]), each attempt, and
// the idempotency key to resume it with. errors.Is finds the states
// ([ErrCircuitOpen], [ErrRetryBudget], …), errors.As the error types that the
// spec declares. A successful call tells through [WithInfo] where its result
// came from. What a caller sets on a call ([Option]) is a ceiling: fewer
// attempts and shorter times, never more.
//
// # What is sent twice
//
// Only what may be: operations of class [Safe] and [Idempotent], and [Keyed]
// writes, which bear the same [Key] on every attempt. An [Unsafe] write reaches
// the server at most once; it is tried once more only where it provably did not
// go out, or where the provider says of a status that nothing was done. One
// table decides what follows from each end of an attempt: table.go.
//
// net/http by itself resends a read once, when a kept connection turns out to
// be dead: a server may count one request more than there were attempts. Keyed
// writes are sent so that it does not do that with them.
//
// # Streams
//
// An answer that is a stream ([Stream]) ends its attempt at the headers: from
// there on the limits of attempt and call are off, silence has one of its own,
// and nothing is sent again. It holds its place until it ends or is closed.
//
// # What a process sets
//
// [ClientConfig] is what a client is made with: transport, [Observer],
// [Overrides] of policies for this environment, [Controls] for people on call,
// and a [Registry] to share breakers and bulkheads between clients of one
// dependency. [Registry.Handler] shows how they stand; [Metrics] counts for
// Prometheus.
//
// # Other services
//
// A policy may tell the server how much time is left ([DeadlineRule]); a server
// keeps such deadlines with [Deadline] and answers failures of its own
// dependencies with [WriteError], in a form that the callers' clients know.
// [Run] carries calls that are no HTTP through the same layers; a [Runner] does
// so under a registry, an observer and controls.
package runtime

// To read the package, follow one call, with a file for each of its steps:
//
//	engine.go      Do: checks the call, begins it, and ends it by conclude
//	execution.go   run: the loop of attempts; once: one attempt within the layers
//	admission.go   breaker and bulkhead on the way in, the verdict on the way out
//	exchange.go    the request of one attempt, redirect.go, auth.go, sent.go, fault.go
//	read.go        the answer, judge.go; or stream.go
//	table.go       what an end of an attempt means
//	decide.go      whether another attempt is due, and when: retry.go, backoff.go
//	finish.go      the result, errors.go, info.go; or fallback.go with copies.go
//
// policy.go and check.go say what can be set, plan.go what is made of it once;
// compartment.go and registry.go hold what lives longer than a call. The rest
// stands alone: key.go, coalesce.go, controls.go, overrides.go, snapshot.go,
// metrics.go, middleware.go, run.go, and the value types.
