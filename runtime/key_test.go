package runtime_test

import (
	"errors"
	"net/http"
	"regexp"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func TestKeyIsAUUIDMadeOnceACall(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rtr := faulttest.NewRoundTripper()
		var info rt.Info
		if _, err := newClient(t, bare(rt.Keyed), rtr).do(t.Context(), rt.WithInfo(&info)); err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(info.Key.Value) {
			t.Errorf("key = %q, want a UUID of version 4", info.Key.Value)
		}
		if rtr.Requests()[0].Key != info.Key.Value || !info.Key.FirstSent.Equal(time.Now()) {
			t.Errorf("sent %q, info %+v", rtr.Requests()[0].Key, info.Key)
		}
	})
}

// The header stands under a spelling that net/http does not look for.

func TestKeyHeaderIsHiddenFromNetHTTP(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClient(t, bare(rt.Keyed), roundTripFunc(func(r *http.Request) (*http.Response, error) {
			if r.Header.Get("Idempotency-Key") != "" || rt.KeyHeader(r.Header, "Idempotency-Key") != "k1" || r.GetBody != nil {
				t.Errorf("header = %v, GetBody set = %t", r.Header, r.GetBody != nil)
			}
			return faulttest.NewRoundTripper().RoundTrip(r)
		}))
		c.edit = func(call *rt.Call) { call.Header.Set("Idempotency-Key", "a declared parameter's") }
		if _, err := c.do(t.Context(), rt.WithIdempotencyKey(rt.Key{Value: "k1"})); err != nil {
			t.Fatal(err)
		}
	})
}

func TestKeyPlaces(t *testing.T) {
	for _, c := range []struct {
		name       string
		rule       rt.KeyRule
		body       string
		wantPath   string
		wantBody   string
		wantErrors bool
	}{
		{"query", rt.KeyRule{In: rt.InQuery, Name: "request_id"}, `{"a":1}`, "/charges?x=%20y&request_id=k+1", `{"a":1}`, false},
		{"body", rt.KeyRule{In: rt.InBody, Pointer: "/idempotency_key"}, `{"a":1}`, "/charges?x=%20y", `{"a":1,"idempotency_key":"k 1"}`, false},
		{"body, empty object", rt.KeyRule{In: rt.InBody, Pointer: "/key"}, ` {} `, "/charges?x=%20y", `{"key":"k 1"}`, false},
		{"body, in place of another", rt.KeyRule{In: rt.InBody, Pointer: "/key"}, `{"key":"old","a":1.50}`, "/charges?x=%20y", `{"key":"k 1","a":1.50}`, false},
		{"body, deep", rt.KeyRule{In: rt.InBody, Pointer: "/meta/a~1b"}, `{"meta":{"x":[1]},"n":1}`, "/charges?x=%20y", `{"meta":{"x":[1],"a/b":"k 1"},"n":1}`, false},
		{"body, missing object", rt.KeyRule{In: rt.InBody, Pointer: "/meta/key"}, `{"n":1}`, "/charges?x=%20y", `{"n":1,"meta":{"key":"k 1"}}`, false},
		{"body, item of a list", rt.KeyRule{In: rt.InBody, Pointer: "/rows/1/key"}, `{"rows":[{"a":1}, {"b" : 2}],"n":1}`, "/charges?x=%20y", `{"rows":[{"a":1}, {"b" : 2,"key":"k 1"}],"n":1}`, false},
		{"body, a list at the root", rt.KeyRule{In: rt.InBody, Pointer: "/0/key"}, `[{},[]]`, "/charges?x=%20y", `[{"key":"k 1"},[]]`, false},
		{"body, in place of an item", rt.KeyRule{In: rt.InBody, Pointer: "/0"}, `["", 2]`, "/charges?x=%20y", `["k 1", 2]`, false},
		{"body, beyond the list", rt.KeyRule{In: rt.InBody, Pointer: "/rows/2/key"}, `{"rows":[{},{}]}`, "", "", true},
		{"body, not an index", rt.KeyRule{In: rt.InBody, Pointer: "/rows/-/key"}, `{"rows":[{}]}`, "", "", true},
		{"body, escapes", rt.KeyRule{In: rt.InBody, Pointer: "/a~01/b~1~0"}, `{"a/":1,"a~1":{}}`, "/charges?x=%20y", `{"a/":1,"a~1":{"b/~":"k 1"}}`, false},
		{"body, several missing", rt.KeyRule{In: rt.InBody, Pointer: "/a/b/c"}, `{}`, "/charges?x=%20y", `{"a":{"b":{"c":"k 1"}}}`, false},
		{"body, null on the way", rt.KeyRule{In: rt.InBody, Pointer: "/meta/key"}, `{"meta":null}`, "", "", true},
		{"body, text after it", rt.KeyRule{In: rt.InBody, Pointer: "/key"}, `{} {}`, "", "", true},
		{"body, no object", rt.KeyRule{In: rt.InBody, Pointer: "/key"}, `[1]`, "", "", true},
		{"body, scalar on the way", rt.KeyRule{In: rt.InBody, Pointer: "/n/key"}, `{"n":1}`, "", "", true},
		{"body, cut", rt.KeyRule{In: rt.InBody, Pointer: "/key"}, `{"n":`, "", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(rt.Keyed)
				p.Key = c.rule
				rtr := faulttest.NewRoundTripper()
				cl := newClient(t, p, rtr)
				cl.edit = func(call *rt.Call) { call.Body = rt.Bytes([]byte(c.body)); call.URL.RawQuery = "x=%20y" }
				value := "k 1"
				if c.rule.In != 0 {
					value = "k_1"
				}
				_, err := cl.do(t.Context(), rt.WithIdempotencyKey(rt.Key{Value: value}))
				if (err != nil) != c.wantErrors {
					t.Fatalf("error = %v", err)
				}
				if c.wantErrors {
					if ce := callError(t, err); ce.Class != rt.ClassInput || !errors.Is(err, rt.ErrInput) {
						t.Errorf("class = %s, want input", ce.Class)
					}
					return
				}
				r := rtr.Requests()[0]
				if want := replaceKey(c.wantPath); r.Path != want {
					t.Errorf("path = %s, want %s", r.Path, want)
				}
				if want := replaceKey(c.wantBody); r.Body != want {
					t.Errorf("body = %s, want %s", r.Body, want)
				}
			})
		})
	}
}

