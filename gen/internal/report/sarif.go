package report

import (
	"fmt"
	"io"
	"net/url"
	"path"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// SARIF writes findings as SARIF 2.1.0, with every rule that they speak of and
// fingerprints that stay while other lines change. version is resgen's; name
// gives a displayed file's name as the code host knows it.
//
// Columns are counted in UTF-16 units, as SARIF does where nothing else is said
// and as code hosts do whatever is said.
func SARIF(w io.Writer, findings []Finding, version string, name func(string) string) error {
	run := sarifRun{Results: []sarifResult{}, Column: "utf16CodeUnits"}
	place := sarifPlaces{files: newSources(), name: name}
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
		if f.Pos.File != "" {
			r.Locations = []sarifLocation{place.at(f.Pos, "")}
		}
		for _, related := range f.Related {
			if related.Pos.File != "" {
				r.Related = append(r.Related, place.at(related.Pos, related.Message))
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
		says := sarifText{"What was found in the description itself: " + code + "."}
		r.Short, r.Full, r.Help = says, says, sarifHelp{Text: says.Text, Markdown: says.Text}
		return r
	}
	r.Name, r.Short, r.Full = known.Name, sarifText{known.Says}, sarifText{known.About()}
	r.Default = &sarifConfiguration{Level: sarifLevel(known.Severity)}
	r.Help = sarifHelp{Text: known.Text(), Markdown: known.Text()}
	return r
}

// sarifPlaces makes locations out of positions.
type sarifPlaces struct {
	files *sources
	name  func(string) string
}

func (s sarifPlaces) at(p diag.Pos, message string) sarifLocation {
	l := sarifLocation{}
	name := s.name(p.File)
	l.Physical.Artifact.URI = (&url.URL{Path: name}).EscapedPath()
	if !path.IsAbs(name) {
		l.Physical.Artifact.Base = "%SRCROOT%"
	}
	l.Physical.Region = sarifRegion{Line: 1} // code hosts refuse a place without a line
	if p.Line > 0 {
		l.Physical.Region = sarifRegion{Line: p.Line, Column: s.files.utf16Column(p)}
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
	Short   sarifText           `json:"shortDescription"`
	Full    sarifText           `json:"fullDescription"`
	Help    sarifHelp           `json:"help"`
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
			URI  string `json:"uri"`
			Base string `json:"uriBaseId,omitempty"`
		} `json:"artifactLocation"`
		Region sarifRegion `json:"region"`
	} `json:"physicalLocation"`
	Message *sarifText `json:"message,omitempty"`
}

type sarifRegion struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn,omitempty"`
}
