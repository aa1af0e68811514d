package wire

import (
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
)

func answerOf(status int, contentType, body string) *Answer {
	h := http.Header{}
	if contentType != "" {
		h.Set("Content-Type", contentType)
	}
	return &Answer{Status: status, Header: h, Method: http.MethodGet, Body: []byte(body)}
}

func TestMatch(t *testing.T) {
	one, two := "application/vnd.g.v1+json", "application/vnd.g.v2+json; charset=utf-8"
	tests := []struct {
		name     string
		got      string
		declared []string
		want     int
	}{
		{"the same", one, []string{two, one}, 1},
		{"case and parameters do not matter", `Application/VND.G.v2+JSON; Charset="UTF-8"`, []string{one, two}, 1},
		{"a declared parameter may be missing", "application/vnd.g.v2+json", []string{one, two}, 1},
		{"parameters tell two apart", "application/json; version=2", []string{"application/json;version=1", "application/json;version=2"}, 1},
		{"no parameters: the first", "application/json", []string{"application/json;version=1", "application/json;version=2"}, 0},
		{"no content type: the first", "", []string{"image/png", "application/json"}, 0},
		{"another JSON type", "application/hal+json", []string{"application/json"}, 0},
		{"another JSON type beside the same", "application/hal+json", []string{"application/json", "application/hal+json"}, 1},
		{"text/json", "text/json", []string{"application/json"}, 0},
		{"JSON called text", "text/plain; charset=utf-8", []string{"application/json"}, 0},
		{"JSON called text where text is declared", "text/plain", []string{"application/json", "text/plain"}, 1},
		{"no JSON", "application/xml", []string{"application/json"}, -1},
		{"a page", "text/html", []string{"application/json", "text/plain"}, -1},
		{"text of another kind", "text/csv", []string{"text/plain"}, -1},
		{"any", "application/x-tar", []string{"*/*"}, 0},
		{"any of a kind", "image/PNG", []string{"image/*"}, 0},
		{"any of another kind", "text/plain", []string{"image/*"}, -1},
		{"exact before any of a kind before any", "image/png", []string{"*/*", "image/*", "image/png"}, 2},
		{"a parameter that cannot be read", "application/json; x", []string{"application/json; version=1"}, 0},
		{"nothing declared", "application/json", nil, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Match(answerOf(200, tt.got, ""), tt.declared...); got != tt.want {
				t.Errorf("Match(%q, %q) = %d, want %d", tt.got, tt.declared, got, tt.want)
			}
		})
	}
}

func TestDecodeJSON(t *testing.T) {
	const js = "application/json"
	tests := []struct {
		name   string
		answer *Answer
		decode func(*Answer) (any, error)
		want   any
		err    string
	}{
		{"object", answerOf(200, js, `{"row":1}`), func(a *Answer) (any, error) { v, err := DecodeJSON[*bed](a, js); return v, err }, &bed{Row: 1}, ""},
		{"list", answerOf(200, js, `[1,2]`), func(a *Answer) (any, error) { return DecodeJSON[[]int64](a, js) }, []int64{1, 2}, ""},
		{"null list", answerOf(200, js, `null`), func(a *Answer) (any, error) { return DecodeJSON[[]int64](a, js) }, []int64(nil), ""},
		{"null map", answerOf(200, js, `null`), func(a *Answer) (any, error) { return DecodeJSON[map[string]int](a, js) }, map[string]int(nil), ""},
		{"null value", answerOf(200, js, ` null `), func(a *Answer) (any, error) { return DecodeJSON[rt.Value](a, js) }, rt.Value("null"), ""},
		{"null object", answerOf(200, js, `null`), func(a *Answer) (any, error) { v, err := DecodeJSON[*bed](a, js); return v, err }, nil, "body is null; want bed"},
		{"null text", answerOf(200, js, `null`), func(a *Answer) (any, error) { return DecodeJSON[string](a, js) }, nil, "body is null; want string"},
		{"nullable object", answerOf(200, js, `null`), func(a *Answer) (any, error) { v, err := DecodeNullable[*bed](a, js); return v, err }, (*bed)(nil), ""},
		{"byte order mark", answerOf(200, js, "\xef\xbb\xbf{\"row\":1}"), func(a *Answer) (any, error) { return DecodeJSON[bed](a, js) }, bed{Row: 1}, ""},
		{"duplicate member: the last", answerOf(200, js, `{"row":1,"row":2}`), func(a *Answer) (any, error) { return DecodeJSON[bed](a, js) }, bed{Row: 2}, ""},
		{"bad UTF-8", answerOf(200, js, "\"a\xff\""), func(a *Answer) (any, error) { return DecodeJSON[string](a, js) }, "a\ufffd", ""},
		{"empty", answerOf(200, js, ""), func(a *Answer) (any, error) { return DecodeJSON[bed](a, js) }, nil, "body is empty; want JSON"},
		{"blank", answerOf(200, js, " \n"), func(a *Answer) (any, error) { return DecodeJSON[bed](a, js) }, nil, "body is empty; want JSON"},
		{"half", answerOf(200, js, `[{"row":1}`), func(a *Answer) (any, error) { return DecodeJSON[[]bed](a, js) }, nil, "body is no JSON from byte 10 on"},
		{"two values", answerOf(200, js, `1 2`), func(a *Answer) (any, error) { return DecodeJSON[int64](a, js) }, nil, "body is no JSON from byte 2 on"},
		{"another kind, told by its place, not by its value", answerOf(200, js, `{"row":"secret"}`), func(a *Answer) (any, error) { return DecodeJSON[bed](a, js) }, nil, "body at /row is a string; want int64"},
		{"out of range", answerOf(200, js, `{"row":9223372036854775808}`), func(a *Answer) (any, error) { return DecodeJSON[bed](a, js) }, nil, "body at /row is a number; want int64"},
		{"another media type", answerOf(200, "text/html", `<p>`), func(a *Answer) (any, error) { return DecodeJSON[bed](a, js, "text/csv") }, nil, `content type is "text/html"; want application/json or text/csv`},
		{"204 with a schema", answerOf(204, js, ""), func(a *Answer) (any, error) { v, err := DecodeJSON[*bed](a, js); return v, err }, (*bed)(nil), ""},
		{"HEAD", &Answer{Status: 200, Method: http.MethodHead, Header: http.Header{"Content-Type": {js}}}, func(a *Answer) (any, error) { return DecodeJSON[bed](a, js) }, bed{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.decode(tt.answer)
			if tt.err == "" {
				if err != nil || !reflect.DeepEqual(got, tt.want) {
					t.Errorf("decoded = %#v, %v; want %#v", got, err, tt.want)
				}
				return
			}
			want := rt.ErrMalformed.Error() + ": " + tt.err
			if err == nil || err.Error() != want || !errors.Is(err, rt.ErrMalformed) {
				t.Errorf("error = %v, want %s", err, want)
			}
		})
	}
}

