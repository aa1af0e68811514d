package document

import "testing"

func TestReferences(t *testing.T) {
	tests := []struct {
		name  string
		files files
		path  string // in the tree
		want  string
		diags []string
	}{
		{
			name: "a file's schema is hoisted under its stem",
			files: files{
				"api.yaml":         head + "paths: {}\ncomponents:\n  schemas:\n    A: {properties: {b: {$ref: models/bird.yaml}}}\n",
				"models/bird.yaml": "type: object\nproperties: {wing: {$ref: 'wing.yaml#/Wing'}, again: {$ref: '#/properties/wing'}}\n",
				"models/wing.yaml": "Wing: {type: string}\n",
			},
			path: "components schemas",
			want: `{A: {properties: {b: {$ref: "#/components/schemas/bird"}}}, bird: {type: "object", properties: {wing: {$ref: "#/components/schemas/Wing"}, again: {$ref: "#/components/schemas/Wing"}}}, Wing: {type: "string"}}`,
		},
		{
			name: "a component that is a reference takes over what it leads to",
			files: files{
				"api.yaml":  head + "paths: {}\ncomponents:\n  schemas:\n    Bird: {$ref: bird.yaml}\n    A: {items: {$ref: bird.yaml}}\n",
				"bird.yaml": "type: object\n",
			},
			path: "components schemas",
			want: `{Bird: {type: "object"}, A: {items: {$ref: "#/components/schemas/Bird"}}}`,
		},
		{
			name: "what a deep reference leads to is moved, not copied",
			files: files{
				"api.yaml": head + "paths: {}\ncomponents:\n  schemas:\n    A: {properties: {b: {type: object}}}\n    C: {items: {$ref: '#/components/schemas/A/properties/b'}}\n",
			},
			path: "components schemas",
			want: `{A: {properties: {b: {$ref: "#/components/schemas/A_b"}}}, C: {items: {$ref: "#/components/schemas/A_b"}}, A_b: {type: "object"}}`,
		},
		{
			name: "stems that clash take their folder, then a number",
			files: files{
				"api.yaml":   head + "paths: {}\ncomponents:\n  schemas:\n    pet: {allOf: [{$ref: a/pet.yaml}, {$ref: b/pet.yaml}, {$ref: 'c/b/pet.yaml'}]}\n",
				"a/pet.yaml": "type: string\n", "b/pet.yaml": "type: number\n", "c/b/pet.yaml": "type: boolean\n",
			},
			path: "components schemas",
			want: `{pet: {allOf: [{$ref: "#/components/schemas/a_pet"}, {$ref: "#/components/schemas/b_pet"}, {$ref: "#/components/schemas/b_pet_2"}]}, a_pet: {type: "string"}, b_pet: {type: "number"}, b_pet_2: {type: "boolean"}}`,
		},
		{
			name: "$defs and # are meant within the schema",
			files: files{
				"api.yaml": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    Tree: {properties: {kid: {$ref: '#'}, leaf: {$ref: '#/$defs/leaf'}}, $defs: {leaf: {type: string}}}\n",
			},
			path: "components schemas",
			want: `{Tree: {properties: {kid: {$ref: "#/components/schemas/Tree"}, leaf: {$ref: "#/components/schemas/leaf"}}, $defs: {leaf: {$ref: "#/components/schemas/leaf"}}}, leaf: {type: "string"}}`,
		},
		{
			name: "anchors and ids",
			files: files{
				"api.yaml": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    A: {$anchor: here, $id: 'https://x.invalid/a', type: string}\n    B: {allOf: [{$ref: '#here'}, {$ref: 'https://x.invalid/a'}]}\n",
			},
			path: "components schemas B",
			want: `{allOf: [{$ref: "#/components/schemas/A"}, {$ref: "#/components/schemas/A"}]}`,
		},
		{
			name: "$dynamicRef and $recursiveRef",
			files: files{
				"api.yaml": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    A: {$dynamicAnchor: node, items: {$dynamicRef: '#node'}}\n    B: {items: {$recursiveRef: '#'}}\n",
			},
			path: "components schemas",
			want: `{A: {$dynamicAnchor: "node", items: {$ref: "#/components/schemas/A"}}, B: {items: {$ref: "#/components/schemas/B"}}}`,
			diags: []string{
				`api.yaml:6:52: warning: $dynamicRef "#node" was read as a $ref to the schema "A" [dynamic-ref]`,
				`api.yaml:7:32: warning: $recursiveRef "#" was read as a $ref to the schema "B" [dynamic-ref]`,
			},
		},
		{
			name: "a discriminator's mapping holds references",
			files: files{
				"api.yaml": head + "paths: {}\ncomponents:\n  schemas:\n    A: {discriminator: {propertyName: k, mapping: {a: B, b: '#/components/schemas/B', c: c.yaml, d: gone.yaml}}}\n    B: {type: object}\n",
				"c.yaml":   "type: object\n",
			},
			path:  "components schemas A discriminator mapping",
			want:  `{a: "B", b: "#/components/schemas/B", c: "#/components/schemas/c"}`,
			diags: []string{`api.yaml:6:101: warning: the mapping's $ref "gone.yaml" leads to a file that is not there; it was dropped [dangling-ref]`},
		},
		{
			name: "a path item of another file, with members beside the $ref",
			files: files{
				"api.yaml": head + "paths:\n  /a:\n    $ref: a.yaml#/item\n    x-resilience: {use: fast}\n  /b: {$ref: 'a.yaml#/item'}\n",
				"a.yaml":   "item: {get: {responses: {'200': {$ref: '#/ok'}}}}\nok: {description: fine}\n",
			},
			path: "paths",
			want: `{/a: {get: {responses: {200: {$ref: "#/components/responses/ok"}}}, x-resilience: {use: "fast"}}, /b: {get: {responses: {200: {$ref: "#/components/responses/ok"}}}}}`,
		},
		{
			name: "components.pathItems are put in and removed",
			files: files{
				"api.yaml": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {$ref: '#/components/pathItems/I'}}\ncomponents: {pathItems: {I: {get: {operationId: g}}}}\n",
			},
			path: "",
			want: `{openapi: "3.1.0", info: {title: "T", version: "1"}, paths: {/a: {get: {operationId: "g"}}}, components: {}}`,
		},
		{
			name: "paths, components and sections kept in files",
			files: files{
				"api.yaml":            head + "paths: {$ref: paths/_index.yaml}\ncomponents: {$ref: components.yaml}\n",
				"paths/_index.yaml":   "/a: {$ref: a.yaml}\n",
				"paths/a.yaml":        "get: {responses: {'200': {description: d, content: {a/b: {schema: {$ref: ../schemas/_index.yaml#/Pet}}}}, '400': {$ref: '../api.yaml#/components/responses/R'}}}\n",
				"components.yaml":     "schemas: {$ref: schemas/_index.yaml}\nresponses: {R: {description: r}}\n",
				"schemas/_index.yaml": "Pet: {$ref: pet.yaml}\n",
				"schemas/pet.yaml":    "properties: {mate: {$ref: pet.yaml}, owner: {$ref: '../api.yaml#/components/schemas/Pet'}}\n",
			},
			path: "",
			want: `{openapi: "3.0.3", info: {title: "T", version: "1"}, paths: {/a: {get: {responses: {200: {description: "d", content: {a/b: {schema: {$ref: "#/components/schemas/Pet"}}}}, 400: {$ref: "#/components/responses/R"}}}}}, ` +
				`components: {schemas: {Pet: {properties: {mate: {$ref: "#/components/schemas/Pet"}, owner: {$ref: "#/components/schemas/Pet"}}}}, responses: {R: {description: "r"}}}}`,
			diags: []string{
				`api.yaml:3:15: warning: $ref "paths/_index.yaml" stands for paths, where a reference is not foreseen; it was put in its place [ref-object]`,
				`api.yaml:4:20: warning: $ref "components.yaml" stands for components, where a reference is not foreseen; it was put in its place [ref-object]`,
				`components.yaml:1:17: warning: $ref "schemas/_index.yaml" stands for a map of schemas, where a reference is not foreseen; it was put in its place [ref-schemas]`,
			},
		},
		{
			name: "a description from a text file",
			files: files{
				"api.yaml":      "openapi: 3.0.3\ninfo: {title: T, version: '1', description: {$ref: docs/intro.md}}\npaths: {}\n",
				"docs/intro.md": "# Hello: [there\n",
			},
			path:  "info description",
			want:  `"# Hello: [there\n"`,
			diags: []string{`api.yaml:2:52: warning: $ref "docs/intro.md" stands for a text, where a reference is not foreseen; it was put in its place [ref-text]`},
		},
		{
			name: "what is opaque is not searched",
			files: files{
				"api.yaml": head + "paths: {}\nx-a: {$ref: gone.yaml}\ncomponents: {schemas: {A: {example: {$ref: gone.yaml}, default: {$ref: gone.yaml}, enum: [{$ref: gone.yaml}], properties: {$ref: {type: string}, x-b: {type: object}, example: {$ref: '#/components/schemas/A'}}}}}\n",
			},
			path: "components schemas A",
			want: `{example: {$ref: "gone.yaml"}, default: {$ref: "gone.yaml"}, enum: [{$ref: "gone.yaml"}], properties: {$ref: {type: "string"}, x-b: {type: "object"}, example: {$ref: "#/components/schemas/A"}}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, ds := loadFiles(t, tt.files)
			wantLines(t, ds, tt.diags...)
			if doc == nil {
				t.Fatal("no document")
			}
			wantTree(t, doc.Root, tt.path, tt.want)
		})
	}
}

func TestReferencesThatLeadNowhere(t *testing.T) {
	schemaRef := func(ref string) files {
		return files{
			"sub/api.yaml": "", "secret.yaml": "type: string\n",
			"api.yaml": head + "paths: {}\ncomponents: {schemas: {A: {properties: {b: {$ref: '" + ref + "'}}}}}\n",
			"bad.yaml": "type: object\n",
		}
	}
	tests := []struct{ ref, want string }{
		{"#/components/schemas/Gone", `$ref "#/components/schemas/Gone" leads to nothing: api.yaml has no components/schemas/Gone; it was read as any value [dangling-ref]`},
		{"gone.yaml", `$ref "gone.yaml" leads to a file that is not there; it was read as any value [dangling-ref]`},
		{"bad.yaml#/x/y", `$ref "bad.yaml#/x/y" leads to nothing: bad.yaml has no x; it was read as any value [dangling-ref]`},
		{"bad.yaml#/type", `$ref "bad.yaml#/type" leads to text; want a schema; it was read as any value [dangling-ref]`},
		{"bad.yaml#nope", `$ref "bad.yaml#nope" names an anchor that bad.yaml does not have; it was read as any value [dangling-ref]`},
		{"bad%zz.yaml", `$ref "bad%zz.yaml" has a bad percent escape; it was read as any value [dangling-ref]`},
		{"bad.yaml#/%zz", `$ref "bad.yaml#/%zz" has a bad percent escape after #; it was read as any value [dangling-ref]`},
		{"sub", `$ref "sub" leads to a file that cannot be read: is a folder; it was read as any value [dangling-ref]`},
		{"https://x.invalid/a.yaml", `$ref "https://x.invalid/a.yaml" leads out to the network; want a file below the folder of the description; it was read as any value [refused-ref]`},
		{"//x.invalid/a.yaml", `$ref "//x.invalid/a.yaml" leads out to the network; want a file below the folder of the description; it was read as any value [refused-ref]`},
		{"file:///etc/passwd", `$ref "file:///etc/passwd" leads out to the network; want a file below the folder of the description; it was read as any value [refused-ref]`},
		{"C:/x.yaml", `$ref "C:/x.yaml" leads out to the network; want a file below the folder of the description; it was read as any value [refused-ref]`},
		{"/etc/passwd", `$ref "/etc/passwd" is an absolute path; want one relative to the file; it was read as any value [refused-ref]`},
		{"..\\secret.yaml", `$ref "..\\secret.yaml" holds a backslash or a NUL; want a path with /; it was read as any value [refused-ref]`},
		{"../secret.yaml", `$ref "../secret.yaml" leaves the folder of the description; want a file below it; it was read as any value [refused-ref]`},
		{"%2e%2e/secret.yaml", `$ref "%2e%2e/secret.yaml" leaves the folder of the description; want a file below it; it was read as any value [refused-ref]`},
		{"x/../../secret.yaml", `$ref "x/../../secret.yaml" leaves the folder of the description; want a file below it; it was read as any value [refused-ref]`},
		{"%2Fetc%2Fpasswd", `$ref "%2Fetc%2Fpasswd" is an absolute path; want one relative to the file; it was read as any value [refused-ref]`},
	}
	for _, tt := range tests {
		t.Run(tt.ref, func(t *testing.T) {
			doc, ds := loadFiles(t, schemaRef(tt.ref))
			wantLines(t, ds, "api.yaml:4:51: warning: "+tt.want)
			wantTree(t, doc.Root, "components schemas A properties b", "{}")
		})
	}
}

