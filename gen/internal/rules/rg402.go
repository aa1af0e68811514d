package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg402 = &rule{
	Rule: Rule{
		ID: "RG402", Name: "fallback-on-write", Severity: diag.Error,
		Says: "A stale or static answer stands in for a write: the caller takes it for done.",
	},
	check: checkFallbackOnWrite,
}

func checkFallbackOnWrite(p *pass) {
	for _, o := range p.plan.Operations {
		kind := o.Value(policy.FallbackKind)
		if o.Class == policy.Safe || kind.Text != "stale" && kind.Text != "static" {
			continue
		}
		p.operation(o, kind, "a %s answer stands in for a write of class %s; the caller takes it for done", kind.Text, o.Class).
			do("write fallback: {kind: none, because: …} on the operation, or move the fallback to the reads")
	}
}
