package document

import "testing"

func TestMends(t *testing.T) {
	const get = "paths: {/a: {get: {operationId: g, "
	tests := []struct {
		name, text string // text follows openapi and info, which stand on lines 1 and 2
		path, want string
		diags      []string
	}{
		{"an array without items", "components: {schemas: {A: {type: array}}}\n", "components schemas A", `{type: "array", items: {}}`,
			[]string{`api.yaml:3:34: warning: an array without items; want the schema of an item; any item is taken [missing-items]`}},
		{"items in a list of one", "components: {schemas: {A: {type: array, items: [{type: string}]}}}\n", "components schemas A", `{type: "array", items: {type: "string"}}`,
			[]string{`api.yaml:3:48: warning: a list of one schema stands where a schema is wanted; the one was taken [items-list]`}},
		{"items in a list of two", "components: {schemas: {A: {type: array, items: [{type: string}, {}]}}}\n", "components schemas A", `{type: "array", items: {}}`,
			[]string{`api.yaml:3:48: warning: a list of 2 schemas stands where a schema is wanted; any value is taken [items-list]`}},
		{"numbers where text is wanted", "tags: [{name: 1.10, description: 0x1F}, {name: true}]\n", "tags", `[{name: "1.10", description: "0x1F"}, {name: "true"}]`,
			[]string{
				`api.yaml:3:15: warning: 1.10 stands where text is wanted; it was read as text [not-a-string]`,
				`api.yaml:3:34: warning: 0x1F stands where text is wanted; it was read as text [not-a-string]`,
				`api.yaml:3:48: warning: true stands where text is wanted; it was read as text [not-a-string]`,
			}},
		{"null where text is wanted", "tags: [{name: a, description: }]\n", "tags", `[{name: "a"}]`,
			[]string{`api.yaml:3:31: warning: null stands where text is wanted; it was dropped [not-a-string]`}},
		{"a list where text is wanted", "tags: [{name: a, description: [x]}]\n", "tags", `[{name: "a"}]`,
			[]string{`api.yaml:3:31: warning: a list stands where text is wanted; it was dropped [wrong-shape]`}},
		{"numbers in quotes and out of bounds", "components: {schemas: {A: {minimum: '1', maximum: x, minLength: 3.0, maxLength: -1, maxItems: 1e2, minItems: '5', multipleOf: 1e999}}}\n",
			"components schemas A", `{minimum: 1, minLength: 3, maxItems: 100, minItems: 5}`,
			[]string{
				`api.yaml:3:37: warning: "1" is text; want a number; it was read as one [not-a-number]`,
				`api.yaml:3:51: warning: "x" stands where a number is wanted; it was dropped [not-a-number]`,
				`api.yaml:3:81: warning: -1 stands where a whole number from 0 is wanted; it was dropped [not-a-number]`,
				`api.yaml:3:110: warning: "5" is text; want a number; it was read as one [not-a-number]`,
				`api.yaml:3:127: warning: "1e999" stands where a number is wanted; it was dropped [not-a-number]`,
			}},
		{"booleans", "components: {schemas: {A: {nullable: 'True', readOnly: yes, writeOnly: 1, exclusiveMinimum: true, exclusiveMaximum: 5}}}\n",
			"components schemas A", `{nullable: true, exclusiveMinimum: true, exclusiveMaximum: 5}`,
			[]string{
				`api.yaml:3:38: warning: "True" is text; want a boolean; it was read as one [not-a-boolean]`,
				`api.yaml:3:56: warning: "yes" stands where a boolean is wanted; it was dropped [not-a-boolean]`,
				`api.yaml:3:72: warning: 1 stands where a boolean is wanted; it was dropped [not-a-boolean]`,
			}},
		{"lists", get + "tags: one, security: {k: null}, parameters: {name: p, in: query}, servers: 'https://x.invalid'}}}\ncomponents: {schemas: {A: {required: true, allOf: {type: object}, enum: 1}}}\n",
			"paths /a get", `{operationId: "g", tags: ["one"], security: [{k: []}], parameters: [{name: "p", in: "query"}], servers: [{url: "https://x.invalid"}]}`,
			[]string{
				`api.yaml:3:42: warning: "one" stands where a list is wanted; it was read as a list of one [not-a-list]`,
				`api.yaml:3:57: warning: a list of security requirements is a map; want a list; it was read as a list of one [not-a-list]`,
				`api.yaml:3:80: warning: a list of parameters is a map; want a list; it was read as a list of one [not-a-list]`,
				`api.yaml:3:111: warning: a list of servers is "https://x.invalid"; want a list; it was read as a list of one [not-a-list]`,
				`api.yaml:3:111: warning: a server is "https://x.invalid"; want a map; the text was read as its url [wrong-shape]`,
				`api.yaml:4:38: warning: true stands where a list of texts is wanted; it was dropped [not-a-list]`,
				`api.yaml:4:51: warning: a list of schemas is a map; want a list; it was read as a list of one [not-a-list]`,
				`api.yaml:4:73: warning: a list of values is 1; want a list; it was read as a list of one [not-a-list]`,
			}},
		{"null as a type", "components: {schemas: {A: {type: null}, B: {type: [string, null]}}}\n", "components schemas", `{A: {type: "null"}, B: {type: ["string", "null"]}}`,
			[]string{
				`api.yaml:3:34: warning: type is null; want the text "null"; it was read so [null-type]`,
				`api.yaml:3:60: warning: type is null; want the text "null"; it was read so [null-type]`,
			}},
		{"values of another kind", "components: {schemas: {A: {type: string, enum: [1.50, true, b, null], default: 08012}, B: {type: integer, enum: ['1', x], default: '2'}, C: {type: boolean, default: 'true'}, D: {type: string, default: 5}}}\n",
			"components schemas", `{A: {type: "string", enum: ["1.50", "true", "b", null], default: "08012"}, B: {type: "integer", enum: [1, "x"], default: 2}, C: {type: "boolean", default: true}, D: {type: "string", default: "5"}}`,
			[]string{
				`api.yaml:3:48: warning: 2 of 4 values of the enum are not of the type string; they were read as such [enum-kind]`,
				`api.yaml:3:113: warning: 1 of 2 values of the enum are not of the type integer; they were read as such [enum-kind]`,
				`api.yaml:3:132: warning: the default "2" is not of the type integer; it was read as such [default-kind]`,
				`api.yaml:3:166: warning: the default "true" is not of the type boolean; it was read as such [default-kind]`,
				`api.yaml:3:202: warning: the default 5 is not of the type string; it was read as such [default-kind]`,
			}},
		{"null where a map is wanted", get + "responses: {'200': {description: d, content: {application/json: }}}, callbacks: }}}\n", "paths /a get",
			`{operationId: "g", responses: {200: {description: "d", content: {application/json: {}}}}, callbacks: {}}`,
			[]string{
				`api.yaml:3:100: warning: a media type is null; want a map; it was read as an empty one [null-object]`,
				`api.yaml:3:116: warning: a map of callbacks is null; want a map; it was read as an empty one [null-object]`,
			}},
		{"an empty list where a map is wanted", get + "security: [[]], responses: {'200': []}, requestBody: []}}}\ncomponents: []\n", "paths /a get",
			`{operationId: "g", security: [{}], responses: {200: {}}}`,
			[]string{
				`api.yaml:3:47: warning: a security requirement is an empty list; want a map; it was read as an empty one [empty-list]`,
				`api.yaml:3:71: warning: a response is an empty list; want a map; it was read as an empty one [empty-list]`,
				`api.yaml:3:89: warning: a request body is an empty list; want a map; it was dropped [empty-list]`,
				`api.yaml:4:13: warning: components is an empty list; want a map; it was read as an empty one [empty-list]`,
			}},
		{"text where a map is wanted", get + "responses: {'200': OK, default: 5}}}}\ncomponents: {schemas: {A: {items: string}, B: {items: Pet, discriminator: kind}}, examples: {E: 5}}\n", "components",
			`{schemas: {A: {items: {type: "string"}}, B: {items: {}, discriminator: {propertyName: "kind"}}}, examples: {E: {value: 5}}}`,
			[]string{
				`api.yaml:3:55: warning: a response is "OK"; want a map; the text was read as its description [wrong-shape]`,
				`api.yaml:3:68: warning: a response is 5; want a map; it was read as an answer without a body [wrong-shape]`,
				`api.yaml:4:35: warning: a schema is "string"; want a map; the text was read as its type [wrong-shape]`,
				`api.yaml:4:55: warning: a schema is "Pet"; want a map; it was read as any value [wrong-shape]`,
				`api.yaml:4:75: warning: a discriminator is "kind"; want a map; the text was read as its propertyName [wrong-shape]`,
				`api.yaml:4:97: warning: an example is 5; want a map; it was read as its value [wrong-shape]`,
			}},
		{"a component of the wrong shape makes its references dangle", "components: {parameters: {P: 5, Q: {$ref: '#/components/parameters/P'}}, schemas: [x]}\n" + get + "parameters: [{$ref: '#/components/parameters/Q'}, {name: r, in: query}]}}}\n",
			"paths /a get parameters", `[{name: "r", in: "query"}]`,
			[]string{
				`api.yaml:3:30: warning: a parameter is 5; want a map; it was dropped [wrong-shape]`,
				`api.yaml:3:43: warning: $ref "#/components/parameters/P" leads to a number; want a parameter; it was dropped [dangling-ref]`,
				`api.yaml:3:83: warning: a section of components is a list; want a map; it was dropped [wrong-shape]`,
				`api.yaml:4:56: warning: $ref "#/components/parameters/Q" leads to a number; want a parameter; it was dropped [dangling-ref]`,
			}},
		{"a body that is lost is any bytes", get + "requestBody: {$ref: gone.yaml}, responses: {'200': {$ref: gone.yaml}}}}}\n", "paths /a get",
			`{operationId: "g", requestBody: {content: {*/*: {}}}, responses: {200: {description: ""}}}`,
			[]string{
				`api.yaml:3:56: warning: $ref "gone.yaml" leads to a file that is not there; it was read as any bytes [dangling-ref]`,
				`api.yaml:3:94: warning: $ref "gone.yaml" leads to a file that is not there; it was read as an answer without a body [dangling-ref]`,
			}},
		{"a reference that is no text", "components: {schemas: {A: {$ref: 5, type: string}}}\n", "components schemas A", `{type: "string"}`,
			[]string{`api.yaml:3:34: warning: $ref is a number; want text; it was dropped [ref-not-text]`}},
		{"references where none is foreseen", get + "responses: {$ref: 'x.yaml#/responses'}, parameters: {$ref: 'x.yaml#/parameters'}}}}\ncomponents: {schemas: {A: {required: {$ref: 'x.yaml#/names'}, description: {$ref: 'x.yaml#/text'}, allOf: {$ref: 'x.yaml#/one'}, enum: {$ref: 'x.yaml#/names'}}}}\n",
			"", `{openapi: "3.0.3", info: {title: "T", version: "1"}, paths: {/a: {get: {operationId: "g", responses: {200: {description: "d"}}, parameters: [{name: "p", in: "query"}]}}}, components: {schemas: {A: {required: ["a", "b"], description: "hello", allOf: [{$ref: "#/components/schemas/one"}], enum: ["a", "b"]}, one: {type: "object"}}}}`,
			[]string{
				`api.yaml:3:54: warning: $ref "x.yaml#/responses" stands for a map of responses, where a reference is not foreseen; it was put in its place [ref-object]`,
				`api.yaml:3:95: warning: $ref "x.yaml#/parameters" stands for a list of parameters, where a reference is not foreseen; it was put in its place [ref-list]`,
				`api.yaml:4:45: warning: $ref "x.yaml#/names" stands for a list of texts, where a reference is not foreseen; it was put in its place [ref-list]`,
				`api.yaml:4:83: warning: $ref "x.yaml#/text" stands for a text, where a reference is not foreseen; it was put in its place [ref-text]`,
				`api.yaml:4:107: warning: a list of schemas is a map; want a list; it was read as a list of one [not-a-list]`,
				`api.yaml:4:143: warning: $ref "x.yaml#/names" stands for a list of values, where a reference is not foreseen; it was put in its place [ref-list]`,
			}},
		{"booleans are schemas", "components: {schemas: {A: {additionalProperties: false, items: true}}}\n", "components schemas A", `{additionalProperties: false, items: true}`, nil},
		{"names that look like extensions", "components: {schemas: {x-a: {properties: {x-b: {type: array}}}}, headers: {x-c: {schema: {type: string}}}}\n", "components",
			`{schemas: {x-a: {properties: {x-b: {type: "array", items: {}}}}}, headers: {x-c: {schema: {type: "string"}}}}`,
			[]string{`api.yaml:3:55: warning: an array without items; want the schema of an item; any item is taken [missing-items]`}},
		{"a percent sign in a component's name", "components: {schemas: {'100%': {type: string}, A: {items: {$ref: '#/components/schemas/100%25'}}}}\n", "components schemas",
			`{100: {type: "string"}, A: {items: {$ref: "#/components/schemas/100"}}}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, ds := loadFiles(t, files{
				"api.yaml": head + tt.text,
				"x.yaml":   "responses: {'200': {description: d}}\nparameters: [{name: p, in: query}]\nnames: [a, b]\ntext: hello\none: {type: object}\n",
			})
			wantLines(t, ds, tt.diags...)
			if doc == nil {
				t.Fatal("no document")
			}
			wantTree(t, doc.Root, tt.path, tt.want)
		})
	}
}

func TestVersions(t *testing.T) {
	tests := []struct{ text, version, diags string }{
		{"openapi: 3.1.0\npaths: {}\n", "3.1.0", ""},
		{"openapi: 3.1\npaths: {}\n", "3.1", "api.yaml:1:10: warning: 3.1 stands where text is wanted; it was read as text [not-a-string]\n"},
		{"paths: {}\n", "3.0.3", "api.yaml:1:1: warning: the document does not say which version of OpenAPI it follows; it was read as 3.0 [no-version]\n"},
		{"openapi: 3.2.0\npaths: {}\n", "3.2.0", "api.yaml:1:10: warning: the version is \"3.2.0\"; want 2.0, 3.0 or 3.1; it was read as 3.1 [version]\n"},
		{"openapi: 4.0.0\npaths: {}\n", "", "api.yaml:1:10: error: the version is \"4.0.0\"; want 2.0, 3.0 or 3.1 [version]\n"},
		{"swagger: '1.2'\n", "", "api.yaml:1:10: error: the version is \"1.2\"; want 2.0, 3.0 or 3.1 [version]\n"},
		{"swagger: 2.0\npaths: {}\n", "2.0", "api.yaml:1:10: warning: 2.0 stands where text is wanted; it was read as text [not-a-string]\n"},
		{"a: b\n", "", "api.yaml:1:1: error: the document has neither openapi nor swagger; want a description in OpenAPI [no-version]\n"},
		{"[]\n", "", "api.yaml:1:1: error: the document is a list; want a map [wrong-shape]\n"},
		{"", "", "api.yaml:1:1: error: the file is empty; want a document [empty]\n"},
		{"# only a comment\n", "", "api.yaml:1:1: error: the file is empty; want a document [empty]\n"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			doc, ds := loadFiles(t, files{"api.yaml": tt.text})
			if got := lines(ds); got != tt.diags {
				t.Errorf("diagnostics\n got %swant %s", got, tt.diags)
			}
			if (doc == nil) != (tt.version == "") {
				t.Fatalf("document is %v, want one: %t", doc, tt.version != "")
			}
			if doc != nil && doc.Version != tt.version {
				t.Errorf("version is %q, want %q", doc.Version, tt.version)
			}
		})
	}
}

func TestMethods(t *testing.T) {
	doc, ds := loadFiles(t, files{"api.yaml": head + "paths:\n  /a: {GET: {operationId: g}, copy: {responses: {}}, query: {operationId: q}, additionalOperations: {COPY: {operationId: c, responses: {}}}, x-q: {responses: {}}, Post: {}, post: {operationId: p}}\n"})
	wantTree(t, doc.Root, "paths /a get", `{operationId: "g"}`)
	wantTree(t, doc.Root, "paths /a post", `{operationId: "p"}`)
	wantTree(t, doc.Root, "paths /a query", `{operationId: "q"}`)
	wantTree(t, doc.Root, "paths /a additionalOperations COPY", `{operationId: "c", responses: {}}`)
	wantLines(t, ds,
		`api.yaml:4:8: warning: "GET" is no method; want get; it was read so [method]`,
		`api.yaml:4:31: warning: "copy" is no method that can be sent; the operation was left out [method]`,
	)
}

func TestReferencesThatMeanSomething(t *testing.T) {
	for _, ref := range []string{"A", "#A", "/components/schemas/A", "components/schemas/A", "#components/schemas/A", "#/definitions/A", "#/components/schemas/a", " #/components/schemas/A"} {
		doc, ds := loadFiles(t, files{"api.yaml": head + "paths: {}\ncomponents: {schemas: {A: {}, B: {items: {$ref: '" + ref + "'}}}}\n"})
		wantTree(t, doc.Root, "components schemas B", `{items: {$ref: "#/components/schemas/A"}}`)
		wantLines(t, ds, `api.yaml:4:49: warning: `+quoted(ref)+` leads to nothing; "#/components/schemas/A" was taken [dangling-ref]`)
	}
	doc, ds := loadFiles(t, files{"api.yaml": head2 + "paths: {}\ndefinitions: {A: {}, B: {items: {$ref: '#/components/schemas/A'}}}\n"})
	wantTree(t, doc.Root, "components schemas B", `{items: {$ref: "#/components/schemas/A"}}`)
	wantLines(t, ds, `api.yaml:4:40: warning: $ref "#/components/schemas/A" leads to nothing; "#/definitions/A" was taken [dangling-ref]`)
	doc, _ = loadFiles(t, files{"api.yaml": head + "paths: {}\ncomponents: {schemas: {Aa: {}, AA: {}, B: {items: {$ref: '#/components/schemas/aa'}}, C: {items: {$ref: '#/components/responses/Aa'}}}}\n"})
	wantTree(t, doc.Root, "components schemas", `{Aa: {}, AA: {}, B: {items: {}}, C: {items: {}}}`)
}

func TestNulls(t *testing.T) {
	doc, ds := loadFiles(t, files{"api.yaml": head + `security: [null, {k: }]
paths: {/a: {post: {requestBody: , parameters: [null, {name: p, in: query}], responses: {'200': }}}}
components: {schemas: {A: , B: {additionalProperties: 'false', items: {$ref: '#/components/schemas/A'}}}, parameters: {P: }}
`})
	wantTree(t, doc.Root, "security", "[{k: []}]")
	wantTree(t, doc.Root, "paths /a post", `{parameters: [{name: "p", in: "query"}], responses: {200: {}}}`)
	wantTree(t, doc.Root, "components", `{schemas: {A: {}, B: {additionalProperties: false, items: {$ref: "#/components/schemas/A"}}}, parameters: {}}`)
	wantLines(t, ds,
		`api.yaml:3:12: warning: a security requirement is null; want a map; it was dropped [null-object]`,
		`api.yaml:4:34: warning: a request body is null; want a map; it was dropped [null-object]`,
		`api.yaml:4:49: warning: a parameter is null; want a map; it was dropped [null-object]`,
		`api.yaml:4:97: warning: a response is null; want a map; it was read as an empty one [null-object]`,
		`api.yaml:5:27: warning: a schema is null; want a map; it was read as an empty one [null-object]`,
		`api.yaml:5:55: warning: "false" is text; want a boolean; it was read as one [not-a-boolean]`,
		`api.yaml:5:123: warning: a parameter is null; want a map; it was dropped [null-object]`,
	)
}
