package openapi

import (
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// A place is where a type is needed: what to call one that is made for it, and
// where its schema stands.
type place struct {
	wishes  []string    // Go names for a type made here, best first; at least one
	target  *model.Type // the type to fill in, of a component; nil: a new one
	pointer string      // JSON pointer of the schema
}

// member is the place of a property.
func (p place) member(owner, wire string) place {
	return place{
		wishes:  []string{names.Join(owner, names.Part(wire)), names.Join(owner, names.PartSpelled(wire))},
		pointer: pointer(p.pointer, "properties", wire),
	}
}

// item is the place of a list's item: named by the singular where there is one.
func (p place) item() place {
	var wishes []string
	for _, w := range p.wishes {
		if one, ok := names.Singular(w); ok {
			wishes = append(wishes, one)
		}
	}
	for _, w := range p.wishes {
		wishes = append(wishes, w+"Item")
	}
	return place{wishes: wishes, pointer: pointer(p.pointer, "items")}
}

// value is the place of a map's value.
func (p place) value() place {
	var wishes []string
	for _, w := range p.wishes {
		if one, ok := names.Singular(w); ok {
			wishes = append(wishes, one)
		}
	}
	for _, w := range p.wishes {
		wishes = append(wishes, w+"Value")
	}
	return place{wishes: wishes, pointer: pointer(p.pointer, "additionalProperties")}
}

// named is the same place under other names.
func (p place) named(wishes ...string) place {
	return place{wishes: wishes, pointer: p.pointer}
}

// declare makes the named type of a shape, or gives the place's own type its
// kind. The suffix tells the type apart where the place's names are taken.
func (l *lowerer) declare(p place, sh *shape, kind model.Kind, suffix string) *model.Type {
	t := l.newType(p, sh, kind)
	if t.Name != "" {
		return t // a component
	}
	wishes := p.wishes
	for _, w := range p.wishes {
		wishes = append(wishes[:len(wishes):len(wishes)], w+suffix)
	}
	if own := overrideName(sh.node); own != "" {
		wishes = append([]string{own}, wishes...)
	}
	t.Name = l.scope.Take(wishes...)
	if sh.id != 0 {
		l.named[sh.id] = t
	}
	l.api.Types = append(l.api.Types, t)
	return t
}

// newType is the type of a shape without a name of its own: the place's
// target, or a new one.
func (l *lowerer) newType(p place, sh *shape, kind model.Kind) *model.Type {
	t := p.target
	if t == nil {
		t = &model.Type{Pos: sh.node.Pos(), Pointer: p.pointer}
	}
	t.Kind = kind
	t.Description = firstText(sh.description, sh.title)
	t.Deprecated = sh.deprecated
	t.Nullable = sh.nullable
	t.Format = sh.format
	if kind == model.File {
		t.Media = sh.media
	}
	t.Limits = sh.limits
	t.Default = literalOf(sh.value)
	return t
}
