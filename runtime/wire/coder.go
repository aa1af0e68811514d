package wire

import "github.com/go-json-experiment/json/jsontext"

// An Encoder is what generated MarshalJSONTo methods write to.
type Encoder = jsontext.Encoder

// A Decoder is what generated UnmarshalJSONFrom methods read from.
type Decoder = jsontext.Decoder
