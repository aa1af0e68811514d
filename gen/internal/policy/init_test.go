package policy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// propose loads a description and asks for proposals.
func propose(t *testing.T, spec string) *policy.Proposals {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("shop.yaml", []byte(spec), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, ds, err := document.Load("shop.yaml", document.Options{})
	if err != nil || doc == nil {
		t.Fatal(ds, err)
	}
	api, _ := openapi.Lower(doc)
	return policy.Propose(doc, api)
}

// shown are proposals as lines: target path: value, with a ? where not certain.
func shown(p *policy.Proposals) string {
	var out []string
	for _, q := range p.Proposals {
		sure := ""
		if !q.Certain {
			sure = "? "
		}
		out = append(out, fmt.Sprintf("%s%s %s: %s", sure, q.Target, strings.Join(q.Path, "."), q.YAML))
	}
	return strings.Join(out, "\n")
}

// asOverlay writes what is certain as an overlay, one action a proposal.
func asOverlay(p *policy.Proposals) string {
	var b strings.Builder
	b.WriteString("overlay: 1.0.0\ninfo: {title: ours, version: \"1\"}\nactions:\n")
	for _, q := range p.Proposals {
		if !q.Certain {
			continue
		}
		value := q.YAML
		for i := len(q.Path) - 1; i >= 0; i-- {
			value = "{" + q.Path[i] + ": " + value + "}"
		}
		fmt.Fprintf(&b, "  - target: %q\n    update: {x-resilience: %s}\n", q.Target, value)
	}
	return b.String()
}

const openSpec = `openapi: 3.0.3
info: {title: Letters & Parcels, version: "1"}
servers: [{url: https://api.example}]
x-speakeasy-retries:
  strategy: backoff
  backoff: {initialInterval: 500, maxInterval: 60000, maxElapsedTime: 20000, exponent: 1.5}
  statusCodes: [5XX, 429, 401]
  retryConnectionErrors: true
x-speakeasy-timeout: 9000
x-fern-idempotency-headers: [{header: IDEMPOTENCY-KEY, name: idempotency_key}]
paths:
  /letters:
    post:
      operationId: send
      parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}]
      responses: {"201": {description: sent}, "429": {description: slow down, headers: {Retry-After: {schema: {type: integer}}, X-Should-Retry: {schema: {type: boolean}}, Retry-After-Ms: {schema: {type: integer}}}}}
  /parcels:
    post:
      operationId: pack
      requestBody: {content: {application/json: {schema: {type: object, properties: {idempotency_key: {type: string}}}}}}
      responses: {"201": {description: packed}, "503": {description: later}}
  "/it's/{id}":
    patch:
      operationId: mend
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      x-linkerd-retryable: true
      x-linkerd-timeout: 300ms
      responses: {"200": {description: mended}, "429": {description: slow down}}
    delete:
      operationId: burn
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      x-fern-retries: {disabled: true}
      responses: {"204": {description: gone}}
  /stamps:
    post:
      operationId: stamp
      x-fern-idempotent: true
      x-speakeasy-retries: {strategy: backoff, statusCodes: [503]}
      responses: {"201": {description: made}}
    get: {operationId: stamps, x-speakeasy-retries: {strategy: none}, responses: {"200": {description: all}}}
`

func TestPropose(t *testing.T) {
	p := propose(t, openSpec)
	want := `$ dependency: letters-parcels
? $ criticality: standard
$ retry.verdict: {header: X-Should-Retry, retry: "true", whenAbsent: judge}
$ retry.retryAfter.headers: {Retry-After-Ms: true}
$ retry.backoff: {initial: 500ms, max: 1m, multiplier: 1.5}
$ timeout.total: 20s
$ retry.when: {429: true, 500: true, 502: true, 503: true, 504: true, connection: true}
$ timeout.total: 9s
$.paths['/letters'].post idempotency.key: {in: header, name: Idempotency-Key}
? $.paths['/parcels'].post idempotency.key: {in: body, pointer: /idempotency_key}
? $.paths['/it\'s/{id}'].patch idempotency: {class: idempotent, because: "x-linkerd-retryable", owner: …}
$.paths['/it\'s/{id}'].patch timeout.total: 300ms
$.paths['/it\'s/{id}'].delete retry: {enabled: false, because: "x-fern-retries disables them"}
? $.paths['/stamps'].post retry.when: {503: true}
$.paths['/stamps'].post idempotency.key: {in: header, name: IDEMPOTENCY-KEY}
$.paths['/stamps'].get retry: {enabled: false, because: "x-speakeasy-retries has strategy none"}`
	if got := shown(p); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var questions []string
	for _, q := range p.Questions {
		questions = append(questions, q.Operation.ID+": "+q.Text)
	}
	wantQuestions := `pack: Can POST /parcels be sent twice without harm? Does the provider know a repeat by the key proposed here?
mend: Can PATCH /it's/{id} be sent twice without harm? If it only reads, or twice is as good as once, state a class with because and owner; if it takes an idempotency key, say which. If nothing is done when it answers 429, write rejects: [429].`
	if got := strings.Join(questions, "\n"); got != wantQuestions {
		t.Errorf("questions:\n%s\nwant\n%s", got, wantQuestions)
	}
	if want := (policy.Counts{Operations: 6, Safe: 1, Idempotent: 1, Keyed: 1, Unsafe: 3, DeclareKey: 1, DeclareBodyKey: 1, Declare429: 2, Declare503: 1, RetryAfter: 1, Foreign: 10}); p.Counts != want {
		t.Errorf("counts = %+v, want %+v", p.Counts, want)
	}
	for _, q := range p.Proposals {
		if !q.Pos.IsValid() || q.Why == "" || q.From == "" {
			t.Errorf("%s %v has no position, reason or source: %+v", q.Target, q.Path, q)
		}
	}
}

// What is certain applies cleanly and lets no unsafe write be sent again.
func TestProposalsApply(t *testing.T) {
	p := propose(t, openSpec)
	plan, ds := resolveYAML(t, openSpec, []string{asOverlay(p)}, nil, policy.Settings{})
	if len(ds) > 0 {
		t.Fatalf("%v from\n%s", ds, asOverlay(p))
	}
	for _, o := range plan.Operations {
		if o.Class == policy.Unsafe && len(o.Asks) > 0 {
			t.Errorf("%s asks %s", o.Spec.ID, asked(o))
		}
	}
	wantLeaves(t, operation(t, plan, "send"), "timeout.total: 9s # document via overlay1.yaml", "retry.verdict.header: X-Should-Retry # document via overlay1.yaml")
	if o := operation(t, plan, "stamp"); o.Class != policy.Keyed {
		t.Errorf("stamp is %s", o.Class)
	}
}

func TestKnownProviders(t *testing.T) {
	for server, want := range map[string]string{
		"https://api.stripe.com/v1":               "Stripe-Should-Retry",
		"https://checkout-test.adyen.com/v71":     "transient-error",
		"https://api.openai.com/v1":               "x-should-retry",
		"https://stripe.com.evil.example":         "",
		"https://{tenant}.example/not-stripe.com": "",
	} {
		spec := strings.ReplaceAll(shop{}.yaml(), "https://shop.example/v1", server)
		p := propose(t, spec)
		if got := shown(p); (want == "") == strings.Contains(got, "verdict") || !strings.Contains(got, want) {
			t.Errorf("%s: %s", server, got)
		}
		plan, ds := resolveYAML(t, spec, []string{asOverlay(p)}, nil, policy.Settings{})
		if len(ds) > 0 || operation(t, plan, "add").Class != policy.Unsafe {
			t.Errorf("%s: %v", server, ds)
		}
	}
}

func TestForeign(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("shop.yaml", []byte(openSpec), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, _, err := document.Load("shop.yaml", document.Options{})
	if err != nil {
		t.Fatal(err)
	}
	api, _ := openapi.Lower(doc)
	if got := len(policy.Foreign(doc, nil)); got != 4 {
		t.Errorf("%d proposals for the document, want 4", got)
	}
	for _, op := range api.Operations {
		want := map[string]int{"mend": 2, "burn": 1, "stamp": 2, "stamps": 1}[op.ID]
		if got := len(policy.Foreign(doc, op)); got != want {
			t.Errorf("%d proposals for %s, want %d", got, op.ID, want)
		}
	}
	// they take effect through init only
	plan, _ := policy.Resolve(doc, api, policy.Settings{})
	wantLeaves(t, operation(t, plan, "mend"), "timeout.total: 15s # default")
}

// Real descriptions: no mistake without an annotation, a record that is read
// back, and proposals that apply.
func TestRealDescriptions(t *testing.T) {
	folder, largest := os.Getenv("RESGEN_SPECS"), int64(1<<40)
	if folder == "" {
		folder, largest = moduleFile(t, "../shared/specs"), 1<<20
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Skipf("no descriptions: %v", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if e.IsDir() || e.Name() == "README.md" || info.Size() > largest {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) { realDescription(t, filepath.Join(folder, e.Name())) })
	}
}

func realDescription(t *testing.T, file string) {
	doc, ds, err := document.Load(file, document.Options{})
	if err != nil || doc == nil {
		t.Fatalf("%v %v", ds, err)
	}
	api, _ := openapi.Lower(doc)
	plan, ds := policy.Resolve(doc, api, policy.Settings{})
	if len(ds) > 0 || plan.Annotated || len(plan.Operations) != len(api.Operations) {
		t.Errorf("%d operations of %d, annotated %v, %v", len(plan.Operations), len(api.Operations), plan.Annotated, ds)
	}
	for _, o := range plan.Operations {
		if o.Class == policy.Unsafe && o.Leaves.Get(policy.RetryMaxAttempts).Int() != 1 || len(o.Asks) > 0 {
			t.Errorf("%s is to be retried: %s", o.Spec.ID, asked(o))
		}
		policy.Explain(o)
	}
	text := plan.Record().Text()
	if back, ds := policy.ReadRecord("policy.gen.yaml", text); len(ds) > 0 || string(back.Text()) != string(text) {
		t.Errorf("the record is read back otherwise: %v", ds)
	}
	over := filepath.Join(t.TempDir(), "ours.yaml")
	if err := os.WriteFile(over, []byte(asOverlay(policy.Propose(doc, api))), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, ds, err = document.Load(file, document.Options{Overlays: []string{over}})
	if err != nil || doc == nil || ds.HasErrors() {
		t.Fatalf("with the proposals: %v %v", ds, err)
	}
	api, _ = openapi.Lower(doc)
	if _, ds = policy.Resolve(doc, api, policy.Settings{}); len(ds) > 0 {
		t.Errorf("with the proposals: %v", ds)
	}
}

// An operation that goes to another host than the others is given a
// compartment, so that the name of the dependency stands for one host.
func TestProposeNamesOtherHosts(t *testing.T) {
	p := propose(t, `openapi: 3.0.3
info: {title: Shop, version: "1"}
servers: [{url: "https://api.shop.example"}]
paths:
  /a: {get: {operationId: a, responses: {"200": {description: a}}}}
  /b: {get: {operationId: b, responses: {"200": {description: b}}}}
  /files:
    get: {operationId: files, servers: [{url: "https://uploads.shop.example:8443/v1"}], responses: {"200": {description: files}}}
`)
	if got, want := shown(p), "$.paths['/files'].get compartment: uploads-shop-example-8443"; !strings.Contains(got, want) || strings.Count(got, "compartment") != 1 {
		t.Errorf("proposals:\n%s\nwant %s", got, want)
	}
}

// What a property of the body proposes, and the class that a path suggests.
func TestProposeByBodyAndPath(t *testing.T) {
	t.Chdir(t.TempDir())
	spec := `openapi: 3.0.3
info: {title: T, version: "1"}
paths:
`
	const property = "{type: object, properties: {idempotency_key: {type: string%s}}}"
	for _, p := range []struct{ path, content, extra string }{
		{"/json", "application/json", ""}, {"/form", "application/x-www-form-urlencoded", ""}, {"/served", "application/json", ", readOnly: true"},
	} {
		spec += "  " + p.path + ": {post: {requestBody: {content: {" + p.content + ": {schema: " + fmt.Sprintf(property, p.extra) + "}}}, responses: {'200': {description: ok}}}}\n"
	}
	for _, path := range []string{"/orders/search", "/v1/items:query", "/accounts/get", "/list-things", "/search/{id}", "/research"} {
		spec += "  " + path + ": {post: {responses: {'200': {description: ok}}}}\n"
	}
	spec += "  /search: {patch: {responses: {'200': {description: ok}}}}\n"
	if err := os.WriteFile("t.yaml", []byte(spec), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, ds, err := document.Load("t.yaml", document.Options{})
	if err != nil || ds.HasErrors() {
		t.Fatal(ds, err)
	}
	api, _ := openapi.Lower(doc)
	out := policy.Propose(doc, api)
	var bodies []string
	for _, p := range out.Proposals {
		if strings.Contains(p.YAML, "in: body") {
			bodies = append(bodies, p.Target)
		}
	}
	if want := []string{"$.paths['/json'].post"}; !slices.Equal(bodies, want) {
		t.Errorf("a key in the body is proposed for %v, want %v", bodies, want)
	}
	var reads []string
	for _, q := range out.Questions {
		if q.Class == policy.Safe {
			reads = append(reads, q.Operation.Path)
		}
	}
	if want := []string{"/orders/search", "/v1/items:query", "/accounts/get", "/list-things"}; !slices.Equal(reads, want) {
		t.Errorf("called as if they only read: %v, want %v", reads, want)
	}
}
