package runtime

import "time"

// Overrides changes policies where a process is configured: times, thresholds
// and concurrency in both directions, attempts only downwards. It never makes
// an unsafe write repeatable. Keys are dependency, "dependency/compartment" or
// "operation:NAME"; the more specific wins. Zero fields change nothing.
type Overrides struct {
	Dependencies map[string]Override `json:"dependencies,omitzero"`
	Compartments map[string]Override `json:"compartments,omitzero"`
}

// An Override is what changes for one dependency or compartment.
type Override struct {
	Connect       time.Duration
	Attempt       time.Duration
	Total         time.Duration
	MaxAttempts   int
	MaxConcurrent int
	MaxQueue      int
}
