package model

import "github.com/resgen-dev/resgen/gen/internal/diag"

// A Kind is the shape of a type.
type Kind int

// The kinds. The zero Kind is not valid.
const (
	_        Kind = iota
	Any           // any JSON value, every digit kept: rt.Value
	Bool          // bool
	Int           // int64, or int32 by Format
	BigInt        // an integer that may exceed 64 bits: rt.Number
	Float         // float64, whatever the Format
	Number        // a decimal whose digits matter: rt.Number
	String        // string
	Bytes         // base64 text: []byte
	Date          // rt.Date
	DateTime      // time.Time
	Enum          // open set of named values over Elem (String, Int, Float, Bool or Any for mixed ones)
	List          // []Elem
	Map           // map[string]Elem
	Struct        // object with fields, and Extra for further ones
	Union         // oneOf/anyOf
	Null          // only null
	Alias         // another type as it is: Elem. With a Name it is a component that is a plain value or a reference; without one it only adds Nullable, Deprecated or Description to Elem where it is used
	File          // binary content: rt.File in requests, a stream in answers
)

// A Type is a Go type made from a schema. Types with a Name are declared once
// and listed in API.Types; the others are written where they are used.
// Recursive types refer to themselves through their pointers.
//
// Struct, Union, Enum and types with a Const always have a Name. A component
// that is a list or a map is a List or Map with a Name (it may contain itself);
// one that is a plain value or a reference is an Alias with a Name.
type Type struct {
	Pos         diag.Pos
	Kind        Kind
	Name        string // Go name; empty: written in place
	Schema      string // component name as written, or empty for an inline schema
	Pointer     string // JSON pointer of the schema in the bundled document
	Description string
	Deprecated  bool
	Nullable    bool   // null is a value of it, besides what Kind says
	Format      string // as written; Int with "int32" is int32

	Media         string   // File: the media type that the schema itself names, as written; empty: none
	Elem          *Type    // List, Map, Alias, Enum (the base)
	Fields        []*Field // Struct
	Extra         *Type    // Struct: type of additional properties; nil: none are kept
	Enum          []EnumValue
	Variants      []*Variant     // Union
	Discriminator *Discriminator // Union, or nil

	Failure bool     // the body of some answer that is no success: its Go type is an error, and no field of it is called Error
	Const   *Literal // the only value that is allowed, or nil. Kind is that of the value; Any for lists and objects
	Default *Literal // documented only
	Limits  Limits   // documented, and used by sample
	Tags    []string // first tags of the operations that use the type, in document order; one: it lives in that tag's file
}

// A Field is a property of a struct.
type Field struct {
	Pos         diag.Pos
	Wire        string
	Name        string
	Description string
	Deprecated  bool
	Required    bool // must be there in JSON. Read-only and write-only fields are never required.
	ReadOnly    bool
	WriteOnly   bool
	Type        *Type
}

// An EnumValue is one declared value of an enum.
type EnumValue struct {
	Name        string // Go constant name
	Value       Literal
	Description string
}

// A Literal is a JSON value as written: numbers keep their digits.
type Literal struct {
	JSON string // compact JSON text
}

// A Variant is one member of a union.
type Variant struct {
	Name   string // Go name stem: field or method suffix; unique in the union, never "Raw"
	Type   *Type
	Values []string // discriminator values that select it, as text (true, 2, ship): those of the mapping, those the variant itself allows, or its component's name. Two variants may share one
}

// A Discriminator names the property that tells the variants apart.
type Discriminator struct {
	Wire string // property name
	Kind Kind   // kind of the property: String, Bool or Int
}

// Limits are the bounds that a schema declares. Empty text and nil mean none.
type Limits struct {
	Minimum, Maximum                   string // as written
	ExclusiveMinimum, ExclusiveMaximum bool
	MultipleOf                         string
	MinLength, MaxLength               *int
	MinItems, MaxItems                 *int
	Unique                             bool
	Pattern                            string // empty also where Go cannot compile it
}
