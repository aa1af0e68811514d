package wire

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	rt "github.com/resgen-dev/resgen/runtime"
)

// plant is a union with a discriminator: fern and moss share no tag, tree has
// two, and grows holds plants itself.
type plant struct {
	Fern *fern
	Moss *moss
	Tree *treePlant
	Raw  rt.Value
}

type fern struct {
	Kind   kindFern `json:"kind"`
	Fronds int64    `json:"fronds"`
}

type moss struct {
	Kind  string   `json:"kind"`
	Wet   *bool    `json:"wet,omitzero"`
	Depth *float64 `json:"depth,omitzero"`
}

type treePlant struct {
	Kind  string           `json:"kind"`
	Grows []plant          `json:"grows,omitzero"`
	Extra map[string]int64 `json:",inline,embed"`
}

type plainTree treePlant

func (c treePlant) MarshalJSONTo(e *jsontext.Encoder) error      { return Encode(e, (*plainTree)(&c)) }
func (c *treePlant) UnmarshalJSONFrom(d *jsontext.Decoder) error { return Decode(d, (*plainTree)(c)) }
func (c treePlant) MarshalJSON() ([]byte, error)                 { return Marshal((*plainTree)(&c)) }
func (c *treePlant) UnmarshalJSON(b []byte) error                { return Unmarshal(b, (*plainTree)(c)) }

var unionPlant = Union{
	Property: "kind",
	Variants: []Variant{
		{Field: "Fern", Tags: []string{"fern"}},
		{Field: "Moss", Tags: []string{"moss"}},
		{Field: "Tree", Tags: []string{"oak", "elm"}},
	},
}

func (u plant) MarshalJSONTo(e *jsontext.Encoder) error      { return unionPlant.Encode(e, &u) }
func (u *plant) UnmarshalJSONFrom(d *jsontext.Decoder) error { return unionPlant.Decode(d, u) }
func (u plant) MarshalJSON() ([]byte, error)                 { return unionPlant.Marshal(&u) }
func (u *plant) UnmarshalJSON(b []byte) error                { return unionPlant.Unmarshal(b, u) }

func (u plant) chosen() string {
	return chosenOf(map[string]bool{"Fern": u.Fern != nil, "Moss": u.Moss != nil, "Tree": u.Tree != nil}, u.Raw)
}

func chosenOf(set map[string]bool, raw rt.Value) string {
	var names []string
	for _, name := range []string{"Fern", "Moss", "Tree", "Flag", "Word", "Amount", "Text", "Texts", "Beds", "Bed", "Climate", "Size", "Day", "Any"} {
		if set[name] {
			names = append(names, name)
		}
	}
	if len(raw) > 0 {
		names = append(names, "Raw")
	}
	return strings.Join(names, "+")
}

// mixed is a union without a discriminator.
type mixed struct {
	Flag    *bool
	Amount  *int64
	Size    *float64
	Word    *hue
	Day     *rt.Date
	Texts   *[]string
	Beds    *[]bed
	Bed     *bed
	Climate *climate
	Raw     rt.Value
}

var unionMixed = Union{
	Variants: []Variant{
		{Field: "Flag"},
		{Field: "Amount"},
		{Field: "Size"},
		{Field: "Word", Values: []string{`"red"`, `"green"`}},
		{Field: "Day"},
		{Field: "Texts"},
		{Field: "Beds"},
		{Field: "Bed", Members: []Member{{Name: "soil", Values: []string{`"clay"`, `"sand"`}}}},
		{Field: "Climate"},
	},
}

func (u mixed) MarshalJSONTo(e *jsontext.Encoder) error      { return unionMixed.Encode(e, &u) }
func (u *mixed) UnmarshalJSONFrom(d *jsontext.Decoder) error { return unionMixed.Decode(d, u) }
func (u mixed) MarshalJSON() ([]byte, error)                 { return unionMixed.Marshal(&u) }
func (u *mixed) UnmarshalJSON(b []byte) error                { return unionMixed.Unmarshal(b, u) }

func (u mixed) chosen() string {
	return chosenOf(map[string]bool{
		"Flag": u.Flag != nil, "Amount": u.Amount != nil, "Size": u.Size != nil, "Word": u.Word != nil, "Day": u.Day != nil,
		"Texts": u.Texts != nil, "Beds": u.Beds != nil, "Bed": u.Bed != nil, "Climate": u.Climate != nil,
	}, u.Raw)
}