func TestDecodeText(t *testing.T) {
	const text = "text/plain"
	if got, err := DecodeText[string](answerOf(200, "text/plain; charset=utf-8", " 1.9\n"), text); err != nil || got != " 1.9\n" {
		t.Errorf("text = %q, %v; want it unchanged", got, err)
	}
	if got, err := DecodeText[string](answerOf(200, "text/plain; charset=ISO-8859-1", "\xe9"), text); err != nil || got != "é" {
		t.Errorf("Latin-1 text = %q, %v; want é", got, err)
	}
	if got, err := DecodeText[float64](answerOf(200, text, "0.25\n"), text); err != nil || got != 0.25 {
		t.Errorf("number = %v, %v; want 0.25", got, err)
	}
	if got, err := DecodeText[hue](answerOf(200, text, "deep red"), text); err != nil || got != "deep red" {
		t.Errorf("enum = %v, %v; want deep red", got, err)
	}
	if got, err := DecodeText[rt.Date](answerOf(200, text, "2031-04-05"), text); err != nil || got.Day != 5 {
		t.Errorf("date = %v, %v; want 2031-04-05", got, err)
	}
	if got, err := DecodeText[*bed](answerOf(200, text, `{"row":3}`), text); err != nil || got.Row != 3 {
		t.Errorf("object = %v, %v; want its JSON read", got, err)
	}
	if _, err := DecodeText[[]string](answerOf(200, text, "a,b"), text); !errors.Is(err, rt.ErrMalformed) {
		t.Errorf("a list that is no JSON gives %v, want malformed", err)
	}
	if _, err := DecodeText[int64](answerOf(200, text, "secret"), text); !errors.Is(err, rt.ErrMalformed) || strings.Contains(err.Error(), "secret") {
		t.Errorf("a text for a number gives %v, want malformed without the text", err)
	}
	if _, err := DecodeText[string](answerOf(200, "text/html", "x"), text); !errors.Is(err, rt.ErrMalformed) {
		t.Errorf("another media type gives %v, want malformed", err)
	}
}

func TestDecodeBytes(t *testing.T) {
	a := answerOf(200, "application/x-tar", "\x00\xff")
	got, err := DecodeBytes(a, "*/*")
	if err != nil || string(got) != "\x00\xff" {
		t.Errorf("bytes = %q, %v; want them unchanged", got, err)
	}
	a.Body[0] = 'x'
	if got[0] != 0 {
		t.Error("the result shares the engine's buffer")
	}
	if _, err := DecodeBytes(a, "image/*"); !errors.Is(err, rt.ErrMalformed) {
		t.Errorf("another media type gives %v, want malformed", err)
	}
}

