package policy

import (
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// Settings are what resgen.yaml says about policies.
type Settings struct {
	Version   int           // of the table of defaults; 0 is 1
	Service   string        // who calls; may be empty
	Budget    time.Duration // 0: not given
	BudgetPos diag.Pos
	Files     []File // in order, outermost first
}

// A File is a policy file: the bare annotation object.
type File struct {
	Name string // as displayed
	Root document.Node
}

// Resolve merges, leaf by leaf, the defaults, the policy files and the
// document's annotations into a plan. Everything that is wrong in them is in
// the list, as an error at its position; the plan is made as far as possible
// all the same, and is never nil.
func Resolve(doc *document.Doc, api *model.API, s Settings) (*Plan, diag.List) { panic("contract") }
