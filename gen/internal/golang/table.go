package golang

import (
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// A Table tells how the generated package spells what the specification names.
// Programs that write code against a generated package (the case runner, the
// generated tests) read it instead of guessing.
//
// Types are Go expressions as they stand inside the generated package
// ("*int64", "[]Crate", "rt.Nullable[time.Time]"); to use one from outside,
// qualify its identifiers that start with an upper-case letter and have no
// qualifier.
type Table struct {
	Schemes    []SchemeNames
	Servers    []ServerNames // the document's
	Operations []OperationNames
	Types      []TypeNames // every named type
}

// A TypeNames pairs a schema with its Go type.
type TypeNames struct {
	Schema string // component name as written; empty for an inline schema
	Type   string // Go name
	Kind   model.Kind
}

// A SchemeNames is a security scheme: Config.Auth.<Field>.
type SchemeNames struct {
	Wire  string // key in components.securitySchemes
	Field string
	Kind  model.SchemeKind
}

// A ServerNames is a server of the document: Config.Server = <Type>{<Variable fields>}.
type ServerNames struct {
	URL       string // as written
	Type      string // Go struct
	Variables []VariableNames
}

// A VariableNames is a variable of a server.
type VariableNames struct{ Wire, Field string }

// An OperationNames is one method of Client.
type OperationNames struct {
	ID         string // operationId, or "METHOD /path" where none is declared
	Method     string // client.<Method>(ctx[, req][, key], opts...)
	HTTPMethod string
	Path       string // template
	Request    string // Go name of the request struct; empty: the method takes no request
	Key        bool   // the method takes an rt.Key after the request
	Repeatable bool   // options are rt.RepeatableOption, else rt.Option
	Params     []ParamNames
	Bodies     []BodyNames
	Result     ResultNames
	Headers    []HeadersNames
	Servers    []ServerNames // its own, where it overrides the document's
}

// A ParamNames is a parameter: req.<Field>.
type ParamNames struct {
	In       model.In
	Wire     string
	Field    string
	Type     string // "*string" where it may be left out
	Elem     string // Type without that pointer
	Optional bool   // the zero value of Type sends nothing
}

// A BodyNames is one content of a request body: req.<Field>.
type BodyNames struct {
	MediaType string // as written
	Encoding  model.Encoding
	Field     string
	Type      string
	Elem      string // Type without the pointer that makes it optional
	Optional  bool
}

// A ResultKind says what a method returns before its error.
type ResultKind int

// The kinds of results. The zero kind is not valid.
const (
	_             ResultKind = iota
	ResultNone               // only an error
	ResultValue              // T: lists, maps, plain values, streams
	ResultPointer            // *T: objects
	ResultStruct             // *T with Status and a field for each of Cases
)

// A ResultNames is what a method returns.
type ResultNames struct {
	Kind  ResultKind
	Type  string // T without its pointer; empty for ResultNone
	Cases []ResultCase
}

// A ResultCase is one declared success content.
type ResultCase struct {
	Status    int  // 0: default
	Range     bool // 2XX
	MediaType string
	Encoding  model.Encoding // 0: no body
	Field     string         // of the result struct; empty unless ResultStruct, or where there is no body
	Type      string         // of the field or of the result; pointers included
}

// A HeadersNames is the set of declared headers of one response, read by
// <Func>(http.Header) (<Type>, error).
type HeadersNames struct {
	Status int
	Range  bool
	Type   string
	Func   string
	Fields []ParamNames
}

// Names is the table of the package that Files makes from the plan.
func Names(plan *policy.Plan) Table { panic("contract") }
