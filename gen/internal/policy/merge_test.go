package policy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// Per leaf, the more specific place wins, and `use` stands beneath the place's
// own leaves.
func TestLayers(t *testing.T) {
	p := shop{
		files: []string{"timeout: {total: 11s, idle: 11s}\nretry: {backoff: {max: 11s}}\npolicies: {shared: {timeout: {attempt: 41ms}}}\n", "timeout: {idle: 12s}\n"},
		root: `{use: r, timeout: {total: 21s, minRemaining: 21ms}, policies: {
              r: {timeout: {attempt: 31ms, minRemaining: 31ms}}, s: {retry: {notSent: 0}, timeout: {attempt: 32ms}}, shared: {retry: {maxAttempts: 2}}}}`,
		path: "{timeout: {total: 41s}, retry: {retryAfter: {max: 41s}}}",
		list: "{use: s, timeout: {total: 51s}}",
		put:  "{use: shared}",
	}.clean(t)
	wantLeaves(t, operation(t, p, "list"),
		"timeout.total: 51s # operation", "timeout.attempt: 32ms # policy s", "retry.notSent: 0 # policy s",
		"timeout.idle: 12s # file base2.yaml", "retry.backoff.max: 11s # file base1.yaml",
		"timeout.minRemaining: 21ms # document", "retry.retryAfter.max: 41s # path", "retry.backoff.initial: 100ms # default")
	wantLeaves(t, operation(t, p, "add"), "timeout.total: 41s # path", "timeout.attempt: 31ms # policy r")
	wantLeaves(t, operation(t, p, "other"), "timeout.total: 21s # document", "retry.retryAfter.max: 5s # default")
	// a name that a file and the document both give is one policy
	wantLeaves(t, operation(t, p, "put"), "timeout.attempt: 41ms # policy shared", "retry.maxAttempts: 2 # policy shared")
}

func TestSets(t *testing.T) {
	for name, c := range map[string]struct{ root, list, want string }{
		"a map adds and takes":           {"{retry: {when: {500: true, 429: false}}}", "", "408 425 500 502 503 504 connection timeout # default, document"},
		"a list replaces":                {"{retry: {when: [503]}}", "", "503 # document"},
		"a list, then a map":             {"{retry: {when: [503]}}", "{retry: {when: {timeout: true, 503: false, 500: true}}}", "500 timeout # operation"},
		"an empty list":                  {"{retry: {when: []}}", "", "none # document"},
		"the exact status beats a range": {"{retry: {when: [5XX]}}", "{retry: {when: {501: false}}}", "5XX !501 # document, operation"},
		"an exclusion without a range":   {"{retry: {when: [503]}}", "{retry: {when: {501: false}}}", "503 # document, operation"},
		"a range and a status of it":     {"{retry: {when: [503, 5XX, 503]}}", "", "5XX 503 # document"},
		"keys compare as text":           {`{retry: {when: {"503": false}}}`, "{retry: {when: {503: true}}}", "408 425 429 502 503 504 connection timeout # default, operation"},
	} {
		t.Run(name, func(t *testing.T) {
			o := operation(t, shop{root: c.root, list: c.list}.clean(t), "list")
			text, origin, _ := strings.Cut(c.want, " # ")
			if got := o.Leaves.Get(policy.RetryWhen).Text; got != text {
				t.Errorf("when = %q, want %q", got, text)
			}
			if name != "an exclusion without a range" && name != "a list, then a map" {
				if v := o.Leaves.Get(policy.RetryWhen); len(v.Members) > 0 {
					wantLeaves(t, o, "retry.when: "+text+" # "+origin)
				}
			}
		})
	}
}

