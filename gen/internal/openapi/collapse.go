package openapi

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

func itoa(i int) string { return strconv.Itoa(i) }

// collapse puts arms of one JSON scalar together: enums are open, so that an
// enum beside any text is that enum; several enums, or constants, are one enum
// of all their values; integers beside numbers are numbers with their digits.
func (l *lowerer) collapse(arms []arm) []arm {
	var out []arm
	done := map[string]bool{}
	for _, a := range arms {
		class := scalarClass(a)
		if class == "" {
			out = append(out, a)
			continue
		}
		if done[class] {
			continue
		}
		done[class] = true
		var same []arm
		for _, b := range arms {
			if scalarClass(b) == class {
				same = append(same, b)
			}
		}
		out = append(out, joinScalars(class, same))
	}
	return out
}

// scalarClass is the JSON type that an arm shares with others: string, number
// or boolean; "" for what is no scalar.
func scalarClass(a arm) string {
	sh := a.shape
	if len(sh.unions) > 0 || sh.nullOnly || sh.never {
		return ""
	}
	switch name := scalarName(sh); name {
	case "string", "boolean":
		return name
	case "integer", "number":
		return "number"
	}
	return ""
}

// scalarName is the JSON type of a shape, also where only values show it.
func scalarName(sh *shape) string {
	if len(sh.types) > 1 {
		return ""
	}
	if name := typeName(sh); name != "" {
		return name
	}
	values := sh.enum
	if sh.constant.Exists() {
		values = append(values[:len(values):len(values)], sh.constant)
	}
	name := ""
	for _, v := range values {
		next := map[model.Kind]string{model.String: "string", model.Bool: "boolean", model.Int: "integer", model.Float: "number"}[valueKind(v)]
		if name != "" && name != next {
			return ""
		}
		name = next
	}
	return name
}

// joinScalars makes one arm of several of a class.
func joinScalars(class string, same []arm) arm {
	if len(same) == 1 {
		return same[0]
	}
	var listed []arm // those with values
	for _, a := range same {
		if a.shape.enum != nil || a.shape.constant.Exists() {
			listed = append(listed, a)
		}
	}
	if len(listed) == 1 && listed[0].ref != nil {
		return listed[0]
	}
	sh := &shape{node: same[0].shape.node, types: []string{class}, extra: extra{kind: extraUnsaid}}
	sh.format = same[0].shape.format
	integers := 0
	for _, a := range same {
		if a.shape.format != sh.format {
			sh.format = ""
		}
		if scalarName(a.shape) == "integer" {
			integers++
		}
	}
	if class == "number" {
		sh.exact = integers > 0 && integers < len(same)
		if integers == len(same) {
			sh.types = []string{"integer"}
		}
	}
	for _, a := range listed {
		joinValues(sh, a.shape)
	}
	if len(listed) > 0 && (class == "boolean" || sh.exact) {
		sh.enum, sh.values = nil, nil
	}
	return arm{use: use{{node: sh.node, shape: sh}}, shape: sh}
}

// joinValues adds an arm's values to an enum; a constant is named by its title.
func joinValues(sh, from *shape) {
	add := func(i int) {
		n := from.constant
		note := enumNote{description: from.description}
		if from.title != "" {
			note.name = names.Part(from.title)
		}
		if i >= 0 {
			n, note = from.enum[i], from.values[i]
		}
		text := literal(n)
		for _, have := range sh.enum {
			if literal(have) == text {
				return
			}
		}
		if slices.ContainsFunc(sh.values, func(v enumNote) bool { return v.name == note.name }) {
			note.name = ""
		}
		sh.enum = append(sh.enum, n)
		sh.values = append(sh.values, note)
	}
	if from.constant.Exists() {
		add(-1)
		return
	}
	for i := range from.enum {
		add(i)
	}
}

// variantStem is what to call an arm without a component: by its title, by the
// value that marks it, by the one component it adds to, else by its kind.
func variantStem(a arm, d *discriminator) string {
	if a.ref != nil {
		return a.ref.typ.Name
	}
	sh := a.shape
	if t := sh.title; t != "" && len(t) <= 40 {
		return names.Part(t)
	}
	if d != nil {
		if v := markValues(sh, d.wire); len(v) == 1 {
			return names.Part(v[0])
		}
	}
	for _, prop := range sh.props {
		if v := markValues(sh, prop.wire); len(v) == 1 && sh.required[prop.wire] {
			return names.Part(v[0])
		}
	}
	for _, s := range a.use {
		if s.kin != nil && s.kin.Ref != "" {
			return names.Part(s.kin.Ref[lastSlash(s.kin.Ref)+1:])
		}
	}
	return ""
}

// ownMember is With and the first property, a required one if there is one,
// that only this arm has.
func ownMember(arms []arm, i int) string {
	found := ""
	sh := arms[i].shape
	if typeName(sh) != "object" || !slices.ContainsFunc(arms, func(o arm) bool { return o.shape != sh && typeName(o.shape) == "object" }) {
		return "" // Object says enough
	}
	for _, prop := range sh.props {
		shared := slices.ContainsFunc(arms, func(o arm) bool { return o.shape != sh && o.shape.property(prop.wire) != nil })
		switch {
		case shared:
		case sh.required[prop.wire]:
			return names.Join("With", names.Part(prop.wire))
		case found == "":
			found = names.Join("With", names.Part(prop.wire))
		}
	}
	return found
}

// kindStems name the types made for arms that nothing else names.
var kindStems = map[string]string{"string": "String", "integer": "Int", "number": "Number", "boolean": "Bool", "array": "List", "object": "Object"}

func lastSlash(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' {
			return i
		}
	}
	return -1
}

// markValues are the texts that a property may have where the shape fixes them.
func markValues(sh *shape, wire string) []string {
	prop := sh.property(wire)
	if prop == nil {
		return nil
	}
	var out []string
	for _, s := range prop.value {
		if s.inline() == nil {
			continue
		}
		if n := s.node.Get("const"); n.Exists() {
			out = append(out, n.Text())
			continue
		}
		for n := range s.node.Get("enum").Items() {
			if n.Text() != "" && !slices.Contains(out, n.Text()) {
				out = append(out, n.Text())
			}
		}
	}
	return out
}

// variantName is what to call a variant by its type.
func variantName(t *model.Type, stem string) string {
	if stem != "" {
		return names.Join(stem)
	}
	switch t = resolved(t); t.Kind {
	case model.Any, model.Null:
		return "Value"
	case model.Bool:
		return "Bool"
	case model.Int, model.BigInt:
		return "Int"
	case model.Float, model.Number:
		return "Number"
	case model.String, model.Enum:
		if t.Kind == model.Enum && t.Elem.Kind != model.String {
			return variantName(t.Elem, "")
		}
		return "String"
	case model.Bytes:
		return "Bytes"
	case model.Date:
		return "Date"
	case model.DateTime:
		return "Time"
	case model.File:
		return "File"
	case model.List:
		return listName(t.Elem)
	case model.Map:
		return "Map"
	case model.Struct:
		return "Object"
	case model.Union:
		return "Union"
	}
	panic(fmt.Sprintf("openapi: type kind %d not handled in a variant's name", t.Kind))
}

// listName is Strings, Ints, CrateList, or List for lists of lists.
func listName(elem *model.Type) string {
	switch {
	case resolved(elem).Kind == model.List:
		return "List"
	case elem.Name != "" && elem.Schema != "":
		return elem.Name + "List"
	}
	return variantName(elem, "") + "s"
}
