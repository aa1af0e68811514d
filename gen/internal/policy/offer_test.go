package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// asked is an operation's asks as text: "retry.maxAttempts 3 by operation".
func asked(o *policy.Operation) string {
	var out []string
	for _, a := range o.Asks {
		out = append(out, fmt.Sprintf("%s %s by %s", a.Leaf, a.Text, a.Origin))
	}
	return strings.Join(out, "; ")
}

func notTaken(o *policy.Operation) string {
	var out []string
	for _, n := range o.NotTaken {
		out = append(out, fmt.Sprintf("%s %s by %s, taken %s: %s", n.Leaf, n.Text, n.Origin, n.Taken, n.Why))
	}
	return strings.Join(out, "; ")
}

func TestUnsafeWriteTakesNoOffer(t *testing.T) {
	cases := map[string]struct {
		shop shop
		want string
	}{
		"default":                {shop{}, "retry.maxAttempts 3 by default, taken 1: unsafe"},
		"document root":          {shop{root: "{retry: {maxAttempts: 4}}"}, "retry.maxAttempts 4 by document, taken 1: unsafe"},
		"path item":              {shop{path: "{retry: {maxAttempts: 5}}"}, "retry.maxAttempts 5 by path, taken 1: unsafe"},
		"policy file":            {shop{files: []string{"retry: {maxAttempts: 6}\n"}}, "retry.maxAttempts 6 by file base1.yaml, taken 1: unsafe"},
		"policy used at root":    {shop{root: "{policies: {p: {retry: {maxAttempts: 7}}}, use: p}"}, "retry.maxAttempts 7 by policy p, taken 1: unsafe"},
		"policy used on a path":  {shop{root: "{policies: {p: {retry: {maxAttempts: 8}}}}", path: "{use: p}"}, "retry.maxAttempts 8 by policy p, taken 1: unsafe"},
		"when alone, at a place": {shop{root: "{retry: {when: {500: true}}}"}, "retry.maxAttempts 3 by default, taken 1: unsafe"},
		"overlay at the root": {shop{root: "{owner: a}", overlays: []string{overlay("$", "{x-resilience: {retry: {maxAttempts: 9}}}")}},
			"retry.maxAttempts 9 by document via overlay1.yaml, taken 1: unsafe"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := operation(t, c.shop.clean(t), "add")
			wantLeaves(t, o, "retry.maxAttempts: 1 # derived", "retry.when: none # derived", "retry.notSent: 1 # default")
			if got := notTaken(o); got != c.want {
				t.Errorf("not taken: %q, want %q", got, c.want)
			}
			if len(o.Asks) > 0 || o.Repeatable() {
				t.Errorf("asks = %q, repeatable %v", asked(o), o.Repeatable())
			}
		})
	}
}

// overlay is an overlay with one action.
func overlay(target, update string) string {
	return "overlay: 1.0.0\ninfo: {title: ours, version: \"1\"}\nactions:\n  - target: " + target + "\n    update: " + update + "\n"
}

// routes are all ways for retry to reach the operation add, with whether they ask.
var routes = []struct {
	name string
	shop shop
	ask  string // empty: it offers
}{
	{"own maxAttempts", shop{add: "{retry: {maxAttempts: 2}}"}, "retry.maxAttempts 2 by operation"},
	{"own when map", shop{add: "{retry: {when: {503: true}}}"}, "retry.when 503 by operation"},
	{"own when range", shop{add: "{retry: {when: {5XX: true}}}"}, "retry.when 5XX by operation"},
	{"own when list", shop{add: "{retry: {when: [429, timeout]}}"}, "retry.when 429 by operation; retry.when timeout by operation"},
	{"own when false", shop{add: "{retry: {when: {503: false}}}"}, ""},
	{"own single attempt", shop{add: "{retry: {maxAttempts: 1, when: {503: true}}}"}, ""},
	{"own retry off", shop{add: "{retry: {enabled: false, because: no, maxAttempts: 3}}"}, ""},
	{"own backoff", shop{add: "{retry: {backoff: {max: 1s}, notSent: 1}}"}, ""},
	{"own verdict", shop{add: "{retry: {verdict: {header: Should-Retry}}}"}, ""},
	{"used policy", shop{root: "{policies: {p: {retry: {maxAttempts: 3}}}}", add: "{use: p}"}, "retry.maxAttempts 3 by policy p"},
	{"used policy's when", shop{root: "{policies: {p: {retry: {when: {connection: true}}}}}", add: "{use: p}"}, "retry.when connection by policy p"},
	{"used policy of a file", shop{files: []string{"policies: {p: {retry: {maxAttempts: 3}}}\n"}, add: "{use: p}"}, "retry.maxAttempts 3 by policy p"},
	{"used policy lowered", shop{root: "{policies: {p: {retry: {maxAttempts: 3}}}}", add: "{use: p, retry: {maxAttempts: 1}}"}, ""},
	{"overlay", shop{overlays: []string{overlay("$.paths['/things'].post", "{x-resilience: {retry: {maxAttempts: 3}}}")}}, "retry.maxAttempts 3 by operation via overlay1.yaml"},
	{"overlay on many", shop{overlays: []string{overlay("$.paths.*.*", "{x-resilience: {retry: {maxAttempts: 3}}}")}}, "retry.maxAttempts 3 by operation via overlay1.yaml"},
	{"overlay's use", shop{root: "{policies: {p: {retry: {maxAttempts: 3}}}}", overlays: []string{overlay("$.paths['/things'].post", "{x-resilience: {use: p}}")}}, "retry.maxAttempts 3 by policy p via overlay1.yaml"},
	{"overlay in a used policy", shop{root: "{policies: {p: {owner: me}}}", add: "{use: p}",
		overlays: []string{overlay("$['x-resilience'].policies.p", "{retry: {maxAttempts: 3}}")}}, "retry.maxAttempts 3 by policy p via overlay1.yaml"},
	{"path item", shop{path: "{retry: {maxAttempts: 3, when: {500: true}}}"}, ""},
	{"document root", shop{root: "{retry: {maxAttempts: 3, when: {500: true}}}"}, ""},
}

