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
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// Lower makes the model of a document. The model is complete, also where the
// list holds errors, except for what those errors speak of. Lowering a document
// twice gives equal models.
func Lower(doc *document.Doc) (*model.API, diag.List) {
	var ds diag.List
	var kin openapi3.T
	if err := doc.Root.Decode(&kin); err != nil {
		ds.Errorf(doc.Root.Pos(), "decode", "the document does not have the shape of an OpenAPI document: %v", err).
			WithHint("correct what is named, or report it: the loader should have pointed to it")
		return &model.API{Spec: doc.Path}, ds
	}
	l := newLowerer(doc, &kin)
	api := l.api
	l.nameOperations()
	l.nameComponents()
	l.lowerServers()
	l.lowerSchemes()
	l.lowerOperations()
	l.lowerComponents()
	l.finish()
	return api, l.diags
}

// A lowerer is the state of one Lower: what has been read and what has been
// made of it so far.
type lowerer struct {
	doc   *document.Doc
	tree  *tree
	api   *model.API
	diags diag.List

	scope      *names.Scope // package level
	methods    *names.Scope // methods of the client
	operations []*opSource
	components map[string]*component // by key in components.schemas
	order      []*component          // the same in document order
	schemes    map[string]*model.SecurityScheme
	folding    map[string]bool // components that are being folded: a way back is a circle
	folded     map[foldKey]*shape
	leftOut    []leftOut              // in document order
	refused    bool                   // a schema-cycle has been told of
	expanding  map[document.Node]bool // unions whose variants are being made
	open       map[useID]bool         // inline schemas that are being made
	named      map[useID]*model.Type  // what they have become, or are becoming
	uses       map[useStep]useID
	made       map[document.Node]made
	children   map[string][]*component // of a base with a discriminator, by its key, in document order
}

func newLowerer(doc *document.Doc, kin *openapi3.T) *lowerer {
	return &lowerer{
		doc:        doc,
		tree:       newTree(doc.Root, kin),
		api:        newAPI(doc, kin),
		scope:      names.NewScope(fixedNames...),
		methods:    names.NewScope(fixedMethods...),
		components: map[string]*component{},
		schemes:    map[string]*model.SecurityScheme{},
		folding:    map[string]bool{},
		folded:     map[foldKey]*shape{},
		expanding:  map[document.Node]bool{},
		open:       map[useID]bool{},
		named:      map[useID]*model.Type{},
		uses:       map[useStep]useID{},
		made:       map[document.Node]made{},
		children:   map[string][]*component{},
	}
}

// newAPI fills in what stands at the document's root.
func newAPI(doc *document.Doc, kin *openapi3.T) *model.API {
	api := &model.API{Spec: doc.Path}
	if kin.Info != nil {
		api.Title, api.Version, api.Description = kin.Info.Title, kin.Info.Version, kin.Info.Description
	}
	for _, t := range kin.Tags {
		if t != nil && t.Name != "" {
			api.Tags = append(api.Tags, model.Tag{Name: t.Name, Description: t.Description})
		}
	}
	return api
}
