package policy

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// Proposals are what init found in a spec without annotations.
type Proposals struct {
	Dependency string
	Proposals  []Proposal // document's first, then by operation in document order
	Questions  []Question // one for each unsafe write
}

// A Proposal is a fragment of annotation for a place.
type Proposal struct {
	Target  string   // JSONPath of the place for an overlay action: "$", "$.paths['/charges'].post"
	Path    []string // within x-resilience: ["idempotency", "key"]
	YAML    string   // the value in flow style: `{in: header, name: Idempotency-Key}`
	Certain bool     // true: written as it is; false: as a comment to be considered
	Why     string   // a sentence: what it was seen in
	From    string   // "x-speakeasy-retries", "parameter", "response 429" …
	Pos     diag.Pos
}

// A Question is what only a person can answer about a write.
type Question struct {
	Operation *model.Operation
	Target    string
	Text      string
}

// Propose looks at a spec and says what could be annotated.
func Propose(doc *document.Doc, api *model.API) *Proposals { panic("contract") }

// Foreign are the proposals that other tools' annotations on an operation, its
// path item or the document (op nil) amount to.
func Foreign(doc *document.Doc, op *model.Operation) []Proposal { panic("contract") }
