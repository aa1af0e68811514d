package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
)

// A garden is a client as generated code makes one, of a server that one
// handler plays.
type garden struct {
	core   *rt.Engine
	server Server
	policy rt.Policy
	unsafe rt.Policy
}

func newGarden(t testing.TB, handler http.HandlerFunc, change func(*garden, *rt.ClientConfig)) *garden {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	compartment := &rt.Compartment{Dependency: "garden"}
	g := &garden{
		server: BaseURL(s.URL + "/v1/"),
		policy: rt.Policy{Class: rt.Idempotent, Compartment: compartment, Retry: rt.Retry{MaxAttempts: 3, When: rt.When{Statuses: []int{503}}}},
		unsafe: rt.Policy{Class: rt.Unsafe, Compartment: compartment, Retry: rt.Retry{MaxAttempts: 1}},
	}
	var config rt.ClientConfig
	if change != nil {
		change(g, &config)
	}
	core, err := rt.NewEngine(rt.EngineSpec{Package: "garden", UserAgent: "garden/1", Policies: []*rt.Policy{&g.policy, &g.unsafe}}, config)
	if err != nil {
		t.Fatal(err)
	}
	g.core = core
	return g
}

func (g *garden) request(method, template string) *Request {
	r := NewRequest("tend", method, g.server)
	r.Path(template)
	return r
}

// get is an operation with one success and one declared error.
func (g *garden) get(ctx context.Context, id string, opts ...rt.RepeatableOption) (*bed, error) {
	r := g.request(http.MethodGet, "/beds/{id}")
	PathParam(r, "id", id, Simple)
	r.Accept("application/json, application/problem+json")
	return Do(ctx, g.core, &g.policy, r, opts, decodeBed)
}

func decodeBed(a *Answer) (*bed, error) {
	switch a.Status {
	case 200:
		return DecodeJSON[*bed](a, "application/json")
	case 422:
		return nil, DecodeError[trouble](a, "application/problem+json")
	default:
		return nil, a.Unexpected()
	}
}

func reply(w http.ResponseWriter, status int, contentType, body string) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body) // a test's client may be gone
}

func TestDo(t *testing.T) {
	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.RequestURI {
		case "/v1/beds/a%2Fb":
			if r.Header.Get("Accept") != "application/json, application/problem+json" || r.Header.Get("User-Agent") != "garden/1" {
				t.Errorf("headers = %v, want Accept and User-Agent", r.Header)
			}
			reply(w, 200, "application/json", `{"row":7}`)
		case "/v1/beds/422":
			reply(w, 422, "application/problem+json", `{"title":"dry"}`)
		case "/v1/beds/html":
			reply(w, 200, "text/html", "<p>login</p>")
		case "/v1/beds/502":
			reply(w, 502, "text/html", "<h1>Bad gateway</h1>")
		default:
			reply(w, 200, "application/json", `{"row":"x"}`)
		}
	}, nil)
	got, err := g.get(t.Context(), "a/b")
	if err != nil || got.Row != 7 {
		t.Errorf("result = %+v, %v; want row 7", got, err)
	}
	var problem trouble
	if _, err = g.get(t.Context(), "422"); !errors.As(err, &problem) || problem.Title != "dry" {
		t.Errorf("error = %v, want the declared one", err)
	}
	tests := []struct {
		id     string
		class  rt.ErrorClass
		status int
		body   string
		text   string
	}{
		{"422", rt.ClassPermanent, 422, `{"title":"dry"}`, "garden tend: permanent: status 422"},
		{"html", rt.ClassMalformed, 200, "<p>login</p>", `content type is "text/html"; want application/json`},
		{"502", rt.ClassTransient, 502, "<h1>Bad gateway</h1>", "garden tend: transient: status 502"},
		{"other", rt.ClassMalformed, 200, `{"row":"x"}`, "body at /row is a string; want int64"},
	}
	for _, tt := range tests {
		got, err := g.get(t.Context(), tt.id)
		var ce *rt.CallError
		if !errors.As(err, &ce) {
			t.Fatalf("%s: error = %v, want a *rt.CallError", tt.id, err)
		}
		if got != nil || ce.Class != tt.class || ce.Status != tt.status || string(ce.Body) != tt.body || ce.Header.Get("Content-Type") == "" {
			t.Errorf("%s: result = %v, class %s, status %d, body %q; want none, %s, %d, %q", tt.id, got, ce.Class, ce.Status, ce.Body, tt.class, tt.status, tt.body)
		}
		if !strings.Contains(ce.Error(), tt.text) {
			t.Errorf("%s: text = %q, want it to contain %q", tt.id, ce, tt.text)
		}
	}
}

