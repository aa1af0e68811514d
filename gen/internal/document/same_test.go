package document

import (
	"strings"
	"sync"
	"testing"
)

// Loading is a function of the input: the same again, by many at once, and
// with other line ends.
func TestLoadIsDeterministic(t *testing.T) {
	f := files{
		"api.yaml": mutantSeed, "x.yaml": "type: object\n",
		"o.yaml": "overlay: 1.0.0\nactions: [{target: '$.paths.*.get', update: {x-a: {$ref: x.yaml}}}, {target: $.components.schemas, update: {X: {$ref: x.yaml}, Y: {type: array}}}]\n",
	}
	want := ""
	show := func(f files) string {
		doc, ds := loadFiles(t, f, "o.yaml")
		if doc == nil {
			t.Error(lines(ds))
			return ""
		}
		return print(doc.Root) + lines(ds)
	}
	want = show(f)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := show(f); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
	wg.Wait()
	crlf := files{}
	for name, text := range f {
		crlf[name] = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if got := show(crlf); got != want {
		t.Errorf("with CRLF got %s\nwant %s", got, want)
	}
}

func TestJSONThatIsNone(t *testing.T) {
	tests := []struct{ name, text, want, diags string }{
		{"comments", "{\"openapi\": \"3.0.3\", // drei é // {\n /* \u00fc\n, */ \"paths\": {\"/a//b\": {}}, \"x\": \"/*\"}\n", `{openapi: "3.0.3", paths: {/a//b: {}}, x: "/*"}`,
			`api.json:1:22: warning: not JSON: '/'; want a member's name in double quotes; comments and trailing commas were left out [json-as-yaml]`},
		{"trailing commas", "{\"openapi\": \"3.0.3\",\n\"paths\": {}, \"x\": [1,2, ],}\n", `{openapi: "3.0.3", paths: {}, x: [1, 2]}`,
			`api.json:2:25: warning: not JSON: ']'; want a value; comments and trailing commas were left out [json-as-yaml]`},
		{"names without quotes", "{openapi: 3.0.3,\npaths: {}}\n", `{openapi: "3.0.3", paths: {}}`,
			`api.json:1:2: warning: not JSON: 'o'; want a member's name in double quotes; the file was read as YAML [json-as-yaml]`},
		{"a comment and a real fault", "{\"openapi\": \"3.0.3\" // x\n\"paths\": {}}\n", "",
			`api.json:1:21: error: not JSON: '/'; want ',' or '}' [syntax]`},
		{"two commas", "{\"openapi\": \"3.0.3\",, \"paths\": {}}\n", "",
			`api.json:1:21: error: not JSON: ','; want a member's name in double quotes [syntax]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, ds := loadFiles(t, files{"api.json": tt.text})
			wantLines(t, ds, tt.diags)
			if tt.want == "" {
				if doc != nil {
					t.Errorf("got %s, want no document", print(doc.Root))
				}
				return
			}
			wantTree(t, doc.Root, "", tt.want)
		})
	}
	doc, ds := loadFiles(t, files{"api.yaml": "{openapi: 3.0.3, paths: {}}\n"})
	wantTree(t, doc.Root, "", `{openapi: "3.0.3", paths: {}}`)
	wantLines(t, ds)
}
