package gen

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/report"
)

// A Finding is a diagnostic that can be found again in another run.
type Finding = report.Finding

// LintOptions say what Lint judges and what it leaves out.
type LintOptions struct {
	Now      time.Time // waivers and reasons expire by this day; zero: never
	NewFrom  string    // a git revision: what it had already is left out; empty: nothing is
	Baseline string    // a report of lint in JSON: what it has is left out; empty: nothing is
}

// A Linted is what Lint found.
type Linted struct {
	Findings []Finding   // sorted
	Known    int         // left out, because the revision or the baseline has them
	Verdict  Verdict     // NotUnderstood, or Accepted: what a finding means for the build is for FailOn to say
	Trouble  Diagnostics // with the revision or the baseline; then nothing was judged
}

// Lint runs every stage up to the rules for every client.
func Lint(c *Config, o LintOptions) (*Linted, error) {
	known, ds, err := c.known(o)
	if err != nil || ds.HasErrors() {
		return &Linted{Verdict: NotUnderstood, Trouble: ds}, err
	}
	found, verdict, err := c.lint(o.Now)
	if err != nil {
		return nil, err
	}
	out := &Linted{Verdict: verdict}
	for _, f := range report.Findings(found, c.written) {
		if f.Known(known) && verdict == Accepted {
			out.Known++
			continue
		}
		out.Findings = append(out.Findings, f)
	}
	return out, nil
}

// lint is everything that the stages and rules say of the clients.
func (c *Config) lint(now time.Time) (diag.List, Verdict, error) {
	plans, found, err := c.planAll(now)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range plans {
		if p.plan == nil {
			return found, NotUnderstood, nil
		}
	}
	return found, Accepted, nil
}

// known are the fingerprints that the options leave out.
func (c *Config) known(o LintOptions) (map[string]bool, diag.List, error) {
	known := map[string]bool{}
	if o.Baseline != "" {
		ds := readable(o.Baseline, "baseline")
		if ds.HasErrors() {
			return nil, ds, nil
		}
		content, err := os.ReadFile(o.Baseline)
		if err != nil {
			return nil, nil, err
		}
		known, err = report.ReadBaseline(content)
		if err != nil {
			ds.Errorf(diag.Pos{File: filepath.ToSlash(o.Baseline)}, "baseline", "%s", err)
			return nil, ds, nil
		}
	}
	if o.NewFrom == "" {
		return known, nil, nil
	}
	old, ds := c.at(o.NewFrom)
	if ds.HasErrors() {
		return nil, ds, nil
	}
	found, _, err := old.lint(o.Now)
	for _, f := range report.Findings(found, old.written) {
		known[f.Fingerprint] = true
		for _, p := range f.Parts {
			known[p] = true
		}
	}
	return known, nil, err
}

// A FailOn says which findings fail a build.
type FailOn int

// The choices. The zero FailOn is not valid.
const (
	_ FailOn = iota
	FailOnError
	FailOnWarn
	FailOnNone
)

// ParseFailOn reads the word of a flag.
func ParseFailOn(word string) (FailOn, error) {
	switch word {
	case "error":
		return FailOnError, nil
	case "warn":
		return FailOnWarn, nil
	case "none":
		return FailOnNone, nil
	}
	return 0, fmt.Errorf("--fail-on is %q; want error, warn or none", word)
}

// Ends is the verdict of the run.
func (l *Linted) Ends(on FailOn) Verdict {
	if l.Verdict != Accepted {
		return l.Verdict
	}
	least := diag.Error
	switch on {
	case FailOnError:
	case FailOnWarn:
		least = diag.Warn
	case FailOnNone:
		return Accepted
	default:
		panic(fmt.Sprintf("gen: fail-on %d not handled", on))
	}
	if len(report.Least(l.Findings, least)) > 0 {
		return Refused
	}
	return Accepted
}