func replaceKey(s string) string {
	return regexp.MustCompile(`k[ +]1`).ReplaceAllString(s, "k_1")
}

func TestKeysThatAreRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		sent := time.Now()
		time.Sleep(25 * time.Hour)
		for _, c := range []struct {
			name string
			edit func(*rt.Policy)
			key  rt.Key
			want error
		}{
			{"past its retention", nil, rt.Key{Value: "k", FirstSent: sent}, rt.ErrKeyExpired},
			{"within it", nil, rt.Key{Value: "k", FirstSent: sent.Add(2 * time.Hour)}, nil},
			{"made now", nil, rt.Key{Value: "k"}, nil},
			{"retention not known", func(p *rt.Policy) { p.Key.Retention = 0 }, rt.Key{Value: "k", FirstSent: time.Now()}, rt.ErrKeyExpired},
			{"for another host", nil, rt.Key{Value: "k", Host: "eu.payments.invalid"}, rt.ErrKeyHost},
			{"for this host", nil, rt.Key{Value: "k", Host: "faulttest.invalid"}, nil},
			{"too long", func(p *rt.Policy) { p.Key.MaxLength = 3 }, rt.Key{Value: "long"}, rt.ErrInput},
			{"empty", nil, rt.Key{}, rt.ErrInput},
			{"line break", nil, rt.Key{Value: "a\r\nb"}, rt.ErrInput},
		} {
			p := bare(rt.Keyed)
			if c.edit != nil {
				c.edit(p)
			}
			rtr := faulttest.NewRoundTripper()
			_, err := newClient(t, p, rtr).do(t.Context(), rt.WithIdempotencyKey(c.key))
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("%s: error = %v, want %v", c.name, err, c.want)
			}
			if c.want != nil && (rtr.Hits() != 0 || callError(t, err).Outcome != rt.NotSent) {
				t.Errorf("%s: it was sent", c.name)
			}
		}
	})
}