func TestDoRefuses(t *testing.T) {
	hits := 0
	g := newGarden(t, func(http.ResponseWriter, *http.Request) { hits++ }, nil)
	_, err := g.get(t.Context(), "..")
	var ce *rt.CallError
	if !errors.As(err, &ce) || ce.Class != rt.ClassInput || ce.Outcome != rt.NotSent || !errors.Is(err, rt.ErrInput) {
		t.Fatalf("error = %v, want class input, not sent", err)
	}
	if want := `path parameters make the segment ".." of /beds/{id}; it would lead to another path`; !strings.Contains(err.Error(), want) {
		t.Errorf("text = %q, want it to contain %q", err, want)
	}
	r := g.request(http.MethodPut, "/beds")
	JSON(r, "application/json", map[string]rt.Number{"n": "secret"})
	err = DoNone(t.Context(), g.core, &g.policy, r, []rt.RepeatableOption(nil), func(*Answer) error { return nil })
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "body: value at /* is a Number") {
		t.Errorf("text = %v, want it to name the place and not the value", err)
	}
	if hits != 0 {
		t.Errorf("%d requests went out, want none", hits)
	}
}

// order has three successes: a result struct.
type order struct {
	Status int
	Bed    *bed
	Ticket *string
}

func decodeOrder(a *Answer) (*order, error) {
	res := &order{Status: a.Status}
	switch a.Status {
	case 200:
		return res, Into(&res.Bed)(DecodeJSON[*bed](a, "application/json"))
	case 201:
		return res, Into(&res.Ticket)(DecodeText[*string](a, "text/plain"))
	case 202:
		return res, nil
	default:
		return nil, a.Unexpected()
	}
}

func TestDoWithSeveralSuccesses(t *testing.T) {
	status := 0
	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) {
		switch status {
		case 200:
			reply(w, 200, "application/json", `{"row":1}`)
		case 201:
			reply(w, 201, "text/plain", "t7")
		case 299:
			reply(w, 200, "application/json", `[]`)
		default:
			w.WriteHeader(status)
		}
	}, nil)
	call := func() (*order, error) {
		return Do(t.Context(), g.core, &g.unsafe, g.request(http.MethodPost, "/orders"), []rt.Option{rt.WithoutRetry()}, decodeOrder)
	}
	status = 200
	if got, err := call(); err != nil || got.Status != 200 || got.Bed == nil || got.Ticket != nil {
		t.Errorf("200 gives %+v, %v; want the bed", got, err)
	}
	status = 201
	if got, err := call(); err != nil || got.Status != 201 || got.Bed != nil || *got.Ticket != "t7" {
		t.Errorf("201 gives %+v, %v; want the ticket", got, err)
	}
	status = 202
	if got, err := call(); err != nil || got.Status != 202 {
		t.Errorf("202 gives %+v, %v; want the status", got, err)
	}
	status = 299 // 200 with another shape
	if got, err := call(); got != nil || !errors.Is(err, rt.ErrMalformed) {
		t.Errorf("an undecodable 200 gives %+v, %v; want malformed and no result", got, err)
	}
}

func TestDoNone(t *testing.T) {
	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > 0 || r.Header.Get("Content-Type") != "" {
			t.Errorf("a body of %d bytes of type %q came, want none", r.ContentLength, r.Header.Get("Content-Type"))
		}
		reply(w, 201, "application/json", `{"surprise":[1]}`)
	}, nil)
	err := DoNone(t.Context(), g.core, &g.unsafe, g.request(http.MethodPost, "/drops"), []rt.Option(nil), func(a *Answer) error {
		if a.Status == 201 {
			return nil
		}
		return a.Unexpected()
	})
	if err != nil {
		t.Errorf("error = %v, want none", err)
	}
}

