package wire

import (
	"math"
	"strings"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
)

var soil = bed{Row: 4, Soil: ptr("wet clay")}

func TestPathStyles(t *testing.T) {
	list, texts := []int64{3, -1}, []string{"a,b", "c/d"}
	tests := []struct {
		name  string
		build func(*Request)
		want  string
	}{
		{"simple string, each byte escaped once", func(r *Request) { PathParam(r, "v", "a/b c?d#é%2F+;=:@", Simple) }, "a%2Fb%20c%3Fd%23%C3%A9%252F%2B%3B%3D%3A%40"},
		{"simple named string", func(r *Request) { PathParam(r, "v", hue("deep red"), Simple) }, "deep%20red"},
		{"simple integer, every digit", func(r *Request) { PathParam(r, "v", int64(math.MinInt64), Simple) }, "-9223372036854775808"},
		{"simple unsigned", func(r *Request) { PathParam(r, "v", uint64(math.MaxUint64), Simple) }, "18446744073709551615"},
		{"simple small integer", func(r *Request) { PathParam(r, "v", int32(-7), Simple) }, "-7"},
		{"simple boolean", func(r *Request) { PathParam(r, "v", false, Simple) }, "false"},
		{"simple float", func(r *Request) { PathParam(r, "v", 0.1, Simple) }, "0.1"},
		{"simple huge float without a plus", func(r *Request) { PathParam(r, "v", 1e300, Simple) }, "1e300"},
		{"simple tiny float", func(r *Request) { PathParam(r, "v", 1e-7, Simple) }, "1e-7"},
		{"simple 32-bit float, shortest", func(r *Request) { PathParam(r, "v", float32(0.1), Simple) }, "0.1"},
		{"simple number, every digit", func(r *Request) { PathParam(r, "v", rt.Number("12345678901234567890.10"), Simple) }, "12345678901234567890.10"},
		{"simple date", func(r *Request) { PathParam(r, "v", rt.Date{Year: 2031, Month: 4, Day: 5}, Simple) }, "2031-04-05"},
		{"simple constant", func(r *Request) { PathParam(r, "v", kindFern{}, Simple) }, "fern"},
		{"simple union, number", func(r *Request) { PathParam(r, "v", numberOrName{Number: ptr(int64(7))}, Simple) }, "7"},
		{"simple union, text", func(r *Request) { PathParam(r, "v", numberOrName{Name: ptr("7/8")}, Simple) }, "7%2F8"},
		{"simple free value", func(r *Request) { PathParam(r, "v", rt.Value(`"x y"`), Simple) }, "x%20y"},
		{"simple list", func(r *Request) { PathParam(r, "v", texts, Simple) }, "a%2Cb,c%2Fd"},
		{"simple list, exploded", func(r *Request) { PathParam(r, "v", list, Simple|Explode) }, "3,-1"},
		{"simple object", func(r *Request) { PathParam(r, "v", soil, Simple) }, "row,4,soil,wet%20clay"},
		{"simple object, exploded", func(r *Request) { PathParam(r, "v", soil, Simple|Explode) }, "row=4,soil=wet%20clay"},
		{"simple map, sorted", func(r *Request) { PathParam(r, "v", map[string]int64{"b": 1, "a": 2}, Simple) }, "a,2,b,1"},
		{"label", func(r *Request) { PathParam(r, "v", int64(5), Label) }, ".5"},
		{"label list", func(r *Request) { PathParam(r, "v", list, Label) }, ".3,-1"},
		{"label list, exploded", func(r *Request) { PathParam(r, "v", list, Label|Explode) }, ".3.-1"},
		{"label object", func(r *Request) { PathParam(r, "v", soil, Label) }, ".row,4,soil,wet%20clay"},
		{"label object, exploded", func(r *Request) { PathParam(r, "v", soil, Label|Explode) }, ".row=4.soil=wet%20clay"},
		{"matrix", func(r *Request) { PathParam(r, "v", "a;b=c", Matrix) }, ";v=a%3Bb%3Dc"},
		{"matrix, empty", func(r *Request) { PathParam(r, "v", "", Matrix) }, ";v"},
		{"matrix list", func(r *Request) { PathParam(r, "v", list, Matrix) }, ";v=3,-1"},
		{"matrix list, exploded", func(r *Request) { PathParam(r, "v", list, Matrix|Explode) }, ";v=3;v=-1"},
		{"matrix object", func(r *Request) { PathParam(r, "v", soil, Matrix) }, ";v=row,4,soil,wet%20clay"},
		{"matrix object, exploded", func(r *Request) { PathParam(r, "v", soil, Matrix|Explode) }, ";row=4;soil=wet%20clay"},
		{"JSON content", func(r *Request) { PathContent(r, "v", []string{"é", "/"}) }, "%5B%22%C3%A9%22%2C%22%2F%22%5D"},
		{"reserved characters let through, as far as the segment stays one", func(r *Request) { PathParam(r, "v", "a:b@c;d/e?f", Simple|AllowReserved) }, "a:b@c;d%2Fe%3Ff"},
		{"several segments", func(r *Request) { PathParam(r, "v", "shelves/a b/.x%2F", Simple|SeveralSegments) }, "shelves/a%20b/.x%252F"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRequest("/plots/{v}/end")
			tt.build(r)
			if got, want := sentBy(t, r).target, "/v1/plots/"+tt.want+"/end"; got != want {
				t.Errorf("path = %s, want %s", got, want)
			}
		})
	}
}