func TestKeyByCaller(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Keyed)
		p.Key.ByCaller = true
		_, err := newClient(t, p, faulttest.NewRoundTripper()).do(t.Context())
		if callError(t, err).Class != rt.ClassInput {
			t.Errorf("error = %v, want that a key is missing", err)
		}
	})
}

func TestKeyWhereNoneIsTaken(t *testing.T) {
	bubble(t, func(t *testing.T) {
		_, err := newClient(t, bare(rt.Idempotent), faulttest.NewRoundTripper()).do(t.Context(), rt.WithIdempotencyKey(rt.Key{Value: "k"}))
		if callError(t, err).Class != rt.ClassInput {
			t.Errorf("error = %v, want input", err)
		}
	})
}

// A key that dies while the call waits is not sent again.

func TestKeyExpiresWithinACall(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Keyed)
		p.Key.Retention = 1200 * time.Millisecond
		_, rtr, took, err := play(t, p, faulttest.Times(3, faulttest.Hang()))
		if !errors.Is(err, rt.ErrKeyExpired) || took != 2100*time.Millisecond {
			t.Errorf("= %v after %s, want the key expired at 2.1s", err, took)
		}
		wantHits(t, &rtr.Script, 2)
	})
}

func TestKeyFromIsStableAndTellsPartsApart(t *testing.T) {
	a, b := rt.KeyFrom("order-17", "capture"), rt.KeyFrom("order-17", "capture")
	if a != b || a.Value == "" || !a.FirstSent.IsZero() {
		t.Errorf("%+v and %+v, want the same", a, b)
	}
	seen := map[string]bool{}
	for _, k := range []rt.Key{a, rt.KeyFrom("order-17capture"), rt.KeyFrom("order-1", "7capture"), rt.KeyFrom(), rt.KeyFrom(""), rt.KeyFrom("", "")} {
		if seen[k.Value] {
			t.Errorf("%q comes twice", k.Value)
		}
		seen[k.Value] = true
	}
}

func TestKeyStatusDone(t *testing.T) {
	rule := func(p *rt.Policy) { p.Key.Statuses = []rt.KeyStatus{{Status: 409, Means: rt.Done}} }
	for _, c := range []struct {
		name  string
		steps []faulttest.Step
		opts  []rt.RepeatableOption
		done  bool
	}{
		{"after a lost attempt", steps(faulttest.Lost(), faulttest.Status(409)), nil, true},
		{"with a key of an earlier process", steps(faulttest.Status(409)), []rt.RepeatableOption{rt.WithIdempotencyKey(rt.KeyFrom("a"))}, true},
		{"with a fresh key", steps(faulttest.Status(409)), nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := bare(rt.Keyed)
				rule(p)
				cl := newClient(t, p, faulttest.NewRoundTripper(c.steps...))
				cl.edit = func(call *rt.Call) { call.HasResult = false }
				var info rt.Info
				_, err := cl.do(t.Context(), append(c.opts, rt.WithInfo(&info))...)
				if info.AlreadyDone != c.done || (err == nil) != c.done {
					t.Errorf("done = %t, error %v; want %t", info.AlreadyDone, err, c.done)
				}
			})
		})
	}
}

func TestReplayedAnswerShowsInTheInfo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Keyed)
		p.Key.Replayed = "Idempotent-Replayed"
		server := faulttest.NewPipe(faulttest.Lost())
		defer server.Close()
		var info rt.Info
		if _, err := newClient(t, p, server.Transport()).do(t.Context(), rt.WithInfo(&info)); err != nil {
			t.Fatal(err)
		}
		if !info.Replayed || info.Attempts != 2 {
			t.Errorf("info = %+v, want replayed at the second attempt", info)
		}
	})
}

// A key of a call of which nothing went out has not been sent: a later call

// does not take "already there" for its own work.

// A resumed key that dies in the queue of the bulkhead is not sent.

func TestKeyThatDiesInTheQueueIsNotSent(t *testing.T) {
	for _, rejected := range []bool{false, true} { // a server may remember refusals too
		keyDiesInTheQueue(t, rejected)
	}
}