func TestAsks(t *testing.T) {
	for _, r := range routes {
		t.Run(r.name, func(t *testing.T) {
			o := operation(t, r.shop.clean(t), "add")
			if got := asked(o); got != r.ask {
				t.Errorf("asks = %q, want %q", got, r.ask)
			}
			if o.Class != policy.Unsafe {
				t.Fatalf("class = %s", o.Class)
			}
			wantLeaves(t, o, "retry.maxAttempts: 1", "retry.when: none")
		})
	}
}

// A class that permits repeats takes every offer and every ask.
func TestClassesTakeWhatReachesThem(t *testing.T) {
	classes := map[string]string{
		"safe":       "class: safe, because: a search, owner: me",
		"idempotent": "class: idempotent, because: set semantics, owner: me",
		"keyed":      "class: keyed, key: {in: header, name: Dedup-Key}",
	}
	for class, text := range classes {
		for _, place := range []string{"root", "path", "add"} {
			t.Run(class+" "+place, func(t *testing.T) {
				s := shop{add: "{idempotency: {" + text + "}}"}
				retry := "retry: {maxAttempts: 4, when: [503, timeout]}"
				switch place {
				case "root":
					s.root = "{" + retry + "}"
				case "path":
					s.path = "{" + retry + "}"
				case "add":
					s.add = "{" + retry + ", idempotency: {" + text + "}}"
				}
				o := operation(t, s.clean(t), "add")
				wantLeaves(t, o, "retry.maxAttempts: 4", "retry.when: 503 timeout")
				if o.Class.String() != class || len(o.NotTaken) > 0 {
					t.Errorf("class %s, not taken %q", o.Class, notTaken(o))
				}
			})
		}
	}
}

func TestRejects(t *testing.T) {
	idem := func(rejects string) string {
		return "idempotency: {rejects: " + rejects + ", because: documented, owner: me}"
	}
	cases := map[string]struct {
		add, when, attempts, left, asks string
	}{
		"one status":             {"{" + idem("[429]") + "}", "429", "3", "408 425 502 503 504 connection timeout", ""},
		"as a map":               {"{" + idem("{429: true, 503: false}") + "}", "429", "3", "408 425 502 503 504 connection timeout", ""},
		"a range":                {"{" + idem("[4XX]") + "}", "408 425 429", "3", "502 503 504 connection timeout", ""},
		"nothing that is asked":  {"{" + idem("[409]") + "}", "none", "1", "", ""},
		"own attempts":           {"{retry: {maxAttempts: 5}, " + idem("[429]") + "}", "429", "5", "408 425 502 503 504 connection timeout", ""},
		"own when, covered":      {"{retry: {when: {429: true, 409: true}}, " + idem("[429, 409]") + "}", "409 429", "3", "408 425 502 503 504 connection timeout", ""},
		"own when, not covered":  {"{retry: {when: {503: true}}, " + idem("[429]") + "}", "429", "3", "408 425 502 503 504 connection timeout", "retry.when 503 by operation"},
		"own word":               {"{retry: {when: {timeout: true}}, " + idem("[429]") + "}", "429", "3", "408 425 502 503 504 connection timeout", "retry.when timeout by operation"},
		"own range, one covered": {"{retry: {when: {5XX: true}}, " + idem("[503]") + "}", "503", "3", "408 425 429 5XX 502 504 connection timeout", "retry.when 5XX by operation"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := operation(t, shop{add: c.add}.clean(t), "add")
			wantLeaves(t, o, "retry.when: "+c.when+" # derived", "retry.maxAttempts: "+c.attempts)
			if got := asked(o); got != c.asks {
				t.Errorf("asks = %q, want %q", got, c.asks)
			}
			left := ""
			for _, n := range o.NotTaken {
				if n.Leaf == policy.RetryWhen {
					left = n.Text
				}
			}
			if left != c.left {
				t.Errorf("not taken of when = %q, want %q", left, c.left)
			}
			if o.Class != policy.Unsafe || o.Repeatable() {
				t.Errorf("class = %s, repeatable %v", o.Class, o.Repeatable())
			}
		})
	}
}
