package runtime

import (
	"bytes"
	"container/list"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// A keptAnswer is an answer as bytes: whoever is served with it decodes its own.
type keptAnswer struct {
	status int
	header http.Header
	body   []byte
	at     time.Time
}

// kept copies an answer.
func (a *Answer) kept() *keptAnswer {
	return &keptAnswer{status: a.Status, header: a.Header, body: bytes.Clone(a.Body), at: time.Now()}
}

// answer gives the answer to a caller, who may change what it is given.
func (k *keptAnswer) answer(method string) *Answer {
	return &Answer{Status: k.status, Header: maps.Clone(k.header), Method: method, Body: bytes.Clone(k.body)}
}

// copies are the last good answers, bounded in number and bytes; the one used
// longest ago goes first.
type copies struct {
	maxEntries int
	maxBytes   int64

	mu      sync.Mutex
	bytes   int64
	order   *list.List // of *variant, the last used in front
	entries map[identity][]*list.Element
}

// A variant is one answer to a request, and the request headers that the
// answer's Vary names.
type variant struct {
	id     identity
	vary   []string
	values []string
	answer *keptAnswer
}

const (
	defaultKeepEntries = 1000
	defaultKeepBytes   = 64 << 20
	entryOverhead      = 512 // bytes counted for an answer beside its body
)

func newCopies(k Keep) *copies {
	c := &copies{maxEntries: k.Entries, maxBytes: k.Bytes, order: list.New(), entries: make(map[identity][]*list.Element)}
	if c.maxEntries == 0 {
		c.maxEntries = defaultKeepEntries
	}
	if c.maxBytes == 0 {
		c.maxBytes = defaultKeepBytes
	}
	return c
}

// put keeps an answer in place of an earlier one to the same request.
func (c *copies) put(id identity, request http.Header, a *keptAnswer) {
	vary, ok := varyOf(a.header)
	if !ok || directive(a.header, "no-store") || directive(a.header, "must-revalidate") || directive(a.header, "no-cache") {
		return
	}
	v := &variant{id: id, vary: vary, values: valuesOf(request, vary), answer: a}
	if v.size() > c.maxBytes {
		return // it would only drive out all others
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.entries[id] {
		if old := e.Value.(*variant); old.answers(request) {
			c.remove(e)
			break
		}
	}
	c.entries[id] = append(c.entries[id], c.order.PushFront(v))
	c.bytes += v.size()
	for c.order.Len() > c.maxEntries || c.bytes > c.maxBytes {
		c.remove(c.order.Back())
	}
}

// get returns the copy for a request, at most maxAge old.
func (c *copies) get(id identity, request http.Header, maxAge time.Duration) (a *keptAnswer, age time.Duration, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.entries[id] {
		v := e.Value.(*variant)
		if !v.answers(request) {
			continue
		}
		if age = time.Since(v.answer.at); age > maxAge {
			c.remove(e)
			return nil, 0, false
		}
		c.order.MoveToFront(e)
		return v.answer, age, true
	}
	return nil, 0, false
}

func (c *copies) remove(e *list.Element) {
	v := e.Value.(*variant)
	c.order.Remove(e)
	c.bytes -= v.size()
	rest := slices.DeleteFunc(c.entries[v.id], func(have *list.Element) bool { return have == e })
	if len(rest) == 0 {
		delete(c.entries, v.id)
	} else {
		c.entries[v.id] = rest
	}
}

func (v *variant) size() int64 { return int64(len(v.answer.body)) + entryOverhead }

func (v *variant) answers(request http.Header) bool {
	return slices.Equal(v.values, valuesOf(request, v.vary))
}

// varyOf returns the request headers that an answer depends on; "*" is every
// one, so that it serves nobody else.
func varyOf(h http.Header) (names []string, ok bool) {
	for _, line := range h.Values("Vary") {
		for name := range strings.SplitSeq(line, ",") {
			switch name = http.CanonicalHeaderKey(strings.TrimSpace(name)); name {
			case "*":
				return nil, false
			case "":
			default:
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), true
}

func valuesOf(h http.Header, names []string) []string {
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = strings.Join(h.Values(name), "\n")
	}
	return values
}

// directive reports whether Cache-Control holds a word.
func directive(h http.Header, word string) bool {
	for _, line := range h.Values("Cache-Control") {
		for part := range strings.SplitSeq(line, ",") {
			name, _, _ := strings.Cut(strings.TrimSpace(part), "=")
			if strings.EqualFold(name, word) {
				return true
			}
		}
	}
	return false
}