// A chooser is a union of the tests.
type chooser interface{ chosen() string }

// codecs are the ways in which values are read and written: the JSON library
// of clients and the one that people log and cache with.
var codecs = map[string]struct {
	marshal   func(any) ([]byte, error)
	unmarshal func([]byte, any) error
}{
	"v2": {
		func(v any) ([]byte, error) { return json.Marshal(v, encodeOptions) },
		func(b []byte, v any) error { return json.Unmarshal(b, v, decodeOptions) },
	},
	"v1": {stdjson.Marshal, stdjson.Unmarshal},
}

func TestUnionsChooseAndKeep(t *testing.T) {
	plants := func() chooser { return new(plant) }
	mixes := func() chooser { return new(mixed) }
	tests := []struct {
		name string
		into func() chooser
		text string
		want string
	}{
		{"tag of a constant", plants, `{"kind":"fern","fronds":3}`, "Fern"},
		{"tag of a text", plants, `{"kind":"moss","wet":false}`, "Moss"},
		{"first of two tags", plants, `{"kind":"oak"}`, "Tree"},
		{"second of two tags, further members", plants, `{"kind":"elm","rings":9007199254740993}`, "Tree"},
		{"unions within", plants, `{"kind":"oak","grows":[{"kind":"moss"},{"kind":"fern","fronds":1},{"kind":"cactus","spines":8}]}`, "Tree"},
		{"unknown tag", plants, `{"kind":"cactus","spines":12345678901234567890}`, "Raw"},
		{"a tag wins over a better fit", plants, `{"kind":"moss","fronds":3}`, "Moss+Raw"},
		{"a member that was added since", plants, `{"kind":"fern","fronds":1,"age":[1,2]}`, "Fern+Raw"},
		{"a required member that is missing", plants, `{"kind":"fern"}`, "Fern+Raw"},
		{"digits that a float drops", plants, `{"kind":"moss","depth":0.12345678901234567890}`, "Moss+Raw"},
		{"a decimal spelt otherwise", plants, `{"kind":"moss","depth":1.50}`, "Moss"},
		{"null for an optional member", plants, `{"kind":"moss","wet":null}`, "Moss+Raw"},
		{"a member of another kind", plants, `{"kind":"fern","fronds":"many"}`, "Raw"},
		{"further members of another type", plants, `{"kind":"oak","rings":"many"}`, "Raw"},
		{"no tag", plants, `{"wet":true}`, "Raw"},
		{"null tag", plants, `{"kind":null,"wet":true}`, "Raw"},
		{"no object", plants, `[1]`, "Raw"},

		{"boolean", mixes, `true`, "Flag"},
		{"integer before number", mixes, `9223372036854775807`, "Amount"},
		{"number", mixes, `1.5`, "Size"},
		{"integer out of range", mixes, `9223372036854775808`, "Size+Raw"},
		{"text of the enum", mixes, `"red"`, "Word"},
		{"a day", mixes, `"2031-04-05"`, "Day"},
		{"text of no enum", mixes, `"2031-04"`, "Raw"},
		{"list of texts", mixes, `["a"]`, "Texts"},
		{"list of objects", mixes, `[{"row":1}]`, "Beds"},
		{"empty list", mixes, `[]`, "Texts"},
		{"list of neither", mixes, `[["a"]]`, "Raw"},
		{"object with the required member", mixes, `{"row":1}`, "Bed"},
		{"object told by an enum of a member", mixes, `{"row":1,"soil":"clay"}`, "Bed"},
		{"object without members", mixes, `{}`, "Climate"},
		{"object with fewest unknown members", mixes, `{"row":1,"warm":true,"low":2,"tags":["x"]}`, "Climate+Raw"},
		{"three states within", mixes, `{"high":null,"warm":false}`, "Climate"},
		{"maps within", mixes, `{"beds":{"n":{"row":1}},"tags":[]}`, "Climate"},
		{"null in a list of texts", mixes, `[null]`, "Texts+Raw"},
	}
	for name, codec := range codecs {
		for _, tt := range tests {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				u := tt.into()
				if err := codec.unmarshal([]byte(tt.text), u); err != nil {
					t.Fatalf("decode: %v", err)
				}
				if got := u.chosen(); got != tt.want {
					t.Errorf("chosen = %s, want %s", got, tt.want)
				}
				again, err := codec.marshal(u)
				if err != nil {
					t.Fatalf("encode: %v", err)
				}
				if !sameJSON(again, []byte(tt.text)) {
					t.Errorf("encoded again = %s, want %s", again, tt.text)
				}
			})
		}
	}
}