func TestDecodeForm(t *testing.T) {
	const form = "application/x-www-form-urlencoded"
	type token struct {
		Name  string   `json:"name"`
		Row   *int64   `json:"row,omitzero"`
		Tags  []string `json:"tags,omitzero"`
		Plain bool     `json:"plain"`
	}
	got, err := DecodeForm[*token](answerOf(200, form, "name=a+b&row=7&tags=x&tags=y%26&other=1"), form)
	want := &token{Name: "a b", Row: ptr(int64(7)), Tags: []string{"x", "y&"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("form = %+v, %v; want %+v", got, err, want)
	}
	for _, bad := range []string{"row=x", "name=%zz"} {
		if _, err := DecodeForm[token](answerOf(200, form, bad), form); !errors.Is(err, rt.ErrMalformed) {
			t.Errorf("%s gives %v, want malformed", bad, err)
		}
	}
}

func TestInto(t *testing.T) {
	type result struct {
		Status int
		Bed    *bed
	}
	var res result
	err := Into(&res.Bed)(DecodeJSON[*bed](answerOf(200, "application/json", `{"row":3}`), "application/json"))
	if err != nil || res.Bed == nil || res.Bed.Row != 3 {
		t.Errorf("result = %+v, %v; want the bed", res, err)
	}
	if err := Into(&res.Bed)(DecodeJSON[*bed](answerOf(200, "a/b", ``), "application/json")); err == nil {
		t.Error("a decode error is lost")
	}
}

// trouble is an error type of a spec.
type trouble struct {
	Title string `json:"title"`
}

func (t trouble) Error() string { return t.Title }

func TestDecodeError(t *testing.T) {
	const js = "application/problem+json"
	err := DecodeError[trouble](answerOf(422, "application/json; charset=utf-8", `{"title":"secret"}`), js)
	var value trouble
	var pointer *trouble
	var declared *DeclaredError[trouble]
	if !errors.As(err, &value) || value.Title != "secret" {
		t.Errorf("errors.As finds no trouble in %v", err)
	}
	if !errors.As(err, &pointer) || pointer.Title != "secret" {
		t.Errorf("errors.As finds no *trouble in %v", err)
	}
	if !errors.As(err, &declared) || declared.Status != 422 {
		t.Errorf("errors.As finds no *DeclaredError in %v", err)
	}
	if err.Error() != "status 422 Unprocessable Entity" {
		t.Errorf("text = %q, want the status alone", err)
	}
	tests := []struct {
		name   string
		answer *Answer
		want   string
	}{
		{"another media type", answerOf(502, "text/html", "<p>secret"), `status 502 Bad Gateway (answer is not what was declared: content type is "text/html"; want application/problem+json)`},
		{"another shape", answerOf(400, js, `{"title":["secret"]}`), "status 400 Bad Request (answer is not what was declared: body at /title is a list; want string)"},
		{"empty", answerOf(404, js, ""), "status 404 Not Found (answer is not what was declared: body is empty; want JSON)"},
		{"HEAD", &Answer{Status: 404, Method: http.MethodHead, Header: http.Header{}}, "status 404 Not Found"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := DecodeError[trouble](tt.answer, js)
			if err == nil || err.Error() != tt.want || errors.As(err, &declared) {
				t.Errorf("error = %v, want the untyped %s", err, tt.want)
			}
			if errors.Is(err, rt.ErrMalformed) {
				t.Error("an error answer counts as malformed; its class is its status's")
			}
		})
	}
	success := DecodeError[trouble](answerOf(207, js, `{"title":"t"}`), js)
	if !errors.Is(success, rt.ErrMalformed) || !errors.As(success, &value) {
		t.Errorf("an undeclared success gives %v, want malformed with the typed body", success)
	}
	var said *DeclaredError[string]
	if err := DecodeTextError[string](answerOf(400, "text/plain", "empty {"), "text/plain; charset=utf-8"); !errors.As(err, &said) || said.Value != "empty {" {
		t.Errorf("text error = %v, want its text", err)
	}
}

