package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// JSON writes findings for programs. Its output can be given as a baseline.
func JSON(w io.Writer, findings []Finding) error {
	out := jsonReport{Version: 1, Findings: []jsonFinding{}}
	for _, f := range findings {
		out.Counts.add(f.Severity)
		j := jsonFinding{
			Code: f.Code, Severity: f.Severity.String(), jsonPlace: placeOf(f.Pos),
			Message: f.Message, Hint: f.Hint, Fingerprint: f.Fingerprint, Parts: f.Parts,
		}
		if r, ok := rules.Find(f.Code); ok {
			j.Name = r.Name
		}
		for _, r := range f.Related {
			j.Related = append(j.Related, jsonRelated{jsonPlace: placeOf(r.Pos), Message: r.Message})
		}
		out.Findings = append(out.Findings, j)
	}
	return indented(w, out)
}

type jsonReport struct {
	Version  int           `json:"version"`
	Counts   jsonCounts    `json:"counts"`
	Findings []jsonFinding `json:"findings"`
}

type jsonCounts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
}

func (c *jsonCounts) add(s diag.Severity) {
	switch s {
	case diag.Error:
		c.Errors++
	case diag.Warn:
		c.Warnings++
	case diag.Info:
		c.Infos++
	default:
		panic(fmt.Sprintf("report: severity %d not handled", s))
	}
}

type jsonPlace struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

type jsonFinding struct {
	Code     string `json:"code"`
	Name     string `json:"name,omitempty"`
	Severity string `json:"severity"`
	jsonPlace
	Message     string        `json:"message"`
	Hint        string        `json:"hint,omitempty"`
	Related     []jsonRelated `json:"related,omitempty"`
	Fingerprint string        `json:"fingerprint"`
	Parts       []string      `json:"parts,omitempty"` // fingerprints of each of several subjects
}

type jsonRelated struct {
	jsonPlace
	Message string `json:"message"`
}

func placeOf(p diag.Pos) jsonPlace { return jsonPlace{File: p.File, Line: p.Line, Column: p.Col} }

// indented writes a value as JSON that people can read too.
func indented(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// ReadBaseline reads the fingerprints of a report that JSON wrote.
func ReadBaseline(content []byte) (map[string]bool, error) {
	var in jsonReport
	if err := json.Unmarshal(content, &in); err != nil {
		return nil, fmt.Errorf("it is no output of lint --format json: %w", err)
	}
	if in.Version != 1 {
		return nil, fmt.Errorf("its version is %d; want 1, as lint --format json writes it", in.Version)
	}
	out := map[string]bool{}
	for _, f := range in.Findings {
		out[f.Fingerprint] = true
		for _, p := range f.Parts {
			out[p] = true
		}
	}
	return out, nil
}
