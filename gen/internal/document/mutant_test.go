package document

import (
	"encoding/json"
	"slices"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// mutants yields the JSON of a document for each of its values and keys being
// replaced by something else.
func mutants(tb testing.TB, text string, yield func([]byte)) {
	replacements := []string{`"text"`, "5", "null", "true", "[]", "{}", `[{}, "x"]`, `{"$ref": "#/components/schemas/A"}`, `{"$ref": "x.yaml"}`, `{"$ref": "#/paths/~1a"}`, `{"$ref": 5}`}
	var ds diag.List
	src := parse("api.yaml", []byte(text), foreign, &ds)
	if src.root == nil {
		tb.Fatalf("a seed does not parse:\n%s", lines(ds))
	}
	var all []*yaml.Node
	var collect func(*yaml.Node)
	collect = func(n *yaml.Node) {
		all = append(all, n)
		for _, child := range children(n) {
			collect(child)
		}
	}
	collect(src.root)
	for _, n := range all[1:] {
		before := *n
		for _, r := range replacements {
			var found diag.List
			other := parse("r", []byte(r), foreign, &found)
			*n = *other.root
			if !slices.Contains(all, n) {
				tb.Fatal("lost")
			}
			out, err := json.Marshal(plain(src.root))
			if err != nil {
				tb.Fatal(err)
			}
			yield(out)
		}
		*n = before
	}
}

const mutantSeed = `openapi: 3.0.3
info: {title: T, version: '1', contact: {name: n}, license: {name: l}}
servers: [{url: 'https://{h}.invalid', variables: {h: {default: a, enum: [a, b]}}}]
tags: [{name: t, externalDocs: {url: u}}]
security: [{k: []}, {o: [r]}]
x-resilience: {retry: {when: [503]}}
paths:
  /a:
    summary: s
    parameters: [{$ref: '#/components/parameters/P'}]
    get:
      operationId: g
      tags: [t]
      deprecated: false
      parameters: [{name: q, in: query, explode: false, schema: {type: array, items: {type: string}}}, {name: c, in: query, content: {application/json: {schema: {}}}}]
      responses:
        '200': {description: d, headers: {H: {$ref: '#/components/headers/H'}}, content: {application/json: {schema: {$ref: '#/components/schemas/A'}, examples: {e: {$ref: '#/components/examples/E'}}}}, links: {l: {operationId: g, parameters: {a: b}}}}
        default: {$ref: '#/components/responses/R'}
    post:
      requestBody: {$ref: '#/components/requestBodies/B'}
      callbacks: {cb: {'{$request.body#/u}': {post: {responses: {'200': {description: d}}}}}, other: {$ref: '#/components/callbacks/C'}}
      responses: {'201': {description: d}}
  /b: {$ref: '#/paths/~1a'}
components:
  schemas:
    A: {type: object, required: [a], properties: {a: {type: string, enum: [x], minLength: 1, default: x, nullable: true}, n: {type: number, minimum: 1.5, exclusiveMinimum: true}, m: {type: object, additionalProperties: {$ref: '#/components/schemas/A'}, maxProperties: 3}}, discriminator: {propertyName: a, mapping: {x: '#/components/schemas/A'}}, xml: {name: x, wrapped: true}, example: {a: b}, externalDocs: {url: u}}
    D: {allOf: [{$ref: '#/components/schemas/A'}, {not: {type: integer}}]}
    E: {$ref: '#/components/schemas/D'}
  parameters: {P: {name: p, in: header, required: true, schema: {type: integer, format: int32}}}
  headers: {H: {schema: {type: string}, required: true}}
  responses: {R: {description: d}}
  examples: {E: {summary: s, value: {a: 1}}}
  requestBodies: {B: {required: true, content: {multipart/form-data: {schema: {type: object}, encoding: {f: {contentType: t, headers: {}, explode: true}}}}}}
  callbacks: {C: {u: {get: {responses: {}}}}}
  links: {L: {operationRef: r}}
  securitySchemes: {k: {type: apiKey, name: n, in: header}, o: {type: oauth2, flows: {implicit: {authorizationUrl: u, scopes: {r: read}}}}}
`

const mutantSeed2 = `swagger: '2.0'
info: {title: T, version: '1'}
host: h.invalid
basePath: /v1
schemes: [https]
consumes: [application/json]
produces: [application/json]
parameters: {P: {name: p, in: query, type: array, items: {type: string}, collectionFormat: multi}, B: {name: b, in: body, schema: {$ref: '#/definitions/A'}}, F: {name: f, in: formData, type: file}}
responses: {R: {description: d, schema: {type: string}, headers: {H: {type: integer}}, examples: {application/json: 1}}}
paths:
  /a:
    parameters: [{$ref: '#/parameters/P'}]
    get: {operationId: g, produces: [text/plain], schemes: [http], responses: {'200': {$ref: '#/responses/R'}, default: {description: d, schema: {type: file}}}}
    post: {consumes: [application/json], parameters: [{$ref: '#/parameters/B'}], responses: {'200': {description: d}}}
    put: {parameters: [{$ref: '#/parameters/F'}, {name: g, in: formData, type: array, items: {type: string}, required: true}], responses: {}}
definitions:
  A: {type: object, discriminator: k, properties: {k: {type: string, x-nullable: true}, l: {type: array, items: {$ref: '#/definitions/A'}}}}
securityDefinitions: {b: {type: basic}, o: {type: oauth2, flow: implicit, authorizationUrl: u, scopes: {r: read}}}
`

// TestMutants replaces every value of two documents by values of every kind.
// There is always a document or an error, and what is made is whole.
func TestMutants(t *testing.T) {
	loaded, total := 0, 0
	for _, seed := range []string{mutantSeed, mutantSeed2} {
		mutants(t, seed, func(data []byte) {
			total++
			fs := files{"api.json": string(data), "x.yaml": "type: object\nproperties: {p: {type: array}}\n"}
			doc, ds := loadFiles(t, fs)
			for _, d := range ds {
				checkDiagnostic(t, d, fs)
			}
			switch {
			case doc == nil && !ds.HasErrors():
				t.Fatalf("neither a document nor an error: %s", data)
			case doc != nil && !ds.HasErrors():
				loaded++
				checkBundled(t, doc)
			}
			if t.Failed() {
				t.Fatalf("for %s:\n%s", data, lines(ds))
			}
		})
	}
	if loaded < total*9/10 {
		t.Errorf("%d of %d mutants load without an error; want nine in ten", loaded, total)
	}
	t.Logf("%d of %d mutants load without an error", loaded, total)
}
