package runtime

import (
	"net/http"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func FuzzCacheHeaders(f *testing.F) {
	f.Add("private, no-store", "accept, *")
	f.Add("max-age=0,,=", " , Accept-Language,accept-language")
	f.Fuzz(func(t *testing.T, cacheControl, vary string) {
		h := http.Header{"Cache-Control": {cacheControl}, "Vary": {vary}}
		directive(h, "no-store")
		names, ok := varyOf(h)
		if !ok && names != nil || slices.Contains(names, "*") || slices.Contains(names, "") || !slices.IsSorted(names) {
			t.Errorf("Vary %q = %q, %t", vary, names, ok)
		}
	})
}

func FuzzProblemType(f *testing.F) {
	f.Add("application/problem+json", `{"type":"urn:resgen:circuit-open"}`)
	f.Add("application/problem+json; x", `{"type":1}`)
	f.Fuzz(func(_ *testing.T, contentType, body string) {
		problemType(&Answer{Status: 503, Header: http.Header{"Content-Type": {contentType}}, Body: []byte(body)})
	})
}

// A key that was put into a body is found there, and the rest is JSON as before.
func FuzzKeyInBody(f *testing.F) {
	f.Add(`{"a":{"b":1}}`, "/a/key")
	f.Add(`{"a":{"a":1},"a":2}`, "/a")
	f.Add(`{}`, "/~0/~1/x")
	f.Add(` { } `, "/")
	f.Add(`{"a":[{}]}`, "/a/0/key")
	f.Fuzz(func(t *testing.T, body, pointer string) {
		if !jsontext.Value(body).IsValid() || pointer == "" || pointer[0] != '/' {
			return
		}
		out, err := keyInBody([]byte(body), pointer, "k1")
		if err != nil {
			return
		}
		if v, ok := valueAt(out, pointer); !jsontext.Value(out).IsValid() || !ok || string(v) != `"k1"` {
			t.Errorf("%s with a key at %s = %s, where %s is found", body, pointer, out, v)
		}
	})
}

func FuzzValueAt(f *testing.F) {
	f.Add(`{"error":{"code":"key_in_use"}}`, "/error/code")
	f.Add(`[[1,{"a":null}]]`, "/0/1/a")
	f.Add(`{"":1}`, "/")
	f.Fuzz(func(t *testing.T, body, pointer string) {
		s := KeyStatus{At: pointer, Is: []string{"key_in_use"}}
		s.matches([]byte(body))
	})
}
