package wire

import (
	"encoding/json"
	"io"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// A path parameter is refused, or stays the one segment that it stands in and
// holds exactly the value.
func FuzzPathSegment(f *testing.F) {
	for _, s := range []string{"", ".", "..", "...", "a/b", `a\b`, "%2e%2e", "%2E", ";v=1", ".x", "a?b#c", "é\x00\n", "\xff", "/", "//", "a%", ":", "@host"} {
		f.Add(s, uint8(0))
		f.Add(s, uint8(1))
		f.Add(s, uint8(2))
	}
	f.Fuzz(func(t *testing.T, value string, style uint8) {
		s := Style(style%3) + Simple
		r := newRequest("/plots/{v}/end")
		PathParam(r, "v", value, s)
		r.finish()
		checkReserved(t, value, s)
		if r.call.Err != nil {
			if value != "" && value != "." && value != ".." && utf8.ValidString(value) {
				t.Fatalf("%q in style %s is refused: %v", value, s, r.call.Err)
			}
			return
		}
		base, err := url.Parse("http://garden.test/v1/x/y")
		if err != nil {
			t.Fatal(err)
		}
		u, err := base.Parse(r.call.URL.RequestURI()) // as proxies and servers resolve it
		if err != nil {
			t.Fatalf("%q in style %s makes %s: %v", value, s, r.call.URL.RequestURI(), err)
		}
		segments := strings.Split(u.EscapedPath(), "/")
		if len(segments) != 5 || segments[1] != "v1" || segments[2] != "plots" || segments[4] != "end" || u.RawQuery != "" || u.Fragment != "" {
			t.Fatalf("%q in style %s goes to %s, want one segment of it", value, s, u)
		}
		got, err := url.PathUnescape(segments[3])
		prefix := map[Style]string{Simple: "", Label: ".", Matrix: ";v="}[s]
		if s == Matrix && value == "" {
			prefix = ";v"
		}
		if err != nil || got != prefix+value {
			t.Fatalf("%q in style %s reads back as %q, %v", value, s, got, err)
		}
	})
}

// checkReserved does the same with reserved characters let through: refused or
// one segment, whatever it says.
func checkReserved(t *testing.T, value string, s Style) {
	t.Helper()
	r := newRequest("/plots/{v}/end")
	PathParam(r, "v", value, s|AllowReserved)
	r.finish()
	if r.call.Err != nil {
		return
	}
	segments := strings.Split(r.call.URL.EscapedPath(), "/")
	if len(segments) != 5 || segments[4] != "end" || r.call.URL.RawQuery != "" {
		t.Fatalf("%q in style %s with reserved characters goes to %s, want one segment of it", value, s, r.call.URL)
	}
	if got, err := url.PathUnescape(segments[3]); err != nil || got == "" || got == "." || got == ".." {
		t.Fatalf("%q in style %s with reserved characters makes the segment %q, %v", value, s, got, err)
	}
}

// What goes into a query or a form comes out of it again.
func FuzzQueryValue(f *testing.F) {
	for _, s := range []string{"", "a b", "a&b=c", "é+%", "#", "a,b|c\td", "\x00", "\xff", "%41", "[]", ";"} {
		f.Add("q", s, s)
		f.Add(s, "x", "y")
	}
	f.Fuzz(func(t *testing.T, name, first, second string) {
		valid := utf8.ValidString(first) && utf8.ValidString(second)
		list := []string{first, second}
		for _, s := range []Style{Form | Explode, Form, PipeDelimited, SpaceDelimited, TabDelimited, DeepObject | Explode} {
			r := newRequest("/plots")
			Query(r, name, list, s)
			form := FormBody(r, "")
			FormField(form, name, list, s)
			r.finish()
			if r.call.Err != nil {
				if valid && (s.has(Explode) || !strings.ContainsAny(first+second, map[Style]string{Form: "", PipeDelimited: "|", SpaceDelimited: " ", TabDelimited: "\t"}[s])) {
					t.Fatalf("%q=%q in style %s is refused: %v", name, list, s, r.call.Err)
				}
				continue
			}
			if !valid {
				t.Fatalf("%q goes out, want bad UTF-8 refused", list)
			}
			checkPairs(t, r.call.URL.RawQuery, name, list, s)
			checkPairs(t, string(form.pairs.buf), name, list, s)
		}
	})
}

func checkPairs(t *testing.T, raw, name string, list []string, s Style) {
	t.Helper()
	var got []string
	wantName := name
	for i, pair := range strings.Split(raw, "&") {
		escapedName, value, _ := strings.Cut(pair, "=")
		if s.base() == DeepObject {
			wantName = name + "[" + string(rune('0'+i)) + "]"
		}
		if n, err := url.QueryUnescape(escapedName); err != nil || n != strings.ToValidUTF8(wantName, "") && n != wantName {
			t.Fatalf("%s: name %q, want %q", raw, n, wantName)
		}
		pieces := []string{value}
		if !s.has(Explode) {
			pieces = strings.Split(value, map[Style]string{Form: ",", PipeDelimited: "%7C", SpaceDelimited: "%20", TabDelimited: "%09"}[s])
		}
		for _, p := range pieces {
			v, err := url.QueryUnescape(p)
			if err != nil {
				t.Fatalf("%s: %v", raw, err)
			}
			got = append(got, v)
		}
	}
	if len(got) != len(list) || got[0] != list[0] || got[1] != list[1] {
		t.Fatalf("%q in style %s reads back as %q from %s", list, s, got, raw)
	}
}

// An event stream reads the same however it is cut, and nothing in it panics.
func FuzzEventStream(f *testing.F) {
	for _, s := range []string{"data: a\n\n", "data: a\r\rid: 1\r\ndata\r\n\r\n", ":\n\n", "\xef\xbb\xbfdata:x\n\ndata: y", "event: e\ndata: 1\ndata: 2\n\n\n", "\r\n\r\n\r\n"} {
		f.Add(s, 1)
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, stream string, size int) {
		if size < 1 {
			size = 1
		}
		read := func(size int) (events []rawEvent) {
			for p := newEventParser(&pieces{stream, size}); ; {
				e, err := p.next()
				if err != nil {
					if err != io.EOF {
						t.Fatal(err)
					}
					return events
				}
				events = append(events, e)
			}
		}
		whole, cut := read(len(stream)+1), read(size)
		if len(whole) != len(cut) {
			t.Fatalf("%d events at once, %d in pieces of %d", len(whole), len(cut), size)
		}
		for i := range whole {
			if whole[i] != cut[i] {
				t.Fatalf("event %d = %q at once, %q in pieces of %d", i, whole[i], cut[i], size)
			}
			if strings.ContainsAny(whole[i].data, "\r") || strings.ContainsAny(whole[i].name+whole[i].id, "\r\n") {
				t.Fatalf("event %d = %q holds a line end that ends lines", i, whole[i])
			}
		}
	})
}