func TestUnionOfOneObjectIsLenient(t *testing.T) {
	type one struct {
		Bed  *bed
		Text *string
		Raw  rt.Value
	}
	u := Union{Variants: []Variant{
		{Field: "Bed"},
		{Field: "Text"},
	}}
	var v one
	if err := u.Unmarshal([]byte(`{"soil":"clay"}`), &v); err != nil || v.Bed == nil || *v.Bed.Soil != "clay" {
		t.Errorf("decoded = %+v, %v; want the only variant that is an object", v, err)
	}
	b, err := u.Marshal(&v)
	if err != nil || string(b) != `{"soil":"clay"}` {
		t.Errorf("encoded again = %s, %v; want it as it came", b, err)
	}
}

// outer has a union among its variants, before a text that the union does not
// take.
type outer struct {
	Plant *plant
	Text  *string
	Beds  *[]bed
	Raw   rt.Value
}

var unionOuter = Union{Variants: []Variant{
	{Field: "Plant", Union: &unionPlant},
	{Field: "Text"},
	{Field: "Beds"},
}}

func TestUnionsWithinUnions(t *testing.T) {
	tests := []struct {
		text  string
		check func(outer) bool
	}{
		{`"a word"`, func(u outer) bool { return u.Text != nil }},
		{`[{"row":1}]`, func(u outer) bool { return u.Beds != nil }},
		{`{"kind":"moss"}`, func(u outer) bool { return u.Plant != nil && u.Plant.Moss != nil }},
		{`{"kind":"cactus"}`, func(u outer) bool { return u.Plant != nil && len(u.Plant.Raw) > 0 || len(u.Raw) > 0 }},
		{`7`, func(u outer) bool { return len(u.Raw) > 0 }},
	}
	for _, tt := range tests {
		var u outer
		if err := unionOuter.Unmarshal([]byte(tt.text), &u); err != nil || !tt.check(u) {
			t.Errorf("%s decodes as %+v, %v; want its own variant", tt.text, u, err)
		}
		if b, err := unionOuter.Marshal(&u); err != nil || !sameJSON(b, []byte(tt.text)) {
			t.Errorf("%s comes back as %s, %v", tt.text, b, err)
		}
	}
}

func TestUnionsThatWereChanged(t *testing.T) {
	var u plant
	if err := json.Unmarshal([]byte(`{"kind":"fern","fronds":1,"age":[1,2]}`), &u); err != nil {
		t.Fatal(err)
	}
	u.Fern.Fronds = 2
	b, err := json.Marshal(u)
	if err != nil || !sameJSON(b, []byte(`{"kind":"fern","fronds":2,"age":[1,2]}`)) {
		t.Errorf("encoded = %s, %v; want the change, and the member that no field holds", b, err)
	}
	u = plant{Moss: &moss{Kind: "moss"}}
	b, err = json.Marshal(u)
	if err != nil || string(b) != `{"kind":"moss"}` {
		t.Errorf("encoded = %s, %v; want the new variant", b, err)
	}
}

