package faulttest_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-dev/resgen/runtime/faulttest"
)

// get makes one request and returns status, body and error.
func get(ctx context.Context, t http.RoundTripper, url, key string) (int, string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/x?y=1", strings.NewReader("in"))
	if err != nil {
		return 0, "", err
	}
	if key != "" {
		r.Header["idempotency-key"] = []string{key}
	}
	answer, err := t.RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(body), err
}

// The same script gives the same over pipes, over loopback and without a server.
func TestEveryFaultOverEveryTransport(t *testing.T) {
	for name, c := range map[string]struct {
		step   faulttest.Step
		status int
		body   string
		want   error
		took   time.Duration
	}{
		"plain":    {faulttest.Step{}, 200, "{}", nil, 0},
		"status":   {faulttest.JSON(418, "x"), 418, "x", nil, 0},
		"slow":     {faulttest.Slow(time.Second, faulttest.JSON(201, "x")), 201, "x", nil, time.Second},
		"chunks":   {faulttest.Step{Chunks: []string{"a", "b", "c"}, Pace: time.Second}, 200, "abc", nil, 2 * time.Second},
		"no body":  {faulttest.Step{Status: 204, NoBody: true}, 204, "", nil, 0},
		"hang":     {faulttest.Hang(), 0, "", context.DeadlineExceeded, time.Minute},
		"reset":    {faulttest.Step{Fault: faulttest.Reset}, 0, "", syscall.ECONNRESET, 0},
		"drop":     {faulttest.Step{Fault: faulttest.Drop}, 0, "", io.EOF, 0},
		"truncate": {faulttest.Step{Body: "abc", Fault: faulttest.Truncate, CutAt: 1}, 200, "a", io.ErrUnexpectedEOF, 0},
		"stall":    {faulttest.Step{Body: "abc", Fault: faulttest.Stall, CutAt: 1}, 200, "a", context.DeadlineExceeded, time.Minute},
	} {
		check := func(t *testing.T, transport http.RoundTripper, url string, exact bool) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			before := time.Now()
			status, body, err := get(ctx, transport, url, "")
			if status != c.status || body != c.body || !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("= %d %q %v, want %d %q %v", status, body, err, c.status, c.body, c.want)
			}
			if took := time.Since(before); exact && took != c.took {
				t.Errorf("took %s, want %s", took, c.took)
			}
		}
		t.Run(name+"/pipe", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := faulttest.NewPipe(c.step)
				defer server.Close()
				check(t, server.Transport(), server.URL, true)
			})
		})
		t.Run(name+"/none", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { check(t, faulttest.NewRoundTripper(c.step), "http://x.invalid", true) })
		})
		if c.took == 0 {
			t.Run(name+"/loopback", func(t *testing.T) {
				server := faulttest.NewServer(c.step)
				defer server.Close()
				check(t, server.Transport(), server.URL, false)
			})
		}
	}
}

func TestRefusedIsARealError(t *testing.T) {
	for name, server := range map[string]*faulttest.Server{"loopback": faulttest.NewServer(), "pipe": faulttest.NewPipe()} {
		t.Run(name, func(t *testing.T) {
			defer server.Close()
			transport := server.Transport()
			server.Refuse(true)
			_, _, err := get(t.Context(), transport, server.URL, "")
			var op *net.OpError
			refused := errors.Is(err, syscall.ECONNREFUSED) || name == "loopback" && errors.Is(err, syscall.ECONNRESET) // some kernels say so
			if !errors.As(err, &op) || op.Op != "dial" || !refused {
				t.Errorf("= %v, want a refused dial", err)
			}
			server.Refuse(false)
			if status, _, err := get(t.Context(), transport, server.URL, ""); status != 200 {
				t.Errorf("afterwards = %d, %v", status, err)
			}
		})
	}
}

func TestBookKeepsWorkByKey(t *testing.T) {
	transport := faulttest.NewRoundTripper(faulttest.JSON(201, "first"))
	for _, key := range []string{"k", "k", "", ""} {
		_, _, _ = get(t.Context(), transport, "http://x.invalid", key)
	}
	effects := transport.Book.Effects()
	if len(effects) != 3 || effects[0].Times != 1 || effects[0].Replayed != 1 || transport.Book.Done("k") != 1 {
		t.Errorf("effects = %+v, want the key once, replayed once, and two without a key", effects)
	}
	if d := transport.Book.Duplicates(); len(d) != 1 || d[0] != "POST /x?y=1" {
		t.Errorf("duplicates = %q, want the second one without a key", d)
	}
	if r := transport.Requests()[1]; r.Key != "k" || r.Body != "in" || r.Method != "POST" {
		t.Errorf("request = %+v", r)
	}
}

func TestStoredAnswersComeBackMarked(t *testing.T) {
	transport := faulttest.NewRoundTripper(faulttest.Step{Status: 201, Body: "first", Fault: faulttest.Reset, Acts: true})
	_, _, _ = get(t.Context(), transport, "http://x.invalid", "k")
	status, body, err := get(t.Context(), transport, "http://x.invalid", "k")
	if status != 201 || body != "first" || err != nil {
		t.Errorf("= %d %q %v, want the stored answer", status, body, err)
	}
}

func TestRoutesHaveScriptsOfTheirOwn(t *testing.T) {
	transport := faulttest.NewRoundTripper(faulttest.Status(500))
	transport.On("POST /x", faulttest.Status(409))
	transport.OtherwiseOn("POST /x", faulttest.Status(410))
	transport.Otherwise(faulttest.Status(411))
	for _, want := range []int{409, 500, 410, 410} {
		if status, _, _ := get(t.Context(), transport, "http://x.invalid", ""); status != want {
			t.Errorf("status = %d, want %d", status, want)
		}
	}
	transport.Forget()
	if status, _, _ := get(t.Context(), transport, "http://x.invalid", ""); status != 200 || transport.Hits() != 1 {
		t.Errorf("after Forget: %d, %d requests; want 200, 1", status, transport.Hits())
	}
}