func TestSetHas(t *testing.T) {
	s := operation(t, shop{root: "{retry: {when: {5XX: true, 501: false, 404: true, timeout: true}}}"}.clean(t), "list").Leaves.Get(policy.RetryWhen).Set()
	for status, want := range map[int]bool{500: true, 501: false, 599: true, 404: true, 403: false, 502: true, 200: false, 0: false} {
		if s.Has(status) != want {
			t.Errorf("Has(%d) = %v, want %v", status, !want, want)
		}
	}
	if !s.HasWord("timeout") || s.HasWord("nothing") {
		t.Error("HasWord is wrong")
	}
	if got := s.Ranges(); len(got) != 1 || got[0] != 5 {
		t.Errorf("ranges = %v", got)
	}
	if got := s.Except(); len(got) != 1 || got[0] != 501 {
		t.Errorf("except = %v", got)
	}
	if got := s.Text(); got != "404 408 425 429 5XX !501 502 503 504 connection timeout" {
		t.Errorf("text = %q", got)
	}
}

func TestSetSpelled(t *testing.T) {
	for rejects, want := range map[string]string{
		"[5XX, 429]": "[429 5]", "{5XX: true, 503: true}": "[5]", "[]": "[]",
		"{4XX: true, 5XX: true, 500: false}": "[4 501 502 503", // … and so on to 599: 500 is in no range
	} {
		o := operation(t, shop{add: "{idempotency: {because: documented, owner: me, rejects: " + rejects + "}}"}.clean(t), "add")
		if got := fmt.Sprint(o.Rejects.Spelled()); !strings.HasPrefix(got, want) {
			t.Errorf("%s is spelt %s, want %s", rejects, got, want)
		}
	}
}

// Overlays put values anywhere, and each shows the overlay that put it there.
func TestOverlays(t *testing.T) {
	p := shop{
		root: "{timeout: {total: 9s}, retry: {when: {429: false}}}",
		overlays: []string{
			overlay("$['x-resilience']", "{timeout: {total: 8s}, retry: {when: {500: true}}}"),
			overlay("$.paths['/things'].get", "{x-resilience: {timeout: {attempt: 3s}}}"),
		},
	}.clean(t)
	list := operation(t, p, "list")
	wantLeaves(t, list, "timeout.total: 8s # document via overlay1.yaml", "timeout.attempt: 3s # operation via overlay2.yaml",
		"retry.when: 408 425 500 502 503 504 connection timeout # default, document, document via overlay1.yaml")
	if pos := list.Leaves.Get(policy.TimeoutTotal).Origin.Pos; pos.String() != "overlay1.yaml:5:31" {
		t.Errorf("the total stands at %s", pos)
	}
}

// A mistake is shown in the overlay's own file.
func TestMistakeInAnOverlay(t *testing.T) {
	_, ds := shop{root: "{owner: me}", overlays: []string{overlay("$['x-resilience']", "{timeout: {total: 8 s, totl: 1s}}")}}.resolve(t)
	wantMistakes(t, ds,
		`overlay1.yaml:5:31: timeout.total is "8 s"; want a duration such as "800ms" or "none"`,
		`overlay1.yaml:5:36: timeout.totl is no key of the vocabulary; want enabled, connect, attempt, idle, total, minRemaining, because, owner or until`)
}

// Everything that is wrong is found at once, sorted by position.
func TestAllMistakesAtOnce(t *testing.T) {
	_, ds := shop{root: "{retry: {maxAttempts: 99}, brekaer: {}}", list: "{timeout: {total: soon}}", add: "{use: nothing}", files: []string{"timeout: {connect: x}\n"}}.resolve(t)
	if len(ds) != 5 || ds.Count(diag.Error) != 5 {
		t.Errorf("%d diagnostics, want 5: %v", len(ds), ds)
	}
	for i := 1; i < len(ds); i++ {
		if ds[i-1].Pos.Compare(ds[i].Pos) > 0 {
			t.Errorf("%s comes before %s", ds[i-1].Pos, ds[i].Pos)
		}
	}
}

func TestAnnotationsThatStandNowhere(t *testing.T) {
	spec := strings.ReplaceAll(shop{}.yaml(), "responses: {'201': {description: made}}", "responses: {'201': {description: made, x-resilience: {}}}")
	_, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
	wantMistakes(t, ds,
		"shop.yaml:12:46: x-resilience stands on a response; want it on the document's root, a path item or an operation",
		"shop.yaml:22:46: x-resilience stands on a response; want it on the document's root, a path item or an operation")
}

