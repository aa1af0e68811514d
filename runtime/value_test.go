package runtime_test

import (
	stdjson "encoding/json"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	rt "github.com/resgen-dev/resgen/runtime"
)

type payload struct {
	Optional rt.Nullable[string]             `json:"optional,omitzero"`
	Any      rt.Value                        `json:"any,omitzero"`
	Exact    rt.Number                       `json:"exact,omitzero"`
	Day      *rt.Date                        `json:"day,omitzero"`
	ByDay    map[rt.Date]int                 `json:"byDay,omitzero"`
	Deep     rt.Nullable[[]rt.Nullable[int]] `json:"deep,omitzero"`
}

// Every payload comes back as it was, through both JSON libraries.
func TestValuesSurviveBothLibraries(t *testing.T) {
	for _, text := range []string{
		`{}`,
		`{"optional":null}`,
		`{"optional":""}`,
		`{"optional":"x"}`,
		`{"any":null}`,
		`{"any":{"b":1.50,"a":[9007199254740993,"\u00e9"]}}`,
		`{"exact":12345678901234567890.123456789012345678901}`,
		`{"exact":-0.0}`,
		`{"exact":1E400}`,
		`{"day":"2024-02-29"}`,
		`{"byDay":{"2024-02-29":1}}`,
		`{"deep":null}`,
		`{"deep":[null,1]}`,
	} {
		var v2, v1 payload
		if err := json.Unmarshal([]byte(text), &v2); err != nil {
			t.Errorf("v2 reads %s: %v", text, err)
		}
		if err := stdjson.Unmarshal([]byte(text), &v1); err != nil {
			t.Errorf("encoding/json reads %s: %v", text, err)
		}
		for name, v := range map[string]payload{"v2": v2, "encoding/json": v1} {
			if got, err := json.Marshal(v, json.Deterministic(true)); err != nil || !sameJSON(t, got, text) {
				t.Errorf("%s read, v2 wrote %s, %v; want %s", name, got, err, text)
			}
			if got, err := stdjson.Marshal(v); err != nil || !sameJSON(t, got, text) {
				t.Errorf("%s read, encoding/json wrote %s, %v; want %s", name, got, err, text)
			}
		}
	}
}

// sameJSON compares texts; both are written without blanks and in one order.
func sameJSON(t *testing.T, got []byte, want string) bool {
	t.Helper()
	return string(got) == want || string(got) == decodeEscape(want)
}

func decodeEscape(s string) string {
	var v rt.Value
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		return s
	}
	out, err := json.Marshal(v)
	if err != nil {
		return s
	}
	return string(out)
}

func TestValuesThatAreRefused(t *testing.T) {
	for _, text := range []string{`{"exact":"1"}`, `{"exact":true}`, `{"day":"2023-02-29"}`, `{"day":"2024-1-1"}`, `{"day":"2024-01-01T00:00:00Z"}`} {
		var v payload
		if json.Unmarshal([]byte(text), &v) == nil {
			t.Errorf("v2 takes %s", text)
		}
		if stdjson.Unmarshal([]byte(text), &v) == nil {
			t.Errorf("encoding/json takes %s", text)
		}
	}
	for name, v := range map[string]payload{
		"number": {Exact: "1,5"}, "number with more": {Exact: "1 2"}, "date": {Day: &rt.Date{Year: 2023, Month: 2, Day: 29}},
	} {
		if out, err := json.Marshal(v); err == nil {
			t.Errorf("%s: v2 writes %s", name, out)
		}
		if out, err := stdjson.Marshal(v); err == nil {
			t.Errorf("%s: encoding/json writes %s", name, out)
		}
	}
}

func TestNullable(t *testing.T) {
	var absent rt.Nullable[int]
	if v, ok := absent.Get(); ok || v != 0 || !absent.IsZero() || absent.IsNull() {
		t.Errorf("absent = %v, %t", v, ok)
	}
	if n := rt.Null[int](); n.IsZero() || !n.IsNull() {
		t.Error("null is not null")
	}
	if v, ok := rt.Some(0).Get(); !ok || v != 0 {
		t.Error("a zero value is a value")
	}
}

func TestDate(t *testing.T) {
	d := rt.DateOf(time.Date(2024, 2, 29, 23, 59, 0, 0, time.UTC))
	if d.String() != "2024-02-29" || d.In(time.UTC).Hour() != 0 || d.IsZero() {
		t.Errorf("date = %s", d)
	}
}

func TestValueDecodes(t *testing.T) {
	v, err := rt.ValueOf(map[string]int{"b": 2, "a": 1})
	if err != nil || v.String() != `{"a":1,"b":2}` {
		t.Errorf("= %s, %v", v, err)
	}
	m, err := rt.DecodeValue[map[string]int](v)
	if err != nil || m["b"] != 2 {
		t.Errorf("= %v, %v", m, err)
	}
	if rt.Value(nil).String() != "null" {
		t.Error("an absent value prints as something else than null")
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	for _, v := range []interface{ String() string }{rt.StaticToken("hunter2"), rt.BasicCredentials{User: "u", Password: "hunter2"}} {
		if s := v.String(); s == "" || s == "hunter2" {
			t.Errorf("prints %q", s)
		}
	}
}
