package gen

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/report"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// An Explanation is what there is to say about one operation.
type Explanation struct {
	Diagnostics Diagnostics // of the spec that it was found in
	Verdict     Verdict     // Refused where rules speak against it: it is explained all the same
	operations  []*policy.Explanation
}

// Explain looks an operation up by its id, Go name or "METHOD /path" in every
// client of the configuration.
func Explain(c *Config, operation string) (*Explanation, error) {
	out := &Explanation{Verdict: Accepted}
	var known []string
	plans, found, err := c.planAll(time.Time{})
	if err != nil {
		return nil, err
	}
	out.Diagnostics = found
	for _, p := range plans {
		out.Verdict = max(out.Verdict, p.stands)
		if p.plan == nil {
			continue
		}
		for _, op := range p.plan.Operations {
			label := op.Spec.Method + " " + op.Spec.Path
			known = append(known, op.Spec.ID, label)
			if slices.Contains([]string{op.Spec.ID, op.Spec.Name, label}, strings.TrimSpace(operation)) {
				out.operations = append(out.operations, policy.Explain(op))
			}
		}
	}
	if len(out.operations) == 0 && out.Verdict != NotUnderstood {
		out.Verdict = NotUnderstood
		if ruleID.MatchString(operation) {
			out.Diagnostics = nil
			out.Diagnostics.Errorf(diag.Pos{}, "no-rule", "%q is no rule", operation).WithHint("see docs/rules.md for all of them")
			return out, nil
		}
		d := out.Diagnostics.Errorf(diag.Pos{File: c.Clients[0].Spec}, "no-operation", "%q is no operation of %s; want its id or METHOD /path", operation, specs(c))
		if near := nearWord(operation, known); near != "" {
			d.WithHint("write %s", near)
		}
	}
	out.Diagnostics = ofOperations(out.Diagnostics, known, out.operations).Sorted()
	return out, nil
}

// ofOperations leaves out the findings that are about other operations only.
// known holds the labels of all operations.
func ofOperations(ds Diagnostics, known []string, explained []*policy.Explanation) Diagnostics {
	about := func(d diag.Diagnostic) bool {
		others := false
		for _, subject := range d.Subjects {
			if slices.ContainsFunc(explained, func(e *policy.Explanation) bool {
				return subject == e.Operation.Spec.Method+" "+e.Operation.Spec.Path
			}) {
				return true
			}
			others = others || slices.Contains(known, subject)
		}
		return !others
	}
	return slices.DeleteFunc(slices.Clone(ds), func(d diag.Diagnostic) bool { return !about(d) })
}

// ruleID matches what is meant as the ID of a rule.
var ruleID = regexp.MustCompile(`(?i)^RG\d+$`)

// specs names the specs of a configuration.
func specs(c *Config) string {
	var out []string
	for _, client := range c.Clients {
		out = append(out, client.Spec)
	}
	return strings.Join(out, ", ")
}

// Print writes what was found about the operation, in each client that has it.
func (e *Explanation) Print(w io.Writer, p Palette) error {
	for i, op := range e.operations {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := report.Explain(w, op, p); err != nil {
			return err
		}
	}
	return nil
}

// ExplainRule writes what a rule means and why, with a bad and a good example.
// It is not ok where the word is neither the ID nor the name of a rule.
func ExplainRule(w io.Writer, word string) (ok bool, err error) {
	r, ok := rules.Find(word)
	if !ok {
		return false, nil
	}
	_, err = io.WriteString(w, r.Text())
	return true, err
}
