package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// AnnotationsPage writes docs/annotations.md: the reference of x-resilience,
// made from the table that the parser uses. example is an annotated document.
func AnnotationsPage(w io.Writer, example string) error {
	view := annotationsView{Example: strings.TrimRight(example, "\n")}
	section := "-"
	for _, r := range policy.Vocabulary() {
		name := sectionOf(r.Leaf)
		if name != section {
			section = name
			view.Sections = append(view.Sections, vocabularySection{Name: name})
		}
		last := &view.Sections[len(view.Sections)-1]
		last.Rows = append(last.Rows, r)
	}
	return executePage(w, "annotations.md.tmpl", view)
}

type annotationsView struct {
	Example  string
	Sections []vocabularySection
}

type vocabularySection struct {
	Name string // first word of the leaves' paths; empty: those without a section
	Rows []*policy.Row
}

// sectionOf is the first word of a leaf's path, or empty for a leaf that is no
// part of a section.
func sectionOf(l policy.Leaf) string {
	section, _, ok := strings.Cut(string(l), ".")
	if !ok {
		return ""
	}
	return section
}

// DefaultsPage writes docs/defaults.md: every default with its reason and the
// source of that.
func DefaultsPage(w io.Writer) error {
	var rows []*policy.Row
	for _, r := range policy.Vocabulary() {
		if r.Default != (policy.Defaults{}) {
			rows = append(rows, r)
		}
	}
	return executePage(w, "defaults.md.tmpl", rows)
}

// RulesPage writes docs/rules.md: the rules with their texts.
func RulesPage(w io.Writer) error {
	_, err := io.WriteString(w, rules.Handbook())
	return err
}

// executePage executes a template of the documentation.
func executePage(w io.Writer, name string, view any) error {
	return executeWith(w, name, map[string]any{
		"cell": cell, "kind": kindText, "bounds": boundsText, "places": placesText,
		"dash": orDash,
	}, view)
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// kindText says what a leaf's value is written as.
func kindText(r *policy.Row) string {
	switch r.Kind {
	case policy.KindDuration:
		return "duration"
	case policy.KindInt, policy.KindFactor:
		return "number"
	case policy.KindShare:
		return "share"
	case policy.KindPerTime:
		return "rate"
	case policy.KindWord:
		return strings.Join(r.Words, ", ")
	case policy.KindSlug, policy.KindName:
		return "name"
	case policy.KindNames:
		return "header names"
	case policy.KindText:
		return "text"
	case policy.KindPointer:
		return "JSON pointer"
	case policy.KindBool:
		return "true or false"
	case policy.KindStatuses:
		return strings.Join(append([]string{"statuses"}, r.Words...), ", ")
	case policy.KindMeanings:
		return "map from status to meaning"
	case policy.KindJSON:
		return "any JSON value"
	case policy.KindPolicies:
		return "map of policies"
	case policy.KindWaivers:
		return "list of waivers"
	}
	panic(fmt.Sprintf("report: kind %d not handled", r.Kind))
}

// boundsText says between what a leaf's value must lie; empty: anything goes.
func boundsText(r *policy.Row) string {
	var out []string
	switch r.Kind {
	case policy.KindInt:
		if r.Max > 0 {
			out = append(out, fmt.Sprintf("%d to %d", r.Min, r.Max))
		} else {
			out = append(out, fmt.Sprintf("at least %d", r.Min))
		}
	case policy.KindFactor:
		out = append(out, fmt.Sprintf("%d to %d", r.Min/1000, r.Max/1000))
	case policy.KindDuration:
		if r.None {
			out = append(out, "or none")
		}
	default: // the others have no bounds that are numbers
	}
	return strings.Join(out, ", ")
}

// placesText is where a leaf may stand.
func placesText(r *policy.Row) string {
	if r.State {
		return r.Places.String() + ", where a compartment begins"
	}
	return r.Places.String()
}
