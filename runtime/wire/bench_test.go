package wire

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	rt "github.com/resgen-dev/resgen/runtime"
)

// canned answers every request from memory, after reading its body.
type canned struct {
	status      int
	contentType []string
	body        []byte
}

func (c *canned) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
		if err := r.Body.Close(); err != nil {
			return nil, err
		}
	}
	return &http.Response{
		StatusCode: c.status, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": c.contentType},
		Body: io.NopCloser(bytes.NewReader(c.body)), ContentLength: int64(len(c.body)), Request: r,
	}, nil
}

// benchGarden is a client with the five layers on, over canned answers.
func benchGarden(b testing.TB, c *canned) *garden {
	compartment := &rt.Compartment{
		Dependency: "garden",
		Breaker:    rt.Breaker{FailureRate: 50 * rt.Percent, Window: 10 * time.Second, MinimumCalls: 20, OpenFor: time.Second, Probes: rt.Probes{Count: 3, Successes: 2}},
		Bulkhead:   rt.Bulkhead{MaxConcurrent: 100},
		Budget:     rt.Budget{Ratio: 20 * rt.Percent, Floor: 10 * rt.PerSecond, Window: 10 * time.Second},
	}
	g := &garden{server: BaseURL("http://garden.test/v1"), policy: rt.Policy{
		Class: rt.Idempotent, Compartment: compartment, Timeout: rt.Timeout{Attempt: time.Second, Total: 3 * time.Second},
		Retry: rt.Retry{MaxAttempts: 3, When: rt.When{Statuses: []int{503}, Connection: true}, Backoff: rt.Backoff{Initial: time.Millisecond, Max: time.Second, Multiplier: 2}},
	}}
	core, err := rt.NewEngine(rt.EngineSpec{Package: "garden", UserAgent: "garden/1", Policies: []*rt.Policy{&g.policy}}, rt.ClientConfig{Transport: c})
	if err != nil {
		b.Fatal(err)
	}
	g.core = core
	return g
}

type benchRequest struct {
	ID    string
	Limit *int64
	Hue   *hue
	Trace *string
	Body  bed
}

var (
	benchInput = benchRequest{ID: "b7", Limit: ptr(int64(20)), Hue: ptr(hue("red")), Trace: ptr("t-1"), Body: bed{Row: 4}}
	benchBed   = []byte(`{"row":4,"soil":"wet clay"}`)
	jsonType   = []string{"application/json"}
)

