package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// A class is a way in which an operation comes by its class.
type class struct {
	name    string
	method  string
	idem    string // content of its idempotency section; empty: none
	policy  bool   // the section stands in a policy that the operation uses
	declare string // a header parameter to declare; empty: none
	exposed bool   // a repeat may be a second write
}

var classes = []class{
	{name: "silent POST", method: "post", exposed: true},
	{name: "silent PATCH", method: "patch", exposed: true},
	{name: "POST called unsafe", method: "post", idem: "class: unsafe", exposed: true},
	{name: "PUT called unsafe", method: "put", idem: "class: unsafe", exposed: true},
	{name: "GET called unsafe", method: "get", idem: "class: unsafe", exposed: true},
	{name: "DELETE called unsafe by a policy", method: "delete", idem: "class: unsafe", policy: true, exposed: true},
	{name: "keyed without a key", method: "post", idem: "class: keyed", exposed: true},
	{name: "unsafe although a key is declared", method: "post", idem: "class: unsafe", declare: "Idempotency-Key", exposed: true},
	{name: "a correlation id is no key", method: "post", declare: "X-Request-Id", exposed: true},

	{name: "GET", method: "get"},
	{name: "HEAD", method: "head"},
	{name: "OPTIONS", method: "options"},
	{name: "PUT", method: "put"},
	{name: "DELETE", method: "delete"},
	{name: "POST called safe", method: "post", idem: "class: safe, because: it reads, owner: team"},
	{name: "POST called safe by a policy", method: "post", idem: "class: safe, because: it reads, owner: team", policy: true},
	{name: "PATCH called idempotent", method: "patch", idem: "class: idempotent, because: last one wins, owner: team"},
	{name: "POST keyed by annotation", method: "post", idem: "class: keyed, key: {in: header, name: Idempotency-Key}", declare: "Idempotency-Key"},
	{name: "POST keyed by an undeclared header", method: "post", idem: "class: keyed, key: {in: header, name: X-Once}"},
	{name: "POST keyed by inference", method: "post", declare: "idempotency-key"},
	{name: "PATCH keyed by inference", method: "patch", declare: "PayPal-Request-Id"},
}

// A route is a way in which retry reaches an operation. § marks the leaf at
// fault where it asks.
type route struct {
	name    string
	own     string // lines of the operation's x-resilience
	path    string // … of its path item's
	root    string // … of the document's
	named   string // content of the policy "p" of the document
	file    string // a policy file
	overlay string // actions
	rejects string // statuses
	asks    int    // how many leaves ask
}

