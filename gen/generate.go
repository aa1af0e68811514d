package gen

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/golang"
	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/report"
)

// Generate runs every stage for every client and compares the result with what
// is on disk. It writes nothing: Output.Write does. An error means that the
// world or resgen failed; what the user got wrong is in the Output.
func Generate(c *Config) (*Output, error) {
	plans, found, err := c.planAll(time.Time{})
	if err != nil {
		return nil, err
	}
	out := &Output{Verdict: Accepted, Diagnostics: found}
	for _, p := range plans {
		out.Verdict = max(out.Verdict, p.stands)
	}
	if out.Verdict == Accepted && found.HasErrors() {
		out.Verdict = Refused // what the clients say together
	}
	for _, p := range plans {
		if out.Verdict != Accepted {
			break
		}
		if err := out.add(c, p); err != nil {
			return nil, fmt.Errorf("%s: %w", p.client.Spec, err)
		}
	}
	out.Diagnostics = out.Diagnostics.Sorted()
	if out.Verdict != Accepted {
		out.Changes = nil
	}
	return out, nil
}

// add makes the files of a client and compares them with those on disk.
func (o *Output) add(c *Config, p *planned) error {
	files, err := c.files(p)
	if err != nil {
		return err
	}
	changes, ds, err := compare(c.path(p.client.Out), files)
	if err != nil {
		return err
	}
	ds = append(ds, otherPackage(c.path(p.client.Out), p.client.PackageName())...)
	if ds.HasErrors() {
		o.Verdict = NotUnderstood
	}
	o.Diagnostics = append(o.Diagnostics, ds...)
	o.Changes = append(o.Changes, changes...)
	o.clients = append(o.clients, summary(p, len(files), changes))
	return nil
}

// files are all files of a client.
func (c *Config) files(p *planned) ([]file, error) {
	gofiles, err := golang.Files(p.plan, golang.Options{
		Package:    p.client.PackageName(),
		Spec:       filepath.ToSlash(p.client.Spec),
		Version:    Version(),
		Tests:      p.client.Tests,
		Interfaces: p.client.Interface,
	})
	if err != nil {
		return nil, err
	}
	files := []file{{name: PolicyFile, content: c.record(p).Text()}}
	if p.client.Alerts {
		var b bytes.Buffer
		if err := report.Alerts(&b, filepath.ToSlash(p.client.Spec), p.plan); err != nil {
			return nil, err
		}
		files = append(files, file{name: AlertsFile, content: b.Bytes()})
	}
	for _, f := range gofiles {
		files = append(files, file{name: f.Name, content: f.Content})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// PolicyFile is the name of the policy file in a client's folder.
const PolicyFile = "policy.gen.yaml"

// AlertsFile is the name of the alerting rules in a client's folder.
const AlertsFile = "alerts.gen.yaml"

// record is the client's policy as policy.gen.yaml shows it. It names files as
// the user wrote them, wherever resgen was started.
func (c *Config) record(p *planned) *policy.Record {
	r := p.plan.Record()
	r.Spec = filepath.ToSlash(p.client.Spec)
	for _, lines := range recordLines(r) {
		for i := range lines {
			for j := range lines[i].Origins {
				lines[i].Origins[j].Via = c.written(lines[i].Origins[j].Via)
			}
			for j := range lines[i].Offered {
				lines[i].Offered[j].Origin.Via = c.written(lines[i].Offered[j].Origin.Via)
			}
		}
	}
	return r
}

// recordLines are all groups of lines of a record.
func recordLines(r *policy.Record) [][]policy.Line {
	var out [][]policy.Line
	for _, c := range r.Compartments {
		out = append(out, c.Lines, c.All)
	}
	for _, op := range r.Operations {
		out = append(out, op.Lines)
	}
	return out
}