func TestAnnotationsOfTheOtherSide(t *testing.T) {
	spec := "openapi: 3.1.0\ninfo: {title: Shop, version: \"1\"}\npaths: {}\nwebhooks:\n  sold:\n    post: {x-resilience: {}, responses: {'200': {description: ok}}}\n"
	_, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
	wantMistakes(t, ds, "shop.yaml:6:12: x-resilience stands on an entry of webhooks; want it on the document's root, a path item or an operation")
}

func TestMisspeltExtensions(t *testing.T) {
	for _, word := range []string{"x-resiliance", "X-Resilience", "x-resilence", "x_resilience", "resilience"} {
		spec := strings.ReplaceAll(shop{}.yaml(), "operationId: list\n", "operationId: list\n      "+word+": {timeout: {total: 1s}}\n")
		_, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
		wantMistakes(t, ds, "shop.yaml:8:7: "+word+" is not read; want x-resilience")
		if len(ds) == 1 && ds[0].Severity != diag.Warn {
			t.Errorf("%s is %s", word, ds[0].Severity)
		}
	}
	spec := strings.ReplaceAll(shop{}.yaml(), "operationId: list\n", "operationId: list\n      x-residency: eu\n      x-internal: {x-resilience: 1, X-Resilience: 2}\n")
	_, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
	wantMistakes(t, ds)
}

// A property, an example or a default of that name is no annotation.
func TestNamesAndExamplesAreNoAnnotations(t *testing.T) {
	spec := shop{}.yaml() + `components:
  schemas:
    x-resilience: {type: object, properties: {x-resilience: {type: string}, resilience: {type: object, example: {x-resilience: 1}, default: {x-resilience: 1}}}}
`
	_, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
	wantMistakes(t, ds)
}

func TestSharedPathItem(t *testing.T) {
	spec := "openapi: 3.1.0\ninfo: {title: Shop, version: \"1\"}\npaths:\n  /a: {$ref: '#/components/pathItems/item'}\ncomponents:\n  pathItems:\n    item:\n" +
		"      x-resilience: {timeout: {total: 7s}}\n      get: {operationId: a, x-resilience: {timeout: {attempt: 6s}}, responses: {'200': {description: ok}}}\n"
	p, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	wantLeaves(t, operation(t, p, "a"), "timeout.total: 7s # path", "timeout.attempt: 6s # operation")
}

func TestWaivers(t *testing.T) {
	p := shop{
		root: "{waive: [{rule: RG105, because: measured, until: 2027-06-30, owner: me}]}",
		path: "{waive: [{rule: RG106}]}",
		add:  "{waive: [{rule: RG301, because: a batch}]}",
	}.clean(t)
	if len(p.Waivers) != 3 || p.Waivers[0].Rule != "RG105" || p.Waivers[1].Path != "/things" || p.Waivers[2].Operation != "POST /things" {
		t.Errorf("waivers = %+v", p.Waivers)
	}
	if got := len(operation(t, p, "add").Waivers); got != 3 {
		t.Errorf("add lies in the scope of %d waivers, want 3", got)
	}
	if got := len(operation(t, p, "other").Waivers); got != 1 {
		t.Errorf("other lies in the scope of %d waivers, want 1", got)
	}
	if want := time.Date(2027, 6, 30, 0, 0, 0, 0, time.UTC); p.Waivers[0].Reason.Until != want {
		t.Errorf("until = %s", p.Waivers[0].Reason.Until)
	}
}

func TestGateways(t *testing.T) {
	spec := strings.ReplaceAll(shop{}.yaml(), "operationId: list\n", "operationId: list\n      x-google-backend: {deadline: 2.5}\n")
	spec = strings.ReplaceAll(spec, "  /things:\n", "  /things:\n    x-amazon-apigateway-integration: {timeoutInMillis: 29000}\n")
	p, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	got := operation(t, p, "list").Gateways
	if len(got) != 2 || got[0].Limit != 29*time.Second || got[1].Limit != 2500*time.Millisecond || got[1].Key != "x-google-backend.deadline" || got[1].Pos.Line != 9 {
		t.Errorf("gateways = %+v", got)
	}
}
