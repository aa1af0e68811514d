package gen

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// A planned client has gone through every stage that does not write.
type planned struct {
	client Client
	doc    *document.Doc // nil unless read, and not yet resolved
	api    *model.API    // what the client asks for of it
	plan   *policy.Plan  // nil unless understood
	found  diag.List     // by all stages
	stands Verdict
}

// planAll takes every client from its files to a checked plan. What was found
// in all of them is returned beside. Expiry is judged by now; the zero time
// lets nothing expire.
func (c *Config) planAll(now time.Time) ([]*planned, diag.List, error) {
	var out []*planned
	var found diag.List
	var plans []*policy.Plan
	cfg := rules.Config{Settings: c.Rules, Now: now}
	for _, client := range c.Clients {
		p, err := c.resolve(client)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", client.Spec, err)
		}
		out = append(out, p)
		if p.plan != nil {
			plans = append(plans, p.plan)
			p.check(cfg)
		}
		found = append(found, p.found...)
	}
	return out, append(found, rules.CheckTogether(plans, cfg)...).Sorted(), nil
}

// check judges the plan.
func (p *planned) check(cfg rules.Config) {
	p.found = append(p.found, rules.Check(p.plan, cfg)...)
	if p.found.HasErrors() {
		p.stands = Refused
	}
}

// resolve takes one client from its files to a plan that no rule has judged.
func (c *Config) resolve(client Client) (*planned, error) {
	p := &planned{client: client, stands: NotUnderstood}
	if err := c.read(p); err != nil || p.found.HasErrors() {
		return p, err
	}
	settings, ds, err := c.settings()
	p.found = append(p.found, ds...)
	if err != nil {
		return p, err
	}
	plan, ds := policy.Resolve(p.doc, p.api, settings)
	p.doc = nil // no later stage reads the nodes, which are most of the memory held
	p.found = append(p.found, ds...)
	if !p.found.HasErrors() {
		p.plan, p.stands = plan, Accepted
	}
	return p, nil
}

// read loads and lowers the client's spec.
func (c *Config) read(p *planned) error {
	spec, overlays := c.path(p.client.Spec), c.paths(p.client.Overlays)
	p.found = append(p.found, c.readable(spec, "OpenAPI description")...)
	for _, overlay := range overlays {
		p.found = append(p.found, c.readable(overlay, "OpenAPI overlay")...)
	}
	if p.found.HasErrors() {
		return nil
	}
	opts := c.options()
	opts.Overlays, opts.RefRoot = overlays, c.path(p.client.RefRoot)
	doc, ds, err := document.Load(spec, opts)
	p.found = append(p.found, ds...)
	if err != nil || doc == nil {
		return err
	}
	api, ds := openapi.Lower(doc)
	p.found = append(p.found, ds...)
	if api == nil {
		return nil
	}
	p.doc = doc
	p.api, ds = prune(api, p.client)
	p.found = append(p.found, ds...)
	return nil
}

// settings are what the configuration says about policies, its policy files
// read.
func (c *Config) settings() (policy.Settings, diag.List, error) {
	s := policy.Settings{Version: c.Version, Service: c.Service, Budget: c.Budget, BudgetPos: c.budgetPos}
	var found diag.List
	for _, written := range c.Policies {
		file := c.path(written)
		if ds := c.readable(file, "policy file"); ds.HasErrors() {
			found = append(found, ds...)
			continue
		}
		root, ds, err := document.LoadPlain(file, c.options())
		found = append(found, ds...)
		if err != nil {
			return s, found, err
		}
		if !ds.HasErrors() {
			s.Files = append(s.Files, policy.File{Name: filepath.ToSlash(written), Root: root})
		}
	}
	return s, found, nil
}
