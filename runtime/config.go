package runtime

import "net/http"

// A ClientConfig is what every generated client can be told when it is made.
// The zero value is ready to use. Make one client per dependency and process:
// breaker, bulkhead, budget and connections live in it (see [Registry]).
type ClientConfig struct {
	Transport        http.RoundTripper // nil: a pool of connections per compartment. Otherwise connect limits are its affair.
	Observer         Observer          // nil: none
	Overrides        Overrides         // nil: policies as generated
	Controls         *Controls         // nil: none
	Registry         *Registry         // nil: compartments of this client's own
	UserAgent        string            // empty: the generated package's own
	MaxResponseBytes int64             // largest buffered answer. Zero: 64 MiB.
	Keep             Keep              // bounds of kept answers

	// BeforeAttempt sees each attempt's request before its credentials are
	// added and may change its headers. An error ends the call as class input.
	BeforeAttempt func(*http.Request) error
	// AfterAttempt sees each answer before its body is read. It must leave the body alone.
	AfterAttempt func(*http.Response)
}

// Keep bounds the answers that are kept for stale fallbacks.
type Keep struct {
	Entries int   // zero: 1,000
	Bytes   int64 // zero: 64 MiB
}

// DefaultMaxResponseBytes is the largest buffered answer where none is configured.
const DefaultMaxResponseBytes = 64 << 20