func TestHeaderValues(t *testing.T) {
	h := http.Header{}
	for name, value := range map[string]string{
		"X-Size": "9", "X-Ratio": "0.5", "X-On": "true", "X-Text": "a, b", "X-List": "GET, HEAD,", "X-Numbers": "1,2", "X-Bed": "row,4,soil,clay",
		"X-Bed-Pairs": "row=4,soil=clay", "X-Map": "a=1,b=2", "X-At": "2031-04-05T06:07:08.5+02:00", "Last-Modified": "Sat, 05 Apr 2031 06:07:08 GMT",
		"X-Day": "2031-04-05", "X-Either": "7", "X-Other": "seven", "X-Json": `{"row":5}`, "X-Kind": "fern", "X-Big": "12345678901234567890", "X-Bytes": "AP8=", "X-Empty": "",
	} {
		h.Set(name, value)
	}
	h["X-Lines"] = []string{"a", "b, c"}
	h["Set-Cookie"] = []string{"a=1; Expires=Sat, 05 Apr 2031 06:07:08 GMT", "b=2"}
	var cookies []string
	if err := HeaderValue(h, "Set-Cookie", Simple, &cookies); err != nil || !reflect.DeepEqual(cookies, h["Set-Cookie"]) {
		t.Errorf("cookies = %q, %v; want one a line", cookies, err)
	}
	var got struct {
		Size     *int64
		Ratio    float64
		On       bool
		Text     string
		List     []string
		Lines    []string
		Numbers  []int32
		Bed      bed
		Pairs    *bed
		Map      map[string]int64
		At       time.Time
		Modified time.Time
		Day      rt.Date
		Either   numberOrName
		Other    numberOrName
		Kind     kindFern
		Big      rt.Number
		Bytes    []byte
		Empty    []string
		JSON     bed
		Absent   *int64
	}
	if err := errors.Join(
		HeaderValue(h, "x-size", Simple, &got.Size), HeaderValue(h, "X-Ratio", Simple, &got.Ratio), HeaderValue(h, "X-On", Simple, &got.On),
		HeaderValue(h, "X-Text", Simple, &got.Text), HeaderValue(h, "X-List", Simple, &got.List), HeaderValue(h, "X-Lines", Simple, &got.Lines),
		HeaderValue(h, "X-Numbers", Simple, &got.Numbers), HeaderValue(h, "X-Bed", Simple, &got.Bed), HeaderValue(h, "X-Bed-Pairs", Simple|Explode, &got.Pairs),
		HeaderValue(h, "X-Map", Simple|Explode, &got.Map), HeaderValue(h, "X-At", Simple, &got.At), HeaderValue(h, "Last-Modified", Simple, &got.Modified),
		HeaderValue(h, "X-Day", Simple, &got.Day), HeaderValue(h, "X-Either", Simple, &got.Either), HeaderValue(h, "X-Other", Simple, &got.Other),
		HeaderValue(h, "X-Kind", Simple, &got.Kind), HeaderValue(h, "X-Big", Simple, &got.Big), HeaderValue(h, "X-Bytes", Simple, &got.Bytes),
		HeaderValue(h, "X-Empty", Simple, &got.Empty), HeaderContentValue(h, "X-Json", &got.JSON), HeaderValue(h, "X-Absent", Simple, &got.Absent),
	); err != nil {
		t.Fatal(err)
	}
	checks := map[string]bool{
		"size": *got.Size == 9, "ratio": got.Ratio == 0.5, "on": got.On, "text": got.Text == "a, b", "list": reflect.DeepEqual(got.List, []string{"GET", "HEAD"}),
		"lines": reflect.DeepEqual(got.Lines, []string{"a", "b", "c"}), "numbers": reflect.DeepEqual(got.Numbers, []int32{1, 2}), "bed": got.Bed.Row == 4 && *got.Bed.Soil == "clay",
		"pairs": got.Pairs.Row == 4 && *got.Pairs.Soil == "clay", "map": reflect.DeepEqual(got.Map, map[string]int64{"a": 1, "b": 2}),
		"at": got.At.Format(time.RFC3339Nano) == "2031-04-05T06:07:08.5+02:00", "modified": got.Modified.Unix() == time.Date(2031, 4, 5, 6, 7, 8, 0, time.UTC).Unix(),
		"day": got.Day.Day == 5, "either": *got.Either.Number == 7, "other": *got.Other.Name == "seven", "big": got.Big == "12345678901234567890",
		"bytes": string(got.Bytes) == "\x00\xff", "empty": got.Empty != nil && len(got.Empty) == 0, "JSON": got.JSON.Row == 5, "absent": got.Absent == nil,
	}
	for name, ok := range checks {
		if !ok {
			t.Errorf("%s is not as sent: %+v", name, got)
		}
	}
	for name, err := range map[string]error{
		"X-Text": HeaderValue(h, "X-Text", Simple, new(int64)), "X-List": HeaderValue(h, "X-List", Simple, new([]int64)), "X-Kind": HeaderValue(h, "X-Text", Simple, new(kindFern)),
		"X-Json": HeaderContentValue(h, "X-Text", new(bed)), "X-At": HeaderValue(h, "X-Text", Simple, new(time.Time)), "X-Size": HeaderValue(h, "X-Numbers", Simple, new(bool)),
	} {
		if !errors.Is(err, rt.ErrMalformed) || strings.Contains(err.Error(), "a, b") {
			t.Errorf("%s gives %v, want malformed without the value", name, err)
		}
	}
}
