package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	rt "github.com/resgen-dev/resgen/runtime"
)

// A talk is a streaming server whose every step the test allows: it writes
// what comes from say, and closes left when its client is gone.
type talk struct {
	contentType string
	say         chan string
	left        chan struct{}
}

func newTalk(contentType string) *talk {
	return &talk{contentType, make(chan string), make(chan struct{})}
}

func (s *talk) serve(w http.ResponseWriter, r *http.Request) {
	defer close(s.left)
	w.Header().Set("Content-Type", s.contentType)
	w.WriteHeader(200)
	for {
		http.NewResponseController(w).Flush()
		select {
		case text, more := <-s.say:
			if !more {
				return
			}
			_, _ = io.WriteString(w, text) // the client may be gone
		case <-r.Context().Done():
			return
		}
	}
}

type growth struct {
	Height int64 `json:"height"`
}

func (g *garden) watch(ctx context.Context) (*Events[growth], error) {
	r := g.request(http.MethodGet, "/growth")
	return DoEvents(ctx, g.core, &g.policy, r, []rt.RepeatableOption(nil), func(a *Answer) (*Events[growth], error) {
		if a.Status == 200 {
			return DecodeEvents[growth](a)
		}
		return nil, a.Unexpected()
	})
}

func TestEventsComeOneByOne(t *testing.T) {
	s := newTalk("text/event-stream; charset=utf-8")
	events, err := newGarden(t, s.serve, nil).watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if events.Status != 200 || !strings.HasPrefix(events.Header.Get("Content-Type"), "text/event-stream") {
		t.Errorf("status %d and headers %v, want them before the first event", events.Status, events.Header)
	}
	go func() { s.say <- "id: 1\nevent: up\ndata: {\"height\":1}\n\n" }()
	n := int64(0)
	for event, err := range events.All() {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if event.Data.Height != n || event.Name != "up" || event.ID != "1" {
			t.Errorf("event = %+v, want number %d", event, n)
		}
		if n == 3 {
			s.say <- "data: [DONE]\n\n"
			continue
		}
		s.say <- fmt.Sprintf("event: up\ndata: {\"height\":%d}\n\n", n+1) // only now: the loop has the one before
	}
	if n != 3 {
		t.Errorf("%d events, want 3", n)
	}
	<-s.left // the end of the loop closed the stream
}

func TestEventsEnd(t *testing.T) {
	t.Run("leaving the loop", func(t *testing.T) {
		s := newTalk("text/event-stream")
		events, err := newGarden(t, s.serve, nil).watch(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		go func() { s.say <- "data: {\"height\":1}\n\n" }()
		for range events.All() {
			break
		}
		<-s.left
	})
	t.Run("closing while it waits", func(t *testing.T) {
		s := newTalk("text/event-stream")
		events, err := newGarden(t, s.serve, nil).watch(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			s.say <- ": nothing yet\n\n"
			events.Close()
		}()
		for event, err := range events.All() {
			t.Errorf("event = %+v, %v; want none", event, err)
		}
		<-s.left
	})
	t.Run("cancelling", func(t *testing.T) {
		s := newTalk("text/event-stream")
		ctx, cancel := context.WithCancel(t.Context())
		events, err := newGarden(t, s.serve, nil).watch(ctx)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			s.say <- "data: {\"height\":1}\n\n"
			cancel()
		}()
		var errs []error
		for _, err := range events.All() {
			errs = append(errs, err)
		}
		if len(errs) == 0 || !errors.Is(errs[len(errs)-1], context.Canceled) {
			t.Errorf("errors = %v, want the last to be the context's", errs)
		}
		<-s.left
	})
	t.Run("data that is none of the type", func(t *testing.T) {
		s := newTalk("text/event-stream")
		events, err := newGarden(t, s.serve, nil).watch(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		go func() { s.say <- "data: {\"height\":\"secret\"}\n\ndata: {\"height\":2}\n\n" }()
		n := 0
		for event, err := range events.All() {
			n++
			if !errors.Is(err, rt.ErrMalformed) || strings.Contains(err.Error(), "secret") || event.Raw != `{"height":"secret"}` {
				t.Errorf("event = %+v, %v; want malformed, with the raw data beside it", event, err)
			}
		}
		if n != 1 {
			t.Errorf("%d turns, want 1", n)
		}
		<-s.left
	})
}

func TestEventsRefuseOtherAnswers(t *testing.T) {
	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) { reply(w, 200, "application/json", `{"busy":true}`) }, nil)
	_, err := g.watch(t.Context())
	var ce *rt.CallError
	if !errors.As(err, &ce) || !errors.Is(err, rt.ErrMalformed) || string(ce.Body) != `{"busy":true}` {
		t.Errorf("error = %v, want malformed with the body", err)
	}
	g = newGarden(t, func(w http.ResponseWriter, r *http.Request) { reply(w, 429, "text/event-stream", "data: x\n\n") }, nil)
	if _, err := g.watch(t.Context()); !errors.As(err, &ce) || ce.Status != 429 {
		t.Errorf("error = %v, want status 429", err)
	}
}

