package golang

import (
	"fmt"

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
	Schemes     []SchemeNames
	DocumentURL bool          // Config has DocumentURL, against which relative server URLs are resolved
	ServerField string        // field of Config that chooses one of Servers; empty: there is nothing to choose
	Servers     []ServerNames // the document's
	Operations  []OperationNames
	Types       []TypeNames // every named type
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

// A ServerNames is a server: Config.<ServerField> = <Type>{<Variable fields>}.
// Config.BaseURL replaces all of them, whatever else is set.
type ServerNames struct {
	URL       string // as written
	Type      string // Go struct; empty where there is nothing to choose
	Variables []VariableNames
}

// A VariableNames is a variable of a server.
type VariableNames struct{ Wire, Field string }

// An OperationNames is one method of Client.
type OperationNames struct {
	ID          string // operationId, or "METHOD /path" where none is declared
	Method      string // client.<Method>(ctx[, req][, key], opts...)
	HTTPMethod  string
	Path        string // template
	Request     string // Go name of the request struct; empty: the method takes no request
	Key         bool   // the method takes an rt.Key after the request
	Repeatable  bool   // options are rt.RepeatableOption, else rt.Option
	Params      []ParamNames
	Bodies      []BodyNames
	Result      ResultNames
	Headers     []HeadersNames
	Errors      []ErrorNames  // what errors.As finds, by status
	ServerField string        // as Table.ServerField, for Servers
	Servers     []ServerNames // its own, where it overrides the document's
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
	Headers   []PartHeaderNames // of the parts of a multipart body
}

// A PartHeaderNames is a header of a part of a multipart body: req.<Field>.
type PartHeaderNames struct {
	Part string // name of the part
	ParamNames
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

// An ErrorNames is the error type of a failing response.
type ErrorNames struct {
	Status     int // 0: default
	Range      bool
	MediaTypes []string
	Type       string // Go type, a value: errors.As takes a *Type and a **Type alike
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
func Names(plan *policy.Plan) Table {
	p := newPkg(plan, Options{Package: "names", Spec: plan.API.Spec})
	var t Table
	for _, typ := range p.api.Types {
		t.Types = append(t.Types, TypeNames{Schema: typ.Schema, Type: typ.Name, Kind: typ.Kind})
	}
	for _, s := range p.schemes {
		t.Schemes = append(t.Schemes, SchemeNames{Wire: s.Wire, Field: s.Name, Kind: s.Kind})
	}
	t.DocumentURL = p.relative()
	t.ServerField, t.Servers = serverNames(p.servers[0])
	for _, op := range p.ops {
		t.Operations = append(t.Operations, operationNames(p, op))
	}
	return t
}

func serverNames(s *serverSet) (field string, out []ServerNames) {
	for _, c := range s.servers {
		names := ServerNames{URL: c.server.URL, Type: c.name}
		for _, v := range c.server.Variables {
			names.Variables = append(names.Variables, VariableNames{Wire: v.Wire, Field: v.Name})
		}
		out = append(out, names)
	}
	return s.config, out
}

func operationNames(p *pkg, op *operation) OperationNames {
	names := OperationNames{
		ID: op.spec.ID, Method: op.spec.Name, HTTPMethod: op.spec.Method, Path: op.spec.Path,
		Key: op.key, Repeatable: op.plan.Repeatable(), Result: resultNames(op.result),
	}
	if op.hasRequest() {
		names.Request = op.request()
	}
	for _, param := range op.params {
		names.Params = append(names.Params, paramNames(param))
	}
	for _, b := range op.bodies {
		bn := BodyNames{
			MediaType: b.content.MediaType, Encoding: b.content.Encoding, Field: b.field,
			Type: b.typ.String(), Elem: b.plain.String(), Optional: b.optional,
		}
		for _, h := range partHeaders(p, b) {
			bn.Headers = append(bn.Headers, PartHeaderNames{Part: h.part.Field.Wire, ParamNames: paramNames(h.param)})
		}
		names.Bodies = append(names.Bodies, bn)
	}
	for _, h := range op.headers {
		hn := HeadersNames{Status: h.response.Status, Range: h.response.Range, Type: h.set.typ, Func: h.set.read}
		for _, param := range h.set.params {
			hn.Fields = append(hn.Fields, paramNames(param))
		}
		names.Headers = append(names.Headers, hn)
	}
	for _, resp := range op.spec.Responses {
		for _, g := range op.errors[resp] {
			names.Errors = append(names.Errors, ErrorNames{Status: resp.Status, Range: resp.Range, MediaTypes: g.types, Type: g.name})
		}
	}
	if op.server != p.servers[0] {
		names.ServerField, names.Servers = serverNames(op.server)
	}
	return names
}

func paramNames(param *model.Param) ParamNames {
	return ParamNames{
		In: param.In, Wire: param.Wire, Field: param.Name, Type: paramType(param).String(),
		Elem: plainType(param.Type).String(), Optional: !param.Required,
	}
}

func resultNames(r result) ResultNames {
	names := ResultNames{Kind: r.kind}
	switch r.kind {
	case ResultNone:
	case ResultPointer, ResultStruct:
		names.Type = r.typ.elem.String()
	case ResultValue:
		names.Type = r.typ.String()
	default:
		panic(fmt.Sprintf("golang: result kind %v not handled", r.kind))
	}
	for _, c := range r.cases {
		rc := ResultCase{Status: c.response.Status, Range: c.response.Range}
		if c.content != nil {
			rc.MediaType, rc.Encoding, rc.Type = c.content.MediaType, c.content.Encoding, c.typ.String()
			if r.kind == ResultStruct {
				rc.Field, rc.Type = c.field, c.fieldType().String()
			}
		}
		names.Cases = append(names.Cases, rc)
	}
	return names
}
