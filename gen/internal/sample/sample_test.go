package sample

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

func of(kind model.Kind) *model.Type { return &model.Type{Kind: kind} }

func ptr(n int) *int { return &n }

func field(wire string, t *model.Type, required bool) *model.Field {
	return &model.Field{Wire: wire, Name: wire, Type: t, Required: required}
}

func TestJSON(t *testing.T) {
	nullable := of(model.String)
	nullable.Nullable = true
	object := &model.Type{Kind: model.Struct, Name: "O", Fields: []*model.Field{field("a", of(model.Int), true), field("b", of(model.Bool), false)}}
	self := &model.Type{Kind: model.Struct, Name: "Self"}
	self.Fields = []*model.Field{field("next", self, false)}
	endless := &model.Type{Kind: model.Struct, Name: "Endless"}
	endless.Fields = []*model.Field{field("next", endless, true)}
	circle := &model.Type{Kind: model.Union, Name: "Circle"}
	circle.Variants = []*model.Variant{{Name: "Sum", Type: &model.Type{Kind: model.Struct, Name: "Sum", Fields: []*model.Field{field("left", circle, true)}}}, {Name: "Int", Type: of(model.Int)}}
	marked := &model.Type{Kind: model.Union, Name: "Marked", Discriminator: &model.Discriminator{Wire: "kind", Kind: model.String},
		Variants: []*model.Variant{{Name: "A", Type: &model.Type{Kind: model.Struct, Name: "A", Fields: []*model.Field{field("kind", of(model.String), true)}}, Values: []string{"ship"}}}}
	for _, tt := range []struct {
		name          string
		t             *model.Type
		minimal, full string
	}{
		{"text", of(model.String), `"text"`, `"text"`},
		{"null only where it may be short", nullable, `null`, `"text"`},
		{"enum", &model.Type{Kind: model.Enum, Enum: []model.EnumValue{{Value: model.Literal{JSON: `"x"`}}}}, `"x"`, `"x"`},
		{"constant", &model.Type{Kind: model.Int, Const: &model.Literal{JSON: "9007199254740993"}}, "9007199254740993", "9007199254740993"},
		{"list", &model.Type{Kind: model.List, Elem: of(model.Int)}, `[]`, `[1]`},
		{"list with a minimum", &model.Type{Kind: model.List, Elem: of(model.Int), Limits: model.Limits{MinItems: ptr(2)}}, `[1,1]`, `[1,1]`},
		{"list of distinct items", &model.Type{Kind: model.List, Elem: of(model.String), Limits: model.Limits{MinItems: ptr(2), Unique: true}}, `["text","tex1"]`, `["text","tex1"]`},
		{"map", &model.Type{Kind: model.Map, Elem: of(model.Int)}, `{}`, `{"key":1}`},
		{"object", object, `{"a":1}`, `{"a":1,"b":true}`},
		{"open object", &model.Type{Kind: model.Struct, Extra: of(model.Int)}, `{}`, `{"further":1}`},
		{"object that holds itself", self, `{}`, `{"next":{"next":{"next":{"next":{"next":{}}}}}}`},
		{"union that holds itself", circle, `1`, `{"left":{"left":{"left":1}}}`},
		{"union with a discriminator", marked, `{"kind":"ship"}`, `{"kind":"ship"}`},
		{"alias", &model.Type{Kind: model.Alias, Elem: of(model.Bool)}, `true`, `true`},
		{"any", of(model.Any), `"any"`, `"any"`},
		{"null", of(model.Null), `null`, `null`},
		{"bytes", of(model.Bytes), `"c2FtcGxl"`, `"c2FtcGxl"`},
		{"date", of(model.Date), `"2026-01-02"`, `"2026-01-02"`},
		{"nothing known", nil, `""`, `""`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			api := &model.API{}
			if tt.t != nil {
				api.Types = []*model.Type{tt.t}
			}
			m := New(api)
			if got := string(m.JSON(tt.t, Request, Minimal)); got != tt.minimal {
				t.Errorf("minimal = %s, want %s", got, tt.minimal)
			}
			if got := string(m.JSON(tt.t, Request, Full)); got != tt.full {
				t.Errorf("full = %s, want %s", got, tt.full)
			}
		})
	}
	if got := New(&model.API{Types: []*model.Type{endless}}).JSON(endless, Request, Full); !json.Valid(got) {
		t.Errorf("a type without a finite value gives %d bytes that are no JSON", len(got))
	}
}