func TestLoops(t *testing.T) {
	doc, ds := loadFiles(t, files{"api.yaml": head + `paths: {}
components:
  schemas:
    A: {$ref: '#/components/schemas/B'}
    B: {$ref: '#/components/schemas/A'}
    C: {$ref: '#/components/schemas/C'}
    D: {properties: {d: {$ref: '#/components/schemas/D'}}}
    E: {properties: {a: {$ref: '#/components/schemas/A'}}}
    F: {properties: {$ref: '#/components/schemas/F/properties'}}
`})
	wantTree(t, doc.Root, "components schemas", `{A: {}, B: {}, C: {}, D: {properties: {d: {$ref: "#/components/schemas/D"}}}, E: {properties: {a: {}}}, F: {}}`)
	for _, d := range ds {
		if d.Code != "ref-loop" {
			t.Errorf("code of %s, want ref-loop", d)
		}
	}
	if len(ds) != 5 {
		t.Errorf("got %d diagnostics, want 5:\n%s", len(ds), lines(ds))
	}
}

func TestLostOperations(t *testing.T) {
	_, ds := loadFiles(t, files{"api.yaml": head + `paths:
  /a: {$ref: gone.yaml}
  /b: {get: {$ref: 'https://x.invalid/b'}}
  /c: {get: 5, post: null}
  /d: text
webhooks: {w: {$ref: gone.yaml}}
`})
	wantLines(t, ds,
		`api.yaml:4:14: error: $ref "gone.yaml" leads to a file that is not there; a path item is lost [dangling-ref]`,
		`api.yaml:5:20: error: $ref "https://x.invalid/b" leads out to the network; want a file below the folder of the description; an operation is lost [refused-ref]`,
		`api.yaml:6:13: error: an operation is 5; want a map [wrong-shape]`,
		`api.yaml:6:22: warning: an operation is null; want a map; it was read as an empty one [null-object]`,
		`api.yaml:7:7: error: a path item is "text"; want a map [wrong-shape]`,
		`api.yaml:8:22: warning: $ref "gone.yaml" leads to a file that is not there; it was dropped [dangling-ref]`,
	)
}

