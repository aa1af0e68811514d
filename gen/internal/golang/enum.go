package golang

import (
	"encoding/json"
	"fmt"
	"go/constant"
	"go/token"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// declareEnum writes an open set of named values: a type of its base and a
// constant a value. Values of more than one kind have no constants in Go; they
// are a JSON value whose documentation lists them.
func declareEnum(f *jen.File, p *pkg, t *model.Type) {
	base := resolve(t.Elem)
	if holdsNull(t) {
		doc(f, typeDoc(t)+"\n\nIt is one of "+enumList(t)+".")
		f.Type().Id(t.Name).Op("=").Add(p.code(underlying(t)))
		return
	}
	doc(f, typeDoc(t))
	f.Type().Id(t.Name).Add(p.code(underlying(t)))
	var consts []jen.Code
	for _, v := range t.Enum {
		if lit, ok := constantOf(base, v.Value.JSON); ok {
			consts = append(consts, docs(v.Description)...)
			consts = append(consts, jen.Id(v.Name).Id(t.Name).Op("=").Add(lit))
		}
	}
	f.Line()
	declareErrorMethod(f, p, t)
	if len(consts) == 0 {
		return
	}
	doc(f, fmt.Sprintf("The values of [%s] that the specification names.", t.Name))
	f.Const().Defs(consts...)
}

// constantOf is a JSON scalar as a Go constant of a base type; ok is false where
// the base cannot hold it.
func constantOf(base *model.Type, text string) (code *jen.Statement, ok bool) {
	switch base.Kind {
	case model.String:
		var s string
		if json.Unmarshal([]byte(text), &s) != nil {
			return nil, false
		}
		return jen.Lit(s), true
	case model.Bool:
		return jen.Op(text), text == "true" || text == "false"
	case model.Int, model.Float:
		return jen.Op(text), fits(base, text)
	case model.BigInt, model.Number:
		return jen.Lit(text), isNumber(text)
	default:
		return nil, false
	}
}

// fits reports whether a JSON number is a constant of an Int or Float type.
func fits(base *model.Type, text string) bool {
	if !isNumber(text) {
		return false
	}
	v := constant.MakeFromLiteral(strings.TrimPrefix(text, "-"), token.FLOAT, 0)
	if base.Kind == model.Float {
		f, _ := constant.Float64Val(v)
		return v.Kind() != constant.Unknown && f < 1e308
	}
	v = constant.ToInt(v)
	n, exact := constant.Int64Val(v)
	return v.Kind() == constant.Int && exact && (base.Format != "int32" || n < 1<<31)
}

func isNumber(text string) bool {
	var n json.Number
	return text != "" && text[0] != '"' && json.Unmarshal([]byte(text), &n) == nil && text != "null"
}

// enumList lists an enum's values as they stand in JSON.
func enumList(t *model.Type) string {
	texts := make([]string, len(t.Enum))
	for i, v := range t.Enum {
		texts[i] = oneLine(v.Value.JSON)
	}
	return strings.Join(texts, ", ")
}