func TestEventStreamSyntax(t *testing.T) {
	tests := []struct {
		name, stream string
		want         []rawEvent
	}{
		{"plain", "data: a\n\ndata: b\n\n", []rawEvent{{data: "a"}, {data: "b"}}},
		{"several lines", "data: a\ndata:b\ndata:  c\n\n", []rawEvent{{data: "a\nb\n c"}}},
		{"CR and CRLF", "data: a\r\rdata: b\r\n\r\nevent: x\rdata: c\n\r\n", []rawEvent{{data: "a"}, {data: "b"}, {name: "x", data: "c"}}},
		{"byte order mark", "\xef\xbb\xbfdata: a\n\n", []rawEvent{{data: "a"}}},
		{"comments and unknown fields", ": hi\nretry: 5\nfoo: bar\ndata: a\n\n", []rawEvent{{data: "a"}}},
		{"ids stay", "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", []rawEvent{{id: "1", data: "a"}, {id: "1", data: "b"}, {data: "c"}}},
		{"an id with NUL is ignored", "id: 1\ndata: a\n\nid: 2\x00\ndata: b\n\n", []rawEvent{{id: "1", data: "a"}, {id: "1", data: "b"}}},
		{"no data, no event", "event: x\n\ndata: a\n\n", []rawEvent{{data: "a"}}},
		{"empty data", "data\n\ndata:\n\n", []rawEvent{{}, {}}},
		{"the last event must end", "data: a\n\ndata: b\n", []rawEvent{{data: "a"}}},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		for _, size := range []int{1, 3, 4096} {
			p := newEventParser(&pieces{tt.stream, size})
			var got []rawEvent
			for {
				e, err := p.next()
				if err != nil {
					if err != io.EOF {
						t.Errorf("%s: %v", tt.name, err)
					}
					break
				}
				got = append(got, e)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%s in pieces of %d: events = %q, want %q", tt.name, size, got, tt.want)
			}
		}
	}
}

// pieces reads a text in pieces of a size.
type pieces struct {
	rest string
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.rest == "" {
		return 0, io.EOF
	}
	n := copy(b, p.rest[:min(p.size, len(p.rest))])
	p.rest = p.rest[n:]
	return n, nil
}

func TestAnEventHasALimit(t *testing.T) {
	p := newEventParser(io.MultiReader(strings.NewReader("data: "), zeros{}))
	d := newLineDecoder(io.MultiReader(strings.NewReader(`"`), zeros{}))
	if p.lines.limit != 64<<20 || d.limit != 64<<20 {
		t.Errorf("limits = %d and %d, want 64 MiB", p.lines.limit, d.limit)
	}
	p.lines.limit, d.limit = 100_000, 100_000
	if _, err := p.next(); !errors.Is(err, rt.ErrTooLarge) {
		t.Errorf("an endless line gives %v, want ErrTooLarge", err)
	}
	if err := d.next(new(string)); !errors.Is(err, rt.ErrTooLarge) {
		t.Errorf("an endless value gives %v, want ErrTooLarge", err)
	}
	p = newEventParser(strings.NewReader(strings.Repeat("data: 0123456789\n", 10_000)))
	p.lines.limit = 500
	if _, err := p.next(); !errors.Is(err, rt.ErrTooLarge) {
		t.Errorf("endless lines give %v, want ErrTooLarge", err)
	}
	many := newLineDecoder(strings.NewReader(strings.Repeat("\"0123456789\"\n", 10_000)))
	many.limit = 20
	for i := range 10_000 {
		var s string
		if err := many.next(&s); err != nil || s != "0123456789" {
			t.Fatalf("value %d = %q, %v; want it: the limit is one value's, not the stream's", i, s, err)
		}
	}
}

