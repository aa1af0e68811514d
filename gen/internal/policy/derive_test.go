package policy_test

import (
	"testing"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

func TestDefaultsByCriticality(t *testing.T) {
	common := []string{"timeout.connect: 1s", "timeout.idle: 30s", "timeout.minRemaining: 1ms", "deadline.margin: 20ms",
		"retry.when: 408 425 429 502 503 504 connection timeout", "retry.notSent: 1",
		"retry.backoff.initial: 100ms", "retry.backoff.max: 2s", "retry.backoff.multiplier: 2", "retry.backoff.jitter: full",
		"retry.retryAfter.headers: Retry-After", "retry.budget.floor: 1/s", "retry.budget.window: 10s",
		"breaker.slowCall.rate: 80%", "breaker.mode: enforce", "breaker.consecutive: absent", "breaker.counts: 5XX !501 !505",
		"fallback.kind: none", "fallback.coalesce: absent", "fallback.principal: absent", "deadline.header: absent", "deadline.format: absent",
		"retry.verdict.header: absent", "retry.verdict.whenAbsent: absent"}
	columns := map[string][]string{
		"critical": {"timeout.attempt: 5s", "timeout.total: 15s", "retry.maxAttempts: 3", "retry.retryAfter.max: 5s", "retry.budget.ratio: 20%",
			"breaker.failureRate: 25%", "breaker.slowCall.over: 2.5s", "breaker.window: 30s", "breaker.minimumCalls: 10", "breaker.openFor: 30s", "breaker.openMax: 5m",
			"breaker.probes.count: 5", "breaker.probes.successes: 4", "bulkhead.maxConcurrent: 64", "bulkhead.maxQueue: 128", "bulkhead.maxWait: 100ms"},
		"standard": {"timeout.attempt: 5s", "timeout.total: 15s", "retry.maxAttempts: 3", "retry.retryAfter.max: 5s", "retry.budget.ratio: 20%",
			"breaker.failureRate: 50%", "breaker.slowCall.over: 2.5s", "breaker.window: 1m", "breaker.minimumCalls: 10", "breaker.openFor: 30s", "breaker.openMax: 5m",
			"breaker.probes.count: 3", "breaker.probes.successes: 2", "bulkhead.maxConcurrent: 64", "bulkhead.maxQueue: 128", "bulkhead.maxWait: 100ms"},
		"enhancement": {"timeout.attempt: 2s", "timeout.total: 5s", "retry.maxAttempts: 2", "retry.retryAfter.max: 1s", "retry.budget.ratio: 10%",
			"breaker.failureRate: 75%", "breaker.slowCall.over: 1s", "breaker.window: 1m", "breaker.minimumCalls: 20", "breaker.openFor: 1m", "breaker.openMax: 10m",
			"breaker.probes.count: 3", "breaker.probes.successes: 2", "bulkhead.maxConcurrent: 16", "bulkhead.maxQueue: 0", "bulkhead.maxWait: absent"},
	}
	for criticality, want := range columns {
		t.Run(criticality, func(t *testing.T) {
			o := operation(t, shop{root: "{criticality: " + criticality + "}"}.clean(t), "list")
			wantLeaves(t, o, common...)
			wantLeaves(t, o, want...)
		})
	}
	wantLeaves(t, operation(t, shop{}.clean(t), "list"), columns["standard"]...)
}

func TestDerivedTimes(t *testing.T) {
	for name, c := range map[string]struct {
		shop shop
		want []string
	}{
		"attempt is at most its part of the total": {shop{root: "{timeout: {total: 4s}}"}, []string{"timeout.attempt: 1.333s # derived", "timeout.connect: 1s # default", "breaker.slowCall.over: 666ms # derived"}},
		"of the attempts that are made":            {shop{root: "{timeout: {total: 4s}, retry: {maxAttempts: 1}}"}, []string{"timeout.attempt: 4s # derived"}},
		"a written attempt stays":                  {shop{root: "{timeout: {total: 4s, attempt: 3s}}"}, []string{"timeout.attempt: 3s # document", "breaker.slowCall.over: 1.5s # derived"}},
		"connect is at most the longest attempt":   {shop{root: "{timeout: {total: 900ms}}"}, []string{"timeout.attempt: 300ms # derived", "timeout.connect: 900ms # derived"}},
		"a written connect stays":                  {shop{root: "{timeout: {total: 900ms, connect: 2s}}"}, []string{"timeout.connect: 2s # document"}},
		"no total":                                 {shop{root: "{timeout: {total: none}}"}, []string{"timeout.total: none # document", "timeout.attempt: 5s # default"}},
		"no attempt":                               {shop{root: "{timeout: {attempt: none}}"}, []string{"timeout.attempt: none # document", "breaker.slowCall.over: absent"}},
		"a budget":                                 {shop{settings: policy.Settings{Budget: 4 * time.Second}}, []string{"timeout.total: 3.98s # derived", "timeout.attempt: 1.326s # derived"}},
		"a budget with a margin":                   {shop{root: "{deadline: {margin: 500ms}}", settings: policy.Settings{Budget: 4 * time.Second}}, []string{"timeout.total: 3.5s # derived"}},
		"a budget above the default":               {shop{settings: policy.Settings{Budget: time.Minute}}, []string{"timeout.total: 15s # default"}},
		"a written total beyond the budget":        {shop{root: "{timeout: {total: 9s}}", settings: policy.Settings{Budget: 4 * time.Second}}, []string{"timeout.total: 9s # document"}},
		"slow: three times p99":                    {shop{root: "{expect: {p99: 100ms}}"}, []string{"breaker.slowCall.over: 300ms # derived"}},
		"slow: at most three quarters":             {shop{root: "{expect: {p99: 400ms}, timeout: {attempt: 1s}}"}, []string{"breaker.slowCall.over: 750ms # derived"}},
		"slow: without an attempt limit":           {shop{root: "{expect: {p99: 400ms}, timeout: {attempt: none}}"}, []string{"breaker.slowCall.over: 1.2s # derived"}},
		"probes: successes are at most the count":  {shop{root: "{breaker: {probes: {count: 1}}}"}, []string{"breaker.probes.count: 1 # document", "breaker.probes.successes: 1 # derived"}},
		"probes: count is at least the successes":  {shop{root: "{breaker: {probes: {successes: 5}}}"}, []string{"breaker.probes.count: 5 # derived", "breaker.probes.successes: 5 # document"}},
		"open: at most is at least for":            {shop{root: "{breaker: {openFor: 10m}}"}, []string{"breaker.openFor: 10m # document", "breaker.openMax: 10m # derived"}},
		"open: for is at most the most":            {shop{root: "{breaker: {openMax: 2s}}"}, []string{"breaker.openFor: 2s # derived", "breaker.openMax: 2s # document"}},
		"slow: written":                            {shop{root: "{breaker: {slowCall: {over: 9s}}}"}, []string{"breaker.slowCall.over: 9s # document"}},
	} {
		t.Run(name, func(t *testing.T) { wantLeaves(t, operation(t, c.shop.clean(t), "list"), c.want...) })
	}
}

func TestBudgetThatLeavesNothing(t *testing.T) {
	_, ds := shop{settings: policy.Settings{Budget: 10 * time.Millisecond}}.resolve(t)
	wantMistakes(t, ds, "-: budget is 10ms, which the deadline margin of 20ms uses up; want more")
}

func TestSectionsSwitchedOff(t *testing.T) {
	off := "{enabled: false, because: reasons}"
	for name, c := range map[string]struct {
		root string
		want []string
	}{
		"timeout":          {"{timeout: " + off + "}", []string{"timeout.attempt: none # document", "timeout.total: none # document", "timeout.idle: none # document", "timeout.connect: none # document"}},
		"retry":            {"{retry: " + off + "}", []string{"retry.maxAttempts: 1 # document", "retry.notSent: 0 # document", "retry.enabled: false # document"}},
		"retry.budget":     {"{retry: {budget: " + off + "}}", []string{"retry.budget.ratio: absent", "retry.budget.enabled: false # document"}},
		"retry.verdict":    {"{retry: {verdict: {header: Should-Retry, enabled: false}}}", []string{"retry.verdict.header: absent"}},
		"breaker":          {"{breaker: " + off + "}", []string{"breaker.failureRate: absent", "breaker.counts: absent", "breaker.slowCall.over: absent", "breaker.enabled: false # document"}},
		"breaker.slowCall": {"{breaker: {slowCall: " + off + "}}", []string{"breaker.slowCall.rate: absent", "breaker.slowCall.over: absent", "breaker.failureRate: 50%"}},
		"bulkhead":         {"{bulkhead: " + off + "}", []string{"bulkhead.maxConcurrent: absent", "bulkhead.enabled: false # document"}},
		"fallback":         {"{fallback: {kind: stale, maxAge: 5m, enabled: false, because: reasons}}", []string{"fallback.kind: none # document", "fallback.maxAge: absent"}},
		"deadline":         {"{deadline: {header: X-Left, enabled: false}}", []string{"deadline.header: absent"}},
	} {
		t.Run(name, func(t *testing.T) { wantLeaves(t, operation(t, shop{root: c.root}.clean(t), "list"), c.want...) })
	}
	// an inner place can switch a section on again
	p := shop{root: "{retry: {enabled: false}}", list: "{retry: {enabled: true}}"}.clean(t)
	wantLeaves(t, operation(t, p, "list"), "retry.maxAttempts: 3 # default")
	o := operation(t, shop{root: "{breaker: " + off + "}"}.clean(t), "list")
	if got := o.Value(policy.BreakerEnabled).Reason.Because; got != "reasons" {
		t.Errorf("the breaker is off because %q", got)
	}
}