func TestPathTemplates(t *testing.T) {
	tests := []struct {
		template string
		want     string
	}{
		{"/plots/{a}", "/v1/plots/1"},
		{"/plots/{a}/", "/v1/plots/1/"},
		{"/{b}/of/{a}", "/v1/x/of/1"},
		{"/plots/{a}-{b}.json", "/v1/plots/1-x.json"},
		{"/plots/{a}:harvest", "/v1/plots/1:harvest"},
		{"/größe/{a}/ключ", "/v1/gr%C3%B6%C3%9Fe/1/%D0%BA%D0%BB%D1%8E%D1%87"},
		{"/a b/{a}/%7B%zz", "/v1/a%20b/1/%7B%25zz"},
		{"/{a}/{a}", "/v1/1/1"},
		{"/{a}/open{brace", "/v1/1/open%7Bbrace"},
	}
	for _, tt := range tests {
		r := newRequest(tt.template)
		PathParam(r, "a", int64(1), Simple)
		if strings.Contains(tt.template, "{b}") {
			PathParam(r, "b", "x", Simple)
		}
		if got := sentBy(t, r).target; got != tt.want {
			t.Errorf("%s: path = %s, want %s", tt.template, got, tt.want)
		}
	}
}

func TestPathRefusals(t *testing.T) {
	tests := []struct {
		name     string
		template string
		build    func(*Request)
		want     string
	}{
		{"empty", "/plots/{v}", func(r *Request) { PathParam(r, "v", "", Simple) }, `path parameter "v": value is empty`},
		{"dot", "/plots/{v}/end", func(r *Request) { PathParam(r, "v", ".", Simple) }, "would lead to another path"},
		{"dots", "/plots/{v}/end", func(r *Request) { PathParam(r, "v", "..", Simple) }, "would lead to another path"},
		{"dots of two parameters", "/plots/{v}{w}/end", func(r *Request) { PathParam(r, "v", ".", Simple); PathParam(r, "w", ".", Simple) }, "would lead to another path"},
		{"dots of a parameter and the template", "/plots/.{v}", func(r *Request) { PathParam(r, "v", ".", Simple) }, "would lead to another path"},
		{"escaped dots let through by allowReserved", "/plots/{v}", func(r *Request) { PathParam(r, "v", "%2e%2E", Simple|AllowReserved) }, "would lead to another path"},
		{"dots among several segments", "/plots/{v}/end", func(r *Request) { PathParam(r, "v", "a/../b", Simple|SeveralSegments) }, "would lead to another path"},
		{"nothing among several segments", "/plots/{v}/end", func(r *Request) { PathParam(r, "v", "a//b", Simple|SeveralSegments) }, "would lead to another path"},
		{"several segments that begin with a slash", "/plots/{v}/end", func(r *Request) { PathParam(r, "v", "/a", Simple|SeveralSegments) }, "would lead to another path"},
		{"label of a dot", "/plots/{v}", func(r *Request) { PathParam(r, "v", ".", Label) }, "would lead to another path"},
		{"label of nothing", "/plots/{v}", func(r *Request) { PathParam(r, "v", "", Label) }, "value is empty"},
		{"label items that hold the separator", "/plots/{v}", func(r *Request) { PathParam(r, "v", []string{"1.5"}, Label|Explode) }, "item 0 holds a separator"},
		{"nil", "/plots/{v}", func(r *Request) { PathParam(r, "v", (*string)(nil), Simple) }, "value is not set"},
		{"null", "/plots/{v}", func(r *Request) { PathParam(r, "v", rt.Null[string](), Simple) }, "value is not set"},
		{"empty list", "/plots/{v}", func(r *Request) { PathParam(r, "v", []string{}, Simple) }, "value is empty"},
		{"list of one empty text", "/plots/{v}", func(r *Request) { PathParam(r, "v", []string{""}, Simple) }, "value is empty"},
		{"empty object", "/plots/{v}", func(r *Request) { PathParam(r, "v", map[string]string{}, Matrix) }, "value is empty"},
		{"list in a list", "/plots/{v}", func(r *Request) { PathParam(r, "v", [][]string{{"a"}}, Simple) }, "item 0 is a list or an object"},
		{"null in a list", "/plots/{v}", func(r *Request) { PathParam(r, "v", []*string{nil}, Simple) }, "item 0 is null"},
		{"bad UTF-8", "/plots/{v}", func(r *Request) { PathParam(r, "v", "\xff", Simple) }, "not UTF-8"},
		{"bad UTF-8 in a list", "/plots/{v}", func(r *Request) { PathParam(r, "v", []string{"\xff"}, Simple) }, `path parameter "v"`},
		{"NaN", "/plots/{v}", func(r *Request) { PathParam(r, "v", math.NaN(), Simple) }, "want a finite number"},
		{"a style that is none of paths", "/plots/{v}", func(r *Request) { PathParam(r, "v", "x", DeepObject) }, "style is deepObject"},
		{"a parameter that was not given", "/plots/{v}/{w}", func(r *Request) { PathParam(r, "v", "x", Simple) }, `path parameter "w" is not set`},
		{"a parameter without a place", "/plots", func(r *Request) { PathParam(r, "v", "x", Simple) }, "has no place in /plots"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRequest(tt.template)
			tt.build(r)
			if got := refusedBy(t, r); !strings.Contains(got, tt.want) {
				t.Errorf("refusal = %q, want it to contain %q", got, tt.want)
			}
		})
	}
}

