package report

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/resgen-dev/resgen/gen/internal/diff"
)

// DiffJSON writes changes for programs, in the form of docs/diff.schema.json.
func DiffJSON(w io.Writer, clients []ClientChanges) error {
	out := jsonDiff{Version: 1, Clients: []jsonClient{}}
	for _, c := range clients {
		j := jsonClient{Client: c.Client, Summary: c.Report.Summary(), Unchanged: c.Report.Unchanged, Counts: map[string]int{}, Changes: jsonChanges(c.Report.Changes)}
		for _, d := range diff.Directions() {
			j.Counts[d.String()] = c.Report.Count(d)
		}
		out.Clients = append(out.Clients, j)
	}
	return indented(w, out)
}

type jsonDiff struct {
	Version int          `json:"version"`
	Clients []jsonClient `json:"clients"`
}

type jsonClient struct {
	Client    string         `json:"client,omitempty"`
	Summary   string         `json:"summary"`
	Counts    map[string]int `json:"counts"`
	Unchanged int            `json:"unchanged"`
	Changes   []jsonChange   `json:"changes"`
}

type jsonChange struct {
	Direction   string          `json:"direction"`
	Kind        string          `json:"kind"`
	Leaf        string          `json:"leaf,omitempty"`
	Compartment string          `json:"compartment,omitempty"`
	Operations  []jsonOperation `json:"operations,omitempty"`
	Old         *jsonSide       `json:"old,omitempty"`
	New         *jsonSide       `json:"new,omitempty"`
	Why         string          `json:"why,omitempty"`
	Parts       []jsonChange    `json:"parts,omitempty"`
	Fingerprint string          `json:"fingerprint"`
}

type jsonOperation struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	ID     string `json:"id,omitempty"`
}

type jsonSide struct {
	Value  string   `json:"value"`
	Causes []string `json:"causes,omitempty"`
	Pos    string   `json:"position,omitempty"`
}

func jsonChanges(changes []diff.Change) []jsonChange {
	out := []jsonChange{}
	for _, c := range changes {
		j := jsonChange{
			Direction: c.Direction.String(), Kind: c.Kind.String(), Leaf: c.Leaf, Compartment: c.Compartment,
			Old: sideJSON(c.Old), New: sideJSON(c.New), Why: c.Why, Fingerprint: c.Fingerprint,
		}
		for _, op := range c.Operations {
			j.Operations = append(j.Operations, jsonOperation{op.Method, op.Path, op.ID})
		}
		if len(c.Parts) > 0 {
			j.Parts = jsonChanges(c.Parts)
		}
		out = append(out, j)
	}
	return out
}

func sideJSON(s diff.Side) *jsonSide {
	if s.Value == "" && len(s.Causes) == 0 && s.Pos == "" {
		return nil
	}
	return &jsonSide{s.Value, s.Causes, s.Pos}
}

// DiffGitHub writes changes as workflow commands of GitHub Actions, a line
// each: what must not happen as an error, what should be seen as a warning. One
// that a line of the working tree causes stands there; name gives a displayed
// file's name as the code host knows it.
func DiffGitHub(w io.Writer, clients []ClientChanges, name func(string) string) error {
	for _, c := range clients {
		for _, change := range c.Report.Changes {
			r := rowOfChange(change)
			text := fmt.Sprintf("%s: %s: %s → %s", r.Where, r.What, r.Old, r.New)
			if r.Why != "" {
				text += "; " + r.Why
			}
			if r.Cause != "" {
				text += " (" + r.Cause + ")"
			}
			at := ""
			if file, line, column, ok := lineOf(change.New.Pos); ok {
				at = fmt.Sprintf("file=%s,line=%s,col=%s,", githubProperty(name(file)), line, column)
			}
			title := "policy " + change.Direction.String()
			if _, err := fmt.Fprintf(w, "::%s %stitle=%s::%s\n", diffCommand(change.Direction), at, githubProperty(title), githubData(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// lineOf takes "file:line:col" apart; ok is false for anything else, and for a
// file that is not in the working tree, as those of a revision are not.
func lineOf(pos string) (file, line, column string, ok bool) {
	m := filePosition.FindStringSubmatch(pos)
	if m == nil {
		return "", "", "", false
	}
	_, err := os.Stat(filepath.FromSlash(m[1]))
	return m[1], m[2], m[3], err == nil
}

var filePosition = regexp.MustCompile(`^(.+):(\d+):(\d+)$`)

func diffCommand(d diff.Direction) string {
	switch d {
	case diff.Unsafe:
		return "error"
	case diff.Weakened:
		return "warning"
	case diff.Changed, diff.Tightened, diff.Added, diff.Removed:
		return "notice"
	}
	panic(fmt.Sprintf("report: direction %v not handled", d))
}
