package gen

import (
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// prune is the API with only the operations that the client asks for, and the
// types and security schemes that these use. A word of a filter that selects
// nothing is an error: a client that silently lacks what was asked for is worse
// than none.
func prune(api *model.API, c Client) (*model.API, diag.List) {
	var ds diag.List
	for _, f := range []struct {
		flag   string
		filter Filter
	}{{"include", c.Include}, {"exclude", c.Exclude}} {
		for _, word := range f.filter.words() {
			if !slices.ContainsFunc(api.Operations, f.filter.only(word).matches) {
				ds.Errorf(diag.Pos{File: api.Spec}, "filter", "%s %q selects nothing; want the id of an operation, a tag or a path glob that is in the spec", f.flag, word).
					WithHint("%s", nearOperations(api, word))
			}
		}
	}
	if c.Include.Empty() && c.Exclude.Empty() {
		return api, ds
	}
	out := *api
	out.Operations = nil
	for _, op := range api.Operations {
		if (c.Include.Empty() || c.Include.matches(op)) && !c.Exclude.matches(op) {
			out.Operations = append(out.Operations, op)
		}
	}
	if len(out.Operations) == 0 && !ds.HasErrors() {
		ds.Errorf(diag.Pos{File: api.Spec}, "filter", "include and exclude together leave none of the %d operations; want at least one", len(api.Operations)).
			WithHint("drop what excludes them")
	}
	used := usedBy(out.Operations)
	out.Types = keep(api.Types, func(t *model.Type) bool { return used.types[t] })
	out.Schemes = keep(api.Schemes, func(s *model.SecurityScheme) bool { return used.schemes[s] })
	out.Tags = keep(api.Tags, func(t model.Tag) bool { return used.tags[t.Name] })
	return &out, ds
}

// keep is the items that ok holds for, in a slice of its own.
func keep[T any](items []T, ok func(T) bool) []T {
	var out []T
	for _, item := range items {
		if ok(item) {
			out = append(out, item)
		}
	}
	return out
}

// nearOperations is the hint for a filter's word that selects nothing.
func nearOperations(api *model.API, word string) string {
	var ids []string
	for _, op := range api.Operations {
		ids = append(ids, op.ID)
	}
	for _, tag := range api.Tags {
		ids = append(ids, tag.Name)
	}
	if near := nearWord(word, ids); near != "" {
		return "write " + near
	}
	return "look the name up in the spec"
}

// A usage is what a set of operations needs.
type usage struct {
	types   map[*model.Type]bool
	schemes map[*model.SecurityScheme]bool
	tags    map[string]bool
}

// usedBy walks from the operations to everything they reach.
func usedBy(ops []*model.Operation) usage {
	u := usage{types: map[*model.Type]bool{}, schemes: map[*model.SecurityScheme]bool{}, tags: map[string]bool{}}
	for _, op := range ops {
		for _, tag := range op.Tags {
			u.tags[tag] = true
		}
		for _, alternative := range op.Security {
			for _, use := range alternative.Schemes {
				u.schemes[use.Scheme] = true
			}
		}
		u.params(op.Params)
		if op.Body != nil {
			u.contents(op.Body.Contents)
		}
		for _, r := range op.Responses {
			u.params(r.Headers)
			u.contents(r.Contents)
		}
	}
	return u
}

func (u usage) params(params []*model.Param) {
	for _, p := range params {
		u.mark(p.Type)
	}
}

func (u usage) contents(contents []*model.Content) {
	for _, c := range contents {
		u.mark(c.Type)
		for _, f := range c.Fields {
			u.mark(f.Field.Type)
			u.params(f.Headers)
		}
	}
}

func (u usage) mark(t *model.Type) {
	if t == nil || u.types[t] {
		return
	}
	u.types[t] = true
	u.mark(t.Elem)
	u.mark(t.Extra)
	for _, f := range t.Fields {
		u.mark(f.Type)
	}
	for _, v := range t.Variants {
		u.mark(v.Type)
	}
}
