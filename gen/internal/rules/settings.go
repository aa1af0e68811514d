package rules

import (
	"fmt"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A Setting is the severity that resgen.yaml gives to a rule.
type Setting int

// The settings. The zero Setting is not valid.
const (
	_ Setting = iota
	AsError
	AsWarn
	Ignored
)

// A Config says how to judge. The zero Config is that of `generate`.
type Config struct {
	Settings map[string]Setting // by rule ID; a rule that is not there keeps its own severity
	Now      time.Time          // expiry is judged on this day, in UTC; zero: not at all
}

// CheckSettings reports settings of rules that do not exist, and those that
// lower a rule that may only be raised. Such a setting has no effect in Check.
// pos is the place of a rule's setting.
func CheckSettings(settings map[string]Setting, pos func(id string) diag.Pos) diag.List {
	var ds diag.List
	for id, s := range settings {
		r, ok := Find(id)
		switch {
		case !ok || r.ID != id:
			ds.Errorf(pos(id), "unknown-rule", "%q is no rule; want an ID such as RG105", id).
				WithHint("see the rules with resgen explain RULE, or docs/rules.md")
		case lowers(r, s):
			ds.Errorf(pos(id), "rule-lowered", "%s is lowered from %s; it may only be raised", id, r.Severities()).
				WithHint("take the setting out, and mend what the rule finds")
		}
	}
	return ds.Sorted()
}

// lowers reports whether a setting would lower a rule that may only be raised.
func lowers(r Rule, s Setting) bool {
	if !r.Fixed() {
		return false
	}
	severity, shown := s.severity()
	return !shown || severity < r.Severity
}

// severity is the severity that the setting gives; shown is false for Ignored.
func (s Setting) severity() (severity diag.Severity, shown bool) {
	switch s {
	case AsError:
		return diag.Error, true
	case AsWarn:
		return diag.Warn, true
	case Ignored:
		return 0, false
	}
	panic(fmt.Sprintf("rules: setting %d", int(s)))
}

// apply is the severity of a finding under the settings; shown is false where
// the rule is ignored. A finding whose leaf is a default stays an info.
func (c Config) apply(f *finding) (severity diag.Severity, shown bool) {
	s, set := c.Settings[f.rule.ID]
	if !set || lowers(f.rule.Rule, s) {
		return f.severity, true
	}
	severity, shown = s.severity()
	if f.soft {
		severity = diag.Info
	}
	return severity, shown
}

// expired reports whether a date, the last day on which something holds, has
// passed. Without a day to judge on, or without a date, nothing expires.
func (c Config) expired(until time.Time) bool {
	if c.Now.IsZero() || until.IsZero() {
		return false
	}
	return !c.Now.UTC().Before(until.UTC().AddDate(0, 0, 1))
}