func TestHeadHasHeadersAndNoBody(t *testing.T) {
	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "9")
		w.Header().Set("X-Size", "9")
		if strings.HasSuffix(r.URL.Path, "none") {
			w.WriteHeader(422)
		}
	}, nil)
	var info rt.Info
	r := g.request(http.MethodHead, "/beds/a")
	if _, err := Do(t.Context(), g.core, &g.policy, r, []rt.RepeatableOption{rt.WithInfo(&info)}, decodeBed); err != nil {
		t.Fatal(err)
	}
	var size int64
	if err := HeaderValue(info.Header, "X-Size", Simple, &size); err != nil || size != 9 {
		t.Errorf("size = %d, %v; want 9", size, err)
	}
	var ce *rt.CallError
	if _, err := Do(t.Context(), g.core, &g.policy, g.request(http.MethodHead, "/none"), []rt.RepeatableOption(nil), decodeBed); !errors.As(err, &ce) || ce.Status != 422 {
		t.Errorf("error = %v, want status 422", err)
	}
}

func TestEveryAttemptSendsTheSame(t *testing.T) {
	var bodies, types []string
	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		bodies, types = append(bodies, fmt.Sprintf("%d:%s", r.ContentLength, b)), append(types, r.Header.Get("Content-Type"))
		if len(bodies) < 3 {
			w.WriteHeader(503)
		}
	}, nil)
	r := g.request(http.MethodPut, "/albums")
	p := MultipartBody(r, "multipart/form-data")
	PartText(p, "title", "t", "")
	PartFile(p, "photo", rt.File{Name: "a", Content: rt.ReaderAt(strings.NewReader("abc"), 3)}, "")
	PartFile(p, "cover", rt.File{Name: "b", Content: rt.Opener(2, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("xy")), nil })}, "")
	decode := func(a *Answer) error {
		if a.Status == 200 {
			return nil
		}
		return a.Unexpected()
	}
	if err := DoNone(t.Context(), g.core, &g.policy, r, []rt.RepeatableOption(nil), decode); err != nil {
		t.Fatal(err)
	}
	if len(bodies) != 3 || bodies[0] != bodies[1] || bodies[1] != bodies[2] || types[0] != types[2] || !strings.Contains(bodies[0], "abc") {
		t.Errorf("attempts sent %q of types %q, want three times the same", bodies, types)
	}
	bodies = nil
	r = g.request(http.MethodPut, "/albums")
	p = MultipartBody(r, "multipart/form-data")
	PartFile(p, "photo", rt.File{Name: "a", Content: rt.Reader(-1, strings.NewReader("abc"))}, "")
	if err := DoNone(t.Context(), g.core, &g.policy, r, []rt.RepeatableOption(nil), decode); !errors.Is(err, rt.ErrNotReplayable) || len(bodies) != 1 {
		t.Errorf("a part that can be read once gives %v after %d attempts, want ErrNotReplayable after 1", err, len(bodies))
	}
}

func TestAnswersHaveALimit(t *testing.T) {
	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) {
		reply(w, 200, "application/json", `{"row":1,"soil":"`+strings.Repeat("x", 2000)+`"}`)
	}, func(_ *garden, c *rt.ClientConfig) { c.MaxResponseBytes = 1000 })
	if _, err := g.get(t.Context(), "a"); !errors.Is(err, rt.ErrTooLarge) {
		t.Errorf("error = %v, want ErrTooLarge", err)
	}
	g = newGarden(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(64<<20+1))
		w.WriteHeader(200)
	}, nil)
	if _, err := g.get(t.Context(), "a"); !errors.Is(err, rt.ErrTooLarge) {
		t.Errorf("beyond 64 MiB error = %v, want ErrTooLarge", err)
	}
}

