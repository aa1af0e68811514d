// Package document reads the user's files into one tree: it parses JSON and
// YAML, applies overlays, bundles references, mends what can be mended, and
// keeps the position of every leaf. It is the only home of YAML and JSONPath;
// the other packages read the tree through Node.
//
// Load goes through these stages, each in a file or a few of that name:
//
//	source, json, yaml   bytes to nodes, each bearing its file, line and column
//	normalise            text keys, no aliases, no merges, YAML 1.2's scalars
//	flatten              path items and operations kept in other files put in
//	overlay, patch       overlays, strict, on the entry
//	discover             what references lead to, and the names it gets
//	rewrite, mend        one tree, mended by the table of shapes
//	lift                 Swagger 2.0 to OpenAPI 3.0
//
// A mend is a warning that says what was found and what was taken instead.
// Only what makes the whole ambiguous is an error.
package document

import (
	"io/fs"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// Options steer Load and LoadPlain. The zero Options read from disk, without
// overlays, and keep references within the entry's own folder.
type Options struct {
	// Overlays are overlay files, applied in this order. They see the entry with
	// the path items and operations that it keeps in other files put in; a $ref
	// that an overlay writes is read from the entry.
	Overlays []string

	RefRoot string // folder that a $ref may not leave; empty: the entry's own folder

	// FS, where it is set, is read instead of the disk: the entry, the overlays
	// and RefRoot are then slash-separated paths within it. A revision of a
	// repository is read this way, the working tree untouched.
	FS fs.FS

	// Prefix stands in front of the names of files read from FS wherever they
	// are displayed: "HEAD~1:" makes HEAD~1:api/payments.yaml:3:1.
	Prefix string
}

// A Doc is a loaded document: overlaid, bundled into one tree whose references
// are all #/components/<section>/<name>, and mended. It is read only and safe
// for concurrent use.
type Doc struct {
	Path     string   // the entry file as the user gave it
	Version  string   // as written: "2.0", "3.0.3", "3.1.0"
	Root     Node     // always OpenAPI 3.x in form; a 2.0 document has been lifted
	Files    []string // every file read, as displayed, entry first: spec files, then overlays
	Overlays []string // overlay files as displayed

	components map[string]*yaml.Node // by the reference that leads to them
}

// FromOverlay reports whether a position lies in one of the overlays.
func (d *Doc) FromOverlay(pos diag.Pos) bool { return slices.Contains(d.Overlays, pos.File) }

// indexComponents makes Lookup fast. It is done once, before the Doc is handed
// out, so that any number of readers may look up at once.
func (d *Doc) indexComponents() {
	d.components = map[string]*yaml.Node{}
	for section, members := range d.Root.Get("components").Members() {
		for name, value := range members.Members() {
			d.components["#/components/"+section.Text()+"/"+escapeToken(name.Text())] = value.y
		}
	}
}

// Lookup returns what a reference of the tree leads to, in constant time. It
// is absent where ref is not of the form #/components/<section>/<name>, with
// the name escaped as in a JSON pointer, or names nothing.
func (d *Doc) Lookup(ref string) Node { return Node{d.components[ref]} }
