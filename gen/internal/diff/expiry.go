package diff

import (
	"slices"
	"strings"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// Current is a record as it holds on a day: without the waivers that have
// ended before. The zero day leaves all of them. The record that it was given
// does not change.
func Current(r *policy.Record, day time.Time) *policy.Record {
	if day.IsZero() {
		return r
	}
	today := day.UTC().Format(time.DateOnly)
	ended := func(l policy.Line) bool {
		return strings.HasPrefix(l.Key, "waive ") && l.Until != "" && l.Until < today
	}
	out := *r
	out.Compartments, out.Operations = slices.Clone(r.Compartments), slices.Clone(r.Operations)
	for i, c := range out.Compartments {
		kept := *c
		kept.Lines = slices.DeleteFunc(slices.Clone(c.Lines), ended)
		out.Compartments[i] = &kept
	}
	for i, o := range out.Operations {
		kept := *o
		kept.Lines = slices.DeleteFunc(slices.Clone(o.Lines), ended)
		out.Operations[i] = &kept
	}
	return &out
}
