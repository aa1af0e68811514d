package runtime

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// Overrides changes policies where a process is configured, in Go or as JSON:
// times, thresholds and concurrency in both directions, attempts only
// downwards. It never makes an unsafe write repeatable. A key is a dependency
// ("payments") or one of its compartments ("payments/reports"); the compartment's
// own override wins. A dependency's override does not change concurrency or
// breaker of its named compartments, which have values of their own.
type Overrides map[string]Override

// An Override is what changes. Zero fields change nothing.
type Override struct {
	Connect       Duration `json:"connect,omitzero"`
	Attempt       Duration `json:"attempt,omitzero"`
	Total         Duration `json:"total,omitzero"`
	Idle          Duration `json:"idle,omitzero"`
	SlowOver      Duration `json:"slowOver,omitzero"`
	MaxAttempts   int      `json:"maxAttempts,omitzero"` // only downwards
	MaxConcurrent int      `json:"maxConcurrent,omitzero"`
	MaxQueue      *int     `json:"maxQueue,omitzero"`
	MaxWait       Duration `json:"maxWait,omitzero"`
	FailureRate   Share    `json:"failureRate,omitzero"` // hundredths of a percent
	SlowRate      Share    `json:"slowRate,omitzero"`    // hundredths of a percent
	MinimumCalls  int      `json:"minimumCalls,omitzero"`
	Consecutive   int      `json:"consecutive,omitzero"`
	Window        Duration `json:"window,omitzero"`
	OpenFor       Duration `json:"openFor,omitzero"`
	OpenMax       Duration `json:"openMax,omitzero"`
	Observe       bool     `json:"observe,omitzero"`
}

// A Duration is a time.Duration that JSON writes as Go does: "1.5s".
type Duration time.Duration

// MarshalText writes the duration.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads a duration such as "1.5s".
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err != nil {
		return fmt.Errorf("duration is %.40q; want one such as \"1.5s\"", b)
	}
	*d = Duration(v)
	return nil
}

// ParseOverrides reads overrides from JSON. A key that it does not know is an
// error: a misspelt limit would not hold.
func ParseOverrides(b []byte) (Overrides, error) {
	var o Overrides
	if err := json.Unmarshal(b, &o, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("overrides: %w", err)
	}
	return o, nil
}

// OverridesFromEnv reads overrides from JSON in an environment variable. Where
// it is unset or empty there are none.
func OverridesFromEnv(name string) (Overrides, error) {
	text := os.Getenv(name)
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	o, err := ParseOverrides([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return o, nil
}

// WithOverrides returns the policy as the overrides change it. Clients do this
// when they are made ([ClientConfig].Overrides).
func WithOverrides(p Policy, o Overrides) (Policy, error) {
	if len(o) == 0 || p.Compartment == nil {
		return p, nil
	}
	k := *p.Compartment
	whole, own := o[k.Dependency], o[k.Dependency+"/"+k.Name]
	var errs []error
	if k.Name == "" {
		errs = append(errs, whole.applyToCall(&p))
		whole.applyToCompartment(&k)
	} else {
		errs = append(errs, whole.applyToCall(&p), own.applyToCall(&p))
		own.applyToCompartment(&k)
	}
	p.Compartment = &k
	errs = append(errs, p.check())
	if err := errors.Join(errs...); err != nil {
		return Policy{}, fmt.Errorf("overrides of %s: %w", k.Dependency, err)
	}
	return p, nil
}

// applyToCall changes what belongs to a call.
func (o Override) applyToCall(p *Policy) error {
	replace(&p.Timeout.Attempt, o.Attempt)
	replace(&p.Timeout.Total, o.Total)
	replace(&p.Timeout.Idle, o.Idle)
	replace(&p.SlowOver, o.SlowOver)
	if o.MaxAttempts < 0 {
		return fmt.Errorf("maxAttempts is %d; want at least 1", o.MaxAttempts)
	}
	if o.MaxAttempts > 0 && o.MaxAttempts < p.Retry.MaxAttempts {
		p.Retry.MaxAttempts = o.MaxAttempts
	}
	return nil
}

// applyToCompartment changes what a compartment's operations share.
func (o Override) applyToCompartment(k *Compartment) {
	replace(&k.Connect, o.Connect)
	replace(&k.Bulkhead.MaxConcurrent, o.MaxConcurrent)
	replace(&k.Bulkhead.MaxWait, o.MaxWait)
	if o.MaxQueue != nil {
		k.Bulkhead.MaxQueue = *o.MaxQueue
	}
	b := &k.Breaker
	replace(&b.FailureRate, o.FailureRate)
	replace(&b.SlowRate, o.SlowRate)
	replace(&b.MinimumCalls, o.MinimumCalls)
	replace(&b.Consecutive, o.Consecutive)
	replace(&b.Window, o.Window)
	replace(&b.OpenFor, o.OpenFor)
	replace(&b.OpenMax, o.OpenMax)
	if o.OpenFor != 0 && o.OpenMax == 0 && b.OpenMax != 0 {
		b.OpenMax = max(b.OpenMax, b.OpenFor)
	}
	b.Observe = b.Observe || o.Observe
}

// replace sets a value where the override has one.
func replace[To ~int | ~int64, From ~int | ~int64](to *To, from From) {
	if from != 0 {
		*to = To(from)
	}
}
