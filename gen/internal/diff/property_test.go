package diff_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/resgen-dev/resgen/gen/internal/diff"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// TestCompareItself holds that a record does not differ from itself.
func TestCompareItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRecord(t, "record")
		if got := diff.Compare(r, r); len(got.Changes) > 0 || got.Unchanged != len(r.Operations) {
			t.Fatalf("a record and itself: %+v", got)
		}
	})
}

// TestCompareBack holds that every change has its mirror image on the way
// back, with a direction that fits, that nothing depends on the order of
// operations, and that fingerprints tell rows apart.
func TestCompareBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, new := drawRecord(t, "old"), drawRecord(t, "new")
		there, back := diff.Compare(old, new), diff.Compare(new, old)
		a, b := singles(there), singles(back)
		for k, d := range a {
			other, ok := b[swapped(k)]
			if !ok || !opposite(d, other) {
				t.Fatalf("%v is %v one way and %v (%v) the other", k, d, other, ok)
			}
		}
		if len(a) != len(b) || there.Unchanged != back.Unchanged {
			t.Fatalf("%d and %d changes, %d and %d unchanged", len(a), len(b), there.Unchanged, back.Unchanged)
		}
		seen := map[string]diff.Change{}
		for i, c := range there.Changes {
			if other, twice := seen[c.Fingerprint]; twice {
				t.Fatalf("one fingerprint for %+v and %+v", c, other)
			}
			seen[c.Fingerprint] = c
			if i > 0 && c.Direction < there.Changes[i-1].Direction {
				t.Fatalf("%v comes after %v", c.Direction, there.Changes[i-1].Direction)
			}
		}
		slices.Reverse(old.Operations)
		if again := diff.Compare(old, new); fmt.Sprint(again) != fmt.Sprint(there) {
			t.Fatalf("in another order:\n%v\nwant\n%v", again, there)
		}
	})
}

// drawRecord draws a small record, in which few values make clashes likely.
func drawRecord(t *rapid.T, label string) *policy.Record {
	r := &policy.Record{Version: rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, label+" version")}
	ids := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"shop https://a", "shop https://a reports", "shop https://b"}), 1, 3, rapid.ID).Draw(t, label+" compartments")
	for _, id := range ids {
		r.Compartments = append(r.Compartments, &policy.RecordCompartment{
			ID: id, Lines: drawLines(t, compartmentValues), All: drawLines(t, operationValues),
		})
	}
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), rapid.ID).Draw(t, label+" operations") {
		method := map[string]string{"a": "GET", "b": "POST", "c": "PUT", "d": "POST"}[name]
		r.Operations = append(r.Operations, &policy.RecordOperation{
			Method: method, Path: "/" + name, ID: name,
			Compartment: rapid.SampledFrom(ids).Draw(t, name+" compartment"),
			Lines:       append(drawLines(t, ownValues), drawLines(t, operationValues)...),
		})
	}
	return r
}

// A choice is a key of the record with values that it may have.
type choice struct {
	key    string
	values []string
}

var (
	compartmentValues = []choice{
		{"breaker.enabled", []string{"false"}},
		{"breaker.failureRate", []string{"25%", "0.5%", "50%"}},
		{"bulkhead.maxConcurrent", []string{"4", "64"}},
		{"retry.budget.floor", []string{"1/s", "30/m"}},
		{"waive RG503", []string{"waived"}},
	}
	operationValues = []choice{
		{"timeout.total", []string{"3s", "15s", "none"}},
		{"retry.maxAttempts", []string{"1", "3", "4"}},
		{"retry.when", []string{"none", "429 503", "5XX !501", "503 timeout"}},
		{"retry.backoff.jitter", []string{"full", "none"}},
		{"fallback.kind", []string{"none", "stale"}},
		{"fallback.maxAge", []string{"5m", "1h"}},
		{"breaker.counts", []string{"5XX !501", "5XX"}},
	}
	ownValues = []choice{
		{"class", []string{"safe", "idempotent", "keyed", "unsafe"}},
		{"key", []string{"header Idempotency-Key, auto, stores errors", "header Idempotency-Key, auto, 4s, stores errors", "query once, caller, 24h, stores success"}},
		{"key.statuses", []string{"409 in-flight", "409 in-flight at /code is done, 422 mismatch", "409 done"}},
		{"rejects", []string{"429", "429 503"}},
		{"alreadyDone", []string{"404"}},
	}
)

func drawLines(t *rapid.T, choices []choice) []policy.Line {
	var out []policy.Line
	for _, c := range choices {
		if c.key == "class" || rapid.Bool().Draw(t, c.key) {
			l := policy.Line{Key: c.key, Value: rapid.SampledFrom(c.values).Draw(t, c.key)}
			l.Origins = []policy.LineOrigin{{Layer: rapid.SampledFrom([]string{"default", "document", "operation"}).Draw(t, "layer")}}
			if rapid.Bool().Draw(t, "reason") {
				l.Because, l.Owner, l.Until = "so", "team", rapid.SampledFrom([]string{"", "2027-01-01", "2028-01-01"}).Draw(t, "until")
			}
			out = append(out, l)
		}
	}
	return out
}
