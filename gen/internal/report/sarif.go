package report

import (
	"fmt"
	"io"
	"net/url"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// SARIF writes findings as SARIF 2.1.0, with every rule that they speak of and
// fingerprints that stay while other lines change. version is resgen's.
func SARIF(w io.Writer, findings []Finding, version string) error {
	run := sarifRun{Results: []sarifResult{}, Column: "unicodeCodePoints"}
	run.Tool.Driver = sarifDriver{Name: "resgen", Version: version, URI: "https://github.com/resgen-dev/resgen", Rules: []sarifRule{}}
	index := map[string]int{}
	for _, f := range findings {
		if _, ok := index[f.Code]; !ok {
			index[f.Code] = len(run.Tool.Driver.Rules)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(f.Code))
		}
		r := sarifResult{
			Rule: f.Code, Index: index[f.Code], Level: sarifLevel(f.Severity), Message: sarifText{f.text()},
			Fingerprints: map[string]string{"resgen/v1": f.Fingerprint},
		}
		if f.Pos.IsValid() {
			r.Locations = []sarifLocation{sarifLocationOf(f.Pos, "")}
		}
		for _, related := range f.Related {
			if related.Pos.IsValid() {
				r.Related = append(r.Related, sarifLocationOf(related.Pos, related.Message))
			}
		}
		run.Results = append(run.Results, r)
	}
	return indented(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	})
}

func sarifRuleOf(code string) sarifRule {
	r := sarifRule{ID: code}
	known, ok := rules.Find(code)
	if !ok {
		r.Short = &sarifText{"what was found in the description itself: " + code}
		return r
	}
	r.Name, r.Short = known.Name, &sarifText{known.Says}
	r.Default = &sarifConfiguration{Level: sarifLevel(known.Severity)}
	r.Help = &sarifHelp{Text: known.Text(), Markdown: known.Text()}
	return r
}

func sarifLocationOf(p diag.Pos, message string) sarifLocation {
	l := sarifLocation{}
	l.Physical.Artifact.URI = (&url.URL{Path: p.File}).EscapedPath()
	if p.Line > 0 {
		l.Physical.Region = &sarifRegion{Line: p.Line, Column: p.Col}
	}
	if message != "" {
		l.Message = &sarifText{message}
	}
	return l
}

func sarifLevel(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "error"
	case diag.Warn:
		return "warning"
	case diag.Info:
		return "note"
	}
	panic(fmt.Sprintf("report: severity %d not handled", s))
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Column  string        `json:"columnKind"`
	Results []sarifResult `json:"results"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	URI     string      `json:"informationUri"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID      string              `json:"id"`
	Name    string              `json:"name,omitempty"`
	Short   *sarifText          `json:"shortDescription,omitempty"`
	Help    *sarifHelp          `json:"help,omitempty"`
	Default *sarifConfiguration `json:"defaultConfiguration,omitempty"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifHelp struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifResult struct {
	Rule         string            `json:"ruleId"`
	Index        int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations,omitempty"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	} `json:"physicalLocation"`
	Message *sarifText `json:"message,omitempty"`
}

type sarifRegion struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn,omitempty"`
}
