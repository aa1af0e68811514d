package diff

import (
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// sources are the leaves from which others are derived where nobody wrote them.
var sources = map[string][]string{
	string(policy.TimeoutTotal):        {"budget"},
	string(policy.TimeoutAttempt):      {string(policy.TimeoutTotal), string(policy.RetryMaxAttempts), string(policy.RetryEnabled)},
	string(policy.BreakerSlowCallOver): {string(policy.ExpectP99), string(policy.TimeoutAttempt)},
	string(policy.RetryMaxAttempts):    {"class", "rejects"},
	string(policy.RetryWhen):           {"class", "rejects"},
}

const derived = "derived"

// attribute says of the derived values among the changes of one operation
// which other change they follow from.
func attribute(changes []Change) {
	changed := map[string]bool{}
	for _, c := range changes {
		changed[c.Leaf] = true
	}
	for i := range changes {
		var from []string
		for _, s := range sources[changes[i].Leaf] {
			if changed[s] {
				from = append(from, s)
			}
		}
		if len(from) > 0 {
			changes[i].New.Causes = follow(changes[i].New.Causes, from)
		}
	}
}

func follow(causes, from []string) []string {
	out := slices.Clone(causes)
	for i, c := range out {
		if c == derived {
			out[i] = derived + " from " + strings.Join(from, ", ")
		}
	}
	return out
}

// columnOf is the new criticality where it is among the changes, else empty.
func columnOf(changes []Change) string {
	for _, c := range changes {
		if c.Leaf == "criticality" {
			return c.New.Value
		}
	}
	return ""
}

// ofColumn says of the defaults among changes that another criticality, and
// with it another column of the table, brought them.
func ofColumn(changes []Change, criticality string) {
	for i := range changes {
		c := &changes[i]
		if byDefaultOnly(c.Old) && byDefaultOnly(c.New) {
			c.New.Causes = []string{"default of criticality " + criticality}
		}
	}
}

func byDefaultOnly(s Side) bool { return len(s.Causes) == 1 && s.Causes[0] == "default" }
