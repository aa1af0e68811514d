package diff_test

import (
	"testing"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diff"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

func TestCurrent(t *testing.T) {
	waived := func(until string) *policy.Record {
		r := &policy.Record{Version: 1, Compartments: []*policy.RecordCompartment{{ID: "shop"}}}
		if until != "" {
			r.Compartments[0].Lines = []policy.Line{{Key: "waive RG503", Value: "waived", Until: until, Origins: []policy.LineOrigin{{Layer: "document"}}}}
		}
		return r
	}
	for _, c := range []struct {
		name     string
		old, new string // until
		day      string
		want     string
	}{
		{"a new waiver that has ended is none", "", "2026-12-31", "2027-01-01", "no change; 0 operations unchanged"},
		{"it holds on its last day", "", "2027-01-01", "2027-01-01", "1 weakened; 0 operations unchanged"},
		{"one that had ended comes back", "2026-12-31", "2027-06-30", "2027-01-01", "1 weakened; 0 operations unchanged"},
		{"without a day nothing ends", "", "2000-01-01", "", "1 weakened; 0 operations unchanged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var day time.Time
			if c.day != "" {
				day, _ = time.Parse(time.DateOnly, c.day)
			}
			got := diff.Compare(diff.Current(waived(c.old), day), diff.Current(waived(c.new), day)).Summary()
			if got != c.want {
				t.Errorf("summary = %q, want %q", got, c.want)
			}
		})
	}
}