var routes = []route{
	{name: "own maxAttempts", own: "retry: {maxAttempts: §3}", asks: 1},
	{name: "own maxAttempts of two", own: "retry: {maxAttempts: §2}", asks: 1},
	{name: "own when", own: "retry: {when: {503: §true}}", asks: 1},
	{name: "own when of a default", own: "retry: {when: {429: §true}}", asks: 1},
	{name: "own range", own: "retry: {when: {5XX: §true}}", asks: 1},
	{name: "own timeout", own: "retry: {when: {timeout: §true}}", asks: 1},
	{name: "own connection", own: "retry: {when: {connection: §true}}", asks: 1},
	{name: "own list", own: "retry: {when: [§503]}", asks: 1},
	{name: "list of two", own: "retry: {when: [§503, §timeout]}", asks: 2},
	{name: "attempts and when", own: "retry: {maxAttempts: §4, when: {503: §true}}", asks: 2},
	{name: "one of several members", own: "retry: {when: {429: false, 502: §true, 504: false}}", asks: 1},
	{name: "rejects does not cover", own: "retry: {when: {503: §true, 429: true}}", rejects: "[429]", asks: 1},
	{name: "rejects does not cover the range", own: "retry: {when: {5XX: §true}}", rejects: "[503]", asks: 1},
	{name: "rejects leaves out what the range holds", own: "retry: {when: {5XX: §true}}", rejects: "{5XX: true, 500: false}", asks: 1},
	{name: "rejects leaves out the member", own: "retry: {when: {500: §true}}", rejects: "{5XX: true, 500: false}", asks: 1},
	{name: "rejects does not cover a time-out", own: "retry: {when: {timeout: §true}}", rejects: "[429, 503]", asks: 1},
	{name: "over an offer", own: "retry: {maxAttempts: §3}", root: "retry: {maxAttempts: 2}", asks: 1},
	{name: "when under a single attempt of the root", own: "retry: {when: {503: §true}}", root: "retry: {maxAttempts: 1}", asks: 1},
	{name: "under retry that the root switches off", own: "retry: {maxAttempts: §3}", root: "retry: {enabled: false, because: not yet}", asks: 1},
	{name: "policy used", own: "use: p", named: "retry: {maxAttempts: §3}", asks: 1},
	{name: "policy used with when", own: "use: p", named: "retry: {when: {503: §true}}", asks: 1},
	{name: "policy of a policy file used", own: "use: q", file: "policies:\n  q: {retry: {maxAttempts: §3}}\n", asks: 1},
	{name: "overlay on the operation", overlay: "  - target: $.paths['/things'].METHOD\n    update: {x-resilience: {retry: {maxAttempts: §3}}}\n", asks: 1},
	{name: "overlay whose target matches many", overlay: "  - target: $.paths.*[?@.operationId]\n    update: {x-resilience: {retry: {maxAttempts: §3}}}\n", asks: 1},
	{name: "overlay with when", overlay: "  - target: $.paths.*.*\n    update: {x-resilience: {retry: {when: {503: §true}}}}\n", asks: 1},
	{name: "overlay that uses a policy", named: "retry: {maxAttempts: §3}", overlay: "  - target: $.paths.*.METHOD\n    update: {x-resilience: {use: p}}\n", asks: 1},
	{name: "overlay that raises the policy used", own: "use: p", named: "retry: {maxAttempts: 1}", overlay: "  - target: $['x-resilience'].policies.p\n    update: {retry: {maxAttempts: §3}}\n", asks: 1},
	{name: "overlay that raises the own leaf", own: "retry: {maxAttempts: 1}", overlay: "  - target: $.paths.*.METHOD['x-resilience'].retry\n    update: {maxAttempts: §3}\n", asks: 1},
	{name: "overlay that defines and uses a policy", overlay: "  - target: $\n    update: {x-resilience: {policies: {r: {retry: {maxAttempts: §3}}}}}\n  - target: $.paths.*.METHOD\n    update: {x-resilience: {use: r}}\n", asks: 1},

	{name: "nothing"},
	{name: "offered by the root", root: "retry: {maxAttempts: 5, when: {500: true, timeout: true}}"},
	{name: "offered by the path item", path: "retry: {maxAttempts: 5, when: {500: true}}"},
	{name: "offered by a policy file", file: "retry: {maxAttempts: 5, when: {500: true}}\n"},
	{name: "policy used at the root", root: "use: p", named: "retry: {maxAttempts: 3, when: {500: true}}"},
	{name: "policy used on the path item", path: "use: p", named: "retry: {maxAttempts: 3, when: {500: true}}"},
	{name: "overlay on the root", overlay: "  - target: $\n    update: {x-resilience: {retry: {maxAttempts: 5}}}\n"},
	{name: "overlay on every path item", overlay: "  - target: $.paths.*\n    update: {x-resilience: {retry: {maxAttempts: 5}}}\n"},
	{name: "policy that nobody uses", named: "retry: {maxAttempts: 5}"},
	{name: "one attempt", own: "retry: {maxAttempts: 1}"},
	{name: "one attempt of many offered", own: "retry: {maxAttempts: 1}", root: "retry: {maxAttempts: 5}"},
	{name: "members taken out", own: "retry: {when: {503: false, timeout: false}}"},
	{name: "empty list", own: "retry: {when: []}"},
	{name: "policy with one attempt", own: "use: p", named: "retry: {maxAttempts: 1}"},
	{name: "one attempt over the policy used", own: "use: p\nretry: {maxAttempts: 1}", named: "retry: {maxAttempts: 5}"},
	{name: "retry off over the policy used", own: "use: p\nretry: {enabled: false, because: nobody waits}", named: "retry: {maxAttempts: 5}"},
	{name: "rejects covers", own: "retry: {when: {429: true, 503: true}}", rejects: "[429, 503]"},
	{name: "rejects covers by its range", own: "retry: {when: {503: true}}", rejects: "[5XX]"},
	{name: "rejects covers what is left of the range", own: "retry: {when: {5XX: true, 500: false, 501: false}}", rejects: "{5XX: true, 500: false}"},
	{name: "attempts for what rejects holds", own: "retry: {maxAttempts: 3}", rejects: "[429]"},
	{name: "other leaves of retry", own: "retry: {backoff: {initial: 50ms}, retryAfter: {max: 1s}}"},
	{name: "policy without retry", own: "use: p", named: "timeout: {attempt: 250ms}"},
}

