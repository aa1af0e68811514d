package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg106 = &rule{
	Rule: Rule{
		ID: "RG106", Name: "gateway-cuts-first", Severity: diag.Warn,
		Says: "A gateway limit in the spec is shorter than the call: the gateway may answer before our own limit does.",
	},
	check: checkGateway,
}

func checkGateway(p *pass) {
	for _, o := range p.plan.Operations {
		gateways := o.Gateways
		if len(gateways) == 0 {
			gateways = p.plan.Gateways
		}
		for _, g := range gateways {
			total := o.Value(policy.TimeoutTotal)
			if d, limited := total.Duration(); limited && d <= g.Limit {
				continue
			}
			p.operation(o, total, "the gateway gives up after %s and the call after %s; the gateway's answer comes first and says nothing of the dependency", g.Limit, total.Text).
				near(g.Pos, "%s is %s here", g.Key, g.Limit).
				do("write a total of %s or less, or a longer limit in the gateway", g.Limit)
		}
	}
}
