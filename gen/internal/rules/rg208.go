package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg208 = &rule{
	Rule: Rule{
		ID: "RG208", Name: "one-scope-many-hosts", Severity: diag.Warn,
		Says: "One compartment name spans dependencies, or one name covers several hosts that each get a circuit of their own.",
	},
	check: checkManyHosts,
}

// checkManyHosts finds names of one document under which operations go to more
// than one host. Several documents are CheckTogether's.
func checkManyHosts(p *pass) {
	first := map[string]*policy.Compartment{}
	for _, c := range p.plan.Compartments {
		if c.Begins.Layer == policy.LayerDerived {
			continue // "streams", which nobody named
		}
		f, seen := first[c.Name]
		if !seen {
			first[c.Name] = c
			continue
		}
		if f.Host == c.Host {
			continue
		}
		manyHosts(p, c, "it also goes to "+c.Host).near(hostPos(f), "%s is used here", f.Host)
	}
}

// manyHosts stands at the server that leads elsewhere: an annotated document
// speaks of one dependency there without knowing it.
func manyHosts(p *pass, c *policy.Compartment, says string) *finding {
	f := p.add(policy.Origin{Layer: policy.LayerDocument, Pos: hostPos(c)},
		says+"; each host has a circuit, a bulkhead and a budget of its own")
	f.compartment = c
	if !p.plan.Annotated {
		f.soft, f.severity = true, diag.Info
	}
	return f.do("write compartment with a name of its own on the operations that go there")
}

// hostPos is where a compartment's host is written: the server of its first
// operation, or the operation.
func hostPos(c *policy.Compartment) diag.Pos {
	if len(c.Operations) == 0 {
		return c.Begins.Pos
	}
	o := c.Operations[0]
	if len(o.Spec.Servers) > 0 {
		return o.Spec.Servers[0].Pos
	}
	return o.Spec.Pos
}
