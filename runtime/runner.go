package runtime

import (
	"context"
	"errors"
	"fmt"
)

// A Runner carries functions through the layers as [Run] does, watched and
// controlled as clients are: its circuits show in a registry's snapshot, its
// steps are told to an observer, overrides and controls hold for it. It is
// made by [NewRunner] and safe for concurrent use.
type Runner struct {
	observer Observer
	registry *Registry // controls hold it weakly
	plans    map[*Policy]*plan
}

// A RunnerConfig is what a [Runner] can be told when it is made. The zero
// value is ready to use. Its fields do what those of [ClientConfig] do.
type RunnerConfig struct {
	Observer  Observer  // nil: none. The operation of its events is "run".
	Overrides Overrides // nil: policies as written
	Controls  *Controls // nil: none. FallbackOnly refuses every run with ErrCircuitOpen.
	Registry  *Registry // nil: compartments of this runner's own
}

// NewRunner checks the policies and the configuration and returns a Runner for
// them. Its error names every mistake. Make one per process: compartments of
// one dependency and name are one, unlike with Run, which tells literals apart.
func NewRunner(config RunnerConfig, policies ...*Policy) (*Runner, error) {
	r := &Runner{observer: config.Observer, registry: config.Registry, plans: make(map[*Policy]*plan, len(policies))}
	if r.registry == nil {
		r.registry = &Registry{}
	}
	effective, errs := settle(policies, config.Overrides, r.registry)
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("runner: %w", err)
	}
	config.Controls.attach(r.registry, config.Observer)
	for p, as := range effective {
		c := r.registry.compartment(as.Compartment, "", "", notHTTP{})
		c.watch(config.Observer)
		r.plans[p] = newPlan(as, c)
	}
	return r, nil
}

// Run is [Run] with p, one of the policies that r was made with.
func (r *Runner) Run(ctx context.Context, p *Policy, call func(context.Context) error, opts ...RepeatableOption) error {
	pl := r.plans[p]
	if pl == nil {
		return refuseRun(ctx, p, r.observer, wordedf(ErrInput, "the runner was not made with this policy"), opts)
	}
	return pl.carry(ctx, p, r.observer, call, opts)
}
