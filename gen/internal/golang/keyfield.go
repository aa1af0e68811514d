package golang

import (
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// keyFields are the body properties that bear idempotency keys. The engine
// writes them, so that they are no ordinary fields any more: true leaves the
// field out of its struct, false only makes it optional, because the struct
// serves in other places too.
func keyFields(plan *policy.Plan) map[*model.Field]bool {
	out := map[*model.Field]bool{}
	for _, op := range plan.Operations {
		if op.Key != nil && op.Key.Field != nil && op.Class != policy.Safe {
			out[op.Key.Field] = true
		}
	}
	if len(out) == 0 {
		return out
	}
	elsewhere := usedElsewhere(plan, out)
	for field := range out {
		out[field] = !elsewhere[field]
	}
	return out
}

// usedElsewhere finds the key fields whose struct is more than the body of
// operations that write the key there.
func usedElsewhere(plan *policy.Plan, keys map[*model.Field]bool) map[*model.Field]bool {
	out := map[*model.Field]bool{}
	mark := func(t *model.Type, but *model.Field) {
		if t == nil {
			return
		}
		for _, field := range resolve(t).Fields {
			if keys[field] && field != but {
				out[field] = true
			}
		}
	}
	for _, t := range plan.API.Types {
		if t.Kind != model.Alias {
			mark(t.Elem, nil)
		}
		mark(t.Extra, nil)
		for _, field := range t.Fields {
			mark(field.Type, nil)
			mark(field.Type.Elem, nil)
		}
		for _, v := range t.Variants {
			mark(v.Type, nil)
		}
	}
	for _, op := range plan.Operations {
		var own *model.Field
		if op.Key != nil && op.Class != policy.Safe {
			own = op.Key.Field
		}
		if op.Spec.Body != nil {
			for _, c := range op.Spec.Body.Contents {
				mark(c.Type, own)
			}
		}
		for _, r := range op.Spec.Responses {
			for _, c := range r.Contents {
				mark(c.Type, nil)
				if c.Type != nil {
					mark(c.Type.Elem, nil)
				}
			}
		}
	}
	return out
}

// fields are the fields of a struct that are declared: those whose names a tag
// can spell and that the engine does not write alone.
func (p *pkg) fields(t *model.Type) []*model.Field {
	out := make([]*model.Field, 0, len(t.Fields))
	for _, field := range t.Fields {
		if taggable(field.Wire) && !p.keyFields[field] {
			out = append(out, field)
		}
	}
	return out
}

// required reports whether a field must be there in JSON that a caller makes.
func (p *pkg) required(field *model.Field) bool {
	_, key := p.keyFields[field]
	return field.Required && !key
}
