package diff

import (
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// A pair is the same thing on both sides.
type pair[T any] struct{ old, new *T }

// match finds what is on both sides, in the new one's order, and what is on
// one only. Things are the same under the first key that names one of those
// left on either side; an empty key, or one that names several, names none.
func match[T any](old, new []*T, keys ...func(*T) string) (pairs []pair[T], gone, came []*T) {
	partner, taken := map[*T]*T{}, map[*T]bool{}
	for _, key := range keys {
		left, right := byKey(old, taken, key), byKey(new, taken, key)
		for k, o := range left {
			if n := right[k]; o != nil && n != nil && k != "" {
				partner[n] = o
				taken[o], taken[n] = true, true
			}
		}
	}
	for _, n := range new {
		if o := partner[n]; o != nil {
			pairs = append(pairs, pair[T]{o, n})
			continue
		}
		came = append(came, n)
	}
	for _, o := range old {
		if !taken[o] {
			gone = append(gone, o)
		}
	}
	return pairs, gone, came
}

// byKey are the things not yet taken by a key; nil under one that several have.
func byKey[T any](things []*T, taken map[*T]bool, key func(*T) string) map[string]*T {
	out := map[string]*T{}
	for _, t := range things {
		if taken[t] {
			continue
		}
		k := key(t)
		if _, twice := out[k]; twice {
			out[k] = nil
			continue
		}
		out[k] = t
	}
	return out
}

// matchOperations matches operations by method and path, then where only the
// parameters of the path have other names, then by method and id.
func matchOperations(old, new *policy.Record) (pairs []pair[policy.RecordOperation], gone, came []*policy.RecordOperation) {
	return match(old.Operations, new.Operations, exactKey, templateKey, idKey)
}

func exactKey(o *policy.RecordOperation) string { return o.Method + " " + o.Path }

// templateKey is exactKey with the parameters of the path unnamed.
func templateKey(o *policy.RecordOperation) string {
	var b strings.Builder
	inside := false
	for _, r := range exactKey(o) {
		switch {
		case r == '{':
			inside = true
			b.WriteString("{}")
		case r == '}':
			inside = false
		case !inside:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func idKey(o *policy.RecordOperation) string {
	if o.ID == "" {
		return ""
	}
	return o.Method + " " + o.ID
}

// matchCompartments matches compartments by their ID, then where only the host
// is another one, then where only the dependency has another name, and last by
// the compartment's own name.
func matchCompartments(old, new *policy.Record) (pairs []pair[policy.RecordCompartment], gone, came []*policy.RecordCompartment) {
	id := func(c *policy.RecordCompartment) string { return c.ID }
	hostless := func(c *policy.RecordCompartment) string {
		i := identify(c.ID)
		return i.dependency + " " + i.name
	}
	elsewhere := func(c *policy.RecordCompartment) string {
		i := identify(c.ID)
		return i.host + " " + i.name
	}
	name := func(c *policy.RecordCompartment) string { return "named " + identify(c.ID).name }
	return match(old.Compartments, new.Compartments, id, hostless, elsewhere, name)
}

// An identity is the ID of a compartment, taken apart.
type identity struct{ dependency, host, name string }

func identify(id string) identity {
	var i identity
	for n, word := range strings.Fields(id) {
		switch {
		case n == 0:
			i.dependency = word
		case strings.Contains(word, "://"):
			i.host = word
		default:
			i.name = word
		}
	}
	return i
}

// otherwise says what of a compartment's identity is another one.
func otherwise(old, new string) (leaf, why string) {
	if identify(old).dependency != identify(new).dependency {
		return "dependency", "the same compartment under another dependency's name"
	}
	return "host", "the same compartment goes to another host"
}
