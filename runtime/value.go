package runtime

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Value is any JSON value as it was written, every digit kept. The nil Value
// is absent and encodes as null.
type Value []byte

// ValueOf encodes v.
func ValueOf[T any](v T) (Value, error) {
	b, err := json.Marshal(v, json.Deterministic(true))
	return Value(b), err
}

// DecodeValue decodes v into a T.
func DecodeValue[T any](v Value) (T, error) {
	var out T
	err := json.Unmarshal(v, &out, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return out, err
}

// String returns the JSON text.
func (v Value) String() string {
	if len(v) == 0 {
		return "null"
	}
	return string(v)
}

// IsZero reports whether v is absent; omitzero asks it.
func (v Value) IsZero() bool { return len(v) == 0 }

// MarshalJSONTo writes the value as it is.
func (v Value) MarshalJSONTo(enc *jsontext.Encoder) error {
	if len(v) == 0 {
		return enc.WriteToken(jsontext.Null)
	}
	return enc.WriteValue(jsontext.Value(v))
}

// UnmarshalJSONFrom keeps the value as it is.
func (v *Value) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	*v = Value(bytes.Clone(raw))
	return nil
}

// MarshalJSON is for encoding/json.
func (v Value) MarshalJSON() ([]byte, error) {
	if len(v) == 0 {
		return []byte("null"), nil
	}
	return v, nil
}

// UnmarshalJSON is for encoding/json.
func (v *Value) UnmarshalJSON(b []byte) error {
	*v = Value(bytes.Clone(b))
	return nil
}

// A Number is a JSON number as it was written: no digit passes through a
// float. The empty Number encodes as 0.
type Number string

// MarshalJSONTo writes the number as it is.
func (n Number) MarshalJSONTo(enc *jsontext.Encoder) error {
	b, err := n.MarshalJSON()
	if err != nil {
		return err
	}
	return enc.WriteValue(b)
}

// UnmarshalJSONFrom keeps the number as it is.
func (n *Number) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	return n.UnmarshalJSON(raw)
}

// MarshalJSON is for encoding/json.
func (n Number) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("0"), nil
	}
	if v := jsontext.Value(n); v.Kind() != '0' || !v.IsValid() {
		return nil, fmt.Errorf("number is %q; want a JSON number", string(n))
	}
	return []byte(n), nil
}

// UnmarshalJSON is for encoding/json.
func (n *Number) UnmarshalJSON(b []byte) error {
	switch jsontext.Value(b).Kind() {
	case '0':
		*n = Number(b)
		return nil
	case 'n':
		return nil // as encoding/json: null changes nothing
	default:
		return fmt.Errorf("got %.40s; want a number", b)
	}
}
