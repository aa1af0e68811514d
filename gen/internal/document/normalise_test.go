package document

import (
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// plainFile reads one file as resgen.yaml is read.
func plainFile(t *testing.T, text string) (Node, diag.List) {
	t.Helper()
	n, ds, err := LoadPlain("x.yaml", Options{FS: fstest.MapFS{"x.yaml": &fstest.MapFile{Data: []byte(text)}}})
	if err != nil {
		t.Fatal(err)
	}
	return n, ds
}

func TestScalars(t *testing.T) {
	tests := []struct {
		text, value string
		kind        Kind
	}{
		{"yes", "yes", Text}, {"on", "on", Text}, {"NO", "NO", Text}, {"12:30:45", "12:30:45", Text}, {"2026-01-02", "2026-01-02", Text}, {"2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", Text},
		{"true", "true", Bool}, {"False", "false", Bool}, {"TRUE", "true", Bool}, {"tRUE", "tRUE", Text},
		{"null", "null", Null}, {"~", "null", Null}, {"NULL", "null", Null}, {"", "null", Null}, {"nUll", "nUll", Text},
		{"5", "5", Number}, {"+5", "5", Number}, {"-0", "-0", Number}, {"-5", "-5", Number}, {"5.", "5", Number}, {".5", "0.5", Number}, {"-.5e+3", "-0.5e+3", Number}, {"1e3", "1e3", Number}, {"1.50", "1.50", Number},
		{"0x1F", "31", Number}, {"0o17", "15", Number}, {"0b1", "0b1", Text}, {"017", "017", Text}, {"08", "08", Text}, {"0", "0", Number}, {"1_000", "1_000", Text}, {"0x", "0x", Text}, {"0x-1", "0x-1", Text},
		{"9007199254740993", "9007199254740993", Number}, {"123456789012345678901234567890", "123456789012345678901234567890", Number},
		{".inf", ".inf", Text}, {"-.INF", "-.INF", Text}, {".nan", ".nan", Text}, {".", ".", Text}, {"-", "", List}, {"+", "+", Text}, {"e3", "e3", Text}, {"1e", "1e", Text}, {"1e+-3", "1e+-3", Text},
		{"'5'", "5", Text}, {`"true"`, "true", Text}, {"!!str 5", "5", Text}, {"!!int '5'", "5", Number}, {"!!int x", "x", Text}, {"!!float 5", "5", Number}, {"!!binary YQ==", "YQ==", Text}, {"!!timestamp 2026-01-02", "2026-01-02", Text}, {"!!bool 'true'", "true", Bool},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			root, ds := plainFile(t, "a: "+strings.Replace(tt.text, "-", "- ", map[bool]int{true: 1}[tt.kind == List])+"\n")
			if tt.kind == List {
				return
			}
			wantLines(t, ds)
			a := root.Get("a")
			if a.Kind() != tt.kind || a.Text() != tt.value {
				t.Errorf("got %s %q, want %s %q", a.Kind(), a.Text(), tt.kind, tt.value)
			}
		})
	}
}

func TestLocalTags(t *testing.T) {
	root, ds := plainFile(t, "a: !local 5\nb: !Sub {c: !!str 6}\n")
	wantLines(t, ds,
		"x.yaml:1:4: warning: the tag !local means nothing in OpenAPI; the value was read without it [local-tag]",
		"x.yaml:2:4: warning: the tag !Sub means nothing in OpenAPI; the value was read without it [local-tag]")
	if got := root.Get("a"); got.Kind() != Text || got.Text() != "5" {
		t.Errorf("a is %s %q, want text 5", got.Kind(), got.Text())
	}
}

