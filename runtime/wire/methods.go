package wire

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The four functions below are not inlined: packages call each of them a
// thousand times, and are to compile quickly.

// Encode, [Decode], [Marshal] and [Unmarshal] are the JSON methods of a struct
// with additional properties (a field Extra map[string]T tagged
// `json:",inline,embed"`), which encoding/json would not know how to write.
// They are given the value as a type of the same fields without methods:
//
//	type plainCrate Crate
//
//	func (c Crate) MarshalJSONTo(e *jsontext.Encoder) error      { return wire.Encode(e, (*plainCrate)(&c)) }
//	func (c *Crate) UnmarshalJSONFrom(d *jsontext.Decoder) error { return wire.Decode(d, (*plainCrate)(c)) }
//	func (c Crate) MarshalJSON() ([]byte, error)                 { return wire.Marshal((*plainCrate)(&c)) }
//	func (c *Crate) UnmarshalJSON(b []byte) error                { return wire.Unmarshal(b, (*plainCrate)(c)) }
//
//go:noinline
func Encode(e *jsontext.Encoder, v any) error { return json.MarshalEncode(e, v, e.Options()) }

// Decode reads a value. See [Encode].
//
//go:noinline
func Decode(d *jsontext.Decoder, v any) error { return json.UnmarshalDecode(d, v, d.Options()) }

// Marshal is [Encode] for encoding/json.
//
//go:noinline
func Marshal(v any) ([]byte, error) { return json.Marshal(v, encodeOptions) }

// Unmarshal is [Decode] for encoding/json.
//
//go:noinline
func Unmarshal(b []byte, v any) error { return json.Unmarshal(b, v, decodeOptions) }

// EncodeConst, [DecodeConst] and [UnmarshalConst] are the JSON methods of a
// type that has only one value, given as JSON text:
//
//	type KindHorn struct{}
//
//	func (KindHorn) MarshalJSONTo(e *jsontext.Encoder) error       { return wire.EncodeConst(e, `"horn"`) }
//	func (*KindHorn) UnmarshalJSONFrom(d *jsontext.Decoder) error  { return wire.DecodeConst(d, `"horn"`) }
//	func (KindHorn) MarshalJSON() ([]byte, error)                  { return []byte(`"horn"`), nil }
//	func (*KindHorn) UnmarshalJSON(b []byte) error                 { return wire.UnmarshalConst(b, `"horn"`) }
func EncodeConst(e *jsontext.Encoder, text string) error {
	return e.WriteValue(jsontext.Value(text))
}

// DecodeConst reads the constant and refuses any other value. See [EncodeConst].
func DecodeConst(d *jsontext.Decoder, text string) error {
	got, err := d.ReadValue()
	if err != nil {
		return err
	}
	return UnmarshalConst(got, text)
}

// UnmarshalConst is [DecodeConst] for encoding/json.
func UnmarshalConst(b []byte, text string) error {
	if bytes.Equal(b, []byte(text)) || sameJSON(b, []byte(text)) {
		return nil
	}
	return fmt.Errorf("got %s; want the constant %s", kindName(jsontext.Value(b).Kind()), text)
}
