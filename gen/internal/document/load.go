package document

import "github.com/resgen-dev/resgen/gen/internal/diag"

// Load reads the entry and everything it refers to. What the user got wrong is
// in the list, warnings for what was mended among it; the Doc is nil where an
// error leaves nothing to go on with. An error means that resgen failed.
func Load(entry string, opts Options) (*Doc, diag.List, error) { panic("contract") }

// LoadPlain reads one YAML or JSON file that is no OpenAPI document, such as
// resgen.yaml or a policy file: parsed and normalised, with positions, nothing
// more.
func LoadPlain(path string) (Node, diag.List, error) { panic("contract") }