func TestWrongKindReferences(t *testing.T) {
	doc, ds := loadFiles(t, files{"api.yaml": head + `paths:
  /a:
    post:
      requestBody: {$ref: '#/components/schemas/S'}
      responses:
        "200": {$ref: '#/components/requestBodies/B'}
        "201": {$ref: '#/components/schemas/S'}
        "202": {description: ok, headers: {X: {$ref: '#/components/parameters/P'}}}
        "203": {description: ok, headers: {X: {$ref: '#/components/schemas/S'}}}
components:
  schemas: {S: {type: string}, T: {properties: {p: {$ref: '#/components/responses/R'}}}}
  parameters: {P: {name: p, in: query, schema: {type: integer}}}
  requestBodies: {B: {content: {text/plain: {}}}}
  responses: {R: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}}
`})
	wantTree(t, doc.Root, "paths /a post requestBody", `{description: "", content: {application/json: {schema: {$ref: "#/components/schemas/S"}}}}`)
	wantTree(t, doc.Root, "paths /a post responses", `{200: {description: "", content: {text/plain: {}}}, 201: {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/S"}}}}, 202: {description: "ok", headers: {X: {schema: {type: "integer"}}}}, 203: {description: "ok", headers: {}}}`)
	wantTree(t, doc.Root, "components schemas T", `{properties: {p: {$ref: "#/components/schemas/S"}}}`)
	wantLines(t, ds,
		`api.yaml:6:27: warning: $ref "#/components/schemas/S" leads to a schema; want a request body; what both have was taken [wrong-kind]`,
		`api.yaml:8:23: warning: $ref "#/components/requestBodies/B" leads to a request body; want a response; what both have was taken [wrong-kind]`,
		`api.yaml:9:23: warning: $ref "#/components/schemas/S" leads to a schema; want a response; what both have was taken [wrong-kind]`,
		`api.yaml:10:54: warning: $ref "#/components/parameters/P" leads to a parameter; want a header; what both have was taken [wrong-kind]`,
		`api.yaml:11:54: warning: $ref "#/components/schemas/S" leads to a schema; want a header; it was dropped [dangling-ref]`,
		`api.yaml:13:59: warning: $ref "#/components/responses/R" leads to a response; want a schema; what both have was taken [wrong-kind]`,
	)
}

func TestSharedPathItem(t *testing.T) {
	doc, ds := loadFiles(t, files{"api.yaml": head + `paths:
  /a: {get: {operationId: get}, put: {operationId: same}, post: {operationId: same}}
  /b: {$ref: '#/paths/~1a'}
`})
	wantTree(t, doc.Root, "paths /b get", "{}")
	wantLines(t, ds,
		`api.yaml:4:27: warning: operationId "get" is that of GET /a and of GET /b, which share what is written here; GET /b was read without [shared-operation-id]`,
		`api.yaml:4:52: warning: operationId "same" is that of PUT /a and of PUT /b, which share what is written here; PUT /b was read without [shared-operation-id]`,
		`api.yaml:4:79: error: operationId "same" belongs to both PUT /a and POST /a; want an id of its own for each operation [duplicate-operation-id]`,
		`api.yaml:4:79: error: operationId "same" belongs to both PUT /a and POST /b; want an id of its own for each operation [duplicate-operation-id]`,
	)
}
