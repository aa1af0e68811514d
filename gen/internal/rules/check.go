package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// Check is everything that the rules find in a plan, sorted by position. It
// changes nothing in the plan.
//
// Findings of one rule that stand at one leaf and say the same, because the
// leaf holds for several operations, are one finding that counts them and
// names each as a related place. Waivers are applied before that, operation by
// operation.
func Check(plan *policy.Plan, cfg Config) diag.List {
	findings := findAll(plan, cfg)
	findings = waive(plan, cfg, findings)
	return diagnostics(cfg, findings)
}

// findAll is what the rules find, waived or not.
func findAll(plan *policy.Plan, cfg Config) []*finding {
	var out []*finding
	for _, r := range registry {
		if r.check == nil {
			continue // judges what waivers did: see waive
		}
		p := &pass{plan: plan, cfg: cfg, rule: r}
		r.check(p)
		out = append(out, p.findings...)
	}
	return out
}

// diagnostics are the findings as they are shown.
func diagnostics(cfg Config, findings []*finding) diag.List {
	var ds diag.List
	for _, g := range grouped(findings) {
		severity, shown := cfg.apply(g[0])
		if !shown {
			continue // resgen.yaml ignores the rule
		}
		d := g[0].diagnostic(g)
		d.Severity = severity
		ds.Add(d)
	}
	return ds.Sorted()
}