// zeros reads '0' for ever.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '0'
	}
	return len(b), nil
}

func (g *garden) log(ctx context.Context) (*Lines[growth], error) {
	r := g.request(http.MethodGet, "/log")
	return DoLines(ctx, g.core, &g.policy, r, []rt.RepeatableOption(nil), func(a *Answer) (*Lines[growth], error) {
		if a.Status == 200 {
			return DecodeLines[growth](a, "application/jsonl", "application/json-seq")
		}
		return nil, a.Unexpected()
	})
}

func TestLinesComeOneByOne(t *testing.T) {
	for _, form := range []struct{ contentType, format string }{
		{"application/jsonl", "{\"height\":%d}\n"}, {"application/json-seq", "\x1e{\"height\":%d}\n"}, {"application/jsonl", "\r\n {\"height\":%d}\r\n"},
	} {
		s := newTalk(form.contentType)
		lines, err := newGarden(t, s.serve, nil).log(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		go func() { s.say <- fmt.Sprintf(form.format, 1) }()
		n := int64(0)
		for v, err := range lines.All() {
			if n++; err != nil || v.Height != n {
				t.Fatalf("value = %+v, %v; want number %d", v, err, n)
			}
			if n == 3 {
				close(s.say)
				continue
			}
			s.say <- fmt.Sprintf(form.format, n+1)
		}
		if n != 3 {
			t.Errorf("%d values, want 3", n)
		}
		<-s.left
	}
}

func TestLinesEnd(t *testing.T) {
	s := newTalk("application/jsonl")
	lines, err := newGarden(t, s.serve, nil).log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	go func() { s.say <- "{\"height\":1}\n{\"height\":\"x\"}\n" }()
	var errs []error
	for _, err := range lines.All() {
		errs = append(errs, err)
	}
	if len(errs) != 2 || errs[0] != nil || !errors.Is(errs[1], rt.ErrMalformed) {
		t.Errorf("errors = %v, want none and malformed", errs)
	}
	<-s.left

	s = newTalk("application/jsonl")
	if lines, err = newGarden(t, s.serve, nil).log(t.Context()); err != nil {
		t.Fatal(err)
	}
	go func() {
		s.say <- "\n"
		lines.Close()
	}()
	for v, err := range lines.All() {
		t.Errorf("value = %+v, %v; want none", v, err)
	}
	<-s.left

	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) {
		reply(w, 200, "application/jsonl", `{"height":1}`+"\n"+`{"heig`)
	}, nil)
	if lines, err = g.log(t.Context()); err != nil {
		t.Fatal(err)
	}
	errs = nil
	for _, err := range lines.All() {
		errs = append(errs, err)
	}
	if len(errs) != 2 || !errors.Is(errs[1], rt.ErrMalformed) {
		t.Errorf("errors of a cut line = %v, want none and malformed", errs)
	}
}

func (g *garden) film(ctx context.Context) (*rt.Stream, error) {
	r := g.request(http.MethodGet, "/film")
	return DoStream(ctx, g.core, &g.policy, r, []rt.RepeatableOption(nil), func(a *Answer) (*rt.Stream, error) {
		switch a.Status {
		case 200:
			return DecodeStream(a, "image/png", "application/octet-stream")
		case 404:
			return nil, DecodeError[trouble](a, "application/json")
		}
		return nil, a.Unexpected()
	})
}

