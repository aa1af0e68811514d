package gen

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/diff"
	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/report"
)

// A Compared is what changed between two sides, a report a client.
type Compared struct {
	Diagnostics Diagnostics
	Verdict     Verdict // NotUnderstood, or Accepted: what a change means for the build is for DiffFailOn to say
	changes     []report.ClientChanges
	day         time.Time // waivers that have ended before are none; zero: all hold
}

// Diff compares the policies of two sides: a spec, a policy file or a
// resgen.yaml, each a path or REV:path in git. The selection's flags and
// resgen.yaml apply to specs. A waiver that has ended before the day is none; on
// the zero day all hold.
func Diff(s Selection, base, head string, day time.Time) (*Compared, error) {
	out := &Compared{Verdict: Accepted, day: day}
	old, err := out.side(s, base)
	if err != nil {
		return nil, err
	}
	new, err := out.side(s, head)
	if err != nil {
		return nil, err
	}
	return out.compare(old, new), nil
}

// DiffAgainst compares the clients of a configuration with those of a git
// revision; see Diff for the day.
func DiffAgainst(c *Config, revision string, day time.Time) (*Compared, error) {
	out := &Compared{Verdict: Accepted, day: day}
	before, ds := c.before(revision)
	if out.add(ds); ds.HasErrors() {
		return out, nil
	}
	old, err := out.records(before)
	if err != nil {
		return nil, err
	}
	new, err := out.records(c)
	if err != nil {
		return nil, err
	}
	return out.compare(old, new), nil
}

// A side is the records of one side, by client.
type side []namedRecord

type namedRecord struct {
	client string // its out folder or spec; empty: a policy file, or a spec by itself
	record *policy.Record
}

func (o *Compared) add(ds diag.List) {
	o.Diagnostics = append(o.Diagnostics, ds...)
	if ds.HasErrors() {
		o.Verdict = NotUnderstood
	}
}

// records are the records of a configuration's clients.
func (o *Compared) records(c *Config) (side, error) {
	var out side
	for _, client := range c.Clients {
		p, err := c.resolve(client)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", client.Spec, err)
		}
		o.add(p.found)
		if p.plan != nil {
			out = append(out, namedRecord{client: client.label(), record: c.record(p)})
		}
	}
	return out, nil
}

// label names a client where there are several.
func (c Client) label() string {
	if c.Out != "" {
		return c.Out
	}
	return c.Spec
}

// compare pairs the clients of both sides by their names. Where each side is a
// single one, those two are compared whatever they are called.
func (o *Compared) compare(old, new side) *Compared {
	o.Diagnostics = o.Diagnostics.Sorted()
	if o.Verdict != Accepted {
		return o
	}
	if len(old) == 1 && len(new) == 1 {
		o.changes = []report.ClientChanges{{Report: o.changed(old[0].record, new[0].record)}}
		return o
	}
	var names []string
	for _, r := range slices.Concat(old, new) {
		names = append(names, r.client)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		o.changes = append(o.changes, report.ClientChanges{Client: name, Report: o.changed(old.of(name), new.of(name))})
	}
	return o
}

func (o *Compared) changed(old, new *policy.Record) diff.Report {
	return diff.Compare(diff.Current(old, o.day), diff.Current(new, o.day))
}

// of is the record of a client; one that a side does not have is empty.
func (s side) of(client string) *policy.Record {
	for _, r := range s {
		if r.client == client {
			return r.record
		}
	}
	return &policy.Record{Version: 1}
}

// DiffFormats are the forms in which Compared can be printed.
func DiffFormats() []string { return []string{"text", "markdown", "json", "github"} }

// Print writes the changes in one of the DiffFormats.
func (o *Compared) Print(w io.Writer, format string, p Palette) error {
	switch format {
	case "text":
		return report.DiffText(w, o.changes, p)
	case "markdown":
		return report.DiffMarkdown(w, o.changes)
	case "json":
		return report.DiffJSON(w, o.changes)
	case "github":
		return report.DiffGitHub(w, o.changes, fromRepository())
	}
	return fmt.Errorf("format %q is none of %s", format, strings.Join(DiffFormats(), ", "))
}

// A DiffFailOn says which changes fail a build.
type DiffFailOn int

// The choices. The zero DiffFailOn is not valid.
const (
	_ DiffFailOn = iota
	FailOnUnsafe
	FailOnWeakened
	FailOnAny
	FailOnNoChange
)

// ParseDiffFailOn reads the word of a flag.
func ParseDiffFailOn(word string) (DiffFailOn, error) {
	switch word {
	case "unsafe":
		return FailOnUnsafe, nil
	case "weakened":
		return FailOnWeakened, nil
	case "any":
		return FailOnAny, nil
	case "none":
		return FailOnNoChange, nil
	}
	return 0, fmt.Errorf("--fail-on is %q; want unsafe, weakened, any or none", word)
}

// Ends is the verdict of the run.
func (o *Compared) Ends(on DiffFailOn) Verdict {
	if o.Verdict != Accepted {
		return o.Verdict
	}
	for _, c := range o.changes {
		if worst, changed := c.Report.Worst(); changed && on.fails(worst) {
			return Refused
		}
	}
	return Accepted
}

func (on DiffFailOn) fails(worst diff.Direction) bool {
	switch on {
	case FailOnUnsafe:
		return worst == diff.Unsafe
	case FailOnWeakened:
		return worst == diff.Unsafe || worst == diff.Weakened
	case FailOnAny:
		return true
	case FailOnNoChange:
		return false
	}
	panic(fmt.Sprintf("gen: fail-on %d not handled", on))
}
