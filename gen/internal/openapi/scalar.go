package openapi

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// jsonTypes are the types of JSON but null.
var jsonTypes = []string{"string", "number", "integer", "boolean", "array", "object"}

// standIns are what people write for the names of JSON types.
var standIns = map[string]string{
	"int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "short": "integer",
	"float": "number", "double": "number", "decimal": "number",
	"bool": "boolean",
	"str":  "string", "text": "string", "date": "string", "datetime": "string", "date-time": "string", "uuid": "string",
	"char": "string", "email": "string", "url": "string", "uri": "string", "timestamp": "string", "time": "string",
	"list": "array", "dict": "object", "map": "object", "hash": "object", "json": "object",
	"file": "string",
}

// knownTypes is the type keyword with stand-ins replaced. A name that nobody
// knows leaves the type open.
func (l *lowerer) knownTypes(s *openapi3.Schema, node document.Node) (known []string, null bool) {
	types, null := typeList(s)
	for _, t := range types {
		if slices.Contains(jsonTypes, t) {
			known = append(known, t)
			continue
		}
		lower := strings.ToLower(t)
		stand := standIns[lower]
		if slices.Contains(jsonTypes, lower) {
			stand = lower // String, OBJECT
		}
		if stand == "" {
			d := l.diags.Warnf(node.Get("type").Pos(), "unknown-type", "type is %q, which is no JSON type; it becomes any value", t)
			d.WithHint("write string, number, integer, boolean, array or object")
			return nil, false
		}
		l.diags.Warnf(node.Get("type").Pos(), "unknown-type", "type is %q; read as %q", t, stand).WithHint("write %s", stand)
		if strings.EqualFold(t, "file") && s.Format == "" {
			s.Format = "binary"
		}
		known = append(known, stand)
	}
	return known, null
}

// scalarKind is the kind of a string, number, integer or boolean by its format.
func scalarKind(name string, sh *shape) model.Kind {
	format := strings.ToLower(sh.format)
	switch name {
	case "boolean":
		return model.Bool
	case "integer":
		if format == "uint64" || format == "bigint" || format == "biginteger" || tooLarge(sh.limits.Maximum) || tooLarge(sh.limits.Minimum) && sh.limits.Minimum != "" {
			return model.BigInt
		}
		return model.Int
	case "number":
		if sh.exact {
			return model.Number
		}
		switch format {
		case "decimal", "bigdecimal", "big-decimal", "decimal128", "int64", "int32", "integer", "long":
			return model.Number // digits that a float64 would lose
		}
		return model.Float
	case "string":
		return stringKind(format, sh)
	}
	panic("openapi: scalar type " + name + " not handled")
}

func stringKind(format string, sh *shape) model.Kind {
	switch format {
	case "date":
		return model.Date
	case "date-time", "datetime":
		return model.DateTime
	case "byte", "base64":
		return model.Bytes
	case "binary":
		return model.File
	}
	switch {
	case strings.EqualFold(sh.encoding, "base64"):
		return model.Bytes
	case strings.EqualFold(sh.encoding, "binary"),
		sh.encoding == "" && sh.media != "" && encodingOf(sh.media) == model.Binary:
		return model.File
	}
	return model.String
}

// tooLarge reports whether a bound lies outside int64, and by more than the
// rounding of 1<<63 to a float that tools write for "no bound".
func tooLarge(bound string) bool {
	f, ok := new(big.Rat).SetString(bound)
	if !ok {
		return false
	}
	limit := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 63))
	return f.Cmp(limit) > 0 || f.Cmp(new(big.Rat).Neg(limit)) < 0
}

// limitsOf reads the bounds from the node, as written.
func (l *lowerer) limitsOf(s *openapi3.Schema, node document.Node) model.Limits {
	lim := model.Limits{
		Minimum: numberText(node.Get("minimum")), Maximum: numberText(node.Get("maximum")),
		MultipleOf: numberText(node.Get("multipleOf")),
		MinLength:  intOf(node.Get("minLength")), MaxLength: intOf(node.Get("maxLength")),
		MinItems: intOf(node.Get("minItems")), MaxItems: intOf(node.Get("maxItems")),
		Unique: s.UniqueItems,
	}
	switch n := node.Get("exclusiveMinimum"); n.Kind() {
	case document.Bool:
		lim.ExclusiveMinimum = n.Text() == "true"
	case document.Number:
		lim.Minimum, lim.ExclusiveMinimum = numberText(n), true
	}
	switch n := node.Get("exclusiveMaximum"); n.Kind() {
	case document.Bool:
		lim.ExclusiveMaximum = n.Text() == "true"
	case document.Number:
		lim.Maximum, lim.ExclusiveMaximum = numberText(n), true
	}
	if s.Pattern != "" {
		if _, err := regexp.Compile(s.Pattern); err == nil {
			lim.Pattern = s.Pattern
		}
	}
	return lim
}

func numberText(n document.Node) string {
	if n.Kind() != document.Number {
		return ""
	}
	return jsonNumber(n.Text())
}

func intOf(n document.Node) *int {
	if n.Kind() != document.Number {
		return nil
	}
	i, err := strconv.Atoi(strings.TrimSuffix(n.Text(), ".0"))
	if err != nil || i < 0 {
		return nil // beyond any length that a value has
	}
	return &i
}
