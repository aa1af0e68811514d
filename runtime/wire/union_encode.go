package wire

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// encode writes a variant. raw is the value as it came, or empty for one that
// the caller made.
func (a *alternative) encode(p reflect.Value, raw []byte, property, union string, opts json.Options) ([]byte, error) {
	if len(raw) > 0 {
		return a.encodeChanged(p, raw, opts)
	}
	inject := ""
	if property != "" && len(a.Tags) > 0 {
		var err error
		if p, inject, err = a.tagged(p, property); err != nil {
			return nil, refused("%s.%s: %v", union, a.Field, err)
		}
	}
	b, err := json.Marshal(p.Interface(), opts)
	if err != nil || inject == "" || jsontext.Value(b).Kind() != '{' {
		return b, err
	}
	return withMember(b, property, jsontext.Value(inject))
}

// tagged makes sure that the variant bears one of its discriminator values. An
// empty one is filled in, in a copy, if there is only one to choose. Where the
// variant has no field for it, the member to add is returned.
func (a *alternative) tagged(p reflect.Value, property string) (filled reflect.Value, inject string, err error) {
	field := fieldOf(p.Elem(), property)
	if !field.IsValid() {
		if len(a.Tags) > 1 {
			return p, "", refused("%s may be %s, and the type has no field for it; use Raw", property, strings.Join(a.Tags, " or "))
		}
		quoted, err := jsontext.AppendQuote(nil, a.Tags[0])
		return p, string(quoted), err
	}
	text := field
	for text.Kind() == reflect.Pointer && !text.IsNil() {
		text = text.Elem()
	}
	base := deref(field.Type())
	if base.Kind() != reflect.String || readsItself(base) {
		return p, "", nil // constants, numbers: they hold what they hold
	}
	switch {
	case text.Kind() == reflect.String && slices.Contains(a.Tags, text.String()):
		return p, "", nil
	case text.Kind() == reflect.String && text.String() != "":
		return p, "", refused("%s is not one of its values; want %s", property, strings.Join(a.Tags, " or "))
	case len(a.Tags) > 1:
		return p, "", refused("%s is not set; want %s", property, strings.Join(a.Tags, " or "))
	}
	filled = reflect.New(p.Type().Elem())
	filled.Elem().Set(p.Elem())
	return filled, "", parseInto(fieldOf(filled.Elem(), property), a.Tags[0], Simple)
}

// fieldOf is the field of a struct that holds a member, or no value.
func fieldOf(v reflect.Value, member string) reflect.Value {
	if v.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && memberName(name, f.Name) == member {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

// encodeChanged writes the value as it came if the variant still holds what
// was decoded from it; otherwise the variant, with those members of the value
// that it did not hold.
func (a *alternative) encodeChanged(p reflect.Value, raw []byte, opts json.Options) ([]byte, error) {
	now, err := json.Marshal(p.Interface(), opts, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	old := reflect.New(a.typ)
	if err := json.Unmarshal(raw, old.Interface(), decodeOptions); err != nil {
		return now, nil // not what this was decoded from
	}
	then, err := json.Marshal(old.Interface(), opts, json.Deterministic(true))
	if err != nil {
		return now, nil
	}
	if bytes.Equal(now, then) {
		return raw, nil
	}
	return withRest(now, then, raw)
}

// withRest adds to now the members of raw that are not in then.
func withRest(now, then, raw []byte) ([]byte, error) {
	if jsontext.Value(now).Kind() != '{' || jsontext.Value(then).Kind() != '{' || jsontext.Value(raw).Kind() != '{' {
		return now, nil
	}
	var all, held, known map[string]jsontext.Value
	for _, m := range []struct {
		text []byte
		into *map[string]jsontext.Value
	}{{raw, &all}, {then, &held}, {now, &known}} {
		if err := json.Unmarshal(m.text, m.into, decodeOptions); err != nil {
			return nil, err
		}
	}
	for name := range all {
		if _, ok := held[name]; ok {
			delete(all, name)
		} else if _, ok := known[name]; ok {
			delete(all, name)
		}
	}
	if len(all) == 0 {
		return now, nil
	}
	rest, err := json.Marshal(all, encodeOptions)
	if err != nil {
		return nil, err
	}
	return joinObjects(now, rest), nil
}

// withMember puts a member in front of an object's others.
func withMember(object []byte, name string, value jsontext.Value) ([]byte, error) {
	quoted, err := jsontext.AppendQuote([]byte{'{'}, name)
	if err != nil {
		return nil, err
	}
	return joinObjects(append(append(append(quoted, ':'), value...), '}'), object), nil
}

// joinObjects makes one object of the members of two compact ones.
func joinObjects(a, b []byte) []byte {
	switch {
	case len(a) <= len("{}"):
		return b
	case len(b) <= len("{}"):
		return a
	}
	return append(append(bytes.Clone(a[:len(a)-1]), ','), b[1:]...)
}
