package wire

import (
	"bytes"
	"encoding"
	stdjson "encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	rt "github.com/resgen-dev/resgen/runtime"
)

// An operand is an argument taken apart far enough to be written: a scalar,
// or the tree of a list or an object. The zero operand is unset.
type operand struct {
	kind operandKind
	text string // textOperand
	bits uint64 // intOperand, uintOperand, boolOperand, and the bits of floats
	tree *tree  // treeOperand
	err  error  // badOperand
}

type operandKind uint8

const (
	unset operandKind = iota
	textOperand
	intOperand
	uintOperand
	boolOperand
	float64Operand
	float32Operand
	treeOperand // a list or an object
	badOperand
)

// operandOf takes v apart. Scalars cost nothing; everything else goes through
// its own JSON, so that a parameter is spelt as a body would be.
func operandOf[T any](v T) operand {
	if o, ok := scalar(any(v)); ok {
		return o
	}
	return structured(any(v))
}

// scalar handles plain scalars, pointers to them, and nil. It keeps nothing of
// v but text, so that v need not move to the heap.
func scalar(v any) (operand, bool) {
	switch x := v.(type) {
	case nil:
		return operand{}, true
	case string:
		return operand{kind: textOperand, text: x}, true
	case int64:
		return operand{kind: intOperand, bits: uint64(x)}, true
	case bool:
		return boolean(x), true
	case *string:
		if x == nil {
			return operand{}, true
		}
		return operand{kind: textOperand, text: *x}, true
	case *int64:
		if x == nil {
			return operand{}, true
		}
		return operand{kind: intOperand, bits: uint64(*x)}, true
	case *bool:
		if x == nil {
			return operand{}, true
		}
		return boolean(*x), true
	}
	return reflectedScalar(v)
}

// reflectedScalar handles the other scalars, named ones among them.
func reflectedScalar(v any) (operand, bool) {
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		if rv.IsNil() {
			return operand{}, true
		}
	}
	if speaksForItself(v) {
		return operand{}, false
	}
	for rv.Kind() == reflect.Pointer {
		if rv.IsNil() {
			return operand{}, true
		}
		rv = rv.Elem()
	}
	switch rv.Kind() {
	case reflect.String:
		return operand{kind: textOperand, text: rv.String()}, true
	case reflect.Bool:
		return boolean(rv.Bool()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return operand{kind: intOperand, bits: uint64(rv.Int())}, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return operand{kind: uintOperand, bits: rv.Uint()}, true
	case reflect.Float64:
		return operand{kind: float64Operand, bits: math.Float64bits(rv.Float())}, true
	case reflect.Float32:
		return operand{kind: float32Operand, bits: math.Float64bits(rv.Float())}, true
	}
	return operand{}, false
}

func boolean(b bool) operand {
	if b {
		return operand{kind: boolOperand, bits: 1}
	}
	return operand{kind: boolOperand}
}

// speaksForItself reports whether v has a JSON or text form of its own.
func speaksForItself(v any) bool {
	switch v.(type) {
	case json.MarshalerTo, stdjson.Marshaler, encoding.TextMarshaler:
		return true
	}
	return false
}

// encodeOptions make equal values equal bytes, so that a call that is resumed
// sends what it sent before.
var encodeOptions = json.JoinOptions(json.Deterministic(true))

// structured takes v's JSON apart.
func structured(v any) operand {
	raw, err := json.Marshal(v, encodeOptions)
	if err != nil {
		return operand{kind: badOperand, err: notEncoded(err, v)}
	}
	t, err := parseTree(raw)
	if err != nil {
		return operand{kind: badOperand, err: err}
	}
	switch t.kind {
	case 'n':
		return operand{}
	case '[', '{':
		return operand{kind: treeOperand, tree: &t}
	default:
		return operand{kind: textOperand, text: t.text}
	}
}

// jsonOperand is v's JSON as text: a parameter with JSON content.
func jsonOperand(v any) operand {
	if !isSet(v) {
		return operand{}
	}
	raw, err := json.Marshal(v, encodeOptions)
	if err != nil {
		return operand{kind: badOperand, err: notEncoded(err, v)}
	}
	return operand{kind: textOperand, text: string(raw)}
}

