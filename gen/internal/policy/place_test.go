package policy_test

import (
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// An operation finds its annotation however its path is written.
func TestOddPaths(t *testing.T) {
	spec := `openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /a?beta=true:
    x-resilience: {timeout: {idle: 7s}}
    get: {operationId: beta, x-resilience: {timeout: {total: 1s}}, responses: {"200": {description: ok}}}
  /a:
    get: {operationId: plain, x-resilience: {timeout: {total: 2s}}, responses: {"200": {description: ok}}}
  /b#one:
    post: {operationId: one, x-resilience: {timeout: {total: 3s}}, responses: {"200": {description: ok}}}
  /b#two:
    post: {operationId: two, x-resilience: {timeout: {total: 4s}}, responses: {"200": {description: ok}}}
  "/c d/{id x}":
    parameters: [{name: id x, in: path, required: true, schema: {type: string}}]
    put: {operationId: blank, x-resilience: {timeout: {total: 5s}}, responses: {"200": {description: ok}}}
`
	p, ds := resolveYAML(t, spec, nil, nil, policy.Settings{})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	for id, total := range map[string]string{"beta": "1s", "plain": "2s", "one": "3s", "two": "4s", "blank": "5s"} {
		wantLeaves(t, operation(t, p, id), "timeout.total: "+total+" # operation")
	}
	wantLeaves(t, operation(t, p, "beta"), "timeout.idle: 7s # path")
	text := p.Record().Text()
	if back, ds := policy.ReadRecord("f", text); len(ds) > 0 || string(back.Text()) != string(text) || len(back.Operations) != 5 {
		t.Errorf("%v in\n%s", ds, text)
	}
}

func TestAnnotationThatIsNull(t *testing.T) {
	_, ds := shop{add: "null"}.resolve(t)
	wantMistakes(t, ds, "shop.yaml:11:21: x-resilience is null; want a map")
}

// An anchor that two operations share is read once, and its mistake said once.
func TestSharedAnnotation(t *testing.T) {
	_, ds := shop{list: "&shared {timeout: {total: soon}}", put: "*shared"}.resolve(t)
	if len(ds) != 1 {
		t.Errorf("%d diagnostics, want 1: %v", len(ds), ds)
	}
}
