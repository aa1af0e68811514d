package wire

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	rt "github.com/resgen-dev/resgen/runtime"
)

// A signer adds what it was shown last.
type signer struct{}

func (signer) Authorize(_ context.Context, r *http.Request) error {
	r.Header.Set("X-Signature", r.Header.Get("X-Key")+"|"+r.URL.RawQuery)
	return nil
}

func TestCredentials(t *testing.T) {
	token := func(s string) rt.TokenSource {
		if s == "" {
			return nil
		}
		return rt.StaticToken(s)
	}
	header := HeaderKey("headerKey", "x-key", token("h"))
	query := QueryKey("queryKey", "api key", token("a&b"))
	cookie := CookieKey("cookieKey", "sid", token("c"))
	bearer := Bearer("bearer", token("t.k"))
	basic := Basic("basic", rt.BasicCredentials{User: "u", Password: "p:é"})
	colon := Basic("colon", rt.BasicCredentials{User: "u:x", Password: "p"})
	missing := Bearer("oauth", token(""))
	tests := []struct {
		name string
		auth Auth
		want map[string]string // Authorization, X-Key, Cookie, X-Signature, query
	}{
		{"nothing is asked for", Require(), map[string]string{}},
		{"bearer", Require([]Credential{bearer}), map[string]string{"Authorization": "Bearer t.k"}},
		{"basic", Require([]Credential{basic}), map[string]string{"Authorization": "Basic dTpwOsOp"}},
		{"all of one alternative", Require([]Credential{header, query}), map[string]string{"X-Key": "h", "query": "q=x&api%20key=a%26b"}},
		{"the first that is complete", Require([]Credential{header, missing}, []Credential{cookie}, []Credential{basic}), map[string]string{"Cookie": "own=1; sid=c"}},
		{"the order is the spec's", Require([]Credential{cookie}, []Credential{colon}, []Credential{query}), map[string]string{"Cookie": "own=1; sid=c"}},
		{"optional, and at hand", Require(nil, []Credential{bearer}), map[string]string{"Authorization": "Bearer t.k"}},
		{"optional, and missing", Require([]Credential{}, []Credential{missing}), map[string]string{}},
		{"shown by the connection", Require([]Credential{Transport("mtls")}), map[string]string{}},
		{"shown by the connection and a key", Require([]Credential{Transport("mtls"), header}), map[string]string{"X-Key": "h"}},
		{"a signature covers the rest", Require([]Credential{Custom("sig", signer{}), query, header}), map[string]string{"X-Key": "h", "query": "q=x&api%20key=a%26b", "X-Signature": "h|q=x&api%20key=a%26b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRequest("/plots")
			Query(r, "q", "x", Form)
			Cookie(r, "own", int64(1), Form)
			r.Auth(tt.auth)
			got := sentBy(t, r)
			want := map[string]string{"Cookie": "own=1", "query": "q=x"}
			for k, v := range tt.want {
				want[k] = v
			}
			_, rawQuery, _ := strings.Cut(got.target, "?")
			for _, name := range []string{"Authorization", "X-Key", "Cookie", "X-Signature"} {
				if got.header.Get(name) != want[name] {
					t.Errorf("%s = %q, want %q", name, got.header.Get(name), want[name])
				}
			}
			if rawQuery != want["query"] {
				t.Errorf("query = %s, want %s", rawQuery, want["query"])
			}
			if again := attempt(t, r); again.target != got.target || again.header.Get("Cookie") != got.header.Get("Cookie") {
				t.Errorf("the second attempt sends %s and %q, want the same", again.target, again.header.Get("Cookie"))
			}
		})
	}
}

func TestCredentialsThatCannotBeSent(t *testing.T) {
	var none *rt.BasicCredentials
	tests := []struct {
		name string
		auth Auth
		want string
	}{
		{"missing", Require([]Credential{Bearer("bearer", nil)}), "no credentials for the operation; give the client those of bearer"},
		{"half", Require([]Credential{HeaderKey("a", "X", rt.StaticToken("h")), QueryKey("b", "x", nil)}, []Credential{Basic("c", nil)}), "those of a and b, or of c"},
		{"an empty token", Require([]Credential{Bearer("bearer", rt.StaticToken(""))}), "those of bearer"},
		{"empty basic credentials", Require([]Credential{Basic("basic", rt.BasicCredentials{})}), "those of basic"},
		{"no basic credentials", Require([]Credential{Basic("basic", none)}), "those of basic"},
		{"no authorizer", Require([]Credential{Custom("sig", nil)}), "those of sig"},
		{"a colon in a user name", Require([]Credential{Basic("basic", rt.BasicCredentials{User: "secret:x", Password: "p"})}), "credential basic: user name holds a colon"},
		{"a line break in a password", Require([]Credential{Basic("basic", rt.BasicCredentials{User: "u", Password: "secret\n"})}), "holds a control character"},
		{"a line break in a token", Require([]Credential{Bearer("bearer", rt.StaticToken("secret\n"))}), "credential bearer: token holds a line break"},
		{"a line break in a key", Require([]Credential{HeaderKey("key", "X-Key", rt.StaticToken("secret\r\nX-Evil: 1"))}), "token holds a line break"},
		{"a cookie that would be two", Require([]Credential{CookieKey("key", "sid", rt.StaticToken("secret; admin=1"))}), "a character that a cookie cannot"},
		{"a key that is no text", Require([]Credential{QueryKey("key", "k", rt.StaticToken("\xff"))}), "not UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRequest("/plots")
			r.Auth(tt.auth)
			got := refusedBy(t, r)
			if !strings.Contains(got, tt.want) || strings.Contains(got, "secret") {
				t.Errorf("refusal = %q, want it to contain %q and no credential", got, tt.want)
			}
			if tt.auth.Err() == nil {
				t.Error("Err = nil, want the reason")
			}
		})
	}
}

func TestCredentialsAreAskedOnceAnAttempt(t *testing.T) {
	broken := errors.New("login is down")
	asked := 0
	source := rt.TokenFunc(func(context.Context) (string, error) {
		if asked++; asked == 2 {
			return "", broken
		}
		return "bad\n", nil
	})
	g := newGarden(t, func(http.ResponseWriter, *http.Request) { t.Error("a request came, want none") }, nil)
	call := func() error {
		r := g.request(http.MethodGet, "/beds")
		r.Auth(Require([]Credential{Bearer("bearer", source)}))
		_, err := Do(t.Context(), g.core, &g.policy, r, []rt.RepeatableOption(nil), decodeBed)
		return err
	}
	var ce *rt.CallError
	if err := call(); !errors.As(err, &ce) || ce.Class != rt.ClassAuth || asked != 1 {
		t.Errorf("a token with a line break gives %v after %d questions, want class auth after 1", err, asked)
	}
	if err := call(); !errors.Is(err, broken) || asked != 2 {
		t.Errorf("a source that fails gives %v after %d questions, want its error after 2", err, asked)
	}
	basic := basicAuthorizer{basicFunc(func() (string, string, error) { return "", "", broken })}
	if err := basic.Authorize(t.Context(), &http.Request{Header: http.Header{}}); !errors.Is(err, broken) {
		t.Errorf("a basic source that fails gives %v, want its error", err)
	}
	basic = basicAuthorizer{basicFunc(func() (string, string, error) { return "a:b", "", nil })}
	if err := basic.Authorize(t.Context(), &http.Request{Header: http.Header{}}); err == nil {
		t.Error("a user name with a colon goes out, want it refused")
	}
}

type basicFunc func() (string, string, error)

func (f basicFunc) Basic(context.Context) (string, string, error) { return f() }
