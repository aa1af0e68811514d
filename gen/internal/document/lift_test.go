package document

import "testing"

const head2 = "swagger: '2.0'\ninfo: {title: T, version: '1'}\n"

func TestLift(t *testing.T) {
	tests := []struct {
		name, text, path, want string
		diags                  []string
	}{
		{
			name: "an address, HTTPS first", path: "servers",
			text: "host: api.invalid:8080\nbasePath: /v1/\nschemes: [http, https]\npaths: {}\n",
			want: `[{url: "https://api.invalid:8080/v1"}, {url: "http://api.invalid:8080/v1"}]`,
		},
		{name: "a path only", path: "servers", text: "basePath: v1\npaths: {}\n", want: `[{url: "/v1"}]`},
		{name: "a host only", path: "servers", text: "host: api.invalid\npaths: {}\n", want: `[{url: "https://api.invalid"}]`},
		{
			name: "a scheme in the host", path: "servers", text: "host: http://api.invalid\npaths: {}\n", want: `[{url: "https://api.invalid"}]`,
			diags: []string{`api.yaml:3:7: warning: host "http://api.invalid" has a scheme; want a name and perhaps a port; the scheme was left out [host]`},
		},
		{
			name: "an operation's schemes", path: "paths /a get servers",
			text: "host: api.invalid\npaths: {/a: {get: {schemes: [http]}}}\n", want: `[{url: "http://api.invalid"}]`,
		},
		{
			name: "parameters and how they write lists", path: "paths /a get parameters",
			text: `paths: {/a: {get: {parameters: [
  {name: a, in: query, type: array, items: {type: string, collectionFormat: pipes}},
  {name: b, in: query, type: array, items: {type: string}, collectionFormat: multi, x-b: 1},
  {name: c, in: query, type: array, items: {type: string}, collectionFormat: ssv},
  {name: d, in: query, type: array, items: {type: string}, collectionFormat: pipes},
  {name: e, in: header, type: array, items: {type: string}},
  {name: f, in: path, required: true, type: array, items: {type: string}, collectionFormat: csv},
  {name: g, in: query, type: array, items: {type: string}, collectionFormat: tsv},
  {name: h, in: query, type: integer, format: int64, minimum: 1, default: 3, x-nullable: true, description: d}]}}}
`,
			want: `[{name: "a", in: "query", schema: {type: "array", items: {type: "string"}}, style: "form", explode: false}, ` +
				`{name: "b", in: "query", x-b: 1, schema: {type: "array", items: {type: "string"}}, style: "form", explode: true}, ` +
				`{name: "c", in: "query", schema: {type: "array", items: {type: "string"}}, style: "spaceDelimited", explode: false}, ` +
				`{name: "d", in: "query", schema: {type: "array", items: {type: "string"}}, style: "pipeDelimited", explode: false}, ` +
				`{name: "e", in: "header", schema: {type: "array", items: {type: "string"}}, style: "simple", explode: false}, ` +
				`{name: "f", in: "path", required: true, schema: {type: "array", items: {type: "string"}}, style: "simple", explode: false}, ` +
				`{name: "g", in: "query", schema: {type: "array", items: {type: "string"}}, style: "tabDelimited", explode: false}, ` +
				`{name: "h", in: "query", x-nullable: true, description: "d", schema: {type: "integer", format: "int64", minimum: 1, default: 3, x-nullable: true, nullable: true}}]`,
		},
		{
			name: "a body, with the document's media types", path: "paths /a post requestBody",
			text: "consumes: [application/json, application/xml]\npaths: {/a: {post: {parameters: [{name: b, in: body, required: true, description: d, schema: {$ref: '#/definitions/D'}}]}}}\ndefinitions: {D: {type: object}}\n",
			want: `{required: true, description: "d", content: {application/json: {schema: {$ref: "#/components/schemas/D"}}, application/xml: {schema: {$ref: "#/components/schemas/D"}}}}`,
		},
		{
			name: "media types by what people call them", path: "paths /a post",
			text: "consumes: [JSON]\npaths: {/a: {post: {produces: [html], parameters: [{name: b, in: body, schema: {type: object}}], responses: {'200': {description: d, schema: {type: string}}}}}}\n",
			want: `{responses: {200: {description: "d", content: {text/html: {schema: {type: "string"}}}}}, requestBody: {content: {application/json: {schema: {type: "object"}}}}}`,
			diags: []string{
				`api.yaml:3:12: warning: "JSON" is no media type; it was read as application/json [media-type-name]`,
				`api.yaml:4:32: warning: "html" is no media type; it was read as text/html [media-type-name]`,
			},
		},
		{
			name: "a body without media types is JSON", path: "paths /a post requestBody",
			text: "paths: {/a: {post: {parameters: [{name: b, in: body, schema: {type: string}}]}}}\n",
			want: `{content: {application/json: {schema: {type: "string"}}}}`,
		},
		{
			name: "a shared body, inherited from the path item", path: "paths /a",
			text: "paths: {/a: {parameters: [{$ref: '#/parameters/B'}, {$ref: '#/parameters/Q'}], put: {}, post: {consumes: [text/plain]}}}\nparameters: {B: {name: b, in: body, schema: {type: string}}, Q: {name: q, in: query, type: string}}\n",
			want: `{parameters: [{$ref: "#/components/parameters/Q"}], put: {requestBody: {$ref: "#/components/requestBodies/B"}}, post: {requestBody: {content: {text/plain: {schema: {type: "string"}}}}}}`,
		},
		{
			name: "the document's sections", path: "components",
			text: "paths: {}\nparameters: {B: {name: b, in: body, schema: {type: string}}, Q: {name: q, in: query, type: string}, F: {name: f, in: formData, type: string}}\nresponses: {R: {description: r, schema: {type: integer}}}\ndefinitions: {D: {type: object, discriminator: kind, properties: {kind: {type: string, x-nullable: true}, f: {type: file}}}}\nsecurityDefinitions: {b: {type: basic}, k: {type: apiKey, name: K, in: header}, o: {type: oauth2, flow: accessCode, authorizationUrl: 'https://a.invalid', tokenUrl: 'https://t.invalid', scopes: {r: read}}}\n",
			want: `{schemas: {D: {type: "object", discriminator: {propertyName: "kind"}, properties: {kind: {type: "string", x-nullable: true, nullable: true}, f: {type: "string", format: "binary"}}}}, ` +
				`responses: {R: {description: "r", content: {application/json: {schema: {type: "integer"}}}}}, ` +
				`parameters: {Q: {name: "q", in: "query", schema: {type: "string"}}}, ` +
				`requestBodies: {B: {content: {application/json: {schema: {type: "string"}}}}}, ` +
				`securitySchemes: {b: {type: "http", scheme: "basic"}, k: {type: "apiKey", name: "K", in: "header"}, o: {type: "oauth2", flows: {authorizationCode: {authorizationUrl: "https://a.invalid", tokenUrl: "https://t.invalid", scopes: {r: "read"}}}}}}`,
		},
		{
			name: "a form", path: "paths /a post requestBody",
			text: "paths: {/a: {post: {consumes: [application/x-www-form-urlencoded], parameters: [{name: a, in: formData, type: string, required: true, description: d}, {name: b, in: formData, type: array, items: {type: integer}}, {$ref: '#/parameters/C'}]}}}\nparameters: {C: {name: c, in: formData, type: array, items: {type: string}, collectionFormat: multi}}\n",
			want: `{required: true, content: {application/x-www-form-urlencoded: {schema: {type: "object", properties: {a: {type: "string", description: "d"}, b: {type: "array", items: {type: "integer"}}, c: {type: "array", items: {type: "string"}}}, required: ["a"]}, encoding: {b: {style: "form", explode: false}, c: {style: "form", explode: true}}}}}`,
		},
		{
			name: "a file goes up", path: "paths /a post requestBody",
			text:  "paths: {/a: {post: {parameters: [{name: f, in: formData, type: file}, {name: l, in: formData, type: array, items: {type: string}}]}}}\n",
			want:  `{content: {multipart/form-data: {schema: {type: "object", properties: {f: {type: "string", format: "binary"}, l: {type: "string"}}}}}}`,
			diags: []string{`api.yaml:3:71: warning: a list in one part of a form has no form in OpenAPI 3; the value was read as the whole text [collection-format]`},
		},
		{
			name: "answers", path: "paths /a get responses",
			text: "produces: [application/json]\npaths: {/a: {get: {produces: [application/x-tar], responses: {'200': {description: ok, schema: {type: file}}, '404': {description: no, schema: {$ref: '#/definitions/E'}}, '500': {$ref: '#/responses/R'}, x-a: 1}}}}\ndefinitions: {E: {type: object}}\nresponses: {R: {description: r, schema: {type: string}, headers: {H: {type: array, items: {type: string}, description: h}}, examples: {application/x-tar: abc}}}\n",
			want: `{200: {description: "ok", content: {application/x-tar: {schema: {type: "string", format: "binary"}}}}, 404: {description: "no", content: {application/json: {schema: {$ref: "#/components/schemas/E"}}, application/x-tar: {schema: {$ref: "#/components/schemas/E"}}}}, ` +
				`500: {description: "r", headers: {H: {description: "h", schema: {type: "array", items: {type: "string"}}}}, content: {application/x-tar: {schema: {type: "string"}, example: "abc"}}}, x-a: 1}`,
			diags: []string{`api.yaml:4:144: info: an answer of this schema cannot be "application/x-tar"; it was read as JSON too [media-type]`},
		},
		{
			name: "extensions stay at all levels", path: "",
			text: "x-resilience: {a: 1}\npaths: {x-p: 1, /a: {x-resilience: {a: 2}, get: {x-resilience: {a: 3}, responses: {'200': {description: d, x-resilience: {a: 4}}}}}}\n",
			want: `{openapi: "3.0.3", info: {title: "T", version: "1"}, x-resilience: {a: 1}, paths: {x-p: 1, /a: {x-resilience: {a: 2}, get: {x-resilience: {a: 3}, responses: {200: {description: "d", x-resilience: {a: 4}}}}}}}`,
		},
		{
			name: "what is broken is mended as in 3.0", path: "components schemas",
			text: "paths: {}\ndefinitions: {A: {properties: {b: {$ref: '#/definitions/Gone'}, c: {type: array}, d: {$ref: 'd.yaml'}}}}\n",
			want: `{A: {properties: {b: {}, c: {type: "array", items: {}}, d: {$ref: "#/components/schemas/d"}}}, d: {type: "string"}}`,
			diags: []string{
				`api.yaml:4:42: warning: $ref "#/definitions/Gone" leads to nothing: api.yaml has no definitions/Gone; it was read as any value [dangling-ref]`,
				`api.yaml:4:75: warning: an array without items; want the schema of an item; any item is taken [missing-items]`,
			},
		},
		{
			name: "a flow that is not known", path: "components securitySchemes",
			text:  "paths: {}\nsecurityDefinitions: {o: {type: oauth2, flow: magic}}\n",
			want:  `{o: {type: "oauth2", flows: {clientCredentials: {scopes: {}}}}}`,
			diags: []string{`api.yaml:4:47: warning: the OAuth flow is "magic"; want implicit, password, application or accessCode; a token of the caller's is sent [oauth-flow]`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, ds := loadFiles(t, files{"api.yaml": head2 + tt.text, "d.yaml": "type: string\n"})
			wantLines(t, ds, tt.diags...)
			wantTree(t, doc.Root, tt.path, tt.want)
			if doc.Version != "2.0" {
				t.Errorf("version is %s, want 2.0", doc.Version)
			}
		})
	}
}

func TestLiftKeepsPositions(t *testing.T) {
	doc, ds := loadFiles(t, files{
		"api.yaml": head2 + `host: api.invalid
consumes: [application/json]
paths:
  /a:
    post:
      parameters:
        - {name: q, in: query, type: array, items: {type: string}, collectionFormat: multi}
        - {name: b, in: body, schema: {type: object}}
`,
		"o.yaml": "overlay: 1.0.0\nactions: [{target: \"$.paths['/a'].post\", update: {x-resilience: {use: fast}, parameters: [{name: z, in: query, type: integer}]}}]\n",
	}, "o.yaml")
	wantLines(t, ds)
	for path, want := range map[string]string{
		"servers 0 url": "api.yaml:3:7",
		"paths /a post parameters 0 schema items type":                   "api.yaml:9:59",
		"paths /a post parameters 0 style":                               "api.yaml:9:86",
		"paths /a post parameters 1 schema type":                         "o.yaml:2:118",
		"paths /a post x-resilience use":                                 "o.yaml:2:71",
		"paths /a post requestBody content application/json schema type": "api.yaml:10:46",
	} {
		wantPos(t, doc.Root, path, want)
	}
}