func TestSides(t *testing.T) {
	id, secret := field("id", of(model.Int), false), field("secret", of(model.String), false)
	id.ReadOnly, secret.WriteOnly = true, true
	o := &model.Type{Kind: model.Struct, Fields: []*model.Field{id, secret}}
	m := New(&model.API{Types: []*model.Type{o}})
	if got := string(m.JSON(o, Request, Full)); got != `{"secret":"text"}` {
		t.Errorf("request = %s, want the secret alone", got)
	}
	if got := string(m.JSON(o, Answer, Full)); got != `{"id":1}` {
		t.Errorf("answer = %s, want the id alone", got)
	}
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		kind model.Kind
		lim  model.Limits
		want string
	}{
		{model.Int, model.Limits{}, "1"}, {model.Float, model.Limits{}, "1.5"},
		{model.Int, model.Limits{Minimum: "5"}, "5"}, {model.Int, model.Limits{Minimum: "5", ExclusiveMinimum: true}, "6"},
		{model.Int, model.Limits{Maximum: "-3"}, "-3"}, {model.Int, model.Limits{Maximum: "0", ExclusiveMaximum: true}, "-1"},
		{model.Int, model.Limits{MultipleOf: "7"}, "7"}, {model.Int, model.Limits{Minimum: "10", MultipleOf: "7"}, "14"},
		{model.Float, model.Limits{Minimum: "0", Maximum: "1", ExclusiveMinimum: true, ExclusiveMaximum: true}, "0.5"},
		{model.BigInt, model.Limits{Minimum: "18446744073709551615"}, "18446744073709551615"},
	} {
		if got := number(&model.Type{Kind: tt.kind, Limits: tt.lim}); got != tt.want {
			t.Errorf("number of %+v = %s, want %s", tt.lim, got, tt.want)
		}
	}
}

func TestTexts(t *testing.T) {
	for _, tt := range []struct {
		format string
		lim    model.Limits
		want   string
	}{
		{"", model.Limits{}, "text"}, {"", model.Limits{MinLength: ptr(6)}, "textxx"}, {"", model.Limits{MaxLength: ptr(2)}, "te"},
		{"uuid", model.Limits{}, "5a2c1f0e-0000-4000-8000-000000000001"}, {"email", model.Limits{}, "someone@example.com"},
		{"", model.Limits{Pattern: "^[A-Z]{3}$"}, "AAA"}, {"", model.Limits{Pattern: `^\d{2}-[a-z]+$`, MinLength: ptr(6)}, "11-aaa"},
		{"", model.Limits{Pattern: "^(GET|POST)$"}, "GET"}, {"", model.Limits{Pattern: "^x?$", MaxLength: ptr(0)}, ""},
		{"", model.Limits{Pattern: `^[^a-zA-Z]+$`}, "1"},
	} {
		if got := text(&model.Type{Kind: model.String, Format: tt.format, Limits: tt.lim}); got != tt.want {
			t.Errorf("text of %q %+v = %q, want %q", tt.format, tt.lim, got, tt.want)
		}
	}
}

// TestHandler answers each operation of an API with its own success.
func TestHandler(t *testing.T) {
	thing := &model.Type{Kind: model.Struct, Name: "Thing", Fields: []*model.Field{field("id", of(model.Int), true)}}
	id := &model.Param{Wire: "id", In: model.InPath}
	answer := func(status int, media string, enc model.Encoding, t *model.Type) []*model.Response {
		return []*model.Response{{Status: 0}, {Status: status, Contents: []*model.Content{{MediaType: media, Encoding: enc, Type: t}},
			Headers: []*model.Param{{Wire: "X-N", Type: of(model.Int), Required: true}}}}
	}
	api := &model.API{Types: []*model.Type{thing}, Operations: []*model.Operation{
		{Method: "GET", Segments: []model.Segment{{Literal: "/things/"}, {Param: id}}, Responses: answer(200, "application/json", model.JSON, thing)},
		{Method: "GET", Segments: []model.Segment{{Literal: "/things/mine"}}, Responses: answer(203, "*/*", model.JSON, thing)},
		{Method: "GET", Segments: []model.Segment{{Literal: "/things/mine"}}, FixedQuery: "beta=true", Responses: answer(206, "text/*", model.Text, of(model.String))},
		{Method: "POST", Segments: []model.Segment{{Literal: "/things"}}, Responses: answer(200, "text/event-stream", model.EventStream, thing)},
		{Method: "PUT", Segments: []model.Segment{{Literal: "/things"}}, Responses: []*model.Response{{Status: 204}}},
		{Method: "PATCH", Segments: []model.Segment{{Literal: "/things"}}},
	}}
	h := Handler(api, Minimal)
	for _, tt := range []struct {
		method, target string
		status         int
		media, body    string
	}{
		{"GET", "/things/a%2Fb", 200, "application/json", `{"id":1}`},
		{"GET", "/things/mine", 203, "application/json", `{"id":1}`},
		{"GET", "/things/mine?x=1&beta=true", 206, "text/plain", "text"},
		{"POST", "/things", 200, "text/event-stream", "data: {\"id\":1}\n\ndata: {\"id\":1}\n\n"},
		{"PUT", "/things", 204, "", ""},
		{"PATCH", "/things", 200, "", ""},
		{"DELETE", "/things", 404, "text/plain; charset=utf-8", "404 page not found\n"},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(tt.method, tt.target, http.NoBody))
		body, err := io.ReadAll(w.Result().Body)
		if err != nil {
			t.Fatal(err)
		}
		if w.Code != tt.status || w.Header().Get("Content-Type") != tt.media || string(body) != tt.body {
			t.Errorf("%s %s = %d %q %q, want %d %q %q", tt.method, tt.target, w.Code, w.Header().Get("Content-Type"), body, tt.status, tt.media, tt.body)
		}
		if tt.body != "" && tt.status != 404 && w.Header().Get("X-N") != "1" {
			t.Errorf("%s %s: header X-N = %q, want 1", tt.method, tt.target, w.Header().Get("X-N"))
		}
	}
}
