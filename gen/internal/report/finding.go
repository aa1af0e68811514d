package report

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// A Finding is a diagnostic that can be found again in another run.
type Finding struct {
	diag.Diagnostic
	// Fingerprint stays the same while the file's other lines change: it is made
	// of the code, the file, the message and which of several equal ones it is.
	Fingerprint string
}

// Findings are the diagnostics, sorted, with their fingerprints. written gives
// a displayed file name as fingerprints name it, wherever resgen was started.
func Findings(list diag.List, written func(string) string) []Finding {
	var out []Finding
	seen := map[string]int{}
	for _, d := range list.Sorted() {
		key := d.Code + "\n" + written(d.Pos.File) + "\n" + d.Message
		seen[key]++
		sum := sha256.Sum256([]byte(key + "\n" + strconv.Itoa(seen[key])))
		out = append(out, Finding{Diagnostic: d, Fingerprint: hex.EncodeToString(sum[:16])})
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