func TestUnionsMakeTheirTags(t *testing.T) {
	type bare struct {
		N int64 `json:"n"`
	}
	type box struct {
		Bare *bare
		Moss *moss
		Raw  rt.Value
	}
	u := Union{Property: "kind", Variants: []Variant{
		{Field: "Bare", Tags: []string{"bare"}},
		{Field: "Moss", Tags: []string{"moss"}},
	}}
	tests := []struct {
		v    box
		want string
	}{
		{box{Bare: &bare{N: 1}}, `{"kind":"bare","n":1}`},
		{box{Moss: &moss{}}, `{"kind":"moss"}`},
		{box{Moss: &moss{Kind: "moss", Wet: ptr(true)}}, `{"kind":"moss","wet":true}`},
	}
	for _, tt := range tests {
		if b, err := u.Marshal(&tt.v); err != nil || string(b) != tt.want {
			t.Errorf("encoded = %s, %v; want %s", b, err, tt.want)
		}
	}
	if tests[1].v.Moss.Kind != "" {
		t.Error("encoding changed the caller's value")
	}
	var again box
	if err := u.Unmarshal([]byte(tests[0].want), &again); err != nil || again.Bare == nil || again.Bare.N != 1 {
		t.Errorf("decoded again = %+v, %v; want the variant", again, err)
	}
}

func TestUnionMistakes(t *testing.T) {
	tests := []struct {
		v    any
		want string
	}{
		{plant{}, "plant holds nothing; set one of Fern, Moss, Tree"},
		{plant{Fern: &fern{}, Moss: &moss{}}, "plant holds both Fern and Moss; set one"},
		{plant{Moss: &moss{Kind: "lichen"}}, `plant.Moss: kind is not one of its values; want moss`},
		{plant{Tree: &treePlant{}}, "plant.Tree: kind is not set; want oak or elm"},
	}
	for _, tt := range tests {
		if _, err := json.Marshal(tt.v); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error = %v, want it to contain %q", err, tt.want)
		}
	}
	if err := json.Unmarshal([]byte(`{"kind":`), new(plant)); err == nil {
		t.Error("half a value decodes, want an error")
	}
	var deep plant
	text := strings.Repeat(`{"kind":"oak","grows":[`, 300) + strings.Repeat("]}", 300)
	if err := json.Unmarshal([]byte(text), &deep); err != nil || deep.chosen() != "Raw" {
		t.Errorf("chosen of a value 600 deep = %s, %v; want Raw", deep.chosen(), err)
	}
}

func TestConstants(t *testing.T) {
	type tagged struct {
		Kind kindFern  `json:"kind"`
		More *kindFern `json:"more,omitzero"`
	}
	for name, codec := range codecs {
		b, err := codec.marshal(tagged{})
		if err != nil || string(b) != `{"kind":"fern"}` {
			t.Errorf("%s: zero value encodes as %s, %v; want the constant", name, b, err)
		}
		var v tagged
		if err := codec.unmarshal([]byte(`{"kind":"fern","more":"fern"}`), &v); err != nil || v.More == nil {
			t.Errorf("%s: decoded %+v, %v; want both", name, v, err)
		}
		for _, bad := range []string{`{"kind":"Fern"}`, `{"kind":1}`, `{"kind":["fern"]}`} {
			if err := codec.unmarshal([]byte(bad), &v); err == nil || strings.Contains(err.Error(), "Fern\"") {
				t.Errorf("%s: %s gives %v; want an error that does not quote it", name, bad, err)
			}
		}
	}
	if err := UnmarshalConst([]byte("1.50"), "1.5"); err != nil {
		t.Errorf("a constant spelt otherwise gives %v, want none", err)
	}
	if err := UnmarshalConst([]byte(`{"b":[1],"a":2}`), `{"a":2,"b":[1]}`); err != nil {
		t.Errorf("an object in another order gives %v, want none", err)
	}
}

