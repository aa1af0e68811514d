package runtime_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	rt "github.com/resgen-dev/resgen/runtime"
)

// memory is a transport that answers from memory, as cheaply as can be.
type memory struct{ body []byte }

func (m *memory) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(m.body)), ContentLength: int64(len(m.body)),
	}, nil
}

type charge struct {
	ID     string `json:"id"`
	Amount int64  `json:"amount"`
}

// full is a policy with all five layers on.
func full(class rt.Class) *rt.Policy {
	p := bare(class)
	p.SlowOver = 500 * time.Millisecond
	p.Compartment.Breaker = rt.Breaker{
		FailureRate: 50 * rt.Percent, SlowRate: 80 * rt.Percent, Window: time.Minute, MinimumCalls: 10,
		OpenFor: 30 * time.Second, OpenMax: 5 * time.Minute, Probes: rt.Probes{Count: 3, Successes: 2},
	}
	p.Compartment.Bulkhead = rt.Bulkhead{MaxConcurrent: 64, MaxQueue: 128}
	p.Compartment.Budget = rt.Budget{Ratio: 20 * rt.Percent, Floor: rt.PerSecond, Window: 10 * time.Second}
	return p
}

// BenchmarkCall is one call of an operation with a JSON body and answer, as
// generated code makes it, beside the same by hand with one WithTimeout.
func BenchmarkCall(b *testing.B) {
	body, answer := charge{Amount: 1}, []byte(`{"id":"ch_1","amount":1}`)
	u, err := url.Parse("http://memory.invalid/charges")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		client := newHand(&memory{answer})
		for b.Loop() {
			if _, err := byHand(b.Context(), client, u.String(), body); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, class := range []rt.Class{rt.Idempotent, rt.Keyed, rt.Unsafe} {
		p := full(class)
		e, err := rt.NewEngine(rt.EngineSpec{Package: "bench", Policies: []*rt.Policy{p}}, rt.ClientConfig{Transport: &memory{answer}})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(class.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := generated(b.Context(), e, p, u, body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func newHand(t http.RoundTripper) *http.Client { return &http.Client{Transport: t} }

func byHand(ctx context.Context, client *http.Client, u string, in charge) (*charge, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	out := new(charge)
	return out, json.UnmarshalRead(answer.Body, out)
}

func generated(ctx context.Context, e *rt.Engine, p *rt.Policy, u *url.URL, in charge) (*charge, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	target := *u
	c := &rt.Call{
		Operation: "createCharge", Method: http.MethodPost, URL: &target, Body: rt.Bytes(body), HasResult: true,
		Header: http.Header{"Content-Type": jsonType, "Accept": jsonType},
	}
	var out *charge
	c.Decode = func(a *rt.Answer) error {
		if a.Status != 200 {
			return a.Unexpected()
		}
		out = new(charge)
		return json.Unmarshal(a.Body, out)
	}
	err = e.Do(ctx, p, c)
	return out, err
}

var jsonType = []string{"application/json"}

// BenchmarkStack is the five layers around a function that does nothing.
func BenchmarkStack(b *testing.B) {
	run := func(ctx context.Context, p *rt.Policy, parallel bool) func(*testing.B) {
		nothing := func(context.Context) error { return nil }
		return func(b *testing.B) {
			b.ReportAllocs()
			if parallel {
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						_ = rt.Run(ctx, p, nothing)
					}
				})
				return
			}
			for b.Loop() {
				if err := rt.Run(ctx, p, nothing); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	tighter := full(rt.Safe)
	tighter.Timeout.Attempt, tighter.Timeout.Total = 2*time.Hour, 2*time.Hour
	timer := full(rt.Safe)
	b.Run("caller tighter", run(ctx, tighter, false))
	b.Run("caller tighter, parallel", run(ctx, tighter, true))
	b.Run("timer", run(ctx, timer, false))
}

// BenchmarkTimeout is what context.WithTimeout costs by itself.
func BenchmarkTimeout(b *testing.B) {
	b.ReportAllocs()
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	for b.Loop() {
		_, cancel := context.WithTimeout(ctx, time.Second)
		cancel()
	}
}
