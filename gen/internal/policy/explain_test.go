package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

func steps(e *policy.Explanation) string {
	var out []string
	for _, s := range e.WorstCase {
		word := map[policy.StepKind]string{policy.Queueing: "queue", policy.Attempt: "attempt", policy.Wait: "wait", policy.Cut: "cut"}[s.Kind]
		text := fmt.Sprintf("%s %d %s-%s", word, s.Number, s.At, s.End)
		if !s.Started {
			text += " never"
		}
		if s.NotSent {
			text += " unsent"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestWorstCase(t *testing.T) {
	for name, c := range map[string]struct {
		root, id, want string
		total          time.Duration
	}{
		"three attempts that fit": {"{timeout: {attempt: 1s, total: 10s}, retry: {backoff: {initial: 100ms}}, bulkhead: {maxQueue: 0}}", "list",
			"attempt 1 0s-1s, wait 2 1s-1.1s, attempt 2 1.1s-2.1s, wait 3 2.1s-2.3s, attempt 3 2.3s-3.3s", 3300 * time.Millisecond},
		"each waits in the queue": {"{timeout: {attempt: 1s, total: 10s}, retry: {maxAttempts: 2}}", "list",
			"queue 1 0s-100ms, attempt 1 100ms-1.1s, wait 2 1.1s-1.2s, queue 2 1.2s-1.3s, attempt 2 1.3s-2.3s", 2300 * time.Millisecond},
		"the total cuts": {"{timeout: {attempt: 2s, total: 3s}, bulkhead: {maxQueue: 0}}", "list",
			"attempt 1 0s-2s, wait 2 2s-2.1s, attempt 2 2.1s-3s, cut 2 3s-3s, attempt 3 3s-3s never", 3 * time.Second},
		"a wait that does not fit": {"{timeout: {attempt: 2s, total: 3s}, retry: {backoff: {initial: 2s, max: 5s}}, bulkhead: {maxQueue: 0}}", "list",
			"attempt 1 0s-2s, attempt 2 2s-2s never, attempt 3 2s-2s never", 2 * time.Second},
		"waits grow to their limit": {"{timeout: {attempt: 1s, total: 100s}, retry: {maxAttempts: 4, backoff: {initial: 1s, max: 3s, multiplier: 2}}, bulkhead: {maxQueue: 0}}", "list",
			"attempt 1 0s-1s, wait 2 1s-2s, attempt 2 2s-3s, wait 3 3s-5s, attempt 3 5s-6s, wait 4 6s-9s, attempt 4 9s-10s", 10 * time.Second},
		"no limit of the call": {"{timeout: {attempt: 1s, total: none}, retry: {maxAttempts: 1}, bulkhead: {maxQueue: 0}}", "list", "attempt 1 0s-1s", time.Second},
		"no limit of an attempt": {"{timeout: {attempt: none, total: 2s}, bulkhead: {maxQueue: 0}}", "list",
			"attempt 1 0s-2s, cut 1 2s-2s, attempt 2 2s-2s never, attempt 3 2s-2s never", 2 * time.Second},
		"an unsafe write that was not sent": {"{timeout: {attempt: 2s, total: 9s, connect: 1s}, bulkhead: {maxQueue: 0}}", "add",
			"attempt 1 0s-1s unsent, wait 2 1s-1.1s, attempt 2 1.1s-3.1s", 3100 * time.Millisecond},
		"an unsafe write, once": {"{timeout: {attempt: 2s, total: 9s}, retry: {notSent: 0}, bulkhead: {maxQueue: 0}}", "add", "attempt 1 0s-2s", 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			e := policy.Explain(operation(t, shop{root: c.root}.clean(t), c.id))
			if got := steps(e); got != c.want || e.Total != c.total || e.Unlimited {
				t.Errorf("got  %s, ends at %s\nwant %s, ends at %s", got, e.Total, c.want, c.total)
			}
		})
	}
	if e := policy.Explain(operation(t, shop{root: "{timeout: {enabled: false, because: x}}"}.clean(t), "list")); !e.Unlimited {
		t.Errorf("without limits the worst case is %s", steps(e))
	}
}

func repeatLines(e *policy.Explanation) string {
	var out []string
	for _, r := range e.Repeats {
		out = append(out, r.After+": "+r.Why+" ("+r.From.String()+")")
	}
	return strings.Join(out, "\n")
}

func TestWhatMayBeSentTwice(t *testing.T) {
	p := example(t)
	for id, want := range map[string]string{
		"getQuote":     "timeout: it writes nothing: GET proves it (document)",
		"voidCharge":   "503: twice does what once does: a void cannot be undone (document)",
		"createCharge": "409 in-flight: an attempt with the same key is still at work (operation)",
		"sendEmail":    "429: the provider says that nothing was done then: documented: nothing was accepted (derived)\na request that was not sent: what provably did not go out cannot happen twice (default)",
	} {
		if got := repeatLines(policy.Explain(operation(t, p, id))); !strings.Contains(got, want) {
			t.Errorf("%s:\n%s\nwant among them\n%s", id, got, want)
		}
	}
	charge := policy.Explain(operation(t, p, "createCharge"))
	if got := repeatLines(charge); !strings.Contains(got, "503: every attempt bears the same Idempotency-Key (document)") || !strings.Contains(got, "408: every attempt bears the same Idempotency-Key (default)") {
		t.Errorf("createCharge:\n%s", got)
	}
	if len(charge.Never) != 1 || !strings.Contains(charge.Never[0], "Idempotent-Replayed") {
		t.Errorf("never: %v", charge.Never)
	}
}

func TestWhatIsNotSentAgain(t *testing.T) {
	p := shop{root: "{retry: {when: {500: true}}}", params: "[{name: Idempotency-Key, in: header, schema: {type: string}}]"}.clean(t)
	e := policy.Explain(operation(t, p, "add"))
	if got := strings.Join(e.Never, "\n"); got != "500: the server stores it under the key and would give it back" {
		t.Errorf("never: %s", got)
	}
	if got := repeatLines(e); strings.Contains(got, "500") {
		t.Errorf("repeats:\n%s", got)
	}
	e = policy.Explain(operation(t, p, "other"))
	if len(e.Never) > 0 || notTaken(e.Operation) != "retry.maxAttempts 3 by default, taken 1: unsafe" {
		t.Errorf("never: %v, not taken: %s", e.Never, notTaken(e.Operation))
	}
	e = policy.Explain(operation(t, shop{root: "{retry: {enabled: false, because: x}}"}.clean(t), "add"))
	if len(e.Repeats) > 0 {
		t.Errorf("repeats:\n%s", repeatLines(e))
	}
}

func TestSectionsOfAnExplanation(t *testing.T) {
	e := policy.Explain(operation(t, shop{root: "{breaker: {enabled: false, because: x}}"}.clean(t), "list"))
	var names []string
	for _, s := range e.Sections {
		name := s.Name
		if s.Off {
			name += " off"
		}
		if s.Scope != "" {
			name += " of " + s.Scope
		}
		names = append(names, name)
	}
	c := "compartment the-shop https://shop.example"
	want := "fallback off, retry, retry.budget of " + c + ", breaker off of " + c + ", bulkhead of " + c + ", timeout, deadline off, idempotency, expect off of " + c
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("sections = %s\nwant %s", got, want)
	}
	// every value is in a section, once
	count := map[policy.Leaf]int{}
	for _, s := range e.Sections {
		for _, v := range s.Leaves {
			count[v.Leaf]++
		}
	}
	for _, v := range append(append(policy.Leaves{}, e.Operation.Leaves...), e.Operation.Compartment.Leaves...) {
		if count[v.Leaf] != 1 {
			t.Errorf("%s is shown %d times", v.Leaf, count[v.Leaf])
		}
	}
}

func TestVerdictIsExplained(t *testing.T) {
	for word, never := range map[string]string{
		"stop":  "an answer without X-Again: yes!, whatever its status: the server's own word decides",
		"judge": "an answer whose X-Again says something else: the server's own word decides",
	} {
		root := `{retry: {verdict: {header: X-Again, retry: "yes!", whenAbsent: ` + word + `}}}`
		e := policy.Explain(operation(t, shop{root: root}.clean(t), "list"))
		if got := repeatLines(e); !strings.Contains(got, "an answer with X-Again: yes!: it writes nothing") {
			t.Errorf("repeats:\n%s", got)
		}
		if !slices.Contains(e.Never, never) {
			t.Errorf("never: %q, want %q", e.Never, never)
		}
		if e := policy.Explain(operation(t, shop{root: root}.clean(t), "add")); strings.Contains(repeatLines(e), "X-Again") {
			t.Errorf("an unsafe write is sent again on the server's word:\n%s", repeatLines(e))
		}
	}
}
