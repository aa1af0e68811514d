package policy_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// example resolves the document that the documentation shows.
func example(t *testing.T) *policy.Plan {
	t.Helper()
	text, err := os.ReadFile(moduleFile(t, "testdata/openapi/example.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	plan, ds := resolveYAML(t, string(text), nil, nil, policy.Settings{})
	if len(ds) > 0 {
		t.Fatalf("the example has findings: %v", ds)
	}
	return plan
}

func TestExampleResolvesAsItSays(t *testing.T) {
	p := example(t)
	if p.Dependency != "payments" || p.Criticality != policy.Critical || p.Owner != "team-payments" || !p.Annotated {
		t.Errorf("plan = %s, %s, %s, annotated %v", p.Dependency, p.Criticality, p.Owner, p.Annotated)
	}
	charge := operation(t, p, "createCharge")
	wantLeaves(t, charge,
		"timeout.connect: 500ms # document", "timeout.attempt: 800ms # document", "timeout.total: 3s # document",
		"timeout.idle: 30s # default", "timeout.minRemaining: 1ms # default",
		"retry.maxAttempts: 3 # document",
		"retry.when: 408 425 429 502 503 504 connection timeout # default, document",
		"retry.backoff.initial: 100ms # document", "retry.backoff.max: 2s # document", "retry.backoff.multiplier: 2 # document",
		"retry.backoff.jitter: full # document", "retry.retryAfter.max: 1s # document", "retry.retryAfter.headers: Retry-After # document",
		"retry.budget.ratio: 20% # document", "retry.budget.floor: 1/s # document", "retry.budget.window: 10s # document",
		"breaker.failureRate: 25% # document", "breaker.slowCall.over: 600ms # document", "breaker.slowCall.rate: 80% # document",
		"breaker.window: 30s # document", "breaker.minimumCalls: 10 # document", "breaker.openFor: 30s # document", "breaker.openMax: 5m # document",
		"breaker.probes.count: 5 # document", "breaker.probes.successes: 4 # document", "breaker.mode: enforce # default",
		"bulkhead.maxConcurrent: 64 # document", "bulkhead.maxQueue: 128 # document", "bulkhead.maxWait: 100ms # document",
		"fallback.kind: none # document", "deadline.header: X-Request-Timeout-Ms # document", "deadline.format: remaining # document",
		"deadline.margin: 20ms # default",
		"expect.p99: 140ms # document", "expect.p999: 180ms # document", "expect.rate: 50/s # document", "expect.errorRate: 0.5% # document", "expect.recovery: 30s # document")
	if got := charge.Value(policy.FallbackKind).Reason.Because; got != "a payment cannot be made up" {
		t.Errorf("fallback's reason = %q", got)
	}
	if got := charge.Compartment.ID(); got != "payments https://payments.internal" {
		t.Errorf("compartment = %q", got)
	}
}

func TestExampleKey(t *testing.T) {
	o := operation(t, example(t), "createCharge")
	k := o.Key
	if o.Class != policy.Keyed || k == nil {
		t.Fatalf("class %s, key %v", o.Class, k)
	}
	if k.Text() != "header Idempotency-Key, auto, 24h, stores errors, at most 64, replayed Idempotent-Replayed" {
		t.Errorf("key = %s", k.Text())
	}
	if k.Retention != 24*time.Hour || k.MaxLength != 64 || k.Stores != policy.StoresErrors || k.Generate != policy.GenerateAuto {
		t.Errorf("key = %+v", k)
	}
	if len(k.Params) != 1 || k.Params[0] != o.Spec.Params[0] || !k.Declared() || k.Required {
		t.Errorf("the key replaces %v, required %v", k.Params, k.Required)
	}
	want := "409 in-flight, 422 mismatch"
	if got := k.Leaves.Get(policy.KeyStatuses).Text; got != want || len(k.Statuses) != 2 || k.Statuses[0].Meaning != policy.InFlight {
		t.Errorf("statuses = %q, want %q", got, want)
	}
}

func TestExampleOtherOperations(t *testing.T) {
	p := example(t)
	void := operation(t, p, "voidCharge")
	if void.Class != policy.Idempotent || void.AlreadyDone.Text() != "404" || void.ClassReason.Because != "a void cannot be undone" || void.Key != nil {
		t.Errorf("voidCharge = %s, %s, %q", void.Class, void.AlreadyDone.Text(), void.ClassReason.Because)
	}
	quote := operation(t, p, "getQuote")
	wantLeaves(t, quote, "timeout.attempt: 250ms # policy fast-read", "timeout.total: 900ms # policy fast-read",
		"fallback.kind: stale # policy fast-read", "fallback.maxAge: 5m # policy fast-read", "retry.maxAttempts: 3 # document")
	if quote.Class != policy.Safe || quote.ClassOrigin.Layer != policy.LayerDefault {
		t.Errorf("getQuote = %s by %s", quote.Class, quote.ClassOrigin)
	}
	search := operation(t, p, "searchReports")
	wantLeaves(t, search, "bulkhead.maxConcurrent: 5 # operation", "bulkhead.maxQueue: 0 # operation", "bulkhead.maxWait: absent",
		"expect.rate: absent", "expect.errorRate: absent", "expect.p99: 140ms # document", "breaker.failureRate: 25% # document")
	if search.Class != policy.Safe || search.Compartment.Name != "reports" {
		t.Errorf("searchReports = %s in %q", search.Class, search.Compartment.Name)
	}
	email := operation(t, p, "sendEmail")
	wantLeaves(t, email, "retry.maxAttempts: 3 # document", "retry.when: 429 # derived")
	if email.Class != policy.Unsafe || email.Rejects.Text() != "429" || len(email.Asks) != 0 {
		t.Errorf("sendEmail = %s, rejects %s, asks %v", email.Class, email.Rejects.Text(), email.Asks)
	}
	if len(email.NotTaken) != 1 || email.NotTaken[0].Text != "408 425 502 503 504 connection timeout" || email.NotTaken[0].Origin.String() != "document" {
		t.Errorf("not taken = %+v", email.NotTaken)
	}
}

func TestExampleRecord(t *testing.T) {
	r := example(t).Record()
	r.Spec = "api/payments.yaml"
	for _, want := range []string{
		"# Code generated by resgen from api/payments.yaml. DO NOT EDIT. Review what changes here.\nversion: 1\ncompartments:\n  payments https://payments.internal:\n",
		"    breaker.failureRate: 25%                 # document\n",
		"    all:\n      timeout.attempt: 800ms                 # document\n",
		"      retry.when: 408 425 429 502 503 504 connection timeout   # default, document\n",
		"  POST /charges createCharge:\n",
		"    class: keyed                             # operation\n",
		"    class: unsafe                            # default\n",
		"    rejects: 429                             # operation; because: documented: nothing was accepted; owner: team-mail\n",
		"    retry.when: 429                          # derived; offered by document, not taken: 408 425 502 503 504 connection timeout\n",
	} {
		if !strings.Contains(string(r.Text()), want) {
			t.Errorf("the record lacks\n%s\nin\n%s", want, r.Text())
		}
	}
}
