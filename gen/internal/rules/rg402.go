package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg402 = &rule{
	Rule: Rule{
		ID: "RG402", Name: "fallback-on-write", Severity: diag.Error,
		Says: "A stale, static or coalesced answer stands in for a write: the caller takes it for done.",
	},
	check: checkFallbackOnWrite,
}

func checkFallbackOnWrite(p *pass) {
	for _, o := range p.plan.Operations {
		if o.Class == policy.Safe {
			continue
		}
		if shared := o.Value(policy.FallbackCoalesce); shared.Bool() {
			p.operation(o, shared, "two calls at once become one write of class %s; the second caller takes it for done", o.Class).
				do("write fallback: {coalesce: false} on the operation, or move coalesce to the reads")
		}
		kind := o.Value(policy.FallbackKind)
		if kind.Text != "stale" && kind.Text != "static" {
			continue
		}
		p.operation(o, kind, "a %s answer stands in for a write of class %s; the caller takes it for done", kind.Text, o.Class).
			do("write fallback: {kind: none, because: …} on the operation, or move the fallback to the reads")
	}
}
