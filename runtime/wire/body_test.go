package wire

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
)

func post() *Request {
	r := NewRequest("plant", http.MethodPost, BaseURL("http://garden.test"))
	r.Path("/plants")
	return r
}

func TestJSONBodies(t *testing.T) {
	tests := []struct {
		name  string
		build func(*Request)
		ctype string
		want  string
	}{
		{"object", func(r *Request) { JSON(r, "application/json", soil) }, "application/json", `{"row":4,"soil":"wet clay"}`},
		{"pointer", func(r *Request) { JSON(r, "application/vnd.garden+json", &bed{}) }, "application/vnd.garden+json", `{"row":0}`},
		{"vendor type with a parameter", func(r *Request) { JSON(r, "application/vnd.g+json; charset=utf-8", 1) }, "application/vnd.g+json; charset=utf-8", `1`},
		{"wildcard", func(r *Request) { JSON(r, "application/*+json", "x") }, "application/json", `"x"`},
		{"nil is null", func(r *Request) { JSON(r, "application/json", (*bed)(nil)) }, "application/json", `null`},
		{"map, sorted", func(r *Request) { JSON(r, "application/json", map[string]int64{"z": 1, "a": 2, "m": 3}) }, "application/json", `{"a":2,"m":3,"z":1}`},
		{"text keeps its quotes", func(r *Request) { JSON(r, "application/json", "w") }, "application/json", `"w"`},
		{"free value keeps its digits", func(r *Request) { JSON(r, "application/json", rt.Value(`{"n":18446744073709551617}`)) }, "application/json", `{"n":18446744073709551617}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := post()
			tt.build(r)
			got := sentBy(t, r)
			if got.body != tt.want || got.header.Get("Content-Type") != tt.ctype {
				t.Errorf("sent %s of type %q, want %s of type %q", got.body, got.header.Get("Content-Type"), tt.want, tt.ctype)
			}
		})
	}
	r := post()
	JSON(r, "application/json", "\xff")
	if got := refusedBy(t, r); !strings.HasPrefix(got, "body: ") {
		t.Errorf("refusal of bad UTF-8 = %q, want it to name the body", got)
	}
}

func TestNoBody(t *testing.T) {
	got := sentBy(t, post())
	if got.body != "" || got.header["Content-Type"] != nil {
		t.Errorf("sent %q of type %q, want nothing", got.body, got.header["Content-Type"])
	}
}

func TestTextBodies(t *testing.T) {
	tests := []struct {
		build func(*Request)
		want  string
	}{
		{func(r *Request) { Text(r, "text/plain", "a \"b\"\nc é") }, "a \"b\"\nc é"},
		{func(r *Request) { Text(r, "text/plain", "") }, ""},
		{func(r *Request) { Text(r, "text/plain", int64(42)) }, "42"},
		{func(r *Request) { Text(r, "text/plain", 0.25) }, "0.25"},
		{func(r *Request) { Text(r, "text/plain", ptr(true)) }, "true"},
		{func(r *Request) { Text(r, "text/plain", rt.Date{Year: 2031, Month: 4, Day: 5}) }, "2031-04-05"},
		{func(r *Request) { Text(r, "text/plain", numberOrName{Name: ptr("x")}) }, "x"},
	}
	for _, tt := range tests {
		r := post()
		tt.build(r)
		got := sentBy(t, r)
		if got.body != tt.want || got.header.Get("Content-Type") != "text/plain" {
			t.Errorf("sent %q of type %q, want %q of type text/plain", got.body, got.header.Get("Content-Type"), tt.want)
		}
	}
	for _, build := range []func(*Request){
		func(r *Request) { Text(r, "text/plain", []string{"a"}) },
		func(r *Request) { Text(r, "text/plain", (*string)(nil)) },
		func(r *Request) { Text(r, "text/plain", "\xff") },
	} {
		r := post()
		build(r)
		if got := refusedBy(t, r); !strings.HasPrefix(got, "body: ") {
			t.Errorf("refusal = %q, want it to name the body", got)
		}
	}
}

func TestBinaryBodies(t *testing.T) {
	content := "\x00\xff\n\r \x00"
	tests := []struct {
		name     string
		file     rt.File
		declared string
		ctype    string
		want     string
	}{
		{"as declared", rt.File{Content: rt.Bytes([]byte(content))}, "application/octet-stream", "application/octet-stream", content},
		{"empty, yet a body", rt.File{Content: rt.Bytes(nil)}, "application/octet-stream", "application/octet-stream", ""},
		{"the file's type under a wildcard", rt.File{ContentType: "image/webp", Content: rt.Bytes([]byte("R"))}, "image/*", "image/webp", "R"},
		{"any type", rt.File{Content: rt.Bytes([]byte("R"))}, "*/*", "application/octet-stream", "R"},
		{"the file's own type wins", rt.File{ContentType: "image/gif", Content: rt.Bytes([]byte("R"))}, "image/png", "image/gif", "R"},
		{"read at", rt.File{Content: rt.ReaderAt(strings.NewReader(content), 3)}, "a/b", "a/b", content[:3]},
		{"of unknown length", rt.File{Content: rt.Opener(-1, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil })}, "a/b", "a/b", content},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := post()
			Binary(r, tt.declared, tt.file)
			got := sentBy(t, r)
			if got.body != tt.want || got.header.Get("Content-Type") != tt.ctype {
				t.Errorf("sent %q of type %q, want %q of type %q", got.body, got.header.Get("Content-Type"), tt.want, tt.ctype)
			}
		})
	}
	refused := []struct {
		file     rt.File
		declared string
		want     string
	}{
		{rt.File{}, "a/b", "body is not set"},
		{rt.File{Content: rt.Bytes(nil)}, "image/*", "set the file's ContentType to one of image/*"},
		{rt.File{Content: rt.Bytes(nil), ContentType: "image/*"}, "image/*", "want a media type such as"},
		{rt.File{Content: rt.Bytes(nil), ContentType: "image/png\r\nX: y"}, "image/*", "control character"},
		{rt.File{Content: rt.Bytes(nil), ContentType: "png"}, "image/*", "want a media type such as"},
	}
	for _, tt := range refused {
		r := post()
		Binary(r, tt.declared, tt.file)
		if got := refusedBy(t, r); !strings.Contains(got, tt.want) {
			t.Errorf("refusal = %q, want it to contain %q", got, tt.want)
		}
	}
}

func TestFormBodies(t *testing.T) {
	tests := []struct {
		name  string
		build func(*Fields)
		want  string
	}{
		{"no fields", func(*Fields) {}, ""},
		{"spaces are pluses", func(f *Fields) { FormField(f, "odd key[]", "a b&c=é+", Form) }, "odd+key%5B%5D=a+b%26c%3D%C3%A9%2B"},
		{"unset fields are left out", func(f *Fields) {
			FormField(f, "a", (*string)(nil), Form)
			FormField(f, "b", []string(nil), Form|Explode)
			FormJSON(f, "c", (*bed)(nil))
			FormField(f, "d", "", Form)
		}, "d="},
		{"lists", func(f *Fields) {
			FormField(f, "tags", []string{"t1", "t,2"}, Form|Explode)
			FormField(f, "codes", []int64{1, 0}, Form)
		}, "tags=t1&tags=t%2C2&codes=1,0"},
		{"deep object", func(f *Fields) { FormField(f, "size", soil, DeepObject|Explode) }, "size%5Brow%5D=4&size%5Bsoil%5D=wet+clay"},
		{"JSON", func(f *Fields) { FormJSON(f, "extra", bed{Row: 1}) }, "extra=%7B%22row%22%3A1%7D"},
		{"scalars", func(f *Fields) {
			FormField(f, "on", false, Form)
			FormField(f, "at", time.Date(2031, 4, 5, 6, 7, 8, 0, time.UTC), Form)
			FormField(f, "n", ptr(1.5), Form)
		}, "on=false&at=2031-04-05T06%3A07%3A08Z&n=1.5"},
		{"further members", func(f *Fields) {
			FormField(f, "a", "1", Form)
			FormMembers(f, map[string]rt.Value{"x": rt.Value(`"v w"`), "l": rt.Value(`[1,2]`), "n": rt.Value("null")})
		}, "a=1&l=1&l=2&x=v+w"},
		{"a whole struct", func(f *Fields) { FormMembers(f, soil) }, "row=4&soil=wet+clay"},
		{"no further members", func(f *Fields) { FormMembers(f, map[string]string(nil)) }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := post()
			tt.build(FormBody(r, "application/x-www-form-urlencoded"))
			got := sentBy(t, r)
			if got.body != tt.want || got.header.Get("Content-Type") != "application/x-www-form-urlencoded" {
				t.Errorf("sent %s of type %q, want %s", got.body, got.header.Get("Content-Type"), tt.want)
			}
		})
	}
	refused := []struct {
		build func(*Fields)
		want  string
	}{
		{func(f *Fields) { FormField(f, "a", "\xff", Form) }, `form field "a": value is not UTF-8`},
		{func(f *Fields) { FormField(f, "a", [][]int64{{1}}, Form) }, "item 0 is a list"},
		{func(f *Fields) { FormMembers(f, []string{"a"}) }, "value is no object"},
	}
	for _, tt := range refused {
		r := post()
		tt.build(FormBody(r, "application/x-www-form-urlencoded"))
		if got := refusedBy(t, r); !strings.Contains(got, tt.want) {
			t.Errorf("refusal = %q, want it to contain %q", got, tt.want)
		}
	}
}

// A readPart is a part as a server reads it.
type readPart struct {
	name, file, ctype, extra string
	content                  string
}

func partsOf(t *testing.T, s sent) []readPart {
	t.Helper()
	mediaType, params, err := mime.ParseMediaType(s.header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(mediaType, "multipart/") {
		t.Fatalf("content type = %q, want multipart: %v", s.header.Get("Content-Type"), err)
	}
	var parts []readPart
	for m := multipart.NewReader(strings.NewReader(s.body), params["boundary"]); ; {
		p, err := m.NextPart()
		if err == io.EOF {
			return parts
		}
		if err != nil {
			t.Fatalf("read part: %v", err)
		}
		b, err := io.ReadAll(p)
		if err != nil {
			t.Fatalf("read part: %v", err)
		}
		_, disposition, err := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
		if err != nil {
			t.Fatalf("disposition %q: %v", p.Header.Get("Content-Disposition"), err)
		}
		parts = append(parts, readPart{disposition["name"], disposition["filename"], p.Header.Get("Content-Type"), p.Header.Get("X-Row"), string(b)})
	}
}

func TestMultipart(t *testing.T) {
	file := func(name, ctype, content string) rt.File {
		return rt.File{Name: name, ContentType: ctype, Content: rt.Bytes([]byte(content))}
	}
	r := post()
	p := MultipartBody(r, "multipart/form-data")
	PartText(p, "title", "é \"t\"", "")
	PartFiles(p, "photos", []rt.File{file("a.bin", "", "\x00\x01"), file("b\"c\\.bin", "", "\xff")}, "")
	PartFile(p, "cover", ptr(file("c.jpg", "image/jpeg", "\n")), "image/png, image/jpeg")
	PartJSON(p, "meta", &soil, "")
	PartText(p, "tags", []string{"t1", "t2"}, "")
	PartJSONEach(p, "places", []bed{{Row: 1}, {Row: 2}}, "application/vnd.bed+json")
	PartHeader(p, "X-Row", int64(7), Simple)
	PartHeader(p, "X-None", (*string)(nil), Simple)
	PartText(p, "count", int64(0), "")
	PartText(p, "open", ptr(false), "")
	PartText(p, "raw", "<a/>", "application/xml; charset=utf-8")
	PartText(p, "blob", []byte{0, 255}, "")
	PartText(p, "unset", (*string)(nil), "")
	PartJSON(p, "unset", (*bed)(nil), "")
	PartFile(p, "unset", (*rt.File)(nil), "")
	PartFile(p, "unset", rt.File{}, "")
	PartFile(p, "nameless", rt.File{Content: rt.Bytes(nil)}, "image/png")
	PartMembers(p, map[string]rt.Value{"x": rt.Value(`"v"`), "y": rt.Value(`[1,{"n":1},null]`), "z": rt.Value("null")})
	want := []readPart{
		{"title", "", "", "", "é \"t\""},
		{"photos", "a.bin", "application/octet-stream", "", "\x00\x01"},
		{"photos", "b\"c\\.bin", "application/octet-stream", "", "\xff"},
		{"cover", "c.jpg", "image/jpeg", "", "\n"},
		{"meta", "", "application/json", "", `{"row":4,"soil":"wet clay"}`},
		{"tags", "", "", "", "t1"},
		{"tags", "", "", "", "t2"},
		{"places", "", "application/vnd.bed+json", "7", `{"row":1}`},
		{"places", "", "application/vnd.bed+json", "7", `{"row":2}`},
		{"count", "", "", "", "0"},
		{"open", "", "", "", "false"},
		{"raw", "", "application/xml; charset=utf-8", "", "<a/>"},
		{"blob", "", "", "", "AP8="},
		{"nameless", "nameless", "image/png", "", ""},
		{"x", "", "", "", "v"},
		{"y", "", "", "", "1"},
		{"y", "", "application/json", "", `{"n":1}`},
	}
	first := sentBy(t, r)
	got := partsOf(t, first)
	if len(got) != len(want) {
		t.Fatalf("%d parts, want %d: %q", len(got), len(want), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("part %d = %q, want %q", i, got[i], want[i])
		}
	}
	if again := attempt(t, r); again.body != first.body || again.header.Get("Content-Type") != first.header.Get("Content-Type") {
		t.Errorf("the second attempt differs from the first:\n%s\nwant\n%s", again.body, first.body)
	}
	if r.call.Body.Size() != int64(len(first.body)) {
		t.Errorf("length = %d, want %d", r.call.Body.Size(), len(first.body))
	}
}

func TestMultipartKinds(t *testing.T) {
	r := post()
	MultipartBody(r, "multipart/form-data")
	if got := sentBy(t, r); len(partsOf(t, got)) != 0 {
		t.Errorf("no parts give %q, want none", got.body)
	}
	r = post()
	p := MultipartBody(r, `multipart/mixed; boundary="theirs"`)
	PartText(p, "a", "1", "")
	got := sentBy(t, r)
	if parts := partsOf(t, got); len(parts) != 1 || strings.Contains(got.header.Get("Content-Type"), "theirs") || strings.Contains(got.body, "form-data") {
		t.Errorf("mixed = %q of type %q, want one part that is no form field, under a boundary of our own", got.body, got.header.Get("Content-Type"))
	}
}

func TestPartHeaders(t *testing.T) {
	r := post()
	p := MultipartBody(r, "multipart/form-data")
	PartText(p, "one", "x", "")
	PartHeader(p, "X-Row", []string{"a", "b"}, Simple)
	PartText(p, "two", []string{"y", "z"}, "")
	PartHeaderContent(p, "X-Row", map[string]int{"n": 1})
	PartText(p, "none", (*string)(nil), "")
	PartHeader(p, "X-Row", (*string)(nil), Simple)
	PartHeaderContent(p, "X-Row", (*int)(nil))
	want := []readPart{{"one", "", "", "a,b", "x"}, {"two", "", "", `{"n":1}`, "y"}, {"two", "", "", `{"n":1}`, "z"}}
	if got := partsOf(t, sentBy(t, r)); !slices.Equal(got, want) {
		t.Errorf("parts = %q, want %q", got, want)
	}
}

func TestMultipartRefusals(t *testing.T) {
	tests := []struct {
		build func(*Parts)
		want  string
	}{
		{func(p *Parts) { PartFile(p, "f", rt.File{Name: "a\r\nb", Content: rt.Bytes(nil)}, "") }, "control character"},
		{func(p *Parts) { PartFile(p, "f", rt.File{Name: "\xff", Content: rt.Bytes(nil)}, "") }, "not UTF-8"},
		{func(p *Parts) { PartFile(p, "f", rt.File{Content: rt.Bytes(nil)}, "image/png, image/jpeg") }, "set the file's ContentType to one of image/png, image/jpeg"},
		{func(p *Parts) { PartFiles(p, "f", []rt.File{{}}, "") }, "file 0 has no content"},
		{func(p *Parts) { PartText(p, "f", soil, "") }, "want a scalar"},
		{func(p *Parts) { PartText(p, "f", [][]string{{"a"}}, "") }, "item 0 is no scalar"},
		{func(p *Parts) { PartJSON(p, "f", ptr("\xff"), "") }, `part "f"`},
		{func(p *Parts) { PartMembers(p, ptr(int64(1))) }, "value is no object"},
		{func(p *Parts) { PartText(p, "f", "x", ""); PartHeader(p, "X-A", "a\nb", Simple) }, `part header "X-A"`},
		{func(p *Parts) {
			PartText(p, "f", "x", "")
			PartText(p, "g", (*string)(nil), "")
			PartHeader(p, "X-A", "a", Simple)
		}, `part header "X-A": its part is not sent`},
	}
	for _, tt := range tests {
		r := post()
		tt.build(MultipartBody(r, "multipart/form-data"))
		if got := refusedBy(t, r); !strings.Contains(got, tt.want) {
			t.Errorf("refusal = %q, want it to contain %q", got, tt.want)
		}
	}
}

// A tracked counts how often content is opened and closed, and how far it is
// read before the next part is opened.
type tracked struct {
	opened, closed int
	content        string
}

func (c *tracked) body(size int64) rt.Body {
	return rt.Opener(size, func() (io.ReadCloser, error) {
		c.opened++
		return &trackedReader{strings.NewReader(c.content), c}, nil
	})
}

type trackedReader struct {
	io.Reader
	of *tracked
}

func (r *trackedReader) Close() error { r.of.closed++; return nil }

func TestMultipartStreams(t *testing.T) {
	one, two := &tracked{content: strings.Repeat("a", 100_000)}, &tracked{content: "b"}
	r := post()
	p := MultipartBody(r, "multipart/form-data")
	PartFile(p, "one", rt.File{Content: one.body(100_000)}, "")
	PartFile(p, "two", rt.File{Content: two.body(1)}, "")
	r.finish()
	body, err := r.call.Body.Open()
	if err != nil {
		t.Fatal(err)
	}
	if one.opened != 0 {
		t.Errorf("the first file is open before anything is read")
	}
	if _, err := io.ReadFull(body, make([]byte, 50_000)); err != nil {
		t.Fatal(err)
	}
	if one.opened != 1 || two.opened != 0 {
		t.Errorf("half-way opened = %d and %d, want 1 and 0", one.opened, two.opened)
	}
	if err := body.Close(); err != nil || one.closed != 1 {
		t.Errorf("closing gives %v and closes %d times, want once", err, one.closed)
	}
	if _, err := body.Read(make([]byte, 1)); err == nil || err == io.EOF {
		t.Errorf("reading after Close gives %v, want an error", err)
	}
	sentOnce := attempt(t, r)
	if len(partsOf(t, sentOnce)) != 2 || one.opened != 2 || one.closed != 2 || two.opened != 1 || two.closed != 1 {
		t.Errorf("the second attempt opened %d/%d and closed %d/%d, want 2/1 of each", one.opened, two.opened, one.closed, two.closed)
	}
}

func TestMultipartOfUnknownLength(t *testing.T) {
	r := post()
	p := MultipartBody(r, "multipart/form-data")
	PartFile(p, "one", rt.File{Content: (&tracked{content: "abc"}).body(-1)}, "")
	PartText(p, "two", "x", "")
	if got := partsOf(t, sentBy(t, r)); len(got) != 2 || got[0].content != "abc" {
		t.Errorf("parts = %q, want abc and x", got)
	}
	if size := r.call.Body.Size(); size != -1 {
		t.Errorf("length = %d, want -1", size)
	}
}

func TestMultipartThatCanBeReadOnce(t *testing.T) {
	once := &tracked{content: "abc"}
	r := post()
	p := MultipartBody(r, "multipart/form-data")
	PartText(p, "a", strings.Repeat("x", 1000), "")
	PartFile(p, "one", rt.File{Content: rt.Reader(3, &trackedReader{strings.NewReader("abc"), once})}, "")
	r.finish()
	if r.call.Body.Replayable() {
		t.Error("the body says it can be sent again; its file cannot be read again")
	}
	body, err := r.call.Body.Open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(body, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	if err := body.Close(); err != nil || once.closed != 1 {
		t.Errorf("closing early gives %v and closes the reader %d times, want once", err, once.closed)
	}
}

func TestMultipartContentThatFails(t *testing.T) {
	broken := errors.New("disk gone")
	r := post()
	p := MultipartBody(r, "multipart/form-data")
	PartFile(p, "one", rt.File{Content: rt.Opener(3, func() (io.ReadCloser, error) { return nil, broken })}, "")
	r.finish()
	body, err := r.call.Body.Open()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(body); !errors.Is(err, broken) {
		t.Errorf("reading gives %v, want %v", err, broken)
	}
}

func TestIsSet(t *testing.T) {
	for name, got := range map[string]bool{
		"text": IsSet(""), "zero": IsSet(0), "pointer": IsSet(ptr(0)), "list": IsSet([]int{}), "null": IsSet(rt.Null[int]()),
		"some": IsSet(rt.Some(0)), "value": IsSet(rt.Value("null")), "file": IsSet(rt.File{Content: rt.Bytes(nil)}), "date": IsSet(rt.Date{}), "struct": IsSet(bed{}),
	} {
		if !got {
			t.Errorf("%s is not set, want set", name)
		}
	}
	for name, got := range map[string]bool{
		"pointer": IsSet((*int)(nil)), "list": IsSet([]int(nil)), "map": IsSet(map[string]int(nil)), "absent": IsSet(rt.Nullable[int]{}),
		"value": IsSet(rt.Value(nil)), "file": IsSet(rt.File{}),
	} {
		if got {
			t.Errorf("%s is set, want not", name)
		}
	}
}
