package wire

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	rt "github.com/resgen-dev/resgen/runtime"
)

// A Union tells the variants of a oneOf or anyOf type apart: a struct with a
// pointer field per variant and a Raw field. It is a package-level variable of
// generated code, to which the type's four JSON methods hand on:
//
//	var unionShape = wire.Union{
//		Property: "kind",
//		Variants: []wire.Variant{
//			{Field: "Circle", Tags: []string{"circle"}},
//			{Field: "Square", Tags: []string{"square"}},
//		},
//	}
//
//	func (u Shape) MarshalJSONTo(e *jsontext.Encoder) error      { return unionShape.Encode(e, &u) }
//	func (u *Shape) UnmarshalJSONFrom(d *jsontext.Decoder) error { return unionShape.Decode(d, u) }
//	func (u Shape) MarshalJSON() ([]byte, error)                 { return unionShape.Marshal(&u) }
//	func (u *Shape) UnmarshalJSON(b []byte) error                { return unionShape.Unmarshal(b, u) }
//
// A value that no variant takes is kept in Raw alone. One that a variant takes
// but does not hold all of (a member that was added since, digits that a float
// drops) is there as the variant and in Raw: unless the variant is changed,
// Raw is what is written again.
//
// It is plain data without type parameters, so that a package with thousands
// of unions compiles quickly and has nothing to do when the program starts; the
// fields are looked up at the first use. A Union serves one type.
type Union struct {
	Property string    // the discriminator's property; empty: none
	Variants []Variant // document order

	once sync.Once
	all  []*alternative
	raw  int // index of the field Raw
}

// A Variant is one alternative of a union. Beside its field it says what tells
// it from its siblings where its Go type does not: the JSON kind, the members,
// which of them are required (those without omitzero and omitempty) and
// constants are read from the type.
type Variant struct {
	Field   string   // of the union's struct; a pointer
	Tags    []string // discriminator values that select it, as written
	Values  []string // of a scalar: the values that its enum lists, as JSON text
	Members []Member // of an object: those with an enum
	Union   *Union   // of a variant that is a union itself, which is asked whether a value is one of its own
}

// A Member is a member of an object with the values that its enum lists, as
// JSON text.
type Member struct {
	Name   string
	Values []string
}

// of is the alternatives of a union type. A field that is not there is a fault
// of the generator.
func (u *Union) of(t reflect.Type) []*alternative {
	u.once.Do(func() {
		for i := range u.Variants {
			v := &u.Variants[i]
			f, ok := t.FieldByName(v.Field)
			if !ok || f.Type.Kind() != reflect.Pointer {
				panic(fmt.Sprintf("wire: %s has no variant %s", t.Name(), v.Field))
			}
			u.all = append(u.all, &alternative{Variant: v, index: f.Index[0], typ: f.Type.Elem()})
		}
		f, ok := t.FieldByName("Raw")
		if !ok || f.Type != reflect.TypeFor[rt.Value]() {
			panic(fmt.Sprintf("wire: %s has no Raw", t.Name()))
		}
		u.raw = f.Index[0]
	})
	return u.all
}

// rawOf is the field Raw.
func (u *Union) rawOf(v reflect.Value) *rt.Value {
	return v.Field(u.raw).Addr().Interface().(*rt.Value) // checked by of
}

// Encode writes the one variant that is set, or Raw.
func (u *Union) Encode(e *jsontext.Encoder, v any) error {
	b, err := u.encoded(v, e.Options())
	if err != nil {
		return err
	}
	return e.WriteValue(b)
}

// Decode reads a value into the variant that fits it best, or Raw.
func (u *Union) Decode(d *jsontext.Decoder, v any) error {
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	return u.read(raw, v, d.Options())
}

// Marshal is Encode for encoding/json.
func (u *Union) Marshal(v any) ([]byte, error) { return u.encoded(v, encodeOptions) }

// Unmarshal is Decode for encoding/json.
func (u *Union) Unmarshal(b []byte, v any) error {
	return u.read(bytes.TrimSpace(b), v, decodeOptions)
}

func (u *Union) encoded(ptr any, opts json.Options) ([]byte, error) {
	v := reflect.ValueOf(ptr).Elem()
	all := u.of(v.Type())
	raw := []byte(*u.rawOf(v))
	var set []*alternative
	for _, a := range all {
		if !v.Field(a.index).IsNil() {
			set = append(set, a)
		}
	}
	name := v.Type().Name()
	switch {
	case len(set) == 1:
		return set[0].encode(v.Field(set[0].index), raw, u.Property, name, opts)
	case len(set) > 1:
		return nil, refused("%s holds both %s and %s; set one", name, set[0].Field, set[1].Field)
	case len(raw) > 0:
		return raw, nil
	default:
		return nil, refused("%s holds nothing; set one of %s", name, strings.Join(u.names(), ", "))
	}
}

func (u *Union) names() []string {
	var names []string
	for i := range u.Variants {
		names = append(names, u.Variants[i].Field)
	}
	return names
}

