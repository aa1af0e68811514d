package runtime

import (
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Problem types with which another of our kind says why it did not try.
const (
	problemCircuitOpen = "urn:resgen:circuit-open"
	problemOverloaded  = "urn:resgen:overloaded"
	problemDeadline    = "urn:resgen:deadline-exceeded"
)

// judge reads what else a failed answer says: about the key, whether it is a
// stored one, and the server's own word on repeating.
func (c *Call) judge(x *execution, r *result, a *Answer) {
	p := x.plan.policy
	if c.key.Value != "" {
		c.judgeKey(p, r, a)
	}
	if v := p.Retry.Verdict; v.Header != "" {
		switch values := a.Header.Values(v.Header); {
		case len(values) > 0 && strings.EqualFold(strings.TrimSpace(values[0]), v.Retry):
			r.word = sayRepeat
		case len(values) > 0, v.WhenAbsent == Stop:
			r.word = sayStop
		}
	}
	if a.Status == 503 || a.Status == 504 {
		switch problemType(a) {
		case problemCircuitOpen:
			r.happened = remoteCircuitOpen
		case problemDeadline:
			r.happened = remoteDeadline
		}
	}
	if x.plan.rejects.has(a.Status) {
		r.outcome = Rejected
	}
}

// judgeKey reads what an answer to a request with a key says about it.
func (c *Call) judgeKey(p *Policy, r *result, a *Answer) {
	r.stored = c.replayed
	for i := range p.Key.Statuses {
		if s := &p.Key.Statuses[i]; s.Status == a.Status && s.matches(a.Body) {
			r.meaning = s.Means
			break
		}
	}
	if r.meaning == InFlight {
		r.happened = keyInFlight
	}
	if r.meaning != InFlight && p.Key.Stores != StoresSuccess && a.Status >= 500 && (a.Status < 502 || a.Status > 504) {
		r.stored = true
	}
}

// inFlight reports whether a status alone says that the first attempt still runs.
func (k *KeyRule) inFlight(status int) bool {
	return slices.ContainsFunc(k.Statuses, func(s KeyStatus) bool { return s.Status == status && s.Means == InFlight && s.At == "" })
}

// marked reports whether an answer says that it was stored under the key.
func (k *KeyRule) marked(h http.Header) bool {
	if k.Replayed == "" {
		return false
	}
	v := h.Get(k.Replayed)
	return v != "" && !strings.EqualFold(v, "false")
}

// matches looks into the body where the status alone does not say it.
func (s *KeyStatus) matches(body []byte) bool {
	if s.At == "" {
		return true
	}
	value, ok := valueAt(body, s.At)
	if !ok {
		return false
	}
	text := string(value)
	if value.Kind() == '"' {
		if unquoted, err := jsontext.AppendUnquote(nil, value); err == nil {
			text = string(unquoted)
		}
	}
	return slices.Contains(s.Is, text) || len(s.Is) == 0
}

// valueAt finds a value by its JSON pointer.
func valueAt(body []byte, pointer string) (jsontext.Value, bool) {
	value := jsontext.Value(body)
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		part = unescapePointer(part)
		switch value.Kind() {
		case '{':
			var members map[string]jsontext.Value
			if json.Unmarshal(value, &members, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
				return nil, false
			}
			value = members[part]
		case '[':
			var items []jsontext.Value
			i, ok := index(part)
			if json.Unmarshal(value, &items, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil || !ok || i >= len(items) {
				return nil, false
			}
			value = items[i]
		default:
			return nil, false
		}
		if value == nil {
			return nil, false
		}
	}
	return value, true
}

func unescapePointer(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}

func index(s string) (int, bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// problemType returns the type of a problem answer (RFC 9457).
func problemType(a *Answer) string {
	media, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if err != nil || media != "application/problem+json" {
		return ""
	}
	var problem struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(a.Body, &problem, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return ""
	}
	return problem.Type
}
