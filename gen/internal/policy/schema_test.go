package policy_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// compiled compiles a schema, or a definition of it.
func compiled(t *testing.T, schema []byte, definition string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("https://resgen.example/schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("https://resgen.example/schema.json" + definition)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plain is a YAML text as the values that a schema is checked with.
func plain(t *testing.T, text string) any {
	t.Helper()
	name := filepath.Join(t.TempDir(), "value.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	n, ds, err := document.LoadPlain(name)
	if err != nil || ds.HasErrors() {
		t.Fatalf("%s: %v %v", text, ds, err)
	}
	return plainNode(t, n)
}

func plainNode(t *testing.T, n document.Node) any {
	switch n.Kind() {
	case document.Map:
		m := map[string]any{}
		for k, v := range n.Members() {
			m[k.Text()] = plainNode(t, v)
		}
		return m
	case document.List:
		l := []any{}
		for v := range n.Items() {
			l = append(l, plainNode(t, v))
		}
		return l
	case document.Text:
		return n.Text()
	case document.Null, document.Bool, document.Number:
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(n.Text()))
		if err != nil {
			t.Fatalf("%s: %v", n.Text(), err)
		}
		return v
	}
	t.Fatalf("a node of kind %s", n.Kind())
	return nil
}

func TestSchemaTakesTheExample(t *testing.T) {
	text, err := os.ReadFile(moduleFile(t, "testdata/openapi/example.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	doc := plain(t, string(text)).(map[string]any)
	anywhere := compiled(t, policy.Schema(), "")
	check := func(where, definition string, v any) {
		if err := compiled(t, policy.Schema(), "#/$defs/"+definition).Validate(v); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		if err := anywhere.Validate(v); err != nil {
			t.Errorf("%s, anywhere: %v", where, err)
		}
	}
	check("the document", "document", doc["x-resilience"])
	n := 0
	for path, item := range doc["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			if m, ok := op.(map[string]any); ok && m["x-resilience"] != nil {
				n++
				check(method+" "+path, "operation", m["x-resilience"])
			}
		}
	}
	if n != 5 {
		t.Errorf("%d operations are annotated, want 5", n)
	}
}

// What the parser takes the schema takes, and what it refuses for its form the
// schema refuses too.
func TestSchemaAgreesWithTheParser(t *testing.T) {
	good := []string{
		`{timeout: {connect: none, attempt: 1.5s, total: 1h2m, idle: 300us}}`,
		`{retry: {maxAttempts: 10, when: [429, 5XX, timeout], notSent: 0, backoff: {initial: 0s, multiplier: 1.5, jitter: equal}}}`,
		`{retry: {when: {503: true, 5XX: false, connection: true}, retryAfter: {max: 0, headers: {Retry-After: true}}, verdict: {header: X-R, retry: "1", whenAbsent: stop}}}`,
		`{retry: {budget: {ratio: 0.15, floor: 30/m, window: 10s}, because: x, owner: y, until: 2027-06-30}}`,
		`{breaker: {enabled: false, because: x}}`,
		`{breaker: {failureRate: 12.5%, slowCall: {over: 1s, rate: 100%}, consecutive: 5, mode: observe, counts: {500: false}}}`,
		`{bulkhead: {maxConcurrent: 1, maxQueue: 0, maxWait: 0s}}`,
		`{fallback: {kind: static, value: {any: [thing, null]}, vary: [Accept-Language], coalesce: true, principal: context}}`,
		`{deadline: {header: X-Left, format: timestamp, margin: 5ms, maxSkew: 2s}}`,
		`{idempotency: {key: {in: body, pointer: /a~1b/c, maxLength: 36, generate: caller, retention: 24h, stores: success, statuses: {409: {in-flight: {at: /code, is: [a, 1, true]}}, 423: mismatch, 422: false}, replayed: X}}}`,
		`{expect: {p99: 1s, p999: 2s, rate: 0.5/s, errorRate: 0%, recovery: 1m}}`,
		`{dependency: my-api.v2, criticality: enhancement, policies: {a.b: {timeout: {total: 1s}, idempotency: {class: safe, rejects: [429], alreadyDone: {404: true}}}}}`,
		`{waive: [{rule: RG105, because: x, until: 2027-06-30, owner: me}]}`,
	}
	bad := []string{
		`{timeout: {attempt: 800}}`, `{timeout: {attempt: 2 sec}}`, `{timeout: {attempt: 0s}}`, `{timeout: {attempt: 0}}`, `{timeout: {atempt: 1s}}`, `{timeout: 5s}`,
		`{breaker: {openFor: none}}`, `{breaker: none}`, `{breaker: {enabled: no}}`, `{breaker: {failureRate: 25}}`, `{breaker: {failureRate: 101%}}`, `{breaker: {failureRate: 0%}}`, `{breaker: {failureRate: 0}}`,
		`{retry: {maxAttempts: 0}}`, `{retry: {maxAttempts: 11}}`, `{retry: {maxAttempts: "3"}}`, `{retry: {when: {5xx: true}}}`, `{retry: {when: [600]}}`, `{retry: {when: 503}}`, `{retry: {when: {503: yes}}}`,
		`{retry: {backoff: {multiplier: 11}}}`, `{retry: {backoff: {jitter: some}}}`, `{retry: {verdict: {retry: true}}}`, `{retry: {until: tomorrow}}`, `{retry: {until: 2027-02-30}}`,
		`{expect: {rate: 50}}`, `{expect: {rate: 0/s}}`, `{dependency: The Shop}`, `{criticality: high}`,
		`{idempotency: {key: {statuses: {409: flight}}}}`, `{idempotency: {key: {statuses: {409: {done: {at: /x}}}}}}`, `{idempotency: {key: {pointer: x}}}`, `{idempotency: {key: {statuses: {4XX: done}}}}`, `{idempotency: {key: {statuses: {200: done}}}}`,
		`{policies: {p: {idempotency: {rejects: [200]}}}}`, `{policies: {p: {idempotency: {rejects: ["1XX"]}}}}`, `{policies: {p: {idempotency: {alreadyDone: {4XX: true}}}}}`,
		`{policies: {p: {use: q}}}`, `{policies: [a]}`, `{waive: {rule: RG105}}`, `{waive: [{rule: RG105, why: x}]}`, `{because: ""}`, `[]`, `5`,
		`{compartment: x}`, `{idempotency: {class: safe}}`,
	}
	s := compiled(t, policy.Schema(), "#/$defs/document")
	for _, a := range good {
		if err := s.Validate(plain(t, a)); err != nil {
			t.Errorf("the schema refuses %s: %v", a, err)
		}
		if _, ds := (shop{root: a}).resolve(t); len(ds) > 0 {
			t.Errorf("the parser refuses %s: %v", a, ds)
		}
	}
	for _, a := range bad {
		if s.Validate(plain(t, a)) == nil {
			t.Errorf("the schema takes %s", a)
		}
		if _, ds := (shop{root: a}).resolve(t); !ds.HasErrors() {
			t.Errorf("the parser takes %s", a)
		}
	}
}

func TestSchemaOfPlaces(t *testing.T) {
	for definition, c := range map[string]struct{ good, bad string }{
		"operation":   {`{use: a, compartment: b, idempotency: {class: safe}}`, `{dependency: a}`},
		"pathItem":    {`{use: a, compartment: b}`, `{idempotency: {class: safe}}`},
		"policyFile":  {`{policies: {a: {}}, breaker: {window: 1s}}`, `{use: a}`},
		"namedPolicy": {`{compartment: b, idempotency: {class: safe}}`, `{policies: {}}`},
	} {
		s := compiled(t, policy.Schema(), "#/$defs/"+definition)
		if err := s.Validate(plain(t, c.good)); err != nil {
			t.Errorf("%s refuses %s: %v", definition, c.good, err)
		}
		if s.Validate(plain(t, c.bad)) == nil {
			t.Errorf("%s takes %s", definition, c.bad)
		}
	}
}

func TestConfigSchema(t *testing.T) {
	s := compiled(t, policy.ConfigSchema(), "")
	good := "version: 1\nservice: checkout\nbudget: 4s\npolicies: [base.yaml]\nrules: {RG105: error, RG601: ignore}\nclients:\n" +
		"  - {spec: a.yaml, overlays: [b.yaml], package: a, out: internal/a, include: {tags: [x]}, exclude: {paths: ['/x/**']}, tests: true, interface: true, alerts: true}\n"
	if err := s.Validate(plain(t, good)); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"version: 2\nclients: [{spec: a, out: b}]", "version: 1", "version: 1\nclients: []", "version: 1\nclients: [{spec: a}]",
		"version: 1\nbudget: 4\nclients: [{spec: a, out: b}]", "version: 1\nclients: [{spec: a, out: b, oout: c}]", "version: 1\nrules: {RG105: no}\nclients: [{spec: a, out: b}]"} {
		if s.Validate(plain(t, bad)) == nil {
			t.Errorf("the schema takes\n%s", bad)
		}
	}
}