// payloads are decoded and encoded again by every codec of every JSON library
// that people use: what comes out says the same.
func TestPayloads(t *testing.T) {
	type all struct {
		Must     string                      `json:"must"`
		MustNull *string                     `json:"mustNull"`
		MayNull  rt.Nullable[string]         `json:"mayNull,omitzero"`
		May      *int64                      `json:"may,omitzero"`
		List     []int64                     `json:"list,omitzero"`
		Lists    [][]rt.Nullable[string]     `json:"lists,omitzero"`
		Map      map[string]rt.Nullable[bed] `json:"map,omitzero"`
		Big      rt.Number                   `json:"big,omitzero"`
		Free     rt.Value                    `json:"free,omitzero"`
		At       *time.Time                  `json:"at,omitzero"`
		Day      *rt.Date                    `json:"day,omitzero"`
		Blob     *[]byte                     `json:"blob,omitzero"`
		Kind     *kindFern                   `json:"kind,omitzero"`
		Plant    *plant                      `json:"plant,omitzero"`
		Plants   []plant                     `json:"plants,omitzero"`
		Open     *treePlant                  `json:"open,omitzero"`
		Either   rt.Nullable[numberOrName]   `json:"either,omitzero"`
		Odd      *string                     `json:"größe 3,omitzero"`
		Self     *all                        `json:"self,omitzero"`
	}
	payloads := []string{
		`{"must":"","mustNull":null}`,
		`{"must":"é\u0000\ud83d\ude00","mustNull":"x","mayNull":null}`,
		`{"must":"m","mustNull":null,"mayNull":"","may":0,"list":[],"lists":[[],[null,""]],"map":{"a":null,"b":{"row":1}}}`,
		`{"must":"m","mustNull":null,"may":-9223372036854775808,"list":[9007199254740993]}`,
		`{"must":"m","mustNull":null,"big":123456789012345678901234567890.10,"free":{"n":18446744073709551617,"m":[1.0,null]}}`,
		`{"must":"m","mustNull":null,"free":null}`,
		`{"must":"m","mustNull":null,"at":"2031-04-05T06:07:08.123456789+05:30","day":"2031-04-05","blob":"AP8="}`,
		`{"must":"m","mustNull":null,"kind":"fern","plant":{"kind":"fern","fronds":1,"new":true},"plants":[{"kind":"x"},{"kind":"moss"}]}`,
		`{"must":"m","mustNull":null,"open":{"kind":"oak","a":1,"b":2},"either":7}`,
		`{"must":"m","mustNull":null,"either":"7"}`,
		`{"must":"m","mustNull":null,"either":null,"größe 3":"x"}`,
		`{"must":"m","mustNull":null,"self":{"must":"n","mustNull":null,"self":{"must":"o","mustNull":""}}}`,
	}
	for readBy, reader := range codecs {
		for writtenBy, writer := range codecs {
			for i, payload := range payloads {
				t.Run(fmt.Sprintf("%s to %s/%d", readBy, writtenBy, i), func(t *testing.T) {
					var v all
					if err := reader.unmarshal([]byte(payload), &v); err != nil {
						t.Fatalf("decode: %v", err)
					}
					again, err := writer.marshal(v)
					if err != nil {
						t.Fatalf("encode: %v", err)
					}
					if !sameJSON(again, []byte(payload)) {
						t.Errorf("encoded again = %s, want %s", again, payload)
					}
				})
			}
		}
	}
	var v all
	if err := json.Unmarshal([]byte(`{"must":"m","may":9223372036854775808}`), &v); err == nil {
		t.Error("an integer out of range decodes, want an error")
	}
	var target *json.SemanticError
	if err := json.Unmarshal([]byte(`{"must":1}`), &v); !errors.As(err, &target) {
		t.Errorf("a number for a text gives %v, want a semantic error", err)
	}
}

func TestSameJSON(t *testing.T) {
	same := [][2]string{
		{`{"a":1,"b":[2]}`, ` { "b" : [ 2.0 ] , "a" : 1e0 }`},
		{`1.50`, `1.5`}, {`100`, `1e2`}, {`0`, `-0.0e5`}, {`1E-2`, `0.01`}, {`"\u00e9"`, `"é"`}, {`{"a":1,"a":2}`, `{"a":2}`},
	}
	for _, p := range same {
		if !sameJSON([]byte(p[0]), []byte(p[1])) {
			t.Errorf("%s and %s differ, want the same", p[0], p[1])
		}
	}
	differ := [][2]string{
		{`9007199254740992`, `9007199254740993`}, {`1`, `"1"`}, {`null`, `{}`}, {`{"a":null}`, `{}`}, {`[1,2]`, `[2,1]`}, {`[1]`, `[1,1]`},
		{`-1`, `1`}, {`1e400`, `1e401`}, {`true`, `false`}, {`{"a":1}`, `{"b":1}`}, {`"a"`, `"b"`}, {`1e99999999999`, `1e99999999998`}, {`{`, `{`},
	}
	for _, p := range differ {
		if sameJSON([]byte(p[0]), []byte(p[1])) {
			t.Errorf("%s and %s are the same, want them to differ", p[0], p[1])
		}
	}
}