func TestYAML(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"numbers as keys", "200: a\n1.10: b\ntrue: c\n2026-01-02: d\n", `{200: "a", 1.10: "b", true: "c", 2026-01-02: "d"}`},
		{"an alias is a copy", "a: &x {b: [1]}\nc: *x\n*y : 1\n", ""},
		{"aliases", "a: &x {b: &y [1]}\nc: *x\nd: *y\n", "{a: {b: [1]}, c: {b: [1]}, d: [1]}"},
		{"merges", "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc: {<<: [*a, *b], z: 5}\nd: {y: 0, <<: *b}\n", "{a: {x: 1, y: 2}, b: {y: 3, z: 4}, c: {x: 1, y: 2, z: 5}, d: {y: 0, z: 4}}"},
		{"a merge key in quotes is a key", "a: {'<<': {x: 1}}\n", "{a: {<<: {x: 1}}}"},
		{"an alias as a key", "a: &k name\nb: {*k : 1}\n", `{a: "name", b: {name: 1}}`},
		{"a directive", "%YAML 1.2\n---\na: 1\n...\n", "{a: 1}"},
		{"a tag directive", "%TAG !e! tag:example.invalid,2000:\n---\na: !e!x {b: 1}\n", "{a: {b: 1}}"},
		{"tabs between tokens", "a:\t1\nb:\t[2,\t3]\t# four\n", "{a: 1, b: [2, 3]}"},
		{"a byte order mark and CRLF", "\ufeffa: |\r\n  b\r\n  c\r\nd: 1\r\n", `{a: "b\nc\n", d: 1}`},
		{"JSON with a comment and a comma", "{\"a\": 1, # one\n}\n", "{a: 1}"},
		{"local tags on maps and lists", "a: !x {b: !y [1]}\n", "{a: {b: [1]}}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, _ := plainFile(t, tt.text)
			if tt.want == "" {
				if root.Exists() {
					t.Errorf("got %s, want an error", print(root))
				}
				return
			}
			wantTree(t, root, "", tt.want)
		})
	}
}

func TestYAMLPositions(t *testing.T) {
	root, ds := plainFile(t, "\ufeffbase: &b\r\n  x: ü\r\n  yy: [é, {z: 1}]\r\nuse:\r\n  <<: *b\r\n  own: 1\r\nalias: *b\r\n")
	wantLines(t, ds)
	for path, want := range map[string]string{
		"":            "x.yaml:1:1",
		"base":        "x.yaml:1:7",
		"base x":      "x.yaml:2:6",
		"base yy 1 z": "x.yaml:3:15",
		"use yy 0":    "x.yaml:3:8",
		"use own":     "x.yaml:6:8",
		"alias x":     "x.yaml:2:6",
	} {
		wantPos(t, root, path, want)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'j'; c++ {
		p := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+p+",", 10), ",") + "]\n"
	}
	tests := []struct{ name, text, want string }{
		{"a tab as indent", "a:\n\tb: 1\n", "x.yaml:2:1: error: not YAML: a tab stands where the line is indented; want spaces [syntax]"},
		{"a character that begins nothing", "a: b\nc: @d\n", "x.yaml:2:4: error: not YAML: no value begins with '@' [syntax]"},
		{"a saved page", "\n<!DOCTYPE html>\n<html>\n\t<p class=\"x\">a: b: c</p>\n", "x.yaml:1:1: error: the file is HTML or XML; want YAML or JSON [markup]"},
		{"a second document", "a: 1\n---\nb: 2\n", "x.yaml:2:1: error: a second document begins here; want one document in a file [second-document]"},
		{"an alias without an anchor", "a: *x\n", "x.yaml:1:4: error: not YAML: unknown anchor 'x' referenced [syntax]"},
		{"an alias within its anchor", "a: &x {b: *x}\n", "x.yaml:1:11: error: the alias *x stands within its own anchor; want a value that ends [cyclic-alias]"},
		{"a merge of itself", "a: &x {<<: *x}\n", "x.yaml:1:8: error: << merges null; want a map or a list of maps [merge-key]\nx.yaml:1:12: error: the alias *x stands within its own anchor; want a value that ends [cyclic-alias]"},
		{"a merge of a text", "a: {<<: x}\n", "x.yaml:1:5: error: << merges text; want a map or a list of maps [merge-key]"},
		{"a key that is a list", "? [a]\n: 1\n", "x.yaml:1:3: error: a key is a list; want text [complex-key]"},
		{"a duplicate key", "a: 1\nb: 2\na: 3\n", `x.yaml:3:1: error: "a" comes twice in one map; want it once [duplicate-key]`},
		{"an alias bomb", bomb, "x.yaml:6:29: error: aliases expand to more than 1000000 values; want fewer [limit]"},
		{"too deep", "a: " + deep, "x.yaml:1:204: error: more than 200 levels of nesting; want at most 200 [limit]"},
		{"bad UTF-8", "a: b\nc: \xff\n", "x.yaml:2:4: error: byte 0xFF is no UTF-8; want a file in UTF-8 [encoding]"},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", "x.yaml:1:1: error: the file is in UTF-32 or in broken UTF-16; want UTF-8 [encoding]"},
		{"broken JSON", "{\"a\": 1\n\"b\": }\n", `x.yaml:2:1: error: not JSON: '"'; want ',' or '}' [syntax]`},
		{"a control character", "a: \x01\n", "x.yaml:1:4: error: not YAML: control characters are not allowed (value: 1) [syntax]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, ds := plainFile(t, tt.text)
			if got := strings.TrimSpace(lines(ds)); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if root.Exists() != (tt.name == "a duplicate key") {
				t.Errorf("a tree was made: %t", root.Exists())
			}
		})
	}
}