func TestQueryStyles(t *testing.T) {
	when := time.Date(2031, 4, 5, 6, 7, 8, 120_000_000, time.FixedZone("", 2*3600))
	words := []string{"a b", "c,d", "é&=+%"}
	tests := []struct {
		name  string
		build func(*Request)
		want  string
	}{
		{"text", func(r *Request) { Query(r, "q", "a b&c=d+e%é/?", Form|Explode) }, "q=a%20b%26c%3Dd%2Be%25%C3%A9%2F%3F"},
		{"empty text", func(r *Request) { Query(r, "q", "", Form) }, "q="},
		{"name escaped", func(r *Request) { Query(r, "ids[] é", int64(3), Form) }, "ids%5B%5D%20%C3%A9=3"},
		{"pointer", func(r *Request) { Query(r, "q", ptr("x"), Form) }, "q=x"},
		{"pointer to a zero", func(r *Request) { Query(r, "q", ptr(int64(0)), Form); Query(r, "b", ptr(false), Form) }, "q=0&b=false"},
		{"nil pointers send nothing", func(r *Request) {
			Query(r, "a", (*string)(nil), Form)
			Query(r, "b", (*int64)(nil), Form)
			Query(r, "c", (*bool)(nil), Form)
			Query(r, "d", (*hue)(nil), Form)
			Query(r, "e", (*bed)(nil), Form)
			Query(r, "f", (*time.Time)(nil), Form)
			Query(r, "g", []string(nil), Form|AllowEmpty)
			Query(r, "h", rt.Nullable[string]{}, Form)
			Query(r, "i", rt.Null[string](), Form)
			Query(r, "j", rt.Value(nil), Form)
			QueryContent(r, "k", (*bed)(nil))
			QueryContent(r, "l", rt.Nullable[bed]{})
		}, ""},
		{"nullable text", func(r *Request) { Query(r, "q", rt.Some("v w"), Form) }, "q=v%20w"},
		{"named text", func(r *Request) { Query(r, "q", ptr(hue("<=")), Form) }, "q=%3C%3D"},
		{"numbers", func(r *Request) {
			Query(r, "a", int64(math.MaxInt64), Form)
			Query(r, "b", 12500000.0, Form)
			Query(r, "c", 0.0000001, Form)
			Query(r, "d", ptr(2.5e21), Form)
			Query(r, "e", rt.Number("1E+2"), Form)
		}, "a=9223372036854775807&b=12500000&c=1e-7&d=2.5e21&e=1E2"},
		{"time with its fraction and zone", func(r *Request) { Query(r, "at", when, Form) }, "at=2031-04-05T06%3A07%3A08.12%2B02%3A00"},
		{"bytes as base64", func(r *Request) { Query(r, "b", []byte{0xfb, 0xff}, Form) }, "b=%2B%2F8%3D"},
		{"list, exploded", func(r *Request) { Query(r, "w", words, Form|Explode) }, "w=a%20b&w=c%2Cd&w=%C3%A9%26%3D%2B%25"},
		{"list, joined", func(r *Request) { Query(r, "w", words, Form) }, "w=a%20b,c%2Cd,%C3%A9%26%3D%2B%25"},
		{"list of one empty text", func(r *Request) { Query(r, "w", []string{""}, Form|Explode) }, "w="},
		{"empty list", func(r *Request) { Query(r, "w", []string{}, Form) }, ""},
		{"empty list where empty is allowed", func(r *Request) { Query(r, "w", []string{}, Form|AllowEmpty) }, "w="},
		{"list of named integers", func(r *Request) { Query(r, "w", []int32{-1, 0}, Form) }, "w=-1,0"},
		{"list of unions", func(r *Request) {
			Query(r, "w", []numberOrName{{Number: ptr(int64(7))}, {Name: ptr("7")}, {Name: ptr("a,b")}}, Form)
		}, "w=7,7,a%2Cb"},
		{"space-delimited", func(r *Request) { Query(r, "w", []string{"a", "b,c"}, SpaceDelimited) }, "w=a%20b%2Cc"},
		{"space-delimited, exploded", func(r *Request) { Query(r, "w", []string{"a b", "c"}, SpaceDelimited|Explode) }, "w=a%20b&w=c"},
		{"pipe-delimited", func(r *Request) { Query(r, "w", []string{"a b", "c"}, PipeDelimited) }, "w=a%20b%7Cc"},
		{"pipe-delimited, exploded", func(r *Request) { Query(r, "w", []string{"a|b", "c"}, PipeDelimited|Explode) }, "w=a%7Cb&w=c"},
		{"tab-delimited", func(r *Request) { Query(r, "w", []string{"a", "b"}, TabDelimited) }, "w=a%09b"},
		{"space-delimited object", func(r *Request) { Query(r, "w", bed{Row: 1}, SpaceDelimited) }, "w=row%201"},
		{"object, exploded", func(r *Request) { Query(r, "o", soil, Form|Explode) }, "row=4&soil=wet%20clay"},
		{"object, joined", func(r *Request) { Query(r, "o", soil, Form) }, "o=row,4,soil,wet%20clay"},
		{"object without members", func(r *Request) { Query(r, "o", climate{}, Form|Explode) }, ""},
		{"object with a list, exploded", func(r *Request) { Query(r, "o", climate{Tags: []string{"a,b", "c"}}, Form|Explode) }, "tags=a%2Cb&tags=c"},
		{"null members are left out", func(r *Request) { Query(r, "o", climate{Warm: ptr(false), High: rt.Null[int64]()}, Form|Explode) }, "warm=false"},
		{"map, exploded", func(r *Request) { Query(r, "o", map[string]string{"y]": "&", "x": "é"}, Form|Explode) }, "x=%C3%A9&y%5D=%26"},
		{"deep object", func(r *Request) { Query(r, "f", soil, DeepObject|Explode) }, "f%5Brow%5D=4&f%5Bsoil%5D=wet%20clay"},
		{"deep map", func(r *Request) { Query(r, "f", map[string]string{"x]y": "é"}, DeepObject|Explode) }, "f%5Bx%5Dy%5D=%C3%A9"},
		{"deeper object", func(r *Request) {
			Query(r, "f", climate{Tags: []string{"dry", "hot"}, Beds: map[string]bed{"n": {Row: 1}}}, DeepObject|Explode)
		}, "f%5Btags%5D%5B0%5D=dry&f%5Btags%5D%5B1%5D=hot&f%5Bbeds%5D%5Bn%5D%5Brow%5D=1"},
		{"deep list", func(r *Request) { Query(r, "f", []string{"a", "b"}, DeepObject|Explode) }, "f%5B0%5D=a&f%5B1%5D=b"},
		{"reserved let through", func(r *Request) { Query(r, "raw", "a/b?c:d@e,f;g=h", Form|AllowReserved) }, "raw=a/b?c:d@e,f;g=h"},
		{"reserved that would change the query", func(r *Request) { Query(r, "raw", "a&b#c+d[e] f", Form|AllowReserved) }, "raw=a%26b%23c%2Bd%5Be%5D%20f"},
		{"triples go through reserved expansion", func(r *Request) { Query(r, "raw", "a%2Fb%zz", Form|AllowReserved) }, "raw=a%2Fb%25zz"},
		{"JSON content", func(r *Request) { QueryContent(r, "j", soil) }, "j=%7B%22row%22%3A4%2C%22soil%22%3A%22wet%20clay%22%7D"},
		{"JSON content of a text", func(r *Request) { QueryContent(r, "j", "x") }, "j=%22x%22"},
		{"JSON content of an explicit null", func(r *Request) { QueryContent(r, "j", rt.Null[bed]()) }, "j=null"},
		{"the path's own query comes first", func(r *Request) { r.FixedQuery("beta=true&x=a b"); Query(r, "q", "1", Form) }, "beta=true&x=a%20b&q=1"},
		{"the path's own query alone", func(r *Request) { r.FixedQuery("beta=true") }, "beta=true"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRequest("/plots")
			tt.build(r)
			_, got, _ := strings.Cut(sentBy(t, r).target, "?")
			if got != tt.want {
				t.Errorf("query = %s, want %s", got, tt.want)
			}
		})
	}
}