// isSet is [IsSet] without its type parameter.
func isSet(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case rt.Value:
		return !x.IsZero()
	case rt.File:
		return !x.Content.IsZero()
	case interface{ IsNull() bool }: // an rt.Nullable of some type
		return x.IsNull() || !x.(interface{ IsZero() bool }).IsZero()
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return !rv.IsNil()
	default:
		return true
	}
}

// appendText appends a scalar's text as it is.
func (o operand) appendText(dst []byte) []byte {
	switch o.kind {
	case textOperand:
		return append(dst, o.text...)
	case intOperand:
		return strconv.AppendInt(dst, int64(o.bits), 10)
	case uintOperand:
		return strconv.AppendUint(dst, o.bits, 10)
	case boolOperand:
		return strconv.AppendBool(dst, o.bits == 1)
	case float64Operand:
		return appendFloat(dst, math.Float64frombits(o.bits), 64)
	case float32Operand:
		return appendFloat(dst, math.Float64frombits(o.bits), 32)
	default:
		panic(fmt.Sprintf("wire: operand kind %d has no text", o.kind))
	}
}

// appendEscaped appends a scalar's text, escaped. Only text can need it.
func (o operand) appendEscaped(dst []byte, e escaping) []byte {
	if o.kind == textOperand {
		return e.appendTo(dst, o.text)
	}
	return o.appendText(dst)
}

// check refuses scalars that have no text, and text that is not UTF-8.
func (o operand) check() error {
	switch o.kind {
	case badOperand:
		return o.err
	case textOperand:
		return checkText(o.text)
	case float64Operand, float32Operand:
		if f := math.Float64frombits(o.bits); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("value is %v; want a finite number", f)
		}
	}
	return nil
}

// appendFloat writes a float in its shortest form, as JSON would, but without
// the plus sign of an exponent, which reads as a space in queries.
func appendFloat(dst []byte, f float64, bits int) []byte {
	abs := math.Abs(f)
	if abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, bits)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, bits)
	e := bytes.LastIndexByte(dst, 'e') + 1 // of 2.5e+21 or 1e-07
	digits := e
	if dst[e] == '-' {
		e++
	}
	for digits++; dst[digits] == '0'; digits++ {
	}
	return append(dst[:e], dst[digits:]...)
}

// A tree is a JSON value of which strings and numbers are plain text.
type tree struct {
	kind  jsontext.Kind // 'n', 't', 'f', '"', '0', '[' or '{'
	text  string        // of scalars
	items []tree        // of a list, or the values of an object
	names []string      // of an object
}

// parseTree reads JSON that was just written.
func parseTree(raw []byte) (tree, error) {
	return readTree(jsontext.NewDecoder(bytes.NewReader(raw)))
}

func readTree(d *jsontext.Decoder) (tree, error) {
	tok, err := d.ReadToken()
	if err != nil {
		return tree{}, err
	}
	t := tree{kind: tok.Kind()}
	switch t.kind {
	case '"', 't', 'f':
		t.text = tok.String()
		return t, nil
	case '0':
		t.text = withoutPlus(tok.String())
		return t, nil
	case 'n':
		return t, nil
	}
	for d.PeekKind() != ']' && d.PeekKind() != '}' {
		if t.kind == '{' {
			name, err := d.ReadToken()
			if err != nil {
				return tree{}, err
			}
			t.names = append(t.names, name.String())
		}
		item, err := readTree(d)
		if err != nil {
			return tree{}, err
		}
		t.items = append(t.items, item)
	}
	_, err = d.ReadToken()
	return t, err
}

// withoutPlus drops the sign of a positive exponent: 1e+21 is 1e21.
func withoutPlus(number string) string {
	for i := 1; i < len(number); i++ {
		if number[i] == '+' {
			return number[:i] + number[i+1:]
		}
	}
	return number
}

// scalar reports whether t is neither list, object nor null.
func (t tree) scalar() bool { return t.kind != '[' && t.kind != '{' && t.kind != 'n' }

// members calls yield with each member of an object that is not null: RFC 6570
// leaves undefined ones out.
func (t tree) members(yield func(name string, v tree) bool) {
	for i, name := range t.names {
		if t.items[i].kind != 'n' && !yield(name, t.items[i]) {
			return
		}
	}
}
