package openapi

import (
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// An inline schema can lead back to itself without a component in between: an
// allOf of a component, inside that component, stands among the members that it
// inherits. Each turn would make the same type under another name, without end.

// A useID tells uses apart by the schemas that they are made of. It is 0 for a
// use that cannot be part of a circle: without allOf, oneOf, anyOf or a second
// schema, what a schema holds stands beneath it.
type useID int

// A useStep is a schema of a use after those before it.
type useStep struct {
	before useID
	node   document.Node
	shape  *shape // one that was put together here is only ever itself
	ref    string // tells a reference from the keywords beside it
}

// identity is the same for uses of the same schemas.
func (l *lowerer) identity(u use) useID {
	if len(u) == 1 {
		if s := u[0].inline(); s == nil || len(s.AllOf)+len(s.OneOf)+len(s.AnyOf) == 0 {
			return 0
		}
	}
	var id useID
	for _, s := range u {
		step := useStep{before: id, node: s.node, shape: s.shape}
		if s.kin != nil {
			step.ref = s.kin.Ref
		}
		id = l.uses[step]
		if id == 0 {
			id = useID(len(l.uses) + 1)
			l.uses[step] = id
		}
	}
	return id
}

const (
	// maxTypes is more types than any real document has, ten times over: what
	// makes more of them multiplies schemas with each other.
	maxTypes = 100_000
	// maxOpen is how deep inline schemas may stand in each other. A document is
	// at most 200 deep; what goes further is a circle that grows.
	maxOpen = 200
)

// again is the type of a use that has been met before: the same, or, inside a
// use that gives no named type, any value. It is nil where the use is new.
func (l *lowerer) again(id useID, u use, n notes, p place) *model.Type {
	if t := l.named[id]; t != nil {
		return t
	}
	anything := func() *model.Type { return l.newType(p, &shape{node: u.node(), notes: n}, model.Any) }
	switch {
	case l.open[id]:
		l.diags.Warnf(u.node().Pos(), "schema-cycle", "this schema leads back to itself through lists or maps alone; from there on it is any value").
			WithHint("move it to components.schemas, and refer to it there")
		return anything()
	case len(l.open) > maxOpen || len(l.api.Types) > maxTypes:
		if !l.refused {
			l.refused = true
			l.diags.Warnf(u.node().Pos(), "schema-cycle", "this schema takes up more of itself with each turn; it and others like it become any value").
				WithHint("remove the allOf or oneOf that lead back to schemas around them")
		}
		return anything()
	}
	return nil
}
