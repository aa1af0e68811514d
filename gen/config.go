package gen

import (
	"path/filepath"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// A Config is what resgen.yaml, or the flags alone, ask for.
type Config struct {
	File     string                   // resgen.yaml as displayed; empty: the flags alone
	Root     string                   // folder that the paths of the file are relative to; empty: the working directory
	Version  int                      // of the table of defaults; 1 is the only one
	Service  string                   // who calls; empty: not said
	Budget   time.Duration            // what the service's own callers give it; 0: not said
	Policies []string                 // policy files between the defaults and the documents, in order
	Clients  []Client                 // at least one
	Rules    map[string]rules.Setting // by rule ID

	budgetPos Pos       // of the budget in File
	revision  *revision // the git revision that the files are read from; nil: the working tree
}

// A Client is one client package to generate. Its paths are as written:
// relative to Config.Root.
type Client struct {
	Spec      string   // the entry document
	Overlays  []string // applied in this order
	RefRoot   string   // folder that a $ref may not leave; empty: the spec's own
	Package   string   // Go package name; empty: the last element of Out
	Out       string   // folder of the package
	Include   Filter   // empty: every operation
	Exclude   Filter   // beats Include
	Tests     bool     // fault tests beside the client
	Interface bool     // an interface a tag, for the caller's own fakes
	Alerts    bool     // alerting rules beside the policy file
}

// PackageName is the name of the client's package: as written, or the last
// element of Out.
func (c Client) PackageName() string {
	if c.Package != "" {
		return c.Package
	}
	return filepath.Base(filepath.Clean(filepath.FromSlash(c.Out)))
}
