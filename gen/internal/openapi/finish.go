package openapi

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// fixedNames are names at package level that every client has.
var fixedNames = []string{"Client", "NewClient", "Config", "Auth", "Fallbacks", "Server"}

// fixedMethods are methods that every client has.
var fixedMethods = []string{"Warm"}

// jsonMethods are methods that generated types can have, so that no field is
// called so.
var jsonMethods = []string{"MarshalJSON", "UnmarshalJSON", "MarshalJSONTo", "UnmarshalJSONFrom"}

// finish names what can be named only now that every type is known, and notes
// who uses what.
func (l *lowerer) finish() {
	l.breakUnions()
	for _, t := range l.api.Types {
		nameFields(t)
		nameVariants(t)
	}
	for _, t := range l.api.Types {
		l.nameValues(t)
	}
	settleFiles(l.api, &l.diags)
	for _, o := range l.api.Operations {
		warnNested(o, &l.diags)
	}
	dropUnused(l.api)
	tagTypes(l.api)
	l.addTags()
	l.tellLeftOut()
	l.diags = l.diags.Sorted()
}

// nameFields gives a struct's fields their names, in document order.
func nameFields(t *model.Type) {
	if t.Kind != model.Struct {
		return
	}
	scope := names.NewScope(jsonMethods...)
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
		switch {
		case t.Failure && wishes[0] == "Error":
			wishes = []string{"Err", "ErrValue"}
		case slices.Contains(jsonMethods, wishes[0]):
			wishes = []string{wishes[0] + "Field"}
		}
		f.Name = scope.Take(wishes...)
	}
}

// nameVariants keeps the variants of a union that is an error clear of its method.
func nameVariants(t *model.Type) {
	for _, v := range t.Variants {
		if t.Failure && v.Name == "Error" {
			v.Name = "Err"
		}
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
		if !codes && shouted(text) {
			text = strings.ToLower(text)
		}
		part, spelled := names.Clip(names.Part(text), longestValue), names.Clip(names.PartSpelled(text), longestValue)
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

// longestValue is where the part of a constant's name that its value gives is
// cut: values can be sentences.
const longestValue = 48

// shouted reports whether a value is a word, or words, in capitals: NEW,
// IN_PROGRESS. Capitals beside digits (RS256) are a name.
func shouted(text string) bool {
	upper := 0
	for _, r := range text {
		if unicode.IsLower(r) || unicode.IsDigit(r) {
			return false
		}
		if unicode.IsUpper(r) {
			upper++
		}
	}
	return upper > 1
}

// allCodes reports whether all values are codes of two or three capitals, such
// as currencies and countries, which stay as they are.
func allCodes(values []model.EnumValue) bool {
	return !slices.ContainsFunc(values, func(v model.EnumValue) bool {
		text := literalText(v.Value)
		return len(text) < 2 || len(text) > 3 || slices.ContainsFunc([]byte(text), func(c byte) bool { return c < 'A' || c > 'Z' })
	})
}

// dropUnused leaves out inline types that nothing refers to any more: those of
// forms that became bytes, and of parts that became files.
func dropUnused(api *model.API) {
	used := map[*model.Type]bool{}
	use := func(t *model.Type) bool {
		first := !used[t]
		used[t] = true
		return first
	}
	for _, t := range api.Types {
		if t.Schema != "" {
			t.Walk(use)
		}
	}
	for _, o := range api.Operations {
		o.Types(use)
	}
	api.Types = slices.DeleteFunc(api.Types, func(t *model.Type) bool { return !used[t] })
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
				l.diags.Warnf(t.Pos, "union-cycle", "unions %s and %s are variants of each other; %s loses the variant", u.Name, t.Name, t.Name).
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
