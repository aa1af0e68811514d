package rules

import (
	"fmt"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// CheckTogether is what the rules find in several plans of one configuration
// beyond what Check finds in each: names that are used for more than one
// thing. Waivers at the root of a document hold for what stands there.
func CheckTogether(plans []*policy.Plan, cfg Config) diag.List {
	var findings []*finding
	hosts, names := map[string]*policy.Compartment{}, map[string]*policy.Compartment{}
	for _, plan := range plans {
		p := &pass{plan: plan, cfg: cfg, rule: rg208}
		seenHere := map[string]bool{}
		for _, c := range plan.Compartments {
			if c.Begins.Layer == policy.LayerDerived {
				continue // "streams", which nobody named
			}
			if first := hosts[c.Dependency]; first != nil && first.Host != c.Host && !seenHere[c.Dependency] {
				manyHosts(p, c, "another spec's dependency has this name and goes to "+first.Host+", this one to "+c.Host).near(hostPos(first), "%s is used here", first.Host)
			}
			if first := names[c.Name]; c.Name != "" && first != nil && first.Dependency != c.Dependency {
				p.spans(c, first)
			}
			seenHere[c.Dependency] = true
		}
		findings = append(findings, unwaived(plan, cfg, p.findings)...)
		for _, c := range plan.Compartments {
			if hosts[c.Dependency] == nil {
				hosts[c.Dependency] = c
			}
			if names[c.Name] == nil && c.Begins.Layer != policy.LayerDerived {
				names[c.Name] = c
			}
		}
	}
	return diagnostics(cfg, findings)
}

// spans finds one compartment name in two dependencies. Somebody wrote both.
func (p *pass) spans(c, first *policy.Compartment) {
	f := p.add(policy.Origin{Layer: policy.LayerOperation, Pos: beginning(c)},
		fmt.Sprintf("the name stands for a compartment of %s and for one of %s; they share nothing", first.Dependency, c.Dependency))
	f.compartment = c
	f.near(beginning(first), "the other one begins here").do("give one of them a name of its own")
}

// beginning is where a compartment begins.
func beginning(c *policy.Compartment) diag.Pos {
	if c.Begins.Pos.IsValid() || len(c.Operations) == 0 {
		return c.Begins.Pos
	}
	return c.Operations[0].Spec.Pos
}

// unwaived leaves out what a waiver of the plan silences.
func unwaived(plan *policy.Plan, cfg Config, findings []*finding) []*finding {
	var out []*finding
	for _, f := range findings {
		silenced := false
		for _, w := range plan.Waivers {
			silenced = silenced || silences(w, f) && !cfg.expired(w.Reason.Until)
		}
		if !silenced {
			out = append(out, f)
		}
	}
	return out
}