func TestDoWithFallback(t *testing.T) {
	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500) }, func(g *garden, _ *rt.ClientConfig) {
		g.policy.Class = rt.Safe
		g.policy.Fallback = rt.Fallback{Kind: rt.FallbackCaller}
	})
	last := func(_ context.Context, id string, failed *rt.CallError) (*bed, error) {
		if id == "none" {
			return nil, errors.New("none")
		}
		return &bed{Row: int64(failed.Status)}, nil
	}
	call := func(f func(context.Context, string, *rt.CallError) (*bed, error), id string) (*bed, error) {
		return DoWithFallback(t.Context(), g.core, &g.policy, g.request(http.MethodGet, "/beds"), []rt.RepeatableOption(nil), decodeBed, Bind(f, id))
	}
	if got, err := call(last, "a"); err != nil || got.Row != 500 {
		t.Errorf("result = %+v, %v; want the fallback's", got, err)
	}
	if got, err := call(last, "none"); err == nil || got != nil {
		t.Errorf("result = %+v, %v; want the error", got, err)
	}
	if got, err := call(nil, "a"); err == nil || got != nil {
		t.Errorf("result = %+v, %v; want the error", got, err)
	}
}

// A renewing token source begins with a token that the server refuses.
type renewing struct{ token string }

func (r *renewing) Token(context.Context) (string, error) { return r.token, nil }
func (r *renewing) Refresh(_ context.Context, refused string) error {
	if refused == r.token {
		r.token += "+"
	}
	return nil
}

func TestRefusedTokensAreRenewed(t *testing.T) {
	places := map[string]func(rt.TokenSource) Credential{
		"bearer": func(s rt.TokenSource) Credential { return Bearer("b", s) },
		"header": func(s rt.TokenSource) Credential { return HeaderKey("h", "X-Key", s) },
		"query":  func(s rt.TokenSource) Credential { return QueryKey("q", "the key", s) },
		"cookie": func(s rt.TokenSource) Credential { return CookieKey("c", "key", s) },
	}
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			hits := 0
			g := newGarden(t, func(w http.ResponseWriter, r *http.Request) {
				hits++
				if !strings.Contains(r.Header.Get("Authorization")+r.Header.Get("X-Key")+r.URL.Query().Get("the key")+r.Header.Get("Cookie"), "old+") {
					w.WriteHeader(401)
					return
				}
				reply(w, 200, "application/json", `{"row":1}`)
			}, nil)
			r := g.request(http.MethodGet, "/beds")
			r.Auth(Require([]Credential{place(&renewing{"old"}), HeaderKey("other", "X-Other", rt.StaticToken("o"))}))
			got, err := Do(t.Context(), g.core, &g.policy, r, []rt.RepeatableOption(nil), decodeBed)
			if err != nil || got.Row != 1 || hits != 2 {
				t.Errorf("result = %v, %v after %d requests; want one repeat with the renewed token", got, err, hits)
			}
		})
	}
}

// countedRenewals counts how often its token is renewed.
type countedRenewals struct {
	renewing
	times int
}

func (c *countedRenewals) Refresh(ctx context.Context, refused string) error {
	c.times++
	return c.renewing.Refresh(ctx, refused)
}

// Of two calls that were refused with the same token, the second renews nothing.
func TestRefusedTokensAreRenewedOnce(t *testing.T) {
	source := &countedRenewals{renewing: renewing{"old"}}
	place := tokenPlace{kind: inBearer}
	a := refreshingAuthorizer{tokenAuthorizer{source, place}, source}
	for range 2 {
		refused := &http.Request{Header: http.Header{}}
		place.put(refused, "old")
		if changed, err := a.Refresh(t.Context(), refused); !changed || err != nil {
			t.Errorf("changed %t, %v; want another token", changed, err)
		}
	}
	if source.times != 1 {
		t.Errorf("renewed %d times, want once", source.times)
	}
}

func TestAttemptTimesBoundDecoding(t *testing.T) {
	release := make(chan struct{})
	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(200)
		http.NewResponseController(w).Flush()
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}, func(g *garden, _ *rt.ClientConfig) {
		g.policy.Timeout = rt.Timeout{Attempt: 20 * time.Millisecond}
		g.policy.Retry.MaxAttempts = 1
	})
	defer close(release)
	var ce *rt.CallError
	if _, err := g.get(t.Context(), "a"); !errors.As(err, &ce) || errors.Is(err, rt.ErrMalformed) {
		t.Errorf("a body that never comes gives %v, want it cut by the attempt's limit", err)
	}
}
