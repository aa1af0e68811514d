package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// Foreign are the proposals that other tools' annotations on an operation, or
// on the document (op nil), amount to.
func Foreign(doc *document.Doc, op *model.Operation) []Proposal {
	key := fernKey(doc.Root)
	if op == nil {
		return foreign(doc.Root, "$", Safe, key)
	}
	var diags diag.List
	s := (&reader{words: words, doc: doc, diags: &diags}).find(doc).spot(op)
	return foreign(s.node, operationTarget(s.key, op.Method), proven(op.Method), key)
}

// foreign reads other tools' annotations on an object. On a write that the
// method does not prove repeatable, what would have it sent again is not certain.
func foreign(n document.Node, target string, proven Class, key string) []Proposal {
	var out []Proposal
	add := func(from string, certain bool, path, yaml, why string, at document.Node) {
		out = append(out, Proposal{Target: target, Path: strings.Split(path, "."), YAML: yaml, Certain: certain, Why: why, From: from, Pos: at.Pos()})
	}
	repeatable := proven != Unsafe
	if v := n.Get("x-speakeasy-retries"); v.Exists() {
		out = append(out, speakeasyRetries(v, target, repeatable)...)
	}
	if v := n.Get("x-speakeasy-timeout"); v.Exists() {
		if d, ok := milliseconds(v); ok {
			add("x-speakeasy-timeout", true, "timeout.total", FormatDuration(d), "The limit of the whole call.", v)
		}
	}
	if v := n.Get("x-fern-retries"); v.Get("disabled").Text() == "true" {
		add("x-fern-retries", true, "retry", `{enabled: false, because: "x-fern-retries disables them"}`, "Retries are disabled.", v)
	}
	if v := n.Get("x-fern-idempotent"); v.Text() == "true" && !repeatable {
		if key != "" {
			add("x-fern-idempotent", true, "idempotency.key", "{in: header, name: "+flow(key)+"}", "The operation takes the header of x-fern-idempotency-headers.", v)
		} else {
			add("x-fern-idempotent", false, "idempotency.class", "keyed", "The operation is said to take an idempotency key: in which header?", v)
		}
	}
	if v := n.Get("x-linkerd-retryable"); v.Text() == "true" && !repeatable {
		add("x-linkerd-retryable", false, "idempotency", `{class: idempotent, because: "x-linkerd-retryable", owner: …}`, "The operation is said to be retryable: is twice as good as once?", v)
	}
	if v := n.Get("x-linkerd-timeout"); v.Exists() {
		if d, err := time.ParseDuration(v.Text()); err == nil && d > 0 {
			add("x-linkerd-timeout", true, "timeout.total", FormatDuration(d), "The limit of the whole call.", v)
		}
	}
	return out
}

func milliseconds(n document.Node) (time.Duration, bool) {
	ms, err := strconv.ParseInt(n.Text(), 10, 40)
	return time.Duration(ms) * time.Millisecond, err == nil && ms > 0
}

// fernKey is the first header of x-fern-idempotency-headers, or empty.
func (p *proposer) fernKey() string { return fernKey(p.doc.Root) }

func fernKey(root document.Node) string {
	for item := range root.Get("x-fern-idempotency-headers").Items() {
		if name := item.Get("header").Text(); namePattern.MatchString(name) {
			return name
		}
	}
	return ""
}

// speakeasyRetries reads x-speakeasy-retries.
func speakeasyRetries(n document.Node, target string, repeatable bool) []Proposal {
	const from = "x-speakeasy-retries"
	var out []Proposal
	add := func(certain bool, path, yaml, why string, at document.Node) {
		out = append(out, Proposal{Target: target, Path: strings.Split(path, "."), YAML: yaml, Certain: certain, Why: why, From: from, Pos: at.Pos()})
	}
	if n.Get("strategy").Text() == noLimit {
		add(true, "retry", `{enabled: false, because: "x-speakeasy-retries has strategy none"}`, "Retries are disabled.", n)
		return out
	}
	if yaml := speakeasyBackoff(n.Get("backoff")); yaml != "" {
		add(true, "retry.backoff", yaml, "The waits between attempts.", n.Get("backoff"))
	}
	if d, ok := milliseconds(n.At("backoff", "maxElapsedTime")); ok {
		add(d <= 15*time.Minute, "timeout.total", FormatDuration(d), "The time after which retries end.", n.At("backoff", "maxElapsedTime"))
	}
	if members := speakeasyWhen(n); len(members) > 0 {
		add(repeatable, "retry.when", "{"+strings.Join(members, ", ")+"}", "What is worth another attempt; statuses that a repeat cannot mend are left out.", n)
	}
	return out
}

func speakeasyBackoff(n document.Node) string {
	var parts []string
	initial, hasInitial := milliseconds(n.Get("initialInterval"))
	longest, hasLongest := milliseconds(n.Get("maxInterval"))
	if hasInitial && (!hasLongest || initial <= longest) {
		parts = append(parts, "initial: "+FormatDuration(initial))
	}
	if hasLongest {
		parts = append(parts, "max: "+FormatDuration(longest))
	}
	if v, ok := scaled(n.Get("exponent").Text(), 3); ok && v >= 1000 && v <= 10000 {
		parts = append(parts, "multiplier: "+unscaled(v, 3))
	}
	if len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// transient are the statuses that a repeat may mend.
var transient = []string{"408", "425", "429", "500", "502", "503", "504"}

func speakeasyWhen(n document.Node) []string {
	var statuses []string
	add := func(status string) {
		if !slices.Contains(statuses, status) {
			statuses = append(statuses, status)
		}
	}
	for item := range n.Get("statusCodes").Items() {
		text := strings.ToUpper(item.Text())
		for _, t := range transient {
			if text == t || text == "5XX" && t[0] == '5' {
				add(t)
			}
		}
	}
	slices.Sort(statuses)
	var out []string
	for _, s := range statuses {
		out = append(out, s+": true")
	}
	if v := n.Get("retryConnectionErrors"); v.Kind() == document.Bool {
		out = append(out, fmt.Sprintf("connection: %s", v.Text()))
	}
	return out
}
