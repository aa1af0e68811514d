package rules

import (
	"fmt"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg010 = &rule{
	Rule: Rule{
		ID: "RG010", Name: "offer-not-taken", Severity: diag.Info,
		Says: "Retry is offered to an operation that does not take it up, or by a leaf that no operation takes up.",
	},
	check: checkOfferNotTaken,
}

func checkOfferNotTaken(p *pass) {
	untaken := map[policy.Origin]bool{} // of those judged
	for _, o := range p.plan.Operations {
		for _, offer := range o.NotTaken {
			if !written(offer.Origin) || offer.Origin.Own() {
				continue // defaults are offered to everybody; what stands on the operation asks: RG001
			}
			none, judged := untaken[offer.Origin]
			if !judged {
				none = idle(p.plan, offer)
				untaken[offer.Origin] = none
			}
			if none {
				p.operationAt(o, offer.Origin, "the %s offers %s and no operation takes it up: %s", place(offer.Origin), offerText(offer), offer.Why).
					do("take the offer out, or give the operations a key or a class")
				continue
			}
			f := p.operationAt(o, offer.Origin, "the %s offers %s, not taken: %s", place(offer.Origin), offerText(offer), offer.Why)
			f.pos, f.related = o.Spec.Pos, nil
			f.near(offer.Origin.Pos, "it is offered here").
				do("give the operation a key, or a class with because and owner, if it may be sent again")
		}
	}
}

func offerText(o policy.Offer) string {
	if o.Leaf == policy.RetryMaxAttempts {
		return "maxAttempts " + o.Text
	}
	return lastWord(o.Leaf) + " " + o.Text
}

// place says in words where a value stands.
func place(o policy.Origin) string {
	switch o.Layer {
	case policy.LayerFile:
		return "policy file " + o.Name
	case policy.LayerDocument:
		return "document root"
	case policy.LayerPath:
		return "path item"
	case policy.LayerOperation:
		return "operation"
	case policy.LayerPolicy:
		return "policy " + o.Name
	case policy.LayerDefault, policy.LayerDerived, policy.LayerInferred:
		return "defaults"
	}
	panic(fmt.Sprintf("rules: layer %d", int(o.Layer)))
}

// idle reports whether an offer is taken up by no operation at all.
func idle(plan *policy.Plan, offer policy.Offer) bool {
	for _, o := range plan.Operations {
		v := o.Value(offer.Leaf)
		if v.Origin.Pos == offer.Origin.Pos && attempts(o) > 1 {
			return false
		}
		for _, m := range v.Members {
			if m.In && m.Origin.Pos == offer.Origin.Pos && retriesMember(o, m.Text) {
				return false
			}
		}
	}
	return true
}