func (u *Union) read(raw []byte, ptr any, opts json.Options) error {
	v := reflect.ValueOf(ptr).Elem()
	all := u.of(v.Type())
	v.SetZero()
	t, err := parseLenient(raw)
	if err != nil {
		return err
	}
	var chosen *alternative
	tagged := false
	if t.depth() <= deepest {
		chosen, tagged = choose(all, u.Property, t)
	}
	if chosen == nil {
		*u.rawOf(v) = bytes.Clone(raw)
		return nil
	}
	value := reflect.New(chosen.typ)
	if json.Unmarshal(raw, value.Interface(), opts) != nil {
		*u.rawOf(v) = bytes.Clone(raw)
		return nil
	}
	v.Field(chosen.index).Set(value)
	if f := fitInto(t, chosen.typ); f.certain && (tagged || u.Property == "") {
		return nil
	}
	if again, err := json.Marshal(value.Interface(), encodeOptions); err != nil || !sameJSON(again, raw) || !tagged && u.Property != "" {
		*u.rawOf(v) = bytes.Clone(raw)
	}
	return nil
}

// deepest bounds how deep the values are that are given to variants: each
// union on the way down reads all that is below it.
const deepest = 200

func (t tree) depth() int {
	deepest := 0
	for _, item := range t.items {
		deepest = max(deepest, item.depth())
	}
	return deepest + 1
}

// An alternative is a variant with what its union's type says of it.
type alternative struct {
	*Variant
	index int          // of the field
	typ   reflect.Type // that the field points to
}

// inner is the alternatives of a variant that is a union itself.
func (a *alternative) inner() []*alternative {
	if a.Union == nil {
		return nil
	}
	return a.Union.of(deref(a.typ))
}

// choose returns the alternative that fits t best, or nil, and whether the
// discriminator told it.
func choose(all []*alternative, property string, t tree) (chosen *alternative, tagged bool) {
	tag, hasTag := t.tag(property)
	if !hasTag {
		return chooseByFit(all, t), false
	}
	var named, silent []*alternative
	for _, a := range all {
		switch {
		case slices.Contains(a.Tags, tag):
			named = append(named, a)
		case len(a.Tags) == 0:
			silent = append(silent, a)
		}
	}
	switch len(named) {
	case 1:
		return named[0], true
	case 0: // only a variant of which no tags are known may take it
		return chooseByFit(silent, t), true
	default:
		return chooseByFit(named, t), true
	}
}

// tag is the discriminator's value.
func (t tree) tag(property string) (string, bool) {
	if property == "" || t.kind != '{' {
		return "", false
	}
	i, ok := t.index().find(property)
	if !ok || !t.items[i].scalar() {
		return "", false
	}
	return t.items[i].text, true
}

// chooseByFit looks at the JSON kind, then at listed values and required
// members, then at the members that a variant does not know; document order
// breaks ties. Where only one variant takes the kind, it is that one: its
// schema may be a little wrong.
func chooseByFit(all []*alternative, t tree) *alternative {
	var best *alternative
	bestFit, sameKind := fit{}, 0
	for _, a := range all {
		if !a.takesKind(t.kind, 0) {
			continue
		}
		sameKind++
		f := a.fit(t, 0)
		if f.ok && (best == nil || f.better(bestFit)) {
			best, bestFit = a, f
		}
	}
	if sameKind > 1 && (bestFit.missing > 0 || bestFit.foreign > 0) {
		return nil
	}
	return best
}

// fit compares a value with the alternative. One that is itself a union fits
// as well as the best of its own.
func (a *alternative) fit(t tree, level int) fit {
	inner := a.inner()
	if len(inner) == 0 || level > nestedUnions {
		f := fitInto(t, a.typ)
		f.foreign = a.foreign(t)
		return f
	}
	best := misfit
	for _, b := range inner {
		if f := b.fit(t, level+1); f.ok && (!best.ok || f.better(best)) {
			best = f
		}
	}
	return best
}

// takesKind reports whether the alternative can take a JSON value of a kind at
// all.
func (a *alternative) takesKind(kind jsontext.Kind, level int) bool {
	if inner := a.inner(); len(inner) > 0 && level <= nestedUnions {
		return slices.ContainsFunc(inner, func(b *alternative) bool { return b.takesKind(kind, level+1) })
	}
	return takesKind(deref(a.typ), kind)
}

// nestedUnions bounds how deep unions of unions are asked.
const nestedUnions = 8

// foreign counts values that the variant's enums do not list.
func (v *Variant) foreign(t tree) int {
	n := 0
	if len(v.Values) > 0 && !listed(v.Values, t) {
		n++
	}
	for _, m := range v.Members {
		if i, ok := t.index().find(m.Name); ok && !listed(m.Values, t.items[i]) {
			n++
		}
	}
	return n
}

func listed(values []string, t tree) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		want, err := parseLenient([]byte(v))
		return err == nil && want.same(t)
	})
}
