package openapi

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// fixedNames are names at package level that every client has.
var fixedNames = []string{"Client", "NewClient", "Config", "Auth", "Fallbacks"}

// fixedMethods are methods that every client has.
var fixedMethods = []string{"Warm"}

// finish names what can be named only now that every type is known, and notes
// who uses what.
func (l *lowerer) finish() {
	l.breakUnions()
	for _, t := range l.api.Types {
		nameFields(t)
	}
	for _, t := range l.api.Types {
		l.nameValues(t)
	}
	settleFiles(l.api, &l.diags)
	tagTypes(l.api)
	l.addTags()
	l.diags = l.diags.Sorted()
}

// nameFields gives a struct's fields their names, in document order.
func nameFields(t *model.Type) {
	if t.Kind != model.Struct {
		return
	}
	scope := names.NewScope()
	if t.Extra != nil {
		scope.Reserve("Extra")
	}
	if t.Failure {
		scope.Reserve("Error") // its method
	}
	for _, f := range t.Fields {
		if f.Name != "" {
			f.Name = scope.Take(f.Name, f.Name+"Field") // x-go-name
		}
	}
	for _, f := range t.Fields {
		if f.Name != "" {
			continue
		}
		wishes := []string{names.Exported(f.Wire), names.ExportedSpelled(f.Wire)}
		if t.Failure && wishes[0] == "Error" {
			wishes = []string{"Err"}
		}
		f.Name = scope.Take(wishes...)
	}
}

// nameValues gives an enum's values the names of their constants.
func (l *lowerer) nameValues(t *model.Type) {
	if t.Kind != model.Enum {
		return
	}
	codes := allCodes(t.Enum)
	for i := range t.Enum {
		v := &t.Enum[i]
		text := literalText(v.Value)
		part, spelled := names.Part(text), names.PartSpelled(text)
		if codes {
			part = text
		}
		if v.Name != "" {
			part = v.Name
		}
		v.Name = l.scope.Take(names.Join(t.Name, part), names.Join(t.Name, spelled), names.Join(t.Name, apart(t, v.Value, part)),
			names.Join(t.Name, "Value", part))
	}
}

// allCodes reports whether all values are codes of two or three capitals, such
// as currencies and countries, which stay as they are.
func allCodes(values []model.EnumValue) bool {
	return !slices.ContainsFunc(values, func(v model.EnumValue) bool {
		text := literalText(v.Value)
		return len(text) < 2 || len(text) > 3 || slices.ContainsFunc([]byte(text), func(c byte) bool { return c < 'A' || c > 'Z' })
	})
}

// literalText is a scalar literal's text: a string without its quotes.
func literalText(v model.Literal) string {
	var s string
	if json.Unmarshal([]byte(v.JSON), &s) == nil && v.JSON != "null" {
		return s
	}
	return v.JSON
}

// apart tells a value from one whose name is the same: by its kind in an enum
// of several, else by its capitals.
func apart(t *model.Type, v model.Literal, part string) string {
	text := literalText(v)
	switch {
	case t.Elem.Kind != model.Any && text == strings.ToLower(text):
		return names.Join("Lower", part)
	case t.Elem.Kind != model.Any && text == strings.ToUpper(text):
		return names.Join("Upper", part)
	case t.Elem.Kind != model.Any:
		return names.Join("Capital", part)
	case strings.HasPrefix(v.JSON, `"`):
		return part + "Text"
	case text == "true" || text == "false":
		return part + "Bool"
	}
	return part + "Number"
}

// breakUnions takes a variant out where unions are variants of each other in a
// circle: no value could ever be told.
func (l *lowerer) breakUnions() {
	state := map[*model.Type]int{} // 1: on the way down, 2: done
	var visit func(t *model.Type)
	visit = func(t *model.Type) {
		state[t] = 1
		t.Variants = slices.DeleteFunc(t.Variants, func(v *model.Variant) bool {
			u := resolved(v.Type)
			if u.Kind != model.Union {
				return false
			}
			if state[u] == 1 {
				l.diags.Warnf(t.Pos, "union-cycle", "union %s is a variant of itself by way of %s; the variant is left out", u.Name, v.Name).
					WithHint("remove one of the references").WithRelated(u.Pos, "the union")
				return true
			}
			if state[u] == 0 {
				visit(u)
			}
			return false
		})
		state[t] = 2
	}
	for _, t := range l.api.Types {
		if t.Kind == model.Union && state[t] == 0 {
			visit(t)
		}
	}
}

// addTags adds the tags that operations use and nobody declares.
func (l *lowerer) addTags() {
	for _, o := range l.api.Operations {
		for _, name := range o.Tags {
			if !slices.ContainsFunc(l.api.Tags, func(t model.Tag) bool { return t.Name == name }) {
				l.api.Tags = append(l.api.Tags, model.Tag{Name: name})
			}
		}
	}
}
