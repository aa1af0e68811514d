package gen

import (
	"fmt"

	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/report"
)

// summary is one client in numbers.
func summary(p *planned, files int, changes []Change) report.Generated {
	g := report.Generated{
		Spec: p.client.Spec, Package: p.client.PackageName(), Out: p.client.Out,
		Operations: len(p.plan.Operations), Types: len(p.api.Types),
		Compartments: len(p.plan.Compartments), Files: files,
	}
	for _, op := range p.plan.Operations {
		switch op.Class {
		case policy.Safe:
			g.Safe++
		case policy.Idempotent:
			g.Idempotent++
		case policy.Keyed:
			g.Keyed++
		case policy.Unsafe:
			g.Unsafe++
		default:
			panic(fmt.Sprintf("gen: class %d not handled", op.Class))
		}
	}
	for _, c := range changes {
		switch c.Kind {
		case Created:
			g.Created++
		case Updated:
			g.Updated++
		case Removed:
			g.Removed++
		default:
			panic(fmt.Sprintf("gen: change kind %d not handled", c.Kind))
		}
	}
	return g
}
