package wire

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	rt "github.com/resgen-dev/resgen/runtime"
)

// A Union describes a oneOf or anyOf type U: a struct with a pointer field per
// variant and a Raw field. It is a package-level variable of generated code,
// to which the type's four JSON methods hand on:
//
//	var unionShape = wire.Union[Shape]{
//		Name:     "Shape",
//		Property: "kind",
//		Raw:      func(u *Shape) *rt.Value { return &u.Raw },
//		Variants: []wire.Variant[Shape]{
//			wire.Case("Circle", func(u *Shape) **Circle { return &u.Circle }, wire.Rule{Tags: []string{"circle"}}),
//			wire.Case("Square", func(u *Shape) **Square { return &u.Square }, wire.Rule{Tags: []string{"square"}}),
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
type Union[U any] struct {
	Name     string             // Go name, for messages
	Property string             // the discriminator's property; empty: none
	Raw      func(*U) *rt.Value // the field Raw
	Variants []Variant[U]       // document order
}

// A Variant is one alternative of a union, made by [Case].
type Variant[U any] struct {
	alternative
	at func(*U) any // a **V
}

// A Rule tells a variant from its siblings where its Go type does not: the
// JSON kind, the members, which of them are required (those without omitzero
// and omitempty)
// and constants are read from the type.
type Rule struct {
	Tags    []string            // discriminator values that select it, as written
	Values  []string            // of a scalar: the values that its enum lists, as JSON text
	Members map[string][]string // of an object: the values that the enums of its members list, as JSON text
}

// Case makes the variant that is kept in the field that at points to.
func Case[U, V any](name string, at func(*U) **V, rule Rule) Variant[U] {
	a := alternative{name: name, rule: rule, typ: reflect.TypeFor[V]()}
	unions.add(reflect.TypeFor[U](), &a)
	return Variant[U]{alternative: a, at: func(u *U) any { return at(u) }}
}

// Encode writes the one variant that is set, or Raw.
func (u *Union[U]) Encode(e *jsontext.Encoder, v *U) error {
	b, err := u.encoded(v, e.Options())
	if err != nil {
		return err
	}
	return e.WriteValue(b)
}

// Decode reads a value into the variant that fits it best, or Raw.
func (u *Union[U]) Decode(d *jsontext.Decoder, v *U) error {
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	return u.read(raw, v, d.Options())
}

// Marshal is Encode for encoding/json.
func (u *Union[U]) Marshal(v *U) ([]byte, error) { return u.encoded(v, encodeOptions) }

// Unmarshal is Decode for encoding/json.
func (u *Union[U]) Unmarshal(b []byte, v *U) error {
	return u.read(bytes.TrimSpace(b), v, decodeOptions)
}

func (u *Union[U]) encoded(v *U, opts json.Options) ([]byte, error) {
	raw := []byte(*u.Raw(v))
	var set []int
	for i := range u.Variants {
		if !u.pointer(i, v).IsNil() {
			set = append(set, i)
		}
	}
	switch {
	case len(set) == 1:
		return u.Variants[set[0]].encode(u.pointer(set[0], v), raw, u.Property, u.Name, opts)
	case len(set) > 1:
		return nil, refused("%s holds both %s and %s; set one", u.Name, u.Variants[set[0]].name, u.Variants[set[1]].name)
	case len(raw) > 0:
		return raw, nil
	default:
		return nil, refused("%s holds nothing; set one of %s", u.Name, strings.Join(u.names(), ", "))
	}
}

// pointer is the *V field of a variant.
func (u *Union[U]) pointer(i int, v *U) reflect.Value {
	return reflect.ValueOf(u.Variants[i].at(v)).Elem()
}

func (u *Union[U]) names() []string {
	var names []string
	for i := range u.Variants {
		names = append(names, u.Variants[i].name)
	}
	return names
}

func (u *Union[U]) read(raw []byte, v *U, opts json.Options) error {
	*v = *new(U)
	t, err := parseLenient(raw)
	if err != nil {
		return err
	}
	chosen := -1
	tagged := false
	if t.depth() <= deepest {
		chosen, tagged = choose(len(u.Variants), func(i int) *alternative { return &u.Variants[i].alternative }, u.Property, t)
	}
	if chosen < 0 {
		*u.Raw(v) = bytes.Clone(raw)
		return nil
	}
	alternative := &u.Variants[chosen].alternative
	value := reflect.New(alternative.typ)
	if json.Unmarshal(raw, value.Interface(), opts) != nil {
		*u.Raw(v) = bytes.Clone(raw)
		return nil
	}
	u.pointer(chosen, v).Set(value)
	if f := fitInto(t, alternative.typ); f.certain && (tagged || u.Property == "") {
		return nil
	}
	if again, err := json.Marshal(value.Interface(), encodeOptions); err != nil || !sameJSON(again, raw) || !tagged && u.Property != "" {
		*u.Raw(v) = bytes.Clone(raw)
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

// An alternative is a variant without the union's type.
type alternative struct {
	name string
	rule Rule
	typ  reflect.Type
}

// choose returns the index of the alternative that fits t best, or -1, and
// whether the discriminator told it.
func choose(n int, at func(int) *alternative, property string, t tree) (chosen int, tagged bool) {
	tag, hasTag := t.tag(property)
	if !hasTag {
		return chooseByFit(n, at, t, func(*alternative) bool { return true }), false
	}
	only, named := -1, 0
	for i := range n {
		if slices.Contains(at(i).rule.Tags, tag) {
			only = i
			named++
		}
	}
	switch named {
	case 1:
		return only, true
	case 0: // only a variant of which no tags are known may take it
		chosen = chooseByFit(n, at, t, func(a *alternative) bool { return len(a.rule.Tags) == 0 })
		return chosen, true
	default:
		chosen = chooseByFit(n, at, t, func(a *alternative) bool { return slices.Contains(a.rule.Tags, tag) })
		return chosen, true
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
func chooseByFit(n int, at func(int) *alternative, t tree, may func(*alternative) bool) int {
	best, bestFit, sameKind := -1, fit{}, 0
	for i := range n {
		a := at(i)
		if !may(a) || !takesKind(a.typ, t.kind) {
			continue
		}
		sameKind++
		f := a.fit(t, 0)
		if f.ok && (best < 0 || f.better(bestFit)) {
			best, bestFit = i, f
		}
	}
	if sameKind > 1 && (bestFit.missing > 0 || bestFit.foreign > 0) {
		return -1
	}
	return best
}

// fit compares a value with the alternative. One that is itself a union fits
// as well as the best of its own.
func (a *alternative) fit(t tree, level int) fit {
	inner := unions.of(a.typ)
	if len(inner) == 0 || level > nestedUnions {
		f := fitInto(t, a.typ)
		f.foreign = a.rule.foreign(t)
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

// nestedUnions bounds unions of unions, which a spec may tie into a knot.
const nestedUnions = 8

// foreign counts values that the rule's enums do not list.
func (r Rule) foreign(t tree) int {
	n := 0
	if len(r.Values) > 0 && !listed(r.Values, t) {
		n++
	}
	for name, values := range r.Members {
		if i, ok := t.index().find(name); ok && !listed(values, t.items[i]) {
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
