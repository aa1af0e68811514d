package policy_test

import (
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// wantMistakes compares diagnostics as "position: message" lines.
func wantMistakes(t *testing.T, ds diag.List, want ...string) {
	t.Helper()
	for i, d := range ds {
		got := d.Pos.String() + ": " + d.Message
		if i >= len(want) {
			t.Errorf("unexpected: %s (%s)", got, d.Hint)
		} else if got != want[i] {
			t.Errorf("diagnostic %d:\n got %s\nwant %s", i, got, want[i])
		}
	}
	for _, w := range want[min(len(ds), len(want)):] {
		t.Errorf("missing: %s", w)
	}
}

// Each annotation stands at the document's root and has exactly one mistake.
func TestMistakesInValues(t *testing.T) {
	for _, c := range []struct{ annotation, message, hint string }{
		// durations
		{`{timeout: {attempt: 2 sec}}`, `timeout.attempt is "2 sec"; want a duration such as "800ms" or "none"`, "write 2s"},
		{`{timeout: {attempt: 800}}`, `timeout.attempt is 800; want a duration such as "800ms" or "none"`, "write the unit: 800ms or 800s"},
		{`{timeout: {attempt: 0s}}`, `timeout.attempt is "0s"; want a duration above 0 or none`, "write none where there is to be no limit"},
		{`{timeout: {attempt: -1s}}`, `timeout.attempt is "-1s"; want a duration above 0 or none`, "write none where there is to be no limit"},
		{`{timeout: {attempt: 1:30}}`, `timeout.attempt is "1:30"; want a duration such as "800ms" or "none"`, ""},
		{`{timeout: {attempt: off}}`, `timeout.attempt is "off"; want a duration such as "800ms" or "none"`, ""},
		{`{timeout: {attempt: }}`, `timeout.attempt is null; want a duration such as "800ms" or "none"`, ""},
		{`{timeout: {attempt: [1s]}}`, `timeout.attempt is a list; want a duration such as "800ms" or "none"`, ""},
		{`{breaker: {openFor: none}}`, `breaker.openFor is "none"; want a duration such as "800ms"`, ""},
		{`{breaker: {window: 0s}}`, `breaker.window is "0s"; want a duration above 0`, ""},
		{`{retry: {backoff: {max: -2s}}}`, `retry.backoff.max is "-2s"; want a duration of 0 or more`, ""},
		{`{fallback: {maxAge: 7d}}`, `fallback.maxAge is "7d"; want a duration such as "800ms"`, "write 168h"},
		{`{timeout: {total: 900000h}}`, `timeout.total is "900000h"; want a duration of at most 876000h`, ""},
		// numbers
		{`{retry: {maxAttempts: 0}}`, `retry.maxAttempts is 0; want a number from 1 to 10`, ""},
		{`{retry: {maxAttempts: 11}}`, `retry.maxAttempts is 11; want a number from 1 to 10`, ""},
		{`{retry: {maxAttempts: "3"}}`, `retry.maxAttempts is "3"; want a number from 1 to 10`, "write it without quotes"},
		{`{retry: {maxAttempts: 2.5}}`, `retry.maxAttempts is 2.5; want a number from 1 to 10`, ""},
		{`{retry: {notSent: 2}}`, `retry.notSent is 2; want a number from 0 to 1`, ""},
		{`{retry: {backoff: {multiplier: 0.5}}}`, `retry.backoff.multiplier is 0.5; want a number from 1 to 10`, ""},
		{`{bulkhead: {maxConcurrent: 0}}`, `bulkhead.maxConcurrent is 0; want a number from 1`, ""},
		{`{bulkhead: {maxConcurrent: none}}`, `bulkhead.maxConcurrent is "none"; want a number from 1`, "write {enabled: false, because: …} in bulkhead to switch it off"},
		{`{bulkhead: {maxQueue: -1}}`, `bulkhead.maxQueue is -1; want a number from 0`, ""},
		// shares
		{`{breaker: {failureRate: 25}}`, `breaker.failureRate is 25; want a share such as "20%" or 0.2`, "write 25%"},
		{`{breaker: {failureRate: 1}}`, `breaker.failureRate is 1; want a share such as "20%" or 0.2`, "write 1%"},
		{`{breaker: {failureRate: 120%}}`, `breaker.failureRate is "120%"; want a share of at most 100%`, ""},
		{`{breaker: {failureRate: 0%}}`, `breaker.failureRate is "0%"; want a share above 0`, ""},
		{`{breaker: {failureRate: 20 %}}`, `breaker.failureRate is "20 %"; want a share such as "20%" or 0.2`, "write 20%"},
		{`{breaker: {failureRate: half}}`, `breaker.failureRate is "half"; want a share such as "20%" or 0.2`, ""},
		{`{breaker: {failureRate: 0.00001}}`, `breaker.failureRate is 0.00001; want a share in steps of 0.01%`, ""},
		{`{expect: {errorRate: 0.00001%}}`, `expect.errorRate is "0.00001%"; want a share of at most four places behind the per cent's point`, ""},
		// rates
		{`{expect: {rate: 50}}`, `expect.rate is 50; want a rate such as "50/s" or "50/m"`, "write 50/s"},
		{`{expect: {rate: 50/h}}`, `expect.rate is "50/h"; want a rate such as "50/s" or "50/m"`, ""},
		{`{expect: {rate: 0/s}}`, `expect.rate is "0/s"; want a rate above 0`, ""},
		{`{retry: {budget: {floor: 0.3/m}}}`, `retry.budget.floor is "0.3/m"; want a rate in whole events a minute`, ""},
		// statuses
		{`{retry: {when: {600: true}}}`, `retry.when has "600"; want a status such as 503, a range such as 5XX, connection or timeout`, ""},
		{`{retry: {when: {5xx: true}}}`, `retry.when has "5xx"; want a status such as 503, a range such as 5XX, connection or timeout`, "write 5XX"},
		{`{retry: {when: {timeouts: true}}}`, `retry.when has "timeouts"; want a status such as 503, a range such as 5XX, connection or timeout`, "write timeout"},
		{`{retry: {when: {503: yes}}}`, `retry.when.503 is "yes"; want true or false`, "write true"},
		{`{retry: {when: {503: "true"}}}`, `retry.when.503 is "true"; want true or false`, "write true without quotes"},
		{`{retry: {when: 503}}`, `retry.when is 503; want a map of statuses, connection or timeout to true or false, or a list`, "write {503: true}"},
		{`{retry: {when: [503, [504]]}}`, `retry.when has a list; want a status such as 503, a range such as 5XX, connection or timeout`, ""},
		{`{breaker: {counts: {timeout: true}}}`, `breaker.counts has "timeout"; want a status such as 503 or a range such as 5XX`, ""},
		{`{idempotency: {key: {statuses: {4XX: mismatch}}}}`, `idempotency.key.statuses has "4XX"; want a single status such as 409, from 300`, "name the statuses one by one"},
		{`{idempotency: {key: {statuses: {201: done}}}}`, `idempotency.key.statuses has "201"; want a single status such as 409, from 300`, ""},
		{`{policies: {p: {idempotency: {rejects: [204]}}}}`, `policies.p.idempotency.rejects has 204; want a status such as 503 or a range such as 5XX, from 300`, ""},
		{`{policies: {p: {idempotency: {rejects: {2XX: true}}}}}`, `policies.p.idempotency.rejects has "2XX"; want a status such as 503 or a range such as 5XX, from 300`, ""},
		{`{policies: {p: {idempotency: {alreadyDone: [4xx]}}}}`, `policies.p.idempotency.alreadyDone has "4xx"; want a single status such as 409, from 300`, "name the statuses one by one"},
		{`{policies: {p: {idempotency: {alreadyDone: [200]}}}}`, `policies.p.idempotency.alreadyDone has 200; want a single status such as 409, from 300`, ""},
		// leaves that do not fit each other
		{`{breaker: {probes: {count: 2, successes: 3}}}`, `breaker.probes.successes is 3 and breaker.probes.count is 2; want at most the count of probes`, "write 2 or change breaker.probes.count"},
		{`{breaker: {openFor: 5m, openMax: 1m}}`, `breaker.openMax is 1m and breaker.openFor is 5m; want at least openFor`, "write 5m or change breaker.openFor"},
		// words
		{`{criticality: crit}`, `criticality is "crit"; want critical, standard or enhancement`, ""},
		{`{criticality: critcal}`, `criticality is "critcal"; want critical, standard or enhancement`, "write critical"},
		{`{retry: {backoff: {jitter: true}}}`, `retry.backoff.jitter is true; want full, equal, decorrelated or none`, ""},
		{`{breaker: {mode: observ}}`, `breaker.mode is "observ"; want enforce or observe`, "write observe"},
		{`{breaker: {enabled: no}}`, `breaker.enabled is "no"; want true or false`, "write false"},
		// names and texts
		{`{dependency: The Shop}`, `dependency is "The Shop"; want lower-case letters and digits, in groups joined by -, _ or .`, "write the-shop"},
		{`{dependency: 12}`, `dependency is 12; want lower-case letters and digits, in groups joined by -, _ or .`, `write "12" in quotes`},
		{`{deadline: {header: "X Deadline"}}`, `deadline.header is "X Deadline"; want a name without spaces and colons`, ""},
		{`{retry: {verdict: {retry: true}}}`, `retry.verdict.retry is true; want text`, `write "true" in quotes`},
		{`{retry: {retryAfter: {headers: [a b]}}}`, `retry.retryAfter.headers has "a b"; want a header's name`, ""},
		{`{idempotency: {key: {in: body, pointer: key}}}`, `idempotency.key.pointer is "key"; want a JSON pointer such as "/meta/key"`, "write /key"},
		{`{retry: {because: ""}}`, `retry.because is ""; want text`, ""},
		{`{retry: {until: 30.06.2027}}`, `retry.until is "30.06.2027"; want a date such as 2027-06-30`, ""},
		{`{retry: {until: 2027/06/30}}`, `retry.until is "2027/06/30"; want a date such as 2027-06-30`, "write 2027-06-30"},
		{`{retry: {until: 2027-02-30}}`, `retry.until is "2027-02-30"; want a date such as 2027-06-30`, ""},
		// key meanings
		{`{idempotency: {key: {statuses: {409: flight}}}}`, `idempotency.key.statuses.409 is "flight"; want in-flight, done, mismatch or new-key`, "write in-flight"},
		{`{idempotency: {key: {statuses: {409: true}}}}`, `idempotency.key.statuses.409 is true; want in-flight, done, mismatch or new-key`, ""},
		{`{idempotency: {key: {statuses: {409: {done: {at: /code}}}}}}`, `idempotency.key.statuses.409.done is incomplete; want at and is`, "write {at: /error/code, is: [key_in_use]}"},
		{`{idempotency: {key: {statuses: {409: {done: {at: /code, iss: [x]}}}}}}`, `idempotency.key.statuses.409.done.iss is no key of the vocabulary; want at or is`, "write is"},
		{`{idempotency: {key: {statuses: [409]}}}`, `idempotency.key.statuses is a list; want a map of statuses to in-flight, done, mismatch or new-key`, ""},
		// keys that contradict themselves
		{`{idempotency: {key: {in: body, name: key}}}`, `idempotency.key.name names a header or a query parameter; the key travels in the body`, "write pointer: /key"},
		{`{idempotency: {key: {in: header, pointer: /key}}}`, `idempotency.key.pointer points into the body; the key travels in the header`, "write in: body, or name the header"},
		{`{idempotency: {key: {name: Key, pointer: /key}}}`, `idempotency.key has both name and pointer; want one of them with in`, ""},
		// structure
		{`{timeout: 5s}`, `timeout is "5s"; want a map`, "write timeout: {attempt: 5s}"},
		{`{retry: 3}`, `retry is 3; want a map`, "write retry: {maxAttempts: 3}"},
		{`{retry: often}`, `retry is "often"; want a map`, "write retry: {enabled: …}"},
		{`{bulkhead: 64}`, `bulkhead is 64; want a map`, "write bulkhead: {maxConcurrent: 64}"},
		{`{fallback: stale}`, `fallback is "stale"; want a map`, "write fallback: {kind: stale}"},
		{`{breaker: none}`, `breaker is "none"; want a map`, "write breaker: {enabled: false, because: …}"},
		{`{breaker: false}`, `breaker is false; want a map`, "write breaker: {enabled: false, because: …}"},
		{`{breaker: off}`, `breaker is "off"; want a map`, "write breaker: {enabled: false, because: …}"},
		{`{policies: [a]}`, `policies is a list; want a map of names to policies`, ""},
		{`{policies: {p: 3}}`, `policies.p is 3; want a map`, ""},
		{`{use: [a]}`, `use is a list; want a name without spaces and colons`, ""},
		{`{waive: {rule: RG105}}`, `waive is a map; want a list`, "write - {rule: RG105, because: …, until: 2027-06-30, owner: …}"},
		{`{waive: [{rule: RG105, reason: x}]}`, `waive.reason is no key of the vocabulary; want rule, because, owner or until`, ""},
		{`{waive: [RG105]}`, `waive has "RG105"; want a map of rule, because, until and owner`, ""},
		{`[]`, `x-resilience is a list; want a map`, ""},
		{`5`, `x-resilience is 5; want a map`, ""},
	} {
		_, ds := shop{root: c.annotation}.resolve(t)
		if len(ds) != 1 {
			t.Errorf("%s: %d diagnostics, want 1: %v", c.annotation, len(ds), ds)
			continue
		}
		if d := ds[0]; d.Message != c.message || d.Hint != c.hint || d.Severity != diag.Error || d.Pos.Line != 4 || d.Code == "" {
			t.Errorf("%s:\n got %s (%s)\nwant %s (%s)", c.annotation, d, d.Hint, c.message, c.hint)
		}
	}
}

func TestUnknownKeys(t *testing.T) {
	for _, c := range []struct{ annotation, key, hint string }{
		{`{retry: {maxAttemps: 3}}`, "retry.maxAttemps", "write maxAttempts"},
		{`{Timeout: {attempt: 1s}}`, "Timeout", "write timeout"},
		{`{maxAttempts: 3}`, "maxAttempts", "write it as retry.maxAttempts"},
		{`{retry: {initial: 1s}}`, "retry.initial", "write it as retry.backoff.initial"},
		{`{retry: {on: [503]}}`, "retry.on", ""},
		{`{breaker: {slowCal: {over: 1s}}}`, "breaker.slowCal", "write slowCall"},
		{`{policies: {p: {retry: {wen: [503]}}}}`, "policies.p.retry.wen", "write when"},
		{`{idempotency: {key: {header: X}}}`, "idempotency.key.header", "write it as retry.verdict.header or deadline.header"},
		{`{retry: {budget: {window: 10s, max: 3}}}`, "retry.budget.max", "write it as retry.backoff.max or retry.retryAfter.max"},
		{`{retry: {backoff: {enabled: false}}}`, "retry.backoff.enabled", ""},
	} {
		_, ds := shop{root: c.annotation}.resolve(t)
		if len(ds) != 1 || !strings.HasPrefix(ds[0].Message, c.key+" is no key of the vocabulary; want ") {
			t.Errorf("%s: %v", c.annotation, ds)
			continue
		}
		if c.key != "retry.backoff.enabled" && ds[0].Hint != c.hint {
			t.Errorf("%s: hint %q, want %q", c.annotation, ds[0].Hint, c.hint)
		}
	}
}

func TestMisplacedKeys(t *testing.T) {
	for name, c := range map[string]struct {
		shop shop
		want string
		hint string
	}{
		"compartment at the root": {shop{root: "{compartment: x}"}, "shop.yaml:4:16: compartment stands on the document's root; want it on a named policy, a path item or an operation",
			"name what is called with dependency; the document's own compartment needs no name"},
		"dependency on an operation": {shop{add: "{dependency: x}"}, "shop.yaml:11:22: dependency stands on an operation; want it on the document's root", "move it there"},
		"policies on a path":         {shop{path: "{policies: {}}"}, "shop.yaml:6:20: policies stands on a path item; want it on the document's root or a policy file", "move it there"},
		"class at the root":          {shop{root: "{idempotency: {class: safe}}"}, "shop.yaml:4:30: idempotency.class stands on the document's root; want it on a named policy or an operation", "write it on each operation, or in a named policy that the operation uses"},
		"rejects on a path":          {shop{path: "{idempotency: {rejects: [429]}}"}, "shop.yaml:6:34: idempotency.rejects stands on a path item; want it on a named policy or an operation", "write it on each operation, or in a named policy that the operation uses"},
		"use in a policy":            {shop{root: "{policies: {p: {use: q}}}"}, "shop.yaml:4:31: policies.p.use stands on a named policy; want it on the document's root, a path item or an operation", "move it there"},
		"use in a file":              {shop{files: []string{"use: q\n"}}, "base1.yaml:1:1: use stands on a policy file; want it on the document's root, a path item or an operation", "move it there"},
		"dependency in a file":       {shop{files: []string{"dependency: q\n"}}, "base1.yaml:1:1: dependency stands on a policy file; want it on the document's root", "move it there"},
		"compartment in a file":      {shop{files: []string{"compartment: q\n"}}, "base1.yaml:1:1: compartment stands on a policy file; want it on a named policy, a path item or an operation", "move it there"},
		"criticality in a policy":    {shop{root: "{policies: {p: {criticality: critical}}}"}, "shop.yaml:4:31: policies.p.criticality stands on a named policy; want it on the document's root, a path item or an operation", "move it there"},
		"waive in a file":            {shop{files: []string{"waive: []\n"}}, "base1.yaml:1:1: waive stands on a policy file; want it on the document's root, a path item or an operation", "move it there"},
		"breaker on an operation": {shop{add: "{breaker: {window: 9s}}"}, "shop.yaml:11:32: breaker.window stands on an operation that begins no compartment; want it where one begins",
			"write compartment: NAME beside it, or move it to the document's root"},
		"connect on a path":   {shop{path: "{timeout: {connect: 9s}}"}, "shop.yaml:6:30: timeout.connect stands on a path item that begins no compartment; want it where one begins", "write compartment: NAME beside it, or move it to the document's root"},
		"expect below a path": {shop{path: "{compartment: x}", list: "{expect: {p99: 1s}}"}, "shop.yaml:9:31: expect.p99 stands on an operation that begins no compartment; want it where one begins", "write compartment: NAME beside it, or move it to the document's root"},
		"bulkhead by a policy": {shop{root: "{policies: {p: {bulkhead: {maxQueue: 1}}}}", add: "{use: p}"},
			"shop.yaml:12:27: use: p brings bulkhead.maxQueue to an operation that begins no compartment", "write compartment: NAME beside the use, or take the leaf out of the policy"},
		"class by a policy at the root": {shop{root: "{use: p, policies: {p: {idempotency: {class: safe}}}}"},
			"shop.yaml:4:21: use: p brings idempotency.class to the document's root; want it on an operation", "use the policy on each operation"},
		"compartment by a policy at the root": {shop{root: "{use: p, policies: {p: {compartment: x}}}"},
			"shop.yaml:4:21: use: p brings compartment to the document's root; want it on a path item or an operation", "use the policy there"},
		"no such policy":     {shop{root: "{policies: {fast-read: {}}}", add: "{use: fast-raed}"}, `shop.yaml:12:27: use is "fast-raed"; want the name of a policy: fast-read`, "write fast-read"},
		"no policies at all": {shop{add: "{use: fast}"}, `shop.yaml:11:27: use is "fast"; there are no named policies`, "write policies: {fast: {…}} at the document's root"},
		"a file with the extension": {shop{files: []string{"x-resilience: {}\n"}}, "base1.yaml:1:15: a policy file holds x-resilience; want the bare object",
			"write its keys at the top of the file"},
		"a file that is no map":         {shop{files: []string{"- 1\n"}}, "base1.yaml:1:1: the policy file is a list; want a map", ""},
		"a key without its place":       {shop{add: "{idempotency: {key: {name: Key}}}"}, `shop.yaml:11:48: idempotency.key.name is "Key" without in; want header, query or body`, "write in: header beside it"},
		"a pointer without its place":   {shop{add: "{idempotency: {key: {pointer: /k}}}"}, `shop.yaml:11:51: idempotency.key.pointer is "/k" without in; want header, query or body`, "write in: body beside it"},
		"a place without its name":      {shop{add: "{idempotency: {key: {in: query}}}"}, `shop.yaml:11:46: idempotency.key.in is query without a name`, "write name: Idempotency-Key beside it"},
		"a body key without a pointer":  {shop{add: "{idempotency: {key: {in: body}}}"}, `shop.yaml:11:46: idempotency.key.in is body without a pointer`, "write pointer: /idempotency_key beside it"},
		"breaker counts are everyone's": {shop{add: "{breaker: {counts: {500: false}}}"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, ds := c.shop.resolve(t)
			if c.want == "" {
				wantMistakes(t, ds)
				return
			}
			wantMistakes(t, ds, c.want)
			if len(ds) == 1 && ds[0].Hint != c.hint {
				t.Errorf("hint = %q, want %q", ds[0].Hint, c.hint)
			}
		})
	}
}
