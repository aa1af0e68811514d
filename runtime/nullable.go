package runtime

import (
	stdjson "encoding/json"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Nullable is an optional value that may also be null: absent, null or a T.
// The zero Nullable is absent. Fields of this type are tagged omitzero.
type Nullable[T any] struct {
	value T
	state nullState
}

type nullState uint8

const (
	absent nullState = iota
	null
	present
)

// Some returns a Nullable that holds v.
func Some[T any](v T) Nullable[T] { return Nullable[T]{value: v, state: present} }

// Null returns a Nullable that is null.
func Null[T any]() Nullable[T] { return Nullable[T]{state: null} }

// Get returns the value, and false where it is absent or null.
func (n Nullable[T]) Get() (T, bool) { return n.value, n.state == present }

// IsNull reports whether n is null.
func (n Nullable[T]) IsNull() bool { return n.state == null }

// IsZero reports whether n is absent; omitzero asks it.
func (n Nullable[T]) IsZero() bool { return n.state == absent }

// MarshalJSONTo writes the value, or null.
func (n Nullable[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	if n.state != present {
		return enc.WriteToken(jsontext.Null)
	}
	return json.MarshalEncode(enc, &n.value, enc.Options())
}

// UnmarshalJSONFrom reads a value or null.
func (n *Nullable[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*n = Nullable[T]{}
	if dec.PeekKind() == 'n' {
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
		n.state = null
		return nil
	}
	if err := json.UnmarshalDecode(dec, &n.value, dec.Options()); err != nil {
		return err
	}
	n.state = present
	return nil
}

// MarshalJSON is for encoding/json.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if n.state != present {
		return []byte("null"), nil
	}
	return stdjson.Marshal(n.value)
}

// UnmarshalJSON is for encoding/json.
func (n *Nullable[T]) UnmarshalJSON(b []byte) error {
	*n = Nullable[T]{}
	if string(b) == "null" {
		n.state = null
		return nil
	}
	if err := stdjson.Unmarshal(b, &n.value); err != nil {
		return err
	}
	n.state = present
	return nil
}
