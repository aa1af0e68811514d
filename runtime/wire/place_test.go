package wire

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	rt "github.com/resgen-dev/resgen/runtime"
)

type ledger struct {
	Accounts map[string]account   `json:"accounts"`
	Owner    *account             `json:"owner,omitzero"`
	Odd      account              `json:"a/b"`
	Loose    loose                `json:"loose"`
	Either   either               `json:"either"`
	Maybe    rt.Nullable[account] `json:"maybe,omitzero"`
	List     []map[string]int     `json:"list"`
	Extra    map[string]int       `json:",inline,embed"`
}

type account struct {
	Balance int64 `json:"balance"`
}

// loose is a union of what is declared and what is not.
type loose struct {
	Account *account
	Any     map[string]int
}

func (l *loose) UnmarshalJSON([]byte) error { return nil }

// either is a union as generated code has it.
type either struct {
	Account *account
	Lines   []int
	Raw     rt.Value
}

func (e *either) UnmarshalJSON([]byte) error { return nil }

// Places name what the spec declares, and nothing of the content.
func TestPlaces(t *testing.T) {
	for pointer, want := range map[jsontext.Pointer]string{
		"":                               "",
		"/owner/balance":                 "/owner/balance",
		"/accounts/DE8937/balance":       "/accounts/*/balance",
		"/accounts/balance":              "/accounts/*",
		"/list/3/secret":                 "/list/3/*",
		"/a~1b/balance":                  "/a~1b/balance",
		"/secret":                        "/*",
		"/loose/balance":                 "/loose/*",
		"/secret/balance":                "/*/*",
		"/either/balance":                "/either/balance",
		"/either/secret":                 "/either/*",
		"/maybe/balance":                 "/maybe/balance",
		"/owner/balance/deeper/than/all": "/owner/balance/*/*/*",
	} {
		if got := placeIn(&ledger{}, pointer); got != want {
			t.Errorf("%s = %s, want %s", pointer, got, want)
		}
	}
	type open struct {
		Name  string             `json:"name"`
		Extra map[string]account `json:",inline,embed"`
	}
	if got := placeIn(open{}, "/secret/balance"); got != "/*/balance" {
		t.Errorf("below further members: %s, want /*/balance", got)
	}
	if got := placeIn(nil, "/secret"); got != "/*" {
		t.Errorf("of no value: %s, want /*", got)
	}
	if got := placeIn(map[string][]int{}, "/0/1"); got != "/*/1" {
		t.Errorf("of a map: %s, want /*/1", got)
	}
}

// What stands in an answer, or in a request, does not stand in an error's
// words; not even as the name of a member.
func TestErrorsHoldNoMapKeys(t *testing.T) {
	const secret = "DE89370400440532013000"
	a := answerOf(200, "application/json", `{"accounts":{"`+secret+`":{"balance":"x"}}}`)
	_, err := DecodeJSON[ledger](a, "application/json")
	if err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "body at /accounts/*/balance is a string; want int64") {
		t.Errorf("answer: %v, want the place without the key", err)
	}
	err = notEncoded(encodeError(t, map[string]rt.Number{secret: "x"}), map[string]rt.Number{})
	if words := err.(*refusal).Worded(); strings.Contains(words, secret) || !strings.Contains(words, "value at /* is a Number") {
		t.Errorf("request: %s, want the place without the key", words)
	}
}

func encodeError(t *testing.T, v any) error {
	t.Helper()
	_, err := json.Marshal(v, encodeOptions)
	if err == nil {
		t.Fatal("it can be encoded")
	}
	return err
}