// BenchmarkDo measures one generated call of each signature, beside the same
// by hand: net/http's client, one WithTimeout, the same JSON library.
func BenchmarkDo(b *testing.B) {
	ctx := context.Background()
	none := []rt.RepeatableOption(nil)
	b.Run("json/generated", func(b *testing.B) {
		g := benchGarden(b, &canned{200, jsonType, benchBed})
		b.ReportAllocs()
		for b.Loop() {
			r := g.request(http.MethodPut, "/beds/{id}")
			PathParam(r, "id", benchInput.ID, Simple)
			Query(r, "limit", benchInput.Limit, Form|Explode)
			Query(r, "hue", benchInput.Hue, Form|Explode)
			Header(r, "X-Trace", benchInput.Trace, Simple)
			JSON(r, "application/json", benchInput.Body)
			r.Accept("application/json, application/problem+json")
			if _, err := Do(ctx, g.core, &g.policy, r, none, decodeBed); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("json/by hand", func(b *testing.B) {
		benchByHand(b, &canned{200, jsonType, benchBed}, http.MethodPut, true, func(body []byte) error {
			return json.Unmarshal(body, new(bed), decodeOptions)
		})
	})
	b.Run("statuses/generated", func(b *testing.B) {
		g := benchGarden(b, &canned{200, jsonType, benchBed})
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Do(ctx, g.core, &g.policy, benchGet(g), none, decodeOrder); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("statuses/by hand", func(b *testing.B) {
		benchByHand(b, &canned{200, jsonType, benchBed}, http.MethodGet, false, func(body []byte) error {
			res := &order{Status: 200, Bed: new(bed)}
			return json.Unmarshal(body, res.Bed, decodeOptions)
		})
	})
	b.Run("none/generated", func(b *testing.B) {
		g := benchGarden(b, &canned{204, nil, nil})
		b.ReportAllocs()
		for b.Loop() {
			if err := DoNone(ctx, g.core, &g.policy, benchGet(g), none, decodeNothing); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("none/by hand", func(b *testing.B) {
		benchByHand(b, &canned{204, nil, nil}, http.MethodGet, false, func([]byte) error { return nil })
	})
	b.Run("stream/generated", func(b *testing.B) {
		g := benchGarden(b, &canned{200, []string{"image/png"}, benchBed})
		b.ReportAllocs()
		for b.Loop() {
			s, err := DoStream(ctx, g.core, &g.policy, benchGet(g), none, decodeFilm)
			if err != nil {
				b.Fatal(err)
			}
			if err := drain(s); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("stream/by hand", func(b *testing.B) {
		benchByHand(b, &canned{200, []string{"image/png"}, benchBed}, http.MethodGet, false, func([]byte) error { return nil })
	})
	b.Run("events/generated", func(b *testing.B) {
		g := benchGarden(b, &canned{200, []string{"text/event-stream"}, []byte("data: {\"height\":1}\n\ndata: {\"height\":2}\n\n")})
		b.ReportAllocs()
		for b.Loop() {
			events, err := DoEvents(ctx, g.core, &g.policy, benchGet(g), none, decodeGrowth)
			if err != nil {
				b.Fatal(err)
			}
			for _, err := range events.All() {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

func benchGet(g *garden) *Request {
	r := g.request(http.MethodGet, "/beds/{id}")
	PathParam(r, "id", benchInput.ID, Simple)
	r.Accept("application/json")
	return r
}

func decodeNothing(a *Answer) error {
	if a.Status == 204 {
		return nil
	}
	return a.Unexpected()
}

func decodeFilm(a *Answer) (*rt.Stream, error) { return DecodeStream(a, "image/png") }

func decodeGrowth(a *Answer) (*Events[growth], error) { return DecodeEvents[growth](a) }

func drain(s io.ReadCloser) error {
	if _, err := io.Copy(io.Discard, s); err != nil {
		return err
	}
	return s.Close()
}

func benchByHand(b *testing.B, c *canned, method string, full bool, decode func([]byte) error) {
	client := &http.Client{Transport: c}
	b.ReportAllocs()
	for b.Loop() {
		if err := byHand(client, method, full, decode); err != nil {
			b.Fatal(err)
		}
	}
}

// byHand is the call as a careful person writes it.
func byHand(client *http.Client, method string, full bool, decode func([]byte) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	target := "http://garden.test/v1/beds/" + benchInput.ID
	var body io.Reader
	if full {
		target += "?limit=20&hue=" + string(*benchInput.Hue)
		b, err := json.Marshal(&benchInput.Body, json.Deterministic(true))
		if err != nil {
			return err
		}
		body = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, target, body)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "garden/1")
	if full {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Trace", *benchInput.Trace)
	}
	resp, err := client.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	return decode(answer)
}

// BenchmarkParameters shows what the scalar paths cost: nothing but the text
// that grows.
func BenchmarkParameters(b *testing.B) {
	b.ReportAllocs()
	r := newRequest("/plots/{v}")
	for b.Loop() {
		r.pathParams, r.pathText, r.query.buf = r.pathParams[:0], r.pathText[:0], r.query.buf[:0]
		PathParam(r, "v", benchInput.ID, Simple)
		Query(r, "a", benchInput.Limit, Form|Explode)
		Query(r, "b", benchInput.Hue, Form|Explode)
		Query(r, "c", true, Form|Explode)
		Query(r, "d", 1.5, Form|Explode)
		Query(r, "e", (*bed)(nil), Form|Explode)
	}
}

// BenchmarkUnion decodes a tagged union whose variant holds all of it.
func BenchmarkUnion(b *testing.B) {
	text := []byte(`{"kind":"moss","wet":true,"depth":1.5}`)
	b.ReportAllocs()
	for b.Loop() {
		var u plant
		if err := json.Unmarshal(text, &u, decodeOptions); err != nil {
			b.Fatal(err)
		}
	}
}

// A generated call allocates at most three times more than the same by hand.
func TestAllocations(t *testing.T) {
	g := benchGarden(t, &canned{200, jsonType, benchBed})
	generated := testing.AllocsPerRun(200, func() {
		r := g.request(http.MethodPut, "/beds/{id}")
		PathParam(r, "id", benchInput.ID, Simple)
		Query(r, "limit", benchInput.Limit, Form|Explode)
		Query(r, "hue", benchInput.Hue, Form|Explode)
		Header(r, "X-Trace", benchInput.Trace, Simple)
		JSON(r, "application/json", benchInput.Body)
		r.Accept("application/json, application/problem+json")
		if _, err := Do(t.Context(), g.core, &g.policy, r, []rt.RepeatableOption(nil), decodeBed); err != nil {
			t.Fatal(err)
		}
	})
	client := &http.Client{Transport: &canned{200, jsonType, benchBed}}
	hand := testing.AllocsPerRun(200, func() {
		err := byHand(client, http.MethodPut, true, func(body []byte) error { return json.Unmarshal(body, new(bed), decodeOptions) })
		if err != nil {
			t.Fatal(err)
		}
	})
	if generated > hand+3 {
		t.Errorf("a generated call allocates %.0f times, by hand it is %.0f; want at most 3 more", generated, hand)
	}
	r := newRequest("/plots/{v}")
	scalars := testing.AllocsPerRun(200, func() {
		r.pathParams, r.pathText, r.query.buf = r.pathParams[:0], r.pathText[:0], r.query.buf[:0]
		PathParam(r, "v", benchInput.ID, Simple)
		Query(r, "a", benchInput.Limit, Form|Explode)
		Query(r, "b", benchInput.Hue, Form|Explode)
		Query(r, "c", true, Form|Explode)
		Query(r, "d", 1.5, Form|Explode)
	})
	if scalars != 0 {
		t.Errorf("scalar parameters allocate %.0f times, want 0", scalars)
	}
}
