package wire

import (
	"github.com/go-json-experiment/json/jsontext"
	rt "github.com/resgen-dev/resgen/runtime"
)

// Types as the generator writes them.

type hue string

type bed struct {
	Row  int64   `json:"row"`
	Soil *string `json:"soil,omitzero"`
}

type climate struct {
	Warm *bool              `json:"warm,omitzero"`
	Low  *float64           `json:"low,omitzero"`
	High rt.Nullable[int64] `json:"high,omitzero"`
	Tags []string           `json:"tags,omitzero"`
	Beds map[string]bed     `json:"beds,omitzero"`
}

// numberOrName is a oneOf of an integer and a string.
type numberOrName struct {
	Number *int64
	Name   *string
	Raw    rt.Value
}

var unionNumberOrName = Union{
	Variants: []Variant{
		{Field: "Number"},
		{Field: "Name"},
	},
}

func (u numberOrName) MarshalJSONTo(e *jsontext.Encoder) error {
	return unionNumberOrName.Encode(e, &u)
}
func (u *numberOrName) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return unionNumberOrName.Decode(d, u)
}
func (u numberOrName) MarshalJSON() ([]byte, error)  { return unionNumberOrName.Marshal(&u) }
func (u *numberOrName) UnmarshalJSON(b []byte) error { return unionNumberOrName.Unmarshal(b, u) }

// kindFern is a constant.
type kindFern struct{}

func (kindFern) MarshalJSONTo(e *jsontext.Encoder) error      { return EncodeConst(e, `"fern"`) }
func (*kindFern) UnmarshalJSONFrom(d *jsontext.Decoder) error { return DecodeConst(d, `"fern"`) }
func (kindFern) MarshalJSON() ([]byte, error)                 { return []byte(`"fern"`), nil }
func (*kindFern) UnmarshalJSON(b []byte) error                { return UnmarshalConst(b, `"fern"`) }

func ptr[T any](v T) *T { return &v }
