package gen

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"github.com/resgen-dev/resgen/gen/internal/policy"
	"github.com/resgen-dev/resgen/gen/internal/report"
)

// A Started is what init found in a spec.
type Started struct {
	Diagnostics Diagnostics
	Verdict     Verdict // NotUnderstood, or Accepted
	Overlay     []byte  // the text of an overlay that applies cleanly; nil unless Accepted

	spec      string
	proposals *policy.Proposals
}

// Init looks at a spec and writes an overlay with what could be annotated: what
// can be inferred, proposals as comments, a question for each unsafe write.
func Init(c *Config) (*Started, error) {
	client := c.Clients[0]
	p := &planned{client: client}
	if err := c.read(p); err != nil {
		return nil, fmt.Errorf("%s: %w", client.Spec, err)
	}
	out := &Started{Diagnostics: p.found.Sorted(), Verdict: NotUnderstood, spec: filepath.ToSlash(client.Spec)}
	if p.found.HasErrors() || p.api == nil {
		return out, nil
	}
	out.proposals = policy.Propose(p.doc, p.api)
	var text bytes.Buffer
	if err := report.Overlay(&text, out.spec, p.api.Title, out.proposals); err != nil {
		return nil, err
	}
	out.Overlay, out.Verdict = text.Bytes(), Accepted
	return out, nil
}

// Print writes what was found in numbers.
func (s *Started) Print(w io.Writer, p Palette) error {
	return report.Proposed(w, s.spec, s.proposals, p)
}

// WriteNew writes the overlay to a file that is not there yet.
func (s *Started) WriteNew(file string) (Diagnostics, error) {
	return writeNew(file, s.Overlay)
}
