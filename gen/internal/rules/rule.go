// Package rules judges a plan: what resgen refuses, warns of and remarks on.
// Each rule has a file of its own, a text in doc and, in testdata, an archive
// with an example that it finds and one that it does not.
//
// A finding is a diagnostic: its position is that of the leaf at fault, in the
// overlay's own file where the leaf came from there. Where that leaf is a
// default, or derived from defaults alone, the finding is no more than an
// info, so that a document without annotation has none above it. Numbers are
// compared as integers.
package rules

import (
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A Rule is one thing that rules judge, as data.
type Rule struct {
	ID       string        // "RG001"
	Name     string        // "unsafe-write-retried"
	Severity diag.Severity // of a finding, where resgen.yaml says nothing else; the highest where it depends
	Depends  string        // where it depends, on what: "error (critical), warning (enhancement)"; else empty
	Says     string        // what a finding means, in one sentence
}

// Severities is the severity in words, with what it depends on.
func (r Rule) Severities() string {
	if r.Depends != "" {
		return r.Depends
	}
	return r.Severity.String()
}

// Fixed reports whether the severity may only be raised, and no waiver or
// setting silences the rule for good: those on writes that may happen twice.
func (r Rule) Fixed() bool { return strings.HasPrefix(r.ID, "RG00") }

// A rule is a Rule with its check, which adds what it finds to the pass. The
// rules on waivers have none: they judge what waivers did to the others.
type rule struct {
	Rule
	check func(*pass)
}

// registry holds every rule, ordered by ID.
var registry = []*rule{
	rg001, rg002, rg003, rg004, rg005, rg006, rg007, rg008, rg009, rg010,
	rg101, rg102, rg103, rg104, rg105, rg106, rg107, rg108,
	rg201, rg202, rg203, rg204, rg205, rg206, rg207, rg208, rg209,
	rg301, rg302, rg303,
	rg401, rg402, rg403, rg404,
	rg501, rg502, rg503, rg504,
	rg601, rg602,
	rg901, rg902, rg903,
}

// All are the rules, ordered by ID.
func All() []Rule {
	out := make([]Rule, len(registry))
	for i, r := range registry {
		out[i] = r.Rule
	}
	return out
}

// Find is the rule with an ID or a name, in any case.
func Find(word string) (Rule, bool) {
	i := slices.IndexFunc(registry, func(r *rule) bool {
		return strings.EqualFold(r.ID, word) || strings.EqualFold(r.Name, word)
	})
	if i < 0 {
		return Rule{}, false
	}
	return registry[i].Rule, true
}
