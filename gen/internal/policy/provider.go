package policy

import (
	"net/url"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// A provider is what a well-known one documents and its spec mostly does not
// say.
type provider struct {
	name    string
	domains []string // of its servers
	facts   []fact
}

type fact struct {
	path    []string
	yaml    string
	certain bool
	why     string
}

var providers = []provider{
	{"Stripe", []string{"stripe.com"}, []fact{
		{[]string{"retry", "verdict"}, `{header: Stripe-Should-Retry, retry: "true", whenAbsent: judge}`, true, "Stripe says in a header whether to send again."},
		{[]string{"idempotency", "key"}, `{in: header, name: Idempotency-Key, maxLength: 255, retention: 24h, stores: errors, statuses: {409: in-flight}, replayed: Idempotent-Replayed}`, false,
			"Stripe takes a key on every POST; state class: keyed on those that you call."},
	}},
	{"Adyen", []string{"adyen.com", "adyenpayments.com"}, []fact{
		{[]string{"retry", "verdict"}, `{header: transient-error, retry: "true", whenAbsent: stop}`, true, "Adyen says in a header whether to send again, and nothing means no."},
		{[]string{"idempotency", "key"}, `{maxLength: 64, retention: 168h, stores: errors, statuses: {422: {in-flight: {at: /errorCode, is: ["704"]}}}}`, true, "Adyen keeps a key for at least seven days, errors too."},
	}},
	{"PayPal", []string{"paypal.com"}, []fact{
		{[]string{"idempotency", "key"}, `{retention: 6h}`, true, "PayPal keeps a key for 6 hours to 45 days, by API: the shortest is assumed."},
	}},
	{"Modern Treasury", []string{"moderntreasury.com"}, []fact{
		{[]string{"idempotency", "key"}, `{retention: 24h, stores: success, statuses: {409: in-flight}}`, true, "Modern Treasury keeps successes for 24 hours, and answers 409 while one is at work."},
	}},
	{"Increase", []string{"increase.com"}, []fact{
		{[]string{"idempotency", "key"}, `{in: header, name: Idempotency-Key, maxLength: 200, replayed: Idempotent-Replayed}`, false, "Increase takes a key on all but GET; state class: keyed on those that you call."},
	}},
	{"OpenAI", []string{"openai.com"}, []fact{
		{[]string{"retry", "verdict"}, `{header: x-should-retry, retry: "true", whenAbsent: judge}`, true, "OpenAI says in a header whether to send again."},
		{[]string{"retry", "retryAfter", "headers"}, `{Retry-After-Ms: true}`, true, "OpenAI names a wait in milliseconds."},
	}},
	{"GitHub", []string{"api.github.com"}, []fact{
		{[]string{"retry", "retryAfter", "headers"}, `{X-RateLimit-Reset: true}`, true, "GitHub says when its limit is reset."},
	}},
	{"DigitalOcean", []string{"digitalocean.com"}, []fact{
		{[]string{"retry", "retryAfter", "headers"}, `{RateLimit-Reset: true}`, true, "DigitalOcean says when its limit is reset."},
	}},
}

// providerOf is the known provider whose servers the spec names, or nil.
func providerOf(api *model.API) *provider {
	for _, s := range api.Servers {
		u, err := url.Parse(s.URL)
		if err != nil {
			continue // a template in the host: not a known one
		}
		host := strings.ToLower(u.Hostname())
		for i := range providers {
			if slices.ContainsFunc(providers[i].domains, func(d string) bool { return host == d || strings.HasSuffix(host, "."+d) }) {
				return &providers[i]
			}
		}
	}
	return nil
}

func (p *provider) proposals(pos diag.Pos) []Proposal {
	var out []Proposal
	for _, f := range p.facts {
		out = append(out, Proposal{Target: "$", Path: f.path, YAML: f.yaml, Certain: f.certain, Why: f.why, From: "known provider " + p.name, Pos: pos})
	}
	return out
}

// verdictHeaders are headers known to hold the server's own word, in lower case.
var verdictHeaders = map[string]string{
	"stripe-should-retry": "judge", "x-should-retry": "judge", "should-retry": "judge", "transient-error": "stop",
}

// waitHeaders are headers besides Retry-After known to name a wait, in lower case.
var waitHeaders = map[string]bool{
	"retry-after-ms": true, "x-retry-after": true, "x-ratelimit-reset": true, "x-rate-limit-reset": true, "ratelimit-reset": true,
}

// answers proposes for the document what the headers of failed answers say.
func (p *proposer) answers() {
	proposed := map[string]bool{}
	for _, q := range p.out.Proposals {
		proposed[strings.Join(q.Path, ".")] = true
	}
	seen := map[string]bool{}
	for _, op := range p.api.Operations {
		for _, r := range op.Responses {
			if r.Success() {
				continue
			}
			for _, h := range r.Headers {
				name := strings.ToLower(h.Wire)
				if seen[name] {
					continue
				}
				seen[name] = true
				p.answerHeader(h, name, proposed)
			}
		}
	}
}

func (p *proposer) answerHeader(h *model.Param, name string, proposed map[string]bool) {
	absent := verdictHeaders[name]
	switch {
	case absent != "" && !proposed["retry.verdict"]:
		proposed["retry.verdict"] = true
		p.add(Proposal{
			Target: "$", Path: []string{"retry", "verdict"}, Certain: true, Pos: h.Pos, From: "response header " + h.Wire,
			YAML: "{header: " + flow(h.Wire) + `, retry: "true", whenAbsent: ` + absent + "}",
			Why:  "Failed answers declare a header with the server's own word.",
		})
	case waitHeaders[name] && !proposed["retry.retryAfter.headers"]:
		proposed["retry.retryAfter.headers"] = true
		p.add(Proposal{
			Target: "$", Path: []string{"retry", "retryAfter", "headers"}, Certain: true, Pos: h.Pos, From: "response header " + h.Wire,
			YAML: "{" + flow(h.Wire) + ": true}", Why: "Failed answers declare a header that names a wait.",
		})
	}
}

// countAnswers counts what an operation declares of overload.
func (p *proposer) countAnswers(op *model.Operation) {
	c := &p.out.Counts
	after := false
	for _, r := range op.Responses {
		if !r.Success() && slices.ContainsFunc(r.Headers, func(h *model.Param) bool { return strings.EqualFold(h.Wire, "Retry-After") }) {
			after = true
		}
	}
	if declares(op, 429) {
		c.Declare429++
	}
	if declares(op, 503) {
		c.Declare503++
	}
	if after {
		c.RetryAfter++
	}
}
