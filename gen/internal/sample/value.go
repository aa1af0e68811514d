package sample

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// maxDepth ends values of types that have no finite one: they get null, as
// nothing fits.
const maxDepth = 64

// A mark is a member that a discriminator asks for.
type mark struct {
	wire  string
	value string // JSON
}

// value writes a value of the type. The mark is what an enclosing union wants
// the object to say; nil: nothing.
func (w *writer) value(t *model.Type, depth int, want *mark) {
	switch {
	case t.Const != nil:
		w.WriteString(t.Const.JSON)
		return
	case depth > maxDepth:
		w.WriteString("null")
		return
	case t.Nullable && !w.full(depth):
		w.WriteString("null")
		return
	}
	switch t.Kind {
	case model.Alias:
		w.value(t.Elem, depth, want)
	case model.Enum:
		w.enum(t)
	case model.List:
		w.list(t, depth)
	case model.Map:
		w.mapping(t, depth)
	case model.Struct:
		w.object(t, depth, want)
	case model.Union:
		w.union(t, depth)
	case model.Any:
		w.WriteString(`"any"`)
	case model.Null:
		w.WriteString("null")
	case model.Bool:
		w.WriteString("true")
	case model.Int, model.BigInt, model.Float, model.Number:
		w.WriteString(number(t))
	case model.String, model.Bytes, model.Date, model.DateTime, model.File:
		w.WriteString(quoted(text(t)))
	default:
		panic(fmt.Sprintf("sample: type kind %d not handled", t.Kind))
	}
}

func (w *writer) enum(t *model.Type) {
	if len(t.Enum) == 0 {
		w.WriteString("null")
		return
	}
	w.WriteString(t.Enum[0].Value.JSON)
}

// list writes as many items as there must be, one at least in a full value.
func (w *writer) list(t *model.Type, depth int) {
	n := 0
	if w.full(depth) {
		n = 1
	}
	if lim := t.Limits.MinItems; lim != nil {
		n = max(n, min(*lim, maxItems))
	}
	if lim := t.Limits.MaxItems; lim != nil {
		n = min(n, *lim)
	}
	if _, finite := w.maker.heights[t.Elem]; !finite {
		n = 0
	}
	w.WriteByte('[')
	for i := range n {
		if i > 0 {
			w.WriteByte(',')
		}
		if t.Limits.Unique && i > 0 {
			w.another(t.Elem, i, depth+1)
			continue
		}
		w.value(t.Elem, depth+1, nil)
	}
	w.WriteByte(']')
}

// maxItems bounds lists whose minimum nobody meant.
const maxItems = 100

// another writes a further item of a list of distinct ones, where that is easy.
func (w *writer) another(t *model.Type, i, depth int) {
	for t.Kind == model.Alias {
		t = t.Elem
	}
	switch {
	case t.Kind == model.Enum && i < len(t.Enum):
		w.WriteString(t.Enum[i].Value.JSON)
	case t.Kind == model.String && t.Format == "" && t.Limits.Pattern == "" && t.Const == nil:
		w.WriteString(quoted(text(t)[:max(0, len(text(t))-len(strconv.Itoa(i)))] + strconv.Itoa(i)))
	case t.Kind == model.Int && t.Const == nil:
		w.WriteString(number(t) + strings.Repeat("0", i))
	default:
		w.value(t, depth, nil)
	}
}

func (w *writer) mapping(t *model.Type, depth int) {
	_, finite := w.maker.heights[t.Elem]
	if !w.full(depth) || !finite {
		w.WriteString("{}")
		return
	}
	w.WriteString(`{"key":`)
	w.value(t.Elem, depth+1, nil)
	w.WriteByte('}')
}

func (w *writer) object(t *model.Type, depth int, want *mark) {
	w.WriteByte('{')
	n := 0
	member := func(wire string) {
		if n > 0 {
			w.WriteByte(',')
		}
		n++
		w.WriteString(quoted(wire) + ":")
	}
	for _, f := range t.Fields {
		if want != nil && f.Wire == want.wire {
			member(f.Wire)
			w.WriteString(want.value)
			want = nil
			continue
		}
		if !w.sends(f, depth) {
			continue
		}
		member(f.Wire)
		w.value(f.Type, depth+1, nil)
	}
	if want != nil {
		member(want.wire)
		w.WriteString(want.value)
	}
	if t.Extra != nil && w.full(depth) {
		if _, finite := w.maker.heights[t.Extra]; finite {
			member("further")
			w.value(t.Extra, depth+1, nil)
		}
	}
	w.WriteByte('}')
}

// sends reports whether a field is written: required ones always, the others in
// full values, unless they travel the other way or never end.
func (w *writer) sends(f *model.Field, depth int) bool {
	switch {
	case f.ReadOnly && w.side == Request, f.WriteOnly && w.side == Answer:
		return false
	case f.Required:
		return true
	}
	_, finite := w.maker.heights[f.Type]
	return finite && w.full(depth)
}

// union writes the first variant, or the smallest where a value is to end.
func (w *writer) union(t *model.Type, depth int) {
	v := w.maker.smallest(t)
	if w.full(depth) && len(t.Variants) > 0 {
		if _, finite := w.maker.heights[t.Variants[0].Type]; finite {
			v = t.Variants[0]
		}
	}
	if v == nil {
		w.WriteString("null")
		return
	}
	var want *mark
	if d := t.Discriminator; d != nil && len(v.Values) > 0 {
		want = &mark{d.Wire, v.Values[0]}
		if d.Kind == model.String {
			want.value = quoted(v.Values[0])
		}
	}
	w.value(v.Type, depth+1, want)
}

// quoted is a JSON string.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("sample: a string has no JSON form: " + err.Error())
	}
	return string(b)
}