func TestStreams(t *testing.T) {
	s := newTalk("image/png")
	film, err := newGarden(t, s.serve, func(_ *garden, c *rt.ClientConfig) { c.MaxResponseBytes = 3 }).film(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x89PNG\x00\xff", "more than the limit of buffered answers"} {
		go func() { s.say <- want }()
		got := make([]byte, len(want))
		if _, err := io.ReadFull(film, got); err != nil || string(got) != want {
			t.Errorf("read %q, %v; want %q", got, err, want)
		}
	}
	if err := film.Close(); err != nil {
		t.Errorf("closing early gives %v", err)
	}
	<-s.left
}

func TestStreamsRefuseOtherAnswers(t *testing.T) {
	status, contentType, body := 404, "application/json", `{"title":"gone"}`
	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) { reply(w, status, contentType, body) }, nil)
	var gone trouble
	if _, err := g.film(t.Context()); !errors.As(err, &gone) || gone.Title != "gone" {
		t.Errorf("error = %v, want the declared one", err)
	}
	status, contentType, body = 200, "text/html", "<p>login</p>"
	if film, err := g.film(t.Context()); film != nil || !errors.Is(err, rt.ErrMalformed) {
		t.Errorf("stream = %v, %v; want malformed", film, err)
	}
}

// reply of either kind: what is asked for decides.
type spoken struct {
	Whole  *growth
	Events *Events[growth]
}

func TestLiveOrWhole(t *testing.T) {
	contentType, body := "", ""
	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) { reply(w, 200, contentType, body) }, nil)
	speak := func() (*spoken, error) {
		return DoLive(t.Context(), g.core, &g.policy, g.request(http.MethodGet, "/speak"), []rt.RepeatableOption(nil), []string{"text/event-stream"}, func(a *Answer) (*spoken, error) {
			res := &spoken{}
			switch Match(a, "application/json", "text/event-stream") {
			case 0:
				return res, Into(&res.Whole)(DecodeJSON[*growth](a, "application/json"))
			case 1:
				return res, Into(&res.Events)(DecodeEvents[growth](a))
			}
			return nil, a.Unexpected()
		})
	}
	contentType, body = "application/json", `{"height":4}`
	if got, err := speak(); err != nil || got.Whole.Height != 4 || got.Events != nil {
		t.Errorf("whole = %+v, %v; want height 4", got, err)
	}
	contentType, body = "text/event-stream", "data: {\"height\":5}\n\n"
	got, err := speak()
	if err != nil || got.Whole != nil {
		t.Fatalf("live = %+v, %v; want events", got, err)
	}
	for event, err := range got.Events.All() {
		if err != nil || event.Data.Height != 5 {
			t.Errorf("event = %+v, %v; want height 5", event, err)
		}
	}
}

// stored is a file of any type, or its description.
type stored struct {
	Whole *growth
	Bytes *rt.Stream
}

func TestWhatIsKeptIsToldFromAnythingLive(t *testing.T) {
	contentType, body := "", ""
	g := newGarden(t, func(w http.ResponseWriter, r *http.Request) { reply(w, 200, contentType, body) }, nil)
	fetch := func() (*stored, error) {
		r := g.request(http.MethodGet, "/stored")
		r.Kept("application/json")
		return DoLive(t.Context(), g.core, &g.policy, r, []rt.RepeatableOption(nil), []string{"*/*"}, func(a *Answer) (*stored, error) {
			res := &stored{}
			if Match(a, "application/json", "*/*") == 0 {
				return res, Into(&res.Whole)(DecodeJSON[*growth](a, "application/json"))
			}
			return res, Into(&res.Bytes)(DecodeStream(a, "*/*"))
		})
	}
	contentType, body = "Application/JSON; charset=utf-8", `{"height":6}`
	if got, err := fetch(); err != nil || got.Whole == nil || got.Whole.Height != 6 {
		t.Errorf("kept = %+v, %v; want height 6", got, err)
	}
	contentType, body = "image/png", "\x89PNG"
	got, err := fetch()
	if err != nil || got.Bytes == nil {
		t.Fatalf("live = %+v, %v; want a stream", got, err)
	}
	b, err := io.ReadAll(got.Bytes)
	if err != nil || string(b) != body {
		t.Errorf("live = %q, %v; want %q", b, err, body)
	}
	if err := got.Bytes.Close(); err != nil {
		t.Error(err)
	}
}
