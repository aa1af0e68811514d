package golang

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// An expr is a Go type expression: prefix, name, type arguments. It is printed
// as syntax into files and as text into the Table. The zero expr is no type.
type expr struct {
	prefix string // "", "*", "[]", "map[string]": before elem
	elem   *expr  // what the prefix applies to; nil: a name
	pkg    string // qualifier of a name: "", "rt", "wire", "time", "io", "iter"
	name   string
	args   []expr // type arguments of a name
}

func named(name string) expr                      { return expr{name: name} }
func qualified(pkg, name string) expr             { return expr{pkg: pkg, name: name} }
func generic(pkg, name string, args ...expr) expr { return expr{pkg: pkg, name: name, args: args} }
func pointer(e expr) expr                         { return expr{prefix: "*", elem: &e} }
func slice(e expr) expr                           { return expr{prefix: "[]", elem: &e} }
func mapOf(e expr) expr                           { return expr{prefix: "map[string]", elem: &e} }

// isPointer reports whether nil is the expression's way to say nothing.
func (e expr) isPointer() bool { return e.prefix == "*" }

// String is the expression as it stands inside the generated package.
func (e expr) String() string {
	if e.elem != nil {
		return e.prefix + e.elem.String()
	}
	s := e.name
	if e.pkg != "" {
		s = e.pkg + "." + s
	}
	for i, a := range e.args {
		if i == 0 {
			s += "["
		} else {
			s += ", "
		}
		s += a.String()
	}
	if len(e.args) > 0 {
		s += "]"
	}
	return s
}

// code is the expression as syntax that brings its imports along.
func (p *pkg) code(e expr) *jen.Statement {
	switch e.prefix {
	case "*":
		return jen.Op("*").Add(p.code(*e.elem))
	case "[]":
		return jen.Index().Add(p.code(*e.elem))
	case "map[string]":
		return jen.Map(jen.String()).Add(p.code(*e.elem))
	case "":
	default:
		panic(fmt.Sprintf("golang: type prefix %q not handled", e.prefix))
	}
	s := jen.Id(e.name)
	if e.pkg != "" {
		s = jen.Qual(p.path(e.pkg), e.name)
	}
	if len(e.args) == 0 {
		return s
	}
	args := make([]jen.Code, len(e.args))
	for i, a := range e.args {
		args[i] = p.code(a)
	}
	return s.Types(args...)
}

// plainType is the type of a value that is there and not null.
func plainType(t *model.Type) expr {
	if t.Name != "" {
		return named(t.Name)
	}
	return underlying(t)
}

// underlying is what a type is, without regard to the name it has.
func underlying(t *model.Type) expr {
	switch t.Kind {
	case model.Any, model.Null:
		return qualified("rt", "Value")
	case model.Bool:
		return named("bool")
	case model.Int:
		if t.Format == "int32" {
			return named("int32")
		}
		return named("int64")
	case model.BigInt, model.Number:
		return qualified("rt", "Number")
	case model.Float:
		return named("float64") // for format float too: servers send more digits than it holds
	case model.String:
		return named("string")
	case model.Bytes:
		return slice(named("byte"))
	case model.Date:
		return qualified("rt", "Date")
	case model.DateTime:
		return qualified("time", "Time")
	case model.File:
		return qualified("rt", "File")
	case model.Enum, model.Alias:
		return plainType(t.Elem)
	case model.List:
		return slice(itemType(t.Elem))
	case model.Map:
		return mapOf(itemType(t.Elem))
	case model.Struct, model.Union:
		panic(fmt.Sprintf("golang: the %v at %s has no name", t.Kind, t.Pointer))
	default:
		panic(fmt.Sprintf("golang: type kind %v not handled", t.Kind))
	}
}

// itemType is the type of a list's item or a map's value: null needs a pointer.
func itemType(t *model.Type) expr {
	if nullable(t) && !holdsNull(t) {
		return pointer(plainType(t))
	}
	return plainType(t)
}

// optionalType is the type of a value that may be left out and is never null
// (a parameter, an optional body): nil is left out.
func optionalType(t *model.Type) expr {
	if hasNil(t) {
		return plainType(t)
	}
	return pointer(plainType(t))
}

// nullable reports whether null is a value of the type, seen through aliases.
func nullable(t *model.Type) bool {
	for ; t != nil; t = t.Elem {
		if t.Nullable || t.Kind == model.Null {
			return true
		}
		if t.Kind != model.Alias {
			return false
		}
	}
	return false
}

// resolve follows aliases to the type that they name.
func resolve(t *model.Type) *model.Type {
	for t.Kind == model.Alias {
		t = t.Elem
	}
	return t
}

// holdsNull reports whether the Go type has null among its values, so that it
// needs no pointer for it.
func holdsNull(t *model.Type) bool {
	t = resolve(t)
	if t.Const != nil && t.Kind != model.Null {
		return false // a struct of its own
	}
	return t.Kind == model.Any || t.Kind == model.Null || t.Kind == model.Enum && holdsNull(t.Elem)
}

// hasNil reports whether the Go type has a nil of its own that can say "left out".
func hasNil(t *model.Type) bool {
	switch t = resolve(t); t.Kind {
	case model.List, model.Map, model.Bytes:
		return t.Const == nil
	default:
		return holdsNull(t)
	}
}
