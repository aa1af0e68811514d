package rules

import (
	"fmt"
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// A pass is one rule at work on one plan.
type pass struct {
	plan     *policy.Plan
	cfg      Config
	rule     *rule
	findings []*finding
}

// A finding is what a rule has to say of one operation or one compartment.
type finding struct {
	rule        *rule
	severity    diag.Severity
	soft        bool // the leaf at fault is a default: an info, whatever resgen.yaml says
	firm        bool // no waiver silences it
	pos         diag.Pos
	operation   *policy.Operation   // nil: of the compartment as a whole
	compartment *policy.Compartment // nil: of the document as a whole
	message     string
	hint        string
	related     []diag.Related
}

// operation adds a finding on an operation. It stands at the leaf at fault; a
// leaf that nobody wrote makes it an info at the operation.
func (p *pass) operation(o *policy.Operation, leaf policy.Value, format string, args ...any) *finding {
	return p.operationAt(o, leaf.Origin, format, args...)
}

// operationAt is operation for a member of a set, or a class.
func (p *pass) operationAt(o *policy.Operation, at policy.Origin, format string, args ...any) *finding {
	f := p.add(at, fmt.Sprintf(format, args...))
	f.operation, f.compartment = o, o.Compartment
	if !f.pos.IsValid() {
		f.pos = o.Spec.Pos
		return f
	}
	if at.Use != nil {
		f.near(at.Use.Pos, "policy %s is used here", at.Name)
	}
	if at.Layer != policy.LayerOperation || at.Via != "" {
		f.near(o.Spec.Pos, "%s is declared here", label(o))
	}
	return f
}

// compartment adds a finding on a compartment; see operation.
func (p *pass) compartment(c *policy.Compartment, leaf policy.Value, format string, args ...any) *finding {
	f := p.add(leaf.Origin, fmt.Sprintf(format, args...))
	f.compartment = c
	switch {
	case f.pos.IsValid():
	case c.Begins.Pos.IsValid():
		f.pos = c.Begins.Pos
	case len(c.Operations) > 0:
		f.pos = c.Operations[0].Spec.Pos
	}
	return f
}

func (p *pass) add(at policy.Origin, message string) *finding {
	f := &finding{rule: p.rule, severity: p.rule.Severity, pos: at.Pos, message: message}
	if !written(at) {
		f.soft, f.severity, f.pos = true, diag.Info, diag.Pos{}
	}
	p.findings = append(p.findings, f)
	return f
}

// chosen marks a finding as one that a default cannot cause, whatever leaf it
// was given: somebody wrote what leads to it. It then stands at least at pos.
func (f *finding) chosen(pos diag.Pos) *finding {
	if f.soft {
		f.soft, f.severity, f.pos = false, f.rule.Severity, pos
	}
	return f
}

// as sets the severity, where a rule has more than one. A finding whose leaf is
// a default stays an info.
func (f *finding) as(s diag.Severity) *finding {
	if !f.soft {
		f.severity = s
	}
	return f
}

// binding marks a finding that no waiver silences.
func (f *finding) binding() *finding {
	f.firm = true
	return f
}

// do sets the hint: an imperative that names the ways out.
func (f *finding) do(format string, args ...any) *finding {
	f.hint = fmt.Sprintf(format, args...)
	return f
}

// near adds a related place, if it is one. What was said of that place before
// makes way.
func (f *finding) near(pos diag.Pos, format string, args ...any) *finding {
	if !pos.IsValid() {
		return f
	}
	f.related = slices.DeleteFunc(f.related, func(r diag.Related) bool { return r.Pos == pos })
	f.related = append(f.related, diag.Related{Pos: pos, Message: fmt.Sprintf(format, args...)})
	return f
}

// grouped puts findings that stand at one place and say the same together, in
// the order of their first.
func grouped(findings []*finding) [][]*finding {
	type key struct {
		rule          string
		severity      diag.Severity
		pos           diag.Pos
		message, hint string
	}
	var order []key
	groups := map[key][]*finding{}
	for _, f := range findings {
		k := key{f.rule.ID, f.severity, f.pos, f.message, f.hint}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], f)
	}
	out := make([][]*finding, len(order))
	for i, k := range order {
		out[i] = groups[k]
	}
	return out
}

// diagnostic is a group of findings as one diagnostic.
func (f *finding) diagnostic(group []*finding) diag.Diagnostic {
	d := diag.Diagnostic{Pos: f.pos, Severity: f.severity, Code: f.rule.ID, Message: f.message, Hint: f.hint}
	if s := subject(group); s != "" {
		d.Message = s + ": " + f.message
		for i := range group {
			d.Subjects = append(d.Subjects, subject(group[i:i+1]))
		}
	}
	seen := map[diag.Related]bool{}
	for _, g := range group {
		for _, r := range g.related {
			if !seen[r] {
				seen[r] = true
				d.Related = append(d.Related, r)
			}
		}
	}
	return d
}

// subject names what a group of findings is about: "POST /charges and 2 more".
func subject(group []*finding) string {
	first := group[0]
	switch {
	case first.operation != nil && len(group) > 1:
		return fmt.Sprintf("%s and %d more", label(first.operation), len(group)-1)
	case first.operation != nil:
		return label(first.operation)
	case first.compartment == nil:
		return ""
	}
	name := first.compartment.Dependency
	if first.compartment.Name != "" {
		name = "compartment " + first.compartment.Name
	}
	if len(group) > 1 {
		name += fmt.Sprintf(" and %d more", len(group)-1)
	}
	return name
}

// label names an operation in messages: "POST /charges".
func label(o *policy.Operation) string { return o.Spec.Method + " " + o.Spec.Path }
