package runtime

import (
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
)

// A Snapshot is how the compartments of a registry stand, in a fixed order.
type Snapshot struct {
	At           time.Time          `json:"at"`
	Compartments []CompartmentState `json:"compartments"`
}

// CompartmentState is how one compartment stands.
type CompartmentState struct {
	Dependency  string `json:"dependency"`
	Compartment string `json:"compartment,omitzero"`
	Scheme      string `json:"scheme,omitzero"` // empty: of a Runner
	Host        string `json:"host,omitzero"`   // empty: of a Runner

	Circuit     string   `json:"circuit"` // closed, half-open, open, disabled
	Forced      bool     `json:"forced,omitzero"`
	ObserveOnly bool     `json:"observeOnly,omitzero"`
	Calls       int64    `json:"calls"` // within the window
	Failures    int64    `json:"failures"`
	Slow        int64    `json:"slow"`
	Probes      int      `json:"probes,omitzero"`    // in flight
	ReopensIn   Duration `json:"reopensIn,omitzero"` // until the first probe
	HeldFor     Duration `json:"heldFor,omitzero"`   // the server asked to wait

	InFlight      int `json:"inFlight"`
	Queued        int `json:"queued"`
	MaxConcurrent int `json:"maxConcurrent,omitzero"`

	Repeats     int64 `json:"repeats"`     // taken within the budget's window
	RepeatsLeft int64 `json:"repeatsLeft"` // that could be taken now; -1 without a budget

	RetriesOff   bool `json:"retriesOff,omitzero"`
	FallbackOnly bool `json:"fallbackOnly,omitzero"`
}

// Snapshot says how the compartments stand now.
func (r *Registry) Snapshot() Snapshot {
	s := Snapshot{At: time.Now()}
	for _, c := range r.all() {
		s.Compartments = append(s.Compartments, c.snapshot())
	}
	return s
}

func (c *compartment) snapshot() CompartmentState {
	now := c.now()
	s := CompartmentState{
		Dependency: c.key.dependency, Compartment: c.key.name, Scheme: c.key.scheme, Host: c.key.host,
		Circuit: Disabled.String(), MaxConcurrent: c.config.Bulkhead.MaxConcurrent, RepeatsLeft: -1,
		HeldFor: Duration(c.onHold(now)), RetriesOff: c.retriesOff(), FallbackOnly: c.fallbackOnly(),
	}
	if c.breaker != nil {
		b := c.breaker.Snapshot(now)
		s.Circuit, s.Forced, s.ObserveOnly = stateOf(b.State).String(), b.Forced, b.Observed
		s.Calls, s.Failures, s.Slow, s.Probes = b.Calls, b.Failures, b.Slow, b.Probes
		if !b.Forced {
			s.ReopensIn = Duration(b.Reopens)
		}
	}
	if c.bulkhead != nil {
		s.InFlight, s.Queued = c.bulkhead.InFlight()
	}
	if c.budget != nil {
		s.RepeatsLeft, _, s.Repeats = c.budget.Left(now)
	}
	return s
}

// Handler shows the snapshot as JSON to operators. It is no readiness probe: a
// process whose dependency is down is not down itself, and taking it out of
// service would only move the load. The answer's header says so. Keep it off
// the public network; it names hosts.
func (r *Registry) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		body, err := json.Marshal(r.Snapshot())
		if err != nil {
			http.Error(w, "snapshot cannot be encoded", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Not-A-Readiness-Probe", "circuits of dependencies, for operators")
		_, _ = w.Write(body) // the reader may be gone
	})
}
