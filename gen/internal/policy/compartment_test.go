package policy_test

import (
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

func ids(p *policy.Plan) string {
	var out []string
	for _, c := range p.Compartments {
		out = append(out, c.ID())
	}
	return strings.Join(out, ", ")
}

func TestCompartments(t *testing.T) {
	p := shop{
		root:  "{dependency: store, expect: {p99: 100ms, rate: 50/s, errorRate: 1%}, breaker: {window: 20s}}",
		path:  "{compartment: slow, criticality: enhancement, owner: team-slow, expect: {rate: 5/s}, bulkhead: {maxConcurrent: 3}}",
		other: "{criticality: critical, timeout: {attempt: 1s}}",
		list:  "{compartment: reads}",
	}.clean(t)
	if got, want := ids(p), "store https://shop.example, store https://shop.example reads, store https://shop.example slow"; got != want {
		t.Errorf("compartments = %s, want %s", got, want)
	}
	add := operation(t, p, "add")
	wantLeaves(t, add, "bulkhead.maxConcurrent: 3 # path", "breaker.window: 20s # document", "breaker.failureRate: 75% # default",
		"expect.p99: 100ms # document", "expect.rate: 5/s # path", "expect.errorRate: absent", "retry.maxAttempts: 1", "bulkhead.maxQueue: 0 # default")
	if add.Compartment != operation(t, p, "drop").Compartment || len(add.Compartment.Operations) != 3 {
		t.Errorf("the path's operations do not share %s", add.Compartment.ID())
	}
	if c := add.Compartment; c.Criticality != policy.Enhancement || c.Owner != "team-slow" || c.Begins.String() != "path" {
		t.Errorf("slow = %s, %s, begins at %s", c.Criticality, c.Owner, c.Begins)
	}
	// a compartment within another one begins with the values around it, but
	// not with their load
	wantLeaves(t, operation(t, p, "list"), "bulkhead.maxConcurrent: 3 # path", "expect.rate: absent", "expect.p99: 100ms # document")
	// criticality picks the column of an operation's leaves and of the
	// compartment that begins there, not of the one around it
	other := operation(t, p, "other")
	wantLeaves(t, other, "breaker.failureRate: 50% # default")
	if other.Criticality != policy.Critical || other.CriticalityOrigin.String() != "operation" || other.Compartment.Criticality != policy.Standard {
		t.Errorf("other = %s by %s in %s", other.Criticality, other.CriticalityOrigin, other.Compartment.Criticality)
	}
}

func TestDependencyIsSlugOfTitle(t *testing.T) {
	if p := (shop{}).clean(t); p.Dependency != "the-shop" || ids(p) != "the-shop https://shop.example" || p.Annotated {
		t.Errorf("dependency = %s, compartments = %s, annotated %v", p.Dependency, ids(p), p.Annotated)
	}
}

func TestHosts(t *testing.T) {
	spec := strings.ReplaceAll(shop{}.yaml(), "servers: [{url: 'https://shop.example/v1'}]", "servers: [{url: 'https://{region}.shop.example/v1', variables: {region: {default: EU}}}]")
	spec = strings.ReplaceAll(spec, "  /others:\n    post:\n", "  /others:\n    post:\n      servers: [{url: 'https://files.example:8443'}]\n")
	spec = strings.ReplaceAll(spec, "    put:\n", "    put:\n      servers: [{url: '/v2'}]\n")
	p, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	if got, want := ids(p), "the-shop https://eu.shop.example, the-shop, the-shop https://files.example:8443"; got != want {
		t.Errorf("compartments = %s, want %s", got, want)
	}
}

func TestOneNameOneSetOfValues(t *testing.T) {
	same := shop{add: "{compartment: x, bulkhead: {maxConcurrent: 3}}", other: "{compartment: x, bulkhead: {maxConcurrent: 3}}"}.clean(t)
	if got := len(operation(t, same, "add").Compartment.Operations); got != 2 {
		t.Errorf("x has %d operations, want 2", got)
	}
	_, ds := shop{add: "{compartment: x, bulkhead: {maxConcurrent: 3}}", other: "{compartment: x, bulkhead: {maxConcurrent: 4}}"}.resolve(t)
	wantMistakes(t, ds, "shop.yaml:23:35: compartment x has bulkhead.maxConcurrent 4 here and 3 where it is named before; want the same values")
	if len(ds) == 1 && (len(ds[0].Related) != 1 || ds[0].Related[0].Pos.String() != "shop.yaml:11:35") {
		t.Errorf("related = %+v", ds[0].Related)
	}
}

func TestStreamsShareACompartment(t *testing.T) {
	spec := strings.ReplaceAll(shop{root: "{expect: {rate: 9/s, p99: 1s}, bulkhead: {maxConcurrent: 7}}"}.yaml(),
		"operationId: list\n      responses: {'200': {description: ok}}",
		"operationId: list\n      responses: {'200': {description: ok, content: {text/event-stream: {schema: {type: string}}}}}")
	spec = strings.ReplaceAll(spec, "operationId: put\n      responses: {'200': {description: ok}}",
		"operationId: put\n      x-resilience: {compartment: mine}\n      responses: {'200': {description: ok, content: {application/octet-stream: {schema: {type: string, format: binary}}}}}")
	p, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	list, put := operation(t, p, "list"), operation(t, p, "put")
	if !list.Streaming || list.Compartment.Name != "streams" || list.Compartment.Begins.String() != "derived" {
		t.Errorf("list streams %v in %q", list.Streaming, list.Compartment.Name)
	}
	if !put.Streaming || put.Compartment.Name != "mine" {
		t.Errorf("put streams %v in %q", put.Streaming, put.Compartment.Name)
	}
	wantLeaves(t, list, "bulkhead.maxConcurrent: 7 # document", "expect.rate: absent", "expect.p99: 1s # document")
}

func TestCompartmentOfAUsedPolicy(t *testing.T) {
	p := shop{root: "{policies: {p: {compartment: apart, bulkhead: {maxConcurrent: 2}}}}", add: "{use: p}"}.clean(t)
	o := operation(t, p, "add")
	wantLeaves(t, o, "bulkhead.maxConcurrent: 2 # policy p")
	if o.Compartment.Name != "apart" {
		t.Errorf("compartment = %q", o.Compartment.Name)
	}
}
