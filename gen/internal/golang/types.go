package golang

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// declareType writes a named type.
func declareType(f *jen.File, p *pkg, t *model.Type) {
	if t.Const != nil {
		declareConst(f, p, t)
		return
	}
	switch t.Kind {
	case model.Struct:
		declareStruct(f, p, t)
	case model.Union:
		declareUnion(f, p, t)
	case model.Enum:
		declareEnum(f, p, t)
	case model.List, model.Map:
		doc(f, typeDoc(t))
		f.Type().Id(t.Name).Add(p.code(underlying(t)))
		f.Line()
		declareErrorMethod(f, p, t)
	case model.Alias, model.Any, model.Bool, model.Int, model.BigInt, model.Float, model.Number, model.String,
		model.Bytes, model.Date, model.DateTime, model.Null, model.File:
		doc(f, typeDoc(t))
		if p.failures.own[t.Name] {
			f.Type().Id(t.Name).Add(p.code(underlying(t)))
			f.Line()
			declareErrorMethod(f, p, t)
			return
		}
		f.Type().Id(t.Name).Op("=").Add(p.code(underlying(t)))
	default:
		panic(fmt.Sprintf("golang: type kind %v not handled", t.Kind))
	}
	f.Line()
}
