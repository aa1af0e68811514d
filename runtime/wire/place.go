package wire

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// placeIn words a place in the JSON of a value: of the names on the way only
// those that the value's type declares, and the numbers of items. Any other is
// content, such as the key of a map, which may be somebody's account, and shows
// as "*".
func placeIn(v any, pointer jsontext.Pointer) string {
	types := []reflect.Type{}
	if t := reflect.TypeOf(v); t != nil {
		types = append(types, t)
	}
	var shown jsontext.Pointer
	for name := range pointer.Tokens() {
		var declared bool
		types, declared = within(types, name)
		if !declared {
			name = "*"
		}
		shown = shown.AppendToken(name)
	}
	return string(shown)
}

// within steps from the types that a value may have to those that its part of
// a name may have, and reports whether the name is the types' own.
func within(types []reflect.Type, name string) (parts []reflect.Type, declared bool) {
	content := false
	for _, t := range alternatives(types) {
		switch t.Kind() {
		case reflect.Struct:
			s := shapeOf(t)
			if m, ok := s.members[name]; ok {
				parts, declared = append(parts, m.typ), true
			} else if s.extra != nil {
				parts = append(parts, s.extra)
			}
		case reflect.Map:
			parts, content = append(parts, t.Elem()), true
		case reflect.Slice, reflect.Array:
			if _, err := strconv.ParseUint(name, 10, 32); err == nil {
				parts, declared = append(parts, t.Elem()), true
			}
		}
	}
	return parts, declared && !content
}

// alternatives looks through pointers, and through types that read themselves:
// a union is what one of its variants is.
func alternatives(types []reflect.Type) []reflect.Type {
	var all []reflect.Type
	for todo := slices.Clone(types); len(todo) > 0; todo = todo[1:] {
		t := deref(todo[0])
		if slices.Contains(all, t) {
			continue
		}
		all = append(all, t)
		if t.Kind() != reflect.Struct || len(shapeOf(t).members) > 0 {
			continue
		}
		for i := range t.NumField() {
			todo = append(todo, t.Field(i).Type)
		}
	}
	return all
}
