package openapi

import (
	"math/big"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// An enumNote is what extensions say about one value of an enum.
type enumNote struct {
	name        string // "" or a name of its own
	description string
}

// The extensions that name and describe the values of an enum, one a tool.
var (
	enumNameKeys        = [...]string{"x-enum-varnames", "x-enumNames", "x-enum-names"}
	enumDescriptionKeys = [...]string{"x-enum-descriptions", "x-enumDescriptions"}
)

// ownEnum reads an enum: distinct scalar values other than null. An enum with a
// list or an object among its values is left out.
func (l *lowerer) ownEnum(sh *shape, _ *openapi3.Schema, node document.Node) {
	list := node.Get("enum")
	if list.Len() == 0 {
		return
	}
	found := extensionTexts(node, enumNameKeys[:], list.Len())
	if !usableNames(found) {
		found = nil
	}
	descriptions := extensionTexts(node, enumDescriptionKeys[:], list.Len())
	seen := map[string]bool{}
	i := -1
	for item := range list.Items() {
		i++
		switch item.Kind() {
		case document.Null:
			continue // the type is nullable
		case document.List, document.Map:
			l.diags.Warnf(item.Pos(), "enum-value", "%s is among the values of an enum; the enum is left out", item.Kind()).
				WithHint("list plain values, or use oneOf with const")
			sh.enum, sh.values = nil, nil
			return
		}
		if text := literal(item); !seen[text] {
			seen[text] = true
			note := enumNote{}
			if found != nil {
				note.name = names.Part(found[i])
			}
			if descriptions != nil {
				note.description = descriptions[i]
			}
			sh.enum = append(sh.enum, item)
			sh.values = append(sh.values, note)
		}
	}
	if sh.enum == nil && len(sh.types) == 0 {
		sh.nullOnly = true // null is the only value
	}
}

// extensionTexts is the first of the extensions that is a list of n texts.
func extensionTexts(node document.Node, keys []string, n int) []string {
	for _, key := range keys {
		list := node.Get(key)
		if list.Kind() != document.List || list.Len() != n {
			continue
		}
		var out []string
		for item := range list.Items() {
			out = append(out, item.Text())
		}
		return out
	}
	return nil
}

// usableNames reports whether the names can be constants: something to make an
// identifier of, and distinct as such.
func usableNames(found []string) bool {
	seen := map[string]bool{}
	for _, n := range found {
		part := names.Part(n)
		if strings.TrimSpace(n) == "" || seen[part] || len(part) > 0 && part[0] >= '0' && part[0] <= '9' {
			return false
		}
		seen[part] = true
	}
	return found != nil
}

// lowerEnum makes the type of a shape with an enum.
func (l *lowerer) lowerEnum(sh *shape, p place) *model.Type {
	kind := l.enumKind(sh)
	if kind == 0 {
		plain := *sh
		plain.enum, plain.values = nil, nil
		return l.lowerShape(&plain, p)
	}
	t := l.declare(p, sh, model.Enum, "Enum")
	t.Elem = &model.Type{Pos: t.Pos, Kind: kind, Pointer: t.Pointer}
	if kind == model.Int || kind == model.Float {
		t.Elem.Format = sh.format
	}
	for i, n := range sh.enum {
		text := enumLiteral(kind, n)
		if slices.ContainsFunc(t.Enum, func(v model.EnumValue) bool { return v.Value.JSON == text }) {
			continue
		}
		t.Enum = append(t.Enum, model.EnumValue{Name: sh.values[i].name, Value: model.Literal{JSON: text}, Description: sh.values[i].description})
	}
	return t
}

// enumLiteral is a value as the enum's base takes it: under a declared string
// type the text of a number is meant.
func enumLiteral(kind model.Kind, n document.Node) string {
	if kind == model.String && n.Kind() != document.Text {
		return quoted(n.Text())
	}
	if (kind == model.Int || kind == model.Float) && n.Kind() == document.Text {
		return jsonNumber(n.Text())
	}
	if kind == model.Int {
		return strings.TrimSuffix(literal(n), ".0")
	}
	return literal(n)
}

// enumKind is the kind of an enum's base: as declared where the values agree,
// else what the values are; Any for a mixture. Zero: the values contradict the
// type, so there is no enum to make.
func (l *lowerer) enumKind(sh *shape) model.Kind {
	kinds := map[model.Kind]bool{}
	for _, n := range sh.enum {
		kinds[valueKind(n)] = true
	}
	if len(sh.types) == 1 {
		kind, fits := declaredEnumKind(sh, kinds)
		if !fits {
			l.diags.Warnf(sh.enum[0].Pos(), "enum-type", "the type is %s, but the enum has other values; the enum is left out", sh.types[0]).
				WithHint("make type and values agree")
			return 0
		}
		return kind
	}
	switch {
	case len(kinds) == 1:
		for k := range kinds {
			return k
		}
	case len(kinds) == 2 && kinds[model.Int] && kinds[model.Float]:
		return model.Float
	}
	return model.Any
}

// declaredEnumKind is the kind that the type keyword names, and whether all values are of it.
func declaredEnumKind(sh *shape, kinds map[model.Kind]bool) (model.Kind, bool) {
	switch sh.types[0] {
	case "string":
		return model.String, true // numbers and booleans stand for their text
	case "integer":
		if kinds[model.Int] && len(kinds) == 1 || allInts(sh.enum) {
			return model.Int, true
		}
	case "number":
		if !kinds[model.Bool] && (!kinds[model.String] || allNumbers(sh.enum)) {
			return model.Float, true
		}
	case "boolean":
		return model.Bool, len(kinds) == 1 && kinds[model.Bool]
	}
	return 0, false
}

func allInts(values []document.Node) bool {
	return !slices.ContainsFunc(values, func(n document.Node) bool {
		i, ok := new(big.Int).SetString(strings.TrimSuffix(n.Text(), ".0"), 10)
		return !ok || !i.IsInt64() || n.Kind() == document.Bool
	})
}

func allNumbers(values []document.Node) bool {
	return !slices.ContainsFunc(values, func(n document.Node) bool {
		return strings.HasPrefix(jsonNumber(n.Text()), `"`)
	})
}

// valueKind is the kind of a scalar node.
func valueKind(n document.Node) model.Kind {
	switch n.Kind() {
	case document.Text:
		return model.String
	case document.Bool:
		return model.Bool
	case document.Number:
		if allInts([]document.Node{n}) {
			return model.Int
		}
		return model.Float
	case document.Null:
		return model.Null
	case document.List, document.Map:
		return model.Any
	}
	panic("openapi: value kind " + n.Kind().String() + " not handled")
}
