package document

import "testing"

const head31 = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n"

// TestIdentifiers holds what $id does to the references around and within.
func TestIdentifiers(t *testing.T) {
	tests := []struct {
		name  string
		files files
		path  string
		want  string
		diags []string
	}{
		{
			name: "# and pointers are read from the schema with the $id, else from the file",
			files: files{"api.yaml": head31 +
				"    A: {$id: 'https://x.invalid/a', properties: {self: {$ref: '#'}, b: {$ref: '#/$defs/b'}, c: {$ref: '#/components/schemas/C'}}, $defs: {b: {properties: {up: {$ref: '#'}}}}}\n" +
				"    C: {$ref: 'https://x.invalid/a#/$defs/b'}\n"},
			path: "components schemas",
			want: `{A: {$id: "https://x.invalid/a", properties: {self: {$ref: "#/components/schemas/A"}, b: {$ref: "#/components/schemas/C"}, c: {$ref: "#/components/schemas/C"}}, $defs: {b: {$ref: "#/components/schemas/C"}}}, C: {properties: {up: {$ref: "#/components/schemas/A"}}}}`,
		},
		{
			name: "relative references are relative to the $id",
			files: files{"api.yaml": head31 +
				"    A: {$id: 'https://x.invalid/s/a.json', properties: {b: {$ref: b.json}, c: {$ref: '/s/c#/properties/n'}, d: {$ref: ../d}}}\n" +
				"    B: {$id: 'https://x.invalid/s/b.json', type: string}\n" +
				"    C: {$id: 'https://x.invalid/s/c', properties: {n: {type: integer}}}\n" +
				"    D: {$id: 'https://x.invalid/d', type: boolean}\n"},
			path: "components schemas A properties",
			want: `{b: {$ref: "#/components/schemas/B"}, c: {$ref: "#/components/schemas/n"}, d: {$ref: "#/components/schemas/D"}}`,
		},
		{
			name: "an $id within a schema is relative to that around it",
			files: files{"api.yaml": head31 +
				"    A: {$id: 'https://x.invalid/s/a', properties: {b: {$ref: parts/b}}, $defs: {B: {$id: parts/b, properties: {c: {$ref: c}}}, C: {$id: 'parts/c', type: string}}}\n"},
			path: "components schemas",
			want: `{A: {$id: "https://x.invalid/s/a", properties: {b: {$ref: "#/components/schemas/b"}}, $defs: {B: {$ref: "#/components/schemas/b"}, C: {$ref: "#/components/schemas/c"}}}, b: {$id: "parts/b", properties: {c: {$ref: "#/components/schemas/c"}}}, c: {$id: "parts/c", type: "string"}}`,
		},
		{
			name: "an $id without an address is relative to the file",
			files: files{"api.yaml": head31 +
				"    A: {$id: crate, properties: {b: {$ref: label}}}\n    B: {$id: label, type: string}\n    C: {items: {$ref: crate}}\n"},
			path: "components schemas",
			want: `{A: {$id: "crate", properties: {b: {$ref: "#/components/schemas/B"}}}, B: {$id: "label", type: "string"}, C: {items: {$ref: "#/components/schemas/A"}}}`,
		},
		{
			name: "one anchor in two schemas",
			files: files{"api.yaml": head31 +
				"    A: {$id: 'https://x.invalid/a', properties: {n: {$ref: '#n'}}, $defs: {n: {$anchor: n, type: string}}}\n" +
				"    B: {$id: 'https://x.invalid/b', properties: {n: {$ref: '#n'}, a: {$ref: 'a#n'}}, $defs: {m: {$anchor: n, type: integer}}}\n"},
			path: "components schemas B",
			want: `{$id: "https://x.invalid/b", properties: {n: {$ref: "#/components/schemas/api_n"}, a: {$ref: "#/components/schemas/n"}}, $defs: {m: {$ref: "#/components/schemas/api_n"}}}`,
		},
		{
			name: "files that have addresses",
			files: files{
				"api.yaml":             head31 + "    A: {properties: {c: {$ref: schemas/crate.json}}}\n",
				"schemas/crate.json":   `{"$id": "https://x.invalid/v1/crate.json", "properties": {"l": {"$ref": "label.json"}, "m": {"$ref": "https://x.invalid/v1/label.json#/$defs/m"}, "n": {"$ref": "/v1/deep/n.json"}, "self": {"$ref": "#"}}}`,
				"schemas/label.json":   `{"$id": "https://x.invalid/v1/label.json", "type": "string", "$defs": {"m": {"type": "integer"}}}`,
				"schemas/deep/n.json":  `{"type": "boolean"}`,
				"schemas/unread1.json": `{`,
			},
			path: "components schemas",
			want: `{A: {properties: {c: {$ref: "#/components/schemas/crate"}}}, crate: {$id: "https://x.invalid/v1/crate.json", properties: {l: {$ref: "#/components/schemas/label"}, m: {$ref: "#/components/schemas/m"}, n: {$ref: "#/components/schemas/n"}, self: {$ref: "#/components/schemas/crate"}}}, label: {$id: "https://x.invalid/v1/label.json", type: "string", $defs: {m: {$ref: "#/components/schemas/m"}}}, m: {type: "integer"}, n: {type: "boolean"}}`,
		},
		{
			name: "an address is known once its file is read, wherever that is asked for",
			files: files{
				"api.yaml":   head31 + "    A: {properties: {early: {$ref: 'urn:x:label'}, c: {$ref: crate.yaml}}}\n    B: {$ref: other.yaml}\n",
				"crate.yaml": "properties: {l: {$ref: 'urn:x:label'}}\n",
				"other.yaml": "$id: urn:x:label\ntype: string\n",
			},
			path: "components schemas",
			want: `{A: {properties: {early: {$ref: "#/components/schemas/B"}, c: {$ref: "#/components/schemas/crate"}}}, B: {$id: "urn:x:label", type: "string"}, crate: {properties: {l: {$ref: "#/components/schemas/B"}}}}`,
		},
		{
			name: "mappings of discriminators within",
			files: files{"api.yaml": head31 +
				"    A: {$id: 'https://x.invalid/a', oneOf: [{$ref: b}], discriminator: {propertyName: k, mapping: {b: b#, n: B}}}\n    B: {$id: 'https://x.invalid/b', type: object}\n"},
			path: "components schemas A discriminator mapping",
			want: `{b: "#/components/schemas/B", n: "B"}`,
		},
		{
			name: "what no $id names is looked for as ever",
			files: files{
				"api.yaml":  head31 + "    A: {$id: 'https://x.invalid/s/a', properties: {b: {$ref: bird.yaml}, gone: {$ref: 'https://y.invalid/z'}}}\n",
				"bird.yaml": "type: string\n",
			},
			path:  "components schemas A properties",
			want:  `{b: {$ref: "#/components/schemas/bird"}, gone: {}}`,
			diags: []string{`api.yaml:6:87: warning: $ref "https://y.invalid/z" leads out to the network; want a file below the folder of the description; it was read as any value [refused-ref]`},
		},
		{
			name: "a file that is not below is not read by its address",
			files: files{
				"sub/crate.json": `{"$id": "https://x.invalid/v1/crate.json", "properties": {"l": {"$ref": "https://x.invalid/v1/../../secret.json"}, "m": {"$ref": "https://x.invalid/v1/%2e%2e/%2e%2e/secret.json"}}}`,
				"api.yaml":       head31 + "    A: {$ref: sub/crate.json}\n",
				"secret.json":    `{"type": "string"}`,
			},
			path: "components schemas A properties",
			want: `{l: {}, m: {}}`,
			diags: []string{
				`sub/crate.json:1:73: warning: $ref "https://x.invalid/v1/../../secret.json" leads out to the network; want a file below the folder of the description; it was read as any value [refused-ref]`,
				`sub/crate.json:1:130: warning: $ref "https://x.invalid/v1/%2e%2e/%2e%2e/secret.json" leads out to the network; want a file below the folder of the description; it was read as any value [refused-ref]`,
			},
		},
		{
			name: "a $dynamicRef that several schemas answer",
			files: files{"api.yaml": head31 +
				"    Page: {$id: 'https://x.invalid/page', properties: {items: {items: {$dynamicRef: '#item', minLength: 1}}}, $defs: {any: {$dynamicAnchor: item, type: object}}}\n" +
				"    Texts: {$id: 'https://x.invalid/texts', $ref: page, $defs: {s: {$dynamicAnchor: item, type: string}}}\n"},
			path:  "components schemas Page properties",
			want:  `{items: {items: {minLength: 1}}}`,
			diags: []string{`api.yaml:6:85: warning: $dynamicRef "#item" may mean any of 2 schemas; any of them is taken [dynamic-ref]`},
		},
		{
			name:  "an $id that is none",
			files: files{"api.yaml": head31 + "    A: {$id: '://', properties: {a: {$ref: '#'}}}\n    B: {properties: {$id: {type: string}, a: {$ref: '#/components/schemas/A'}}}\n"},
			path:  "components schemas B",
			want:  `{properties: {$id: {type: "string"}, a: {$ref: "#/components/schemas/A"}}}`,
		},
		{
			name:  "a description that says where it is",
			files: files{"api.yaml": "openapi: 3.1.0\n$self: https://x.invalid/api/openapi.yaml\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    A: {properties: {b: {$ref: 'https://x.invalid/api/openapi.yaml#/components/schemas/B'}, c: {$ref: models/c.yaml}}}\n    B: {$id: /models/b, type: string}\n", "models/c.yaml": "type: integer\n"},
			path:  "components schemas A properties",
			want:  `{b: {$ref: "#/components/schemas/B"}, c: {$ref: "#/components/schemas/c"}}`,
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