func keyDiesInTheQueue(t *testing.T, rejected bool) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Keyed)
		p.Key.Retention, p.Compartment.Bulkhead = time.Second, rt.Bulkhead{MaxConcurrent: 1, MaxQueue: 1}
		rtr := faulttest.NewRoundTripper(faulttest.Slow(900*time.Millisecond, faulttest.Status(200)))
		c := newClient(t, p, rtr)
		key := rt.Key{Value: "k", FirstSent: time.Now(), Rejected: rejected}
		time.Sleep(500 * time.Millisecond)
		go func() { _, _ = c.do(t.Context()) }()
		time.Sleep(time.Millisecond)
		_, err := c.do(t.Context(), rt.WithIdempotencyKey(key))
		if ce := callError(t, err); !errors.Is(err, rt.ErrKeyExpired) || ce.Outcome != rt.NotSent {
			t.Errorf("= %v, %s; want the key expired, not sent", err, ce.Outcome)
		}
		wantHits(t, &rtr.Script, 1)
	})
}

// A clock that runs ahead makes no key live longer.

func TestKeyOfTheFutureIsMadeNow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := bare(rt.Keyed)
		p.Key.Retention = 1200 * time.Millisecond
		_, rtr, _, err := play(t, p, faulttest.Times(3, faulttest.Hang()), rt.WithIdempotencyKey(rt.Key{Value: "k", FirstSent: time.Now().Add(time.Hour)}))
		if !errors.Is(err, rt.ErrKeyExpired) {
			t.Errorf("= %v, want the key expired", err)
		}
		wantHits(t, &rtr.Script, 2)
	})
}

// Made keys are as short as the server takes them.

func TestMadeKeysFitTheServer(t *testing.T) {
	for most, want := range map[int]int{0: 36, 255: 36, 36: 36, 35: 26, 26: 26, 20: 20, 16: 16, 15: 0, 1: 0} {
		p := bare(rt.Keyed)
		p.Key.MaxLength = most
		var info rt.Info
		_, err := newClient(t, p, faulttest.NewRoundTripper()).do(t.Context(), rt.WithInfo(&info))
		if len(info.Key.Value) != want || (err == nil) != (want > 0) {
			t.Errorf("at most %d: %q, %v; want %d characters", most, info.Key.Value, err, want)
		}
	}
}

// A key that is resumed keeps the time and host of its first sending, whether

// or not something goes out this time.

// alreadyDone holds after a call that may have done it, not after one that was

// refused: then the status means what it says. The key tells which it was.

// A refusal that says nothing of the key says nothing of the call that is

// resumed: its outcome stays unknown, and its key as it was.

// Over connections that die while they are kept, the server sees each attempt once.

func TestKeyedWritesAreSentAsOftenAsTheInfoSays(t *testing.T) {
	for _, in := range []rt.KeyPlace{rt.InHeader, rt.InQuery, rt.InBody} {
		server := faulttest.NewServer(faulttest.JSON(201, "{}"), faulttest.Step{Fault: faulttest.Drop}, faulttest.JSON(201, "{}"), faulttest.Step{Fault: faulttest.Reset}, faulttest.JSON(201, "{}"))
		p := patient(bare(rt.Keyed))
		p.Retry.Backoff = rt.Backoff{Initial: time.Millisecond}
		p.Key = rt.KeyRule{In: in, Name: "Idempotency-Key", Pointer: "/key", Retention: time.Hour}
		c := newClient(t, p, nil)
		c.base = server.URL
		c.edit = func(call *rt.Call) { call.Header = http.Header{"Content-Type": {"application/json"}} }
		attempts := 0
		for range 3 {
			var info rt.Info
			if _, err := c.do(t.Context(), rt.WithInfo(&info)); err != nil {
				t.Error(err)
			}
			attempts += info.Attempts
		}
		if server.Hits() != attempts || attempts != 5 {
			t.Errorf("key place %d: %d requests, %d attempts; want 5 of each", in, server.Hits(), attempts)
		}
		server.Close()
	}
}
