// Package sample makes values and answers from an API's own types, for tests:
// JSON that fits a schema, and a handler that answers operations as they are
// declared. The same types give the same bytes.
package sample

import (
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// A Form says how much of a value is there.
type Form int

// The forms. The zero Form is not valid.
const (
	_       Form = iota
	Minimal      // required members only, lists as short as they may be
	Full         // every member, lists with at least one item; deep inside and in circles as Minimal
)

// A Side says who sends a value: what is read-only is not sent in requests,
// what is write-only not in answers.
type Side int

// The sides. The zero Side is not valid.
const (
	_ Side = iota
	Request
	Answer
)

// fullDepth is how deep a Full value is full: beyond it only what is required is
// there, so that circles end.
const fullDepth = 5

// A Maker makes values of the types of one API. It is safe for concurrent use.
type Maker struct {
	heights map[*model.Type]int // nesting of the smallest value; absent: none is finite
}

// New makes a Maker for the types of an API.
func New(api *model.API) *Maker {
	m := &Maker{heights: map[*model.Type]int{}}
	var all []*model.Type
	api.Walk(func(t *model.Type) bool {
		all = append(all, t)
		return true
	})
	m.measure(all)
	return m
}

// JSON is a value of the type, as compact JSON. A nil type gives an empty
// string: nothing is known of it.
func (m *Maker) JSON(t *model.Type, side Side, form Form) []byte {
	if t == nil {
		return []byte(`""`)
	}
	w := writer{maker: m, side: side, form: form}
	w.value(t, 0, nil)
	return []byte(w.String())
}

// A writer writes one value.
type writer struct {
	strings.Builder
	maker *Maker
	side  Side
	form  Form
}

// full reports whether optional parts are written at a depth.
func (w *writer) full(depth int) bool { return w.form == Full && depth < fullDepth }

// measure finds the height of the smallest value of each type, by going over
// all of them until nothing changes.
func (m *Maker) measure(all []*model.Type) {
	for changed := true; changed; {
		changed = false
		for _, t := range all {
			h, ok := m.height(t)
			if !ok {
				continue
			}
			if old, known := m.heights[t]; !known || h < old {
				m.heights[t] = h
				changed = true
			}
		}
	}
}

// height is one step of measure; ok is false while a part that must be there
// is not known to end.
func (m *Maker) height(t *model.Type) (h int, ok bool) {
	switch {
	case t.Nullable || t.Const != nil:
		return 0, true
	case t.Kind == model.Alias:
		h, ok = m.heights[t.Elem]
		return h, ok
	case t.Kind == model.List && t.Limits.MinItems != nil && *t.Limits.MinItems > 0:
		h, ok = m.heights[t.Elem]
		return h + 1, ok
	case t.Kind == model.Struct:
		for _, f := range t.Fields {
			inner, known := m.heights[f.Type]
			if f.Required && !known {
				return 0, false
			}
			if f.Required {
				h = max(h, inner+1)
			}
		}
		return h, true
	case t.Kind == model.Union:
		if v := m.smallest(t); v != nil {
			return m.heights[v.Type] + 1, true
		}
		return 0, false
	}
	return 0, true
}

// smallest is the first variant with the smallest value, or nil.
func (m *Maker) smallest(t *model.Type) *model.Variant {
	var best *model.Variant
	for _, v := range t.Variants {
		h, known := m.heights[v.Type]
		if known && (best == nil || h < m.heights[best.Type]) {
			best = v
		}
	}
	return best
}
