package document

import (
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// fuzzSeeds are documents that reach most of the package.
var fuzzSeeds = []string{
	head + "paths: {/a: {get: {operationId: g, parameters: [{$ref: '#/components/parameters/P'}], responses: {'200': {$ref: 'x.yaml#/r'}}}}}\ncomponents: {parameters: {P: {name: p, in: query, schema: {$ref: x.yaml}}}}\n",
	head + "paths: {/a: {$ref: 'x.yaml#/item'}, /b: {$ref: '#/paths/~1a'}}\n",
	head + "paths: {}\ncomponents: {schemas: {A: {properties: {b: {$ref: '#/components/schemas/A/properties/c'}, c: {$ref: '#'}}}, B: {$ref: '#/components/schemas/A'}, C: {type: array, items: [1, {}], enum: x}}}\n",
	"openapi: 3.1.0\npaths: {}\ncomponents: {schemas: {A: {$anchor: a, $defs: {x: {}}, oneOf: [{$ref: '#a'}, {$ref: '#/$defs/x'}, {$recursiveRef: '#'}], discriminator: {propertyName: k, mapping: {a: A, b: '#a'}}}}}\n",
	head2 + "host: a\nconsumes: [x/y]\nparameters: {B: {in: body, name: b, schema: {$ref: '#/definitions/D'}}}\npaths: {/a: {post: {parameters: [{$ref: '#/parameters/B'}, {in: formData, name: f, type: file}, {in: query, name: q, type: array, items: {type: array}}], responses: {'200': {schema: {type: file}}}}}}\ndefinitions: {D: {discriminator: k, x-nullable: true}}\nsecurityDefinitions: {o: {type: oauth2}}\n",
	"{\"openapi\": \"3.0.3\", \"paths\": {\"/a\": {\"get\": null, \"get\": {}}, \"/a\": 5}, }",
	"a: &a [*a]\nb: &b {<<: *b}\n? [x]\n: 1\n",
	"overlay: 1.1.0\nactions: [{target: $..*, update: {a: 1}}, {target: '$.paths[?@.a==1]', remove: true}, {target: $.info, copy: $.paths}]\n",
	"%YAML 1.2\n---\n- !x 0x1F\n- .5\n- 017\n--- second\n",
	"\ufeffa:\r\n\t- b\r",
	"\r\"", "#\n---", "{\"$ref\": \"A\"}", // found by fuzzing: positions behind the end, a root that is a reference
	"openapi: 3.0.3\npaths: {$ref: '#'}\ncomponents: {$ref: '#/components', schemas: {$ref: '#/components/schemas'}, parameters: {P: {$ref: '#/components/schemas/A'}, Q: {$ref: '#/components/parameters/P'}}}\n",
}

// FuzzLoad loads anything as a description with a file beside it, and as an
// overlay. Whatever comes, there is no panic, every diagnostic lies inside its
// file, and every reference of a document that was made leads to a component.
func FuzzLoad(f *testing.F) {
	for _, seed := range fuzzSeeds {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, overlay bool) {
		if len(data) > 1<<14 {
			return
		}
		fs := files{"api.yaml": string(data), "x.yaml": "type: object\nproperties: {p: {$ref: api.yaml}}\nr: {description: d}\nitem: {get: {$ref: '#/op'}}\nop: {responses: {}}\n"}
		var overlays []string
		if overlay {
			fs["api.yaml"], fs["o.yaml"] = fuzzSeeds[0], string(data)
			overlays = []string{"o.yaml"}
		}
		doc, ds := loadFiles(t, fs, overlays...)
		for _, d := range ds {
			checkDiagnostic(t, d, fs)
		}
		if doc == nil && !ds.HasErrors() {
			t.Fatal("neither a document nor an error")
		}
		if doc != nil && !ds.HasErrors() {
			checkBundled(t, doc)
		}
	})
}

func checkDiagnostic(t *testing.T, d diag.Diagnostic, fs files) {
	t.Helper()
	if d.Code == "" || d.Message == "" || d.Severity == 0 || strings.ContainsAny(d.Message, "\n\r") {
		t.Fatalf("%#v is not fit to be shown", d)
	}
	text, ok := fs[d.Pos.File]
	if !ok {
		t.Fatalf("%s names a file that does not exist", d)
	}
	if d.Pos.Line > 0 || d.Pos.Col > 0 {
		data, good := toUTF8([]byte(text))
		if !good {
			data = []byte(text)
		}
		checkInside(t, d, data)
	}
}