func TestQueryRefusals(t *testing.T) {
	tests := []struct {
		name  string
		build func(*Request)
		want  string
	}{
		{"bad UTF-8", func(r *Request) { Query(r, "q", "\xff", Form) }, `query parameter "q": value is not UTF-8`},
		{"infinity", func(r *Request) { Query(r, "q", math.Inf(1), Form) }, "want a finite number"},
		{"an item that holds the pipe", func(r *Request) { Query(r, "q", []string{"a|b"}, PipeDelimited) }, "item 0 holds a separator"},
		{"an item that holds the space", func(r *Request) { Query(r, "q", []string{"a", "b c"}, SpaceDelimited) }, "item 1 holds a separator"},
		{"an item that holds the comma under allowReserved", func(r *Request) { Query(r, "q", []string{"a,b"}, Form|AllowReserved) }, "item 0 holds a separator"},
		{"a list of lists in an exploded object", func(r *Request) { Query(r, "q", map[string][][]int64{"tags": {{1}}}, Form|Explode) }, `member "tags": item 0 is a list or an object`},
		{"an object in an exploded object", func(r *Request) { Query(r, "q", map[string]map[string]int64{"tags": {"a": 1}}, Form|Explode) }, `member "tags" is a list or an object`},
		{"a list in a joined list", func(r *Request) { Query(r, "q", [][]int64{{1}}, Form) }, "item 0 is a list or an object"},
		{"null in a list", func(r *Request) { Query(r, "q", []rt.Nullable[int64]{rt.Null[int64]()}, Form|Explode) }, "item 0 is null"},
		{"a style of paths", func(r *Request) { Query(r, "q", "x", Matrix) }, "style is matrix"},
		{"a union that holds nothing", func(r *Request) { Query(r, "q", numberOrName{}, Form) }, "set one of Number, Name"},
		{"a number that is none", func(r *Request) { Query(r, "q", rt.Number("1,5"), Form) }, "value is a Number"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRequest("/plots")
			tt.build(r)
			if got := refusedBy(t, r); !strings.Contains(got, tt.want) {
				t.Errorf("refusal = %q, want it to contain %q", got, tt.want)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	r := newRequest("/plots")
	Header(r, "X-Ids", []int64{1, 2, 3}, Simple)
	Header(r, "X-Bed", bed{Row: 1}, Simple)
	Header(r, "X-Bed-Pairs", soil, Simple|Explode)
	Header(r, "x_lower_under", "v \"é\", w", Simple)
	Header(r, "X-Flag", false, Simple)
	Header(r, "X-Nil", (*string)(nil), Simple)
	Header(r, "X-Empty-List", []string{}, Simple)
	Header(r, "X-Big", 1e21, Simple)
	HeaderContent(r, "X-Json", soil)
	Header(r, "Content-Length", int64(12), Simple)
	r.Accept("application/json", "application/problem+json")
	got := sentBy(t, r).header
	want := map[string]string{
		"X-Ids": "1,2,3", "X-Bed": "row,1", "X-Bed-Pairs": "row=4,soil=wet clay", "X_lower_under": "v \"é\", w", "X-Flag": "false",
		"X-Big": "1e21", "X-Json": `{"row":4,"soil":"wet clay"}`, "Accept": "application/json, application/problem+json",
		"User-Agent": "Go-http-client/1.1", // the engine's affair
	}
	for name, value := range want {
		if lines := got[name]; len(lines) != 1 || lines[0] != value {
			t.Errorf("%s = %q, want %q", name, lines, value)
		}
	}
	if len(got) != len(want) {
		t.Errorf("headers = %v, want only %v", got, want)
	}
}

func TestHeaderRefusals(t *testing.T) {
	tests := []struct {
		name  string
		build func(*Request)
		want  string
	}{
		{"line break", func(r *Request) { Header(r, "X-A", "a\r\nX-Evil: 1", Simple) }, `header "X-A": value holds the control character '\r'`},
		{"line break in a list", func(r *Request) { Header(r, "X-A", []string{"a\nb"}, Simple) }, "control character"},
		{"NUL", func(r *Request) { Header(r, "X-A", "a\x00", Simple) }, "control character"},
		{"a space that would be cut off", func(r *Request) { Header(r, "X-A", " a", Simple) }, "begins or ends with a space"},
		{"bad UTF-8", func(r *Request) { Header(r, "X-A", "\xff", Simple) }, "not UTF-8"},
		{"an item that holds the comma", func(r *Request) { Header(r, "X-A", []string{"a,b"}, Simple) }, "item 0 holds a separator"},
		{"a name that is none", func(r *Request) { Header(r, "X A", "a", Simple) }, "name holds ' '"},
		{"Host", func(r *Request) { Header(r, "host", "evil.test", Simple) }, "cannot be set"},
		{"a style of queries", func(r *Request) { Header(r, "X-A", "a", DeepObject) }, "style is deepObject"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRequest("/plots")
			tt.build(r)
			if got := refusedBy(t, r); !strings.Contains(got, tt.want) {
				t.Errorf("refusal = %q, want it to contain %q", got, tt.want)
			}
		})
	}
}

func TestCookies(t *testing.T) {
	tests := []struct {
		name  string
		build func(*Request)
		want  string
	}{
		{"all in one header", func(r *Request) {
			Cookie(r, "sid", "s1", Form|Explode)
			Cookie(r, "prefs", []string{"a", "b,c"}, Form)
			Cookie(r, "seen", true, Form)
			Cookie(r, "none", (*string)(nil), Form)
		}, "sid=s1; prefs=a,b%2Cc; seen=true"},
		{"what a cookie cannot hold is escaped", func(r *Request) { Cookie(r, "v", `a b;c"d\e,f%é`, Form) }, "v=a%20b%3Bc%22d%5Ce%2Cf%25%C3%A9"},
		{"what it can hold stays", func(r *Request) { Cookie(r, "v", "YWJj+/==", Form) }, "v=YWJj+/=="},
		{"list, exploded", func(r *Request) { Cookie(r, "v", []int64{1, 2}, Form|Explode) }, "v=1; v=2"},
		{"object", func(r *Request) { Cookie(r, "v", bed{Row: 2}, Form) }, "v=row,2"},
		{"object, exploded", func(r *Request) { Cookie(r, "v", soil, Form|Explode) }, "row=4; soil=wet%20clay"},
		{"JSON content", func(r *Request) { CookieContent(r, "v", []string{"a"}) }, "v=[%22a%22]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRequest("/plots")
			tt.build(r)
			if got := sentBy(t, r).header["Cookie"]; len(got) != 1 || got[0] != tt.want {
				t.Errorf("Cookie = %q, want %q", got, tt.want)
			}
		})
	}
	for _, bad := range []string{"a\r\nb", "a\x00", "\x7f", "\xff"} {
		r := newRequest("/plots")
		Cookie(r, "v", bad, Form)
		if got := refusedBy(t, r); !strings.Contains(got, `cookie "v"`) {
			t.Errorf("refusal of %q = %q, want it to name the cookie", bad, got)
		}
	}
	r := newRequest("/plots")
	Cookie(r, "v", "x", DeepObject)
	if got := refusedBy(t, r); !strings.Contains(got, "want form") {
		t.Errorf("refusal = %q, want it to name the style", got)
	}
}

func TestTheFirstMistakeIsTold(t *testing.T) {
	r := newRequest("/plots/{v}")
	PathParam(r, "v", "", Simple)
	Header(r, "X-A", "\n", Simple)
	r.Refuse("body is not set; set one of JSON and Form")
	if got := refusedBy(t, r); !strings.Contains(got, `path parameter "v"`) {
		t.Errorf("refusal = %q, want the path's", got)
	}
	r = newRequest("/plots")
	r.Refuse("body is not set; set one of JSON and Form")
	if got := refusedBy(t, r); got != "body is not set; set one of JSON and Form" {
		t.Errorf("refusal = %q, want what was given", got)
	}
}
