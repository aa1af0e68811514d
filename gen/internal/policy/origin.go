package policy

import (
	"fmt"
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A Layer is a place that values come from.
type Layer int

// The layers, the outermost first. The zero Layer is not valid.
const (
	_              Layer = iota
	LayerDefault         // the table, or what the method proves
	LayerFile            // a policy file of resgen.yaml
	LayerDocument        // the document's root
	LayerPath            // a path item
	LayerOperation       // an operation
	LayerPolicy          // a named policy, where Use stands
	LayerDerived         // computed from other values
	LayerInferred        // read from the plain spec
)

var layerWords = []string{"", "default", "file", "document", "path", "operation", "policy", "derived", "inferred"}

// String is the record's word.
func (l Layer) String() string { return word("layer", layerWords, int(l)) }

// An Origin says where a value came from.
type Origin struct {
	Layer Layer
	Name  string   // of the policy file (as displayed) or the named policy
	Pos   diag.Pos // of the value; zero for defaults and derived values
	Via   string   // the overlay file that put it there; empty: none
	Use   *Use     // of a named policy: where it is used
}

// A Use is the place of a `use`.
type Use struct {
	Layer Layer // document, path or operation
	Pos   diag.Pos
	Via   string // the overlay file that put the use there; empty: none
}

// String is the origin as the record shows it: "document", "policy fast-read",
// "file base.yaml", "operation via ours.overlay.yaml".
func (o Origin) String() string { return o.line().String() }

// Own reports whether the value stands on the operation itself, or in a named
// policy that the operation uses: there it asks, elsewhere it offers.
func (o Origin) Own() bool {
	return o.Layer == LayerOperation || o.Layer == LayerPolicy && o.Use.Layer == LayerOperation
}

// Written reports whether somebody wrote the value.
func (o Origin) Written() bool {
	switch o.Layer {
	case LayerDefault, LayerDerived, LayerInferred:
		return false
	case LayerFile, LayerDocument, LayerPath, LayerOperation, LayerPolicy:
		return true
	}
	panic(fmt.Sprintf("policy: layer %d", o.Layer))
}

// Overlay is the overlay file that is at work: the one that put the value
// there, or the one that put the use of its policy there; empty: none.
func (o Origin) Overlay() string {
	if o.Via == "" && o.Use != nil {
		return o.Use.Via
	}
	return o.Via
}

// Line is the origin in the record's words.
func (o Origin) line() LineOrigin {
	return LineOrigin{Layer: o.Layer.String(), Name: o.Name, Via: o.Overlay()}
}

// String is the origin as the record shows it.
func (o LineOrigin) String() string {
	s := o.Layer
	switch o.Name {
	case "":
	case "via":
		s += ` "via"` // without quotes it would name an overlay
	default:
		s += " " + plainOrQuoted(o.Name)
	}
	if o.Via != "" {
		s += " via " + plainOrQuoted(o.Via)
	}
	return s
}

// Origins are all the places that a value came from, the outermost first: one,
// or several for a set that places added to.
func (v Value) Origins() []Origin {
	var out []Origin
	for _, m := range v.Members {
		if !slices.ContainsFunc(out, func(o Origin) bool { return o.line() == m.Origin.line() }) {
			out = append(out, m.Origin)
		}
	}
	if len(out) == 0 {
		return []Origin{v.Origin}
	}
	slices.SortStableFunc(out, func(a, b Origin) int { return a.depth() - b.depth() })
	return out
}

// depth orders origins by how specific their place is.
func (o Origin) depth() int {
	if o.Layer == LayerPolicy {
		return 2*int(o.Use.Layer) - 1
	}
	return 2 * int(o.Layer)
}