// A union reads any JSON and writes it again, or says that it cannot.
func FuzzUnion(f *testing.F) {
	for _, s := range []string{
		`{"kind":"fern","fronds":3}`, `{"kind":"moss","wet":null,"depth":1.50}`, `{"kind":"oak","grows":[{"kind":"elm","a":1},{"kind":"x"}],"n":2}`,
		`{"kind":"moss","kind":"fern"}`, `{"kind":null}`, `[1,"a",null,{"row":1}]`, `"2031-04-05"`, `9223372036854775808`, `{"row":1,"soil":"clay"}`, `{}`, `[]`, `null`,
		`{"high":null,"beds":{"":{"row":-0}},"tags":["\ud800"]}`, `1e400`, `0.12345678901234567890`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !jsontext.Value(text).IsValid() || !json.Valid(text) {
			return
		}
		for name, codec := range codecs {
			for _, u := range []chooser{new(plant), new(mixed)} {
				if codec.unmarshal(text, u) != nil {
					continue
				}
				again, err := codec.marshal(u)
				if err != nil {
					t.Fatalf("%s: %s decodes as %s and does not encode: %v", name, text, u.chosen(), err)
				}
				if !sameJSON(again, text) && !(string(text) == "null" && name == "v1") {
					t.Fatalf("%s: %s comes back as %s by way of %s", name, text, again, u.chosen())
				}
			}
		}
	})
}
