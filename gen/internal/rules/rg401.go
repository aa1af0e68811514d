package rules

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg401 = &rule{
	Rule: Rule{
		ID: "RG401", Name: "no-fallback-stated", Severity: diag.Error,
		Depends: "error (critical), warning (enhancement)",
		Says:    "A dependency that is annotated as critical or as an enhancement has reads that say neither a fallback nor why there is none.",
	},
	check: checkNoFallback,
}

func checkNoFallback(p *pass) {
	if !p.plan.Annotated {
		return
	}
	for _, o := range p.plan.Operations {
		kind := o.Value(policy.FallbackKind)
		if o.Class != policy.Safe || o.Criticality == policy.Standard || fallbackStated(kind) {
			continue
		}
		severity, says := diag.Error, "a read of a critical dependency must say what answers instead, or why nothing does"
		if o.Criticality == policy.Enhancement {
			severity, says = diag.Warn, "a read of an enhancement should say what answers instead, or why nothing does"
		}
		// The leaf at fault is the one that is not there: what makes it
		// missing is the criticality, which somebody wrote.
		at := o.CriticalityOrigin
		if written(kind.Origin) {
			at = kind.Origin
		}
		p.operationAt(o, at, "%s", says).as(severity).
			do("write fallback: {kind: stale, maxAge: …} where an old answer serves, or {kind: none, because: …}")
	}
}

// fallbackStated reports whether somebody decided what answers instead.
func fallbackStated(kind policy.Value) bool {
	return written(kind.Origin) && (kind.Text != "none" || kind.Reason.Because != "")
}
