package rules

import (
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// waive takes out the findings that a waiver silences where it stands, and
// adds what is wrong with the waivers themselves.
//
// A waiver that lacks a part or has expired silences nothing, and one of a
// finding that cannot be waived neither.
func waive(plan *policy.Plan, cfg Config, findings []*finding) []*finding {
	used := map[*policy.Waiver]bool{}
	kept := slices.DeleteFunc(findings, func(f *finding) bool {
		silenced := false
		for _, w := range plan.Waivers {
			if silences(w, f) {
				used[w] = true
				silenced = silenced || !cfg.expired(w.Reason.Until)
			}
		}
		return silenced
	})
	for _, w := range plan.Waivers {
		if f := judgeWaiver(plan, cfg, w, used[w]); f != nil {
			kept = append(kept, f)
		}
	}
	return kept
}

// silences reports whether a waiver is of a finding, its date left out.
func silences(w *policy.Waiver, f *finding) bool {
	if w.Rule != f.rule.ID || f.firm || len(lacking(w)) > 0 {
		return false
	}
	inScope := func(o *policy.Operation) bool { return slices.Contains(o.Waivers, w) }
	switch {
	case w.Path == "":
		return true // at the document's root
	case f.operation != nil:
		return inScope(f.operation)
	case f.compartment != nil:
		ops := f.compartment.Operations
		return len(ops) > 0 && !slices.ContainsFunc(ops, func(o *policy.Operation) bool { return !inScope(o) })
	}
	return false // of the document as a whole
}

// judgeWaiver is what is wrong with a waiver, or nil.
func judgeWaiver(plan *policy.Plan, cfg Config, w *policy.Waiver, used bool) *finding {
	missing := lacking(w)
	_, known := Find(w.Rule)
	switch {
	case len(missing) > 0:
		return ofWaiver(plan, cfg, rg903, w, "a waiver lacks "+strings.Join(missing, ", ")).
			do("write rule, because, until and owner, all four")
	case !known:
		return ofWaiver(plan, cfg, rg901, w, "no rule is called "+w.Rule).do("name the rule by its ID, such as RG105")
	case w.Rule == rg001.ID:
		return ofWaiver(plan, cfg, rg901, w, "RG001 cannot be waived").
			do("give the operation a key, a class with because and owner, or rejects")
	case strings.HasPrefix(w.Rule, "RG90"):
		return ofWaiver(plan, cfg, rg901, w, w.Rule+" judges waivers and cannot be waived").do("take the waiver out")
	case cfg.expired(w.Reason.Until):
		f := ofWaiver(plan, cfg, rg902, w, "the waiver of "+w.Rule+" held until "+w.Reason.Until.Format("2006-01-02"))
		if w.Reason.UntilPos.IsValid() {
			f.pos = w.Reason.UntilPos
		}
		return f.do("mend what %s finds, or agree on a new date with %s", w.Rule, w.Reason.Owner)
	case !used && w.Rule == rg208.ID:
		return nil // only CheckTogether can tell
	case !used:
		return ofWaiver(plan, cfg, rg901, w, "the waiver of "+w.Rule+" matches no finding").do("take the waiver out")
	}
	return nil
}

func ofWaiver(plan *policy.Plan, cfg Config, r *rule, w *policy.Waiver, message string) *finding {
	p := &pass{plan: plan, cfg: cfg, rule: r}
	return p.add(w.Origin, message)
}

// lacking are the parts of a waiver that are not there.
func lacking(w *policy.Waiver) []string {
	var out []string
	for _, part := range []struct {
		name string
		has  bool
	}{
		{"rule", w.Rule != ""},
		{"because", w.Reason.Because != ""},
		{"until", !w.Reason.Until.IsZero()},
		{"owner", w.Reason.Owner != ""},
	} {
		if !part.has {
			out = append(out, part.name)
		}
	}
	return out
}