func TestDuplicateKeysOfOthers(t *testing.T) {
	doc, ds := loadFiles(t, files{"api.yaml": head + `paths:
  /a: {get: {operationId: first, summary: s, summary: t}, x-resilience: {use: a, use: b}}
  /a: {put: {operationId: second}}
  /b: {get: {operationId: x}, get: {operationId: y}}
`})
	wantTree(t, doc.Root, "paths /a put", `{operationId: "second"}`)
	wantTree(t, doc.Root, "paths /a get", `{operationId: "first", summary: "t"}`)
	wantLines(t, ds,
		`api.yaml:4:46: warning: "summary" comes twice in one map; the later one was taken [duplicate-key]`,
		`api.yaml:4:82: error: "use" comes twice in one map; want it once [duplicate-key]`,
		`api.yaml:5:3: warning: "/a" comes twice in one map; the two were read as one, where the later counts for what both have [duplicate-key]`,
		`api.yaml:6:8: error: get of this path comes twice; one of the two operations is lost [duplicate-key]`,
		`api.yaml:6:31: warning: "get" comes twice in one map; the later one was taken [duplicate-key]`,
	)
}

func TestDuplicateCollections(t *testing.T) {
	doc, ds := loadFiles(t, files{"api.yaml": head + `paths:
  /a: {get: {operationId: getA}}
  /b: {get: {operationId: getB}}
components: {schemas: {A: {type: string}, B: {type: string}}}
paths:
paths:
  /b: {put: {operationId: putB}}
  /b: {head: {operationId: headB}}
  /c: {get: {operationId: getC}}
components: {schemas: {B: {type: integer}, C: {type: string}}, responses: {R: {description: r}}}
components: {schemas: {D: {type: string}}}
info: {title: t, version: "2"}
`})
	wantTree(t, doc.Root, "paths", `{/a: {get: {operationId: "getA"}}, /b: {put: {operationId: "putB"}, get: {operationId: "getB"}, head: {operationId: "headB"}}, /c: {get: {operationId: "getC"}}}`)
	wantTree(t, doc.Root, "components", `{responses: {R: {description: "r"}}, schemas: {A: {type: "string"}, B: {type: "integer"}, C: {type: "string"}, D: {type: "string"}}}`)
	const joined = ` comes twice in one map; the two were read as one, where the later counts for what both have [duplicate-key]`
	wantLines(t, ds,
		`api.yaml:8:1: warning: "paths"`+joined,
		`api.yaml:10:3: warning: "/b"`+joined,
		`api.yaml:13:1: warning: "components"`+joined,
		`api.yaml:14:1: warning: "info" comes twice in one map; the later one was taken [duplicate-key]`,
	)
}

func TestUTF16(t *testing.T) {
	const text = "a: é🙂\nb: 1\n"
	units := utf16.Encode([]rune(text))
	little, big := []byte{0xFF, 0xFE}, []byte{0xFE, 0xFF}
	for _, u := range units {
		little = append(little, byte(u), byte(u>>8))
		big = append(big, byte(u>>8), byte(u))
	}
	for name, data := range map[string][]byte{"little": little, "big": big, "little without mark": little[2:], "big without mark": big[2:]} {
		t.Run(name, func(t *testing.T) {
			root, ds := plainFile(t, string(data))
			wantLines(t, ds)
			wantTree(t, root, "", `{a: "é🙂", b: 1}`)
			wantPos(t, root, "b", "x.yaml:2:4")
		})
	}
}
