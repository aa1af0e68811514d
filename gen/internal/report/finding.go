package report

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// A Finding is a diagnostic that can be found again in another run.
type Finding struct {
	diag.Diagnostic
	// Fingerprint stays the same while the file's other lines change, and while
	// the amounts do that a rule weighs against each other: it is made of the
	// code, the file, the message without amounts and which of several equal ones
	// it is.
	Fingerprint string
	// Parts are the fingerprints that the finding would have of each of its
	// subjects alone; nil where it has one or none.
	Parts []string
}

// Known reports whether fingerprints hold the finding: its own, or that of each
// of its subjects, so that one of several that was mended makes no new finding
// of the others.
func (f Finding) Known(fingerprints map[string]bool) bool {
	if fingerprints[f.Fingerprint] || len(f.Parts) == 0 {
		return fingerprints[f.Fingerprint]
	}
	return !slices.ContainsFunc(f.Parts, func(p string) bool { return !fingerprints[p] })
}

// Findings are the diagnostics, sorted, with their fingerprints. written gives
// a displayed file name as fingerprints name it, wherever resgen was started.
func Findings(list diag.List, written func(string) string) []Finding {
	var out []Finding
	seen := map[string]int{}
	fingerprint := func(d diag.Diagnostic, message string) string {
		key := d.Code + "\n" + written(d.Pos.File) + "\n" + withoutAmounts(d, message)
		seen[key]++
		sum := sha256.Sum256([]byte(key + "\n" + strconv.Itoa(seen[key])))
		return hex.EncodeToString(sum[:16])
	}
	for _, d := range list.Sorted() {
		f := Finding{Diagnostic: d, Fingerprint: fingerprint(d, d.Message)}
		if _, says, ok := strings.Cut(d.Message, ": "); ok && len(d.Subjects) > 1 {
			for _, subject := range d.Subjects {
				f.Parts = append(f.Parts, fingerprint(d, subject+": "+says))
			}
		}
		out = append(out, f)
	}
	return out
}

// Renamed are the findings with another name for each file.
func Renamed(all []Finding, name func(string) string) []Finding {
	out := slices.Clone(all)
	for i := range out {
		out[i].Pos.File = name(out[i].Pos.File)
		out[i].Related = slices.Clone(out[i].Related)
		for j := range out[i].Related {
			out[i].Related[j].Pos.File = name(out[i].Related[j].Pos.File)
		}
	}
	return out
}

// Least are the findings that are at least so severe.
func Least(all []Finding, least diag.Severity) []Finding {
	var out []Finding
	for _, f := range all {
		if f.Severity >= least {
			out = append(out, f)
		}
	}
	return out
}

// title is a finding's code with the rule's name, where it has one.
func (f Finding) title() string {
	if r, ok := rules.Find(f.Code); ok {
		return r.ID + " " + r.Name
	}
	return f.Code
}

// text is the message and the hint in one line.
func (f Finding) text() string {
	if f.Hint == "" {
		return f.Message
	}
	return f.Message + "; " + strings.TrimSuffix(f.Hint, ".")
}