// TestUnsafeWriteRetried is the matrix: every way in which retry reaches an
// operation with every way in which it comes by its class.
func TestUnsafeWriteRetried(t *testing.T) {
	for _, c := range classes {
		for _, r := range routes {
			t.Run(c.name+"/"+r.name, func(t *testing.T) { runRoute(t, c, r) })
		}
	}
}

func runRoute(t *testing.T, c class, r route) {
	t.Chdir(t.TempDir())
	want := writeRoute(t, c, r)
	if !c.exposed {
		want = nil
	}
	var overlays []string
	var settings policy.Settings
	if r.overlay != "" {
		overlays = []string{"o.yaml"}
	}
	if r.file != "" {
		settings.Files = []policy.File{policyFile(t, "f.yaml")}
	}
	var got []diag.Pos
	for _, d := range rules.Check(resolved(t, "spec.yaml", overlays, settings), rules.Config{}) {
		if d.Code == "RG010" && slices.Contains(want, d.Pos) {
			t.Errorf("an ask is called an offer: %v", d)
		}
		if d.Code != "RG001" {
			continue
		}
		got = append(got, d.Pos)
		if d.Severity != diag.Error || !strings.Contains(d.Message, strings.ToUpper(c.method)+" /things") || d.Hint == "" {
			t.Errorf("finding %v with hint %q, want an error that names the operation and the ways out", d, d.Hint)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("RG001 at %v, want %v", got, want)
	}
}

// writeRoute writes the files of a combination and gives the places marked.
func writeRoute(t *testing.T, c class, r route) []diag.Pos {
	own, named, other := r.own, r.named, ""
	idem := c.idem
	if r.rejects != "" {
		reason := ", because: documented, owner: team"
		if strings.Contains(idem, "because") {
			reason = ""
		}
		idem = strings.TrimPrefix(idem+", rejects: "+r.rejects+reason, ", ")
	}
	section := "idempotency: {" + idem + "}"
	switch {
	case idem == "":
	case c.policy && !strings.Contains(own, "use:") && r.overlay == "":
		own, other = strings.TrimPrefix(own+"\nuse: c", "\n"), section
	case c.policy && strings.Contains(own, "use: p"):
		named += ", " + section
	default:
		own = strings.TrimPrefix(own+"\n"+section, "\n")
	}
	root := r.root
	if named+other != "" {
		root = strings.TrimPrefix(root+"\npolicies: {p: {"+named+"}, c: {"+other+"}}", "\n")
	}
	var b strings.Builder
	b.WriteString("openapi: 3.0.3\ninfo: {title: Things, version: \"1\"}\n")
	annotate(&b, "", root)
	b.WriteString("paths:\n  /things:\n")
	annotate(&b, "    ", r.path)
	fmt.Fprintf(&b, "    %s:\n      operationId: thing\n", c.method)
	if c.declare != "" {
		fmt.Fprintf(&b, "      parameters: [{name: %s, in: header, schema: {type: string}}]\n", c.declare)
	}
	annotate(&b, "      ", own)
	b.WriteString("      responses: {\"200\": {description: done}}\n")

	want := marked(t, "spec.yaml", b.String())
	if r.overlay != "" {
		want = append(want, marked(t, "o.yaml", "overlay: 1.0.0\ninfo: {title: Ours, version: \"1\"}\nactions:\n"+strings.ReplaceAll(r.overlay, "METHOD", c.method))...)
	}
	if r.file != "" {
		want = append(want, marked(t, "f.yaml", r.file)...)
	}
	if len(want) != r.asks {
		t.Fatalf("%d places marked, want %d", len(want), r.asks)
	}
	slices.SortFunc(want, diag.Pos.Compare)
	return want
}

// annotate writes an x-resilience with the lines, if there are any.
func annotate(b *strings.Builder, indent, lines string) {
	if lines == "" {
		return
	}
	b.WriteString(indent + "x-resilience:\n")
	for line := range strings.Lines(lines + "\n") {
		b.WriteString(indent + "  " + line)
	}
}

// marked writes a file without its marks and gives their places.
func marked(t *testing.T, name, text string) []diag.Pos {
	t.Helper()
	var marks []diag.Pos
	n := 0
	for line := range strings.Lines(text) {
		n++
		for col := strings.Index(line, "§"); col >= 0; col = strings.Index(line, "§") {
			line = strings.Replace(line, "§", "", 1)
			marks = append(marks, diag.Pos{File: name, Line: n, Col: col + 1})
		}
	}
	write(t, name, strings.ReplaceAll(text, "§", ""))
	return marks
}
