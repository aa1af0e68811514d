package policy

import (
	"iter"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// extension is the key of an annotation.
const extension = "x-resilience"

// A spot is an operation's place in the tree with what is annotated there and
// on its path item; both annotations may be nil.
type spot struct {
	key      string // of the path item
	item     document.Node
	node     document.Node
	path, op *annotation
}

// A finding is every annotation of a document, read.
type finding struct {
	root   *annotation // nil: none
	spots  map[string]*spot
	byPos  map[diag.Pos]*spot
	any    bool                   // some annotation stands somewhere
	placed map[document.Node]bool // the maps in which an annotation may stand
}

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// find reads the annotations of a document and complains of those that stand
// where none may.
func (r *reader) find(doc *document.Doc) *finding {
	f := &finding{spots: map[string]*spot{}, byPos: map[diag.Pos]*spot{}, placed: map[document.Node]bool{}}
	f.root = r.at(doc.Root, OnDocument, f)
	items := map[document.Node]*annotation{}
	operations := map[document.Node]*annotation{}
	for key, value := range doc.Root.Get("paths").Members() {
		item := pathItem(doc, value)
		if _, read := items[item]; !read {
			items[item] = r.at(item, OnPath, f)
		}
		for method, node := range operationsOf(item) {
			if _, read := operations[node]; !read {
				operations[node] = r.at(node, OnOperation, f)
			}
			s := &spot{key: key.Text(), item: item, node: node, path: items[item], op: operations[node]}
			f.spots[method+" "+key.Text()] = s
			f.byPos[node.Pos()] = s
		}
	}
	for _, value := range doc.Root.At("components", "pathItems").Members() {
		f.placed[value] = true
		for _, node := range operationsOf(value) {
			f.placed[node] = true
		}
	}
	return f
}

// operationsOf are the operations of a path item by their methods in lower
// case, those with a method of their own (OpenAPI 3.2) last.
func operationsOf(item document.Node) iter.Seq2[string, document.Node] {
	return func(yield func(string, document.Node) bool) {
		for _, method := range methods {
			if node := item.Get(method); node.Kind() == document.Map && !yield(method, node) {
				return
			}
		}
		for key, node := range item.Get("additionalOperations").Members() {
			if node.Kind() == document.Map && !yield(strings.ToLower(key.Text()), node) {
				return
			}
		}
	}
}

// pathItem follows the reference of a path item.
func pathItem(doc *document.Doc, n document.Node) document.Node {
	for range 8 { // a longer chain is a circle
		name, ok := strings.CutPrefix(n.Get("$ref").Text(), "#/components/pathItems/")
		if !ok {
			return n
		}
		n = doc.Root.At("components", "pathItems", strings.NewReplacer("~1", "/", "~0", "~").Replace(name))
	}
	return n
}

// at reads the annotation of an object, nil where there is none.
func (r *reader) at(object document.Node, place Places, f *finding) *annotation {
	f.placed[object] = true
	n := object.Get(extension)
	if !n.Exists() {
		return nil
	}
	f.any = true
	layer := map[Places]Layer{OnDocument: LayerDocument, OnPath: LayerPath, OnOperation: LayerOperation}[place]
	return r.read(n, &annotation{place: place, layer: layer}, "")
}

// spot is the place of an operation, by its path or, where that was mended, by
// its position. The zero spot means that there is none.
func (f *finding) spot(op *model.Operation) spot {
	key := op.Path
	if op.FixedQuery != "" {
		key += "?" + op.FixedQuery
	}
	if s := f.spots[strings.ToLower(op.Method)+" "+key]; s != nil {
		return *s
	}
	if s := f.byPos[op.Pos]; s != nil {
		return *s
	}
	return spot{key: op.Path}
}

// stray complains of annotations where none may stand, and warns of keys that
// look like one.
func (r *reader) stray(doc *document.Doc, f *finding) { r.walk(doc.Root, "", f) }

// walk looks at one object. The under is the key under which it stands.
func (r *reader) walk(n document.Node, under string, f *finding) {
	switch n.Kind() {
	case document.List:
		for item := range n.Items() {
			r.walk(item, under, f)
		}
	case document.Map:
		for key, value := range n.Members() {
			text := key.Text()
			switch {
			case namesOnly[under]:
				r.walk(value, kinds[under], f)
			case text == extension:
				if !f.placed[n] {
					r.errorf(key.Pos(), "%s stands on %s; want it on the document's root, a path item or an operation", extension, phrase(under)).
						WithHint("move it to the operation")
				}
			case data[text], isExtension(text) && !looksLikeOurs(text):
				// what stands there is data, not description
			case looksLikeOurs(text):
				r.diags.Warnf(key.Pos(), "annotation-name", "%s is not read; want %s", text, extension).
					WithHint("write %s, or rename it if it is not ours", extension)
			case under == "responses":
				r.walk(value, "response", f)
			case under == "webhooks" || under == "callbacks":
				r.walk(value, under, f) // all below is the other side's
			default:
				r.walk(value, text, f)
			}
		}
	case document.Absent, document.Null, document.Bool, document.Number, document.Text:
	}
}

// namesOnly are the maps whose keys are names that the user chose.
var namesOnly = map[string]bool{
	"properties": true, "patternProperties": true, "$defs": true, "definitions": true, "dependentSchemas": true,
	"schemas": true, "headers": true, "variables": true, "mapping": true, "scopes": true, "encoding": true,
	"content": true, "requestBodies": true, "securitySchemes": true, "links": true,
}

// kinds is the key under which a single member of such a map would stand.
var kinds = map[string]string{
	"properties": "schema", "patternProperties": "schema", "$defs": "schema", "definitions": "schema", "dependentSchemas": "schema",
	"schemas": "schema", "headers": "header", "content": "media type", "requestBodies": "requestBody", "variables": "variable",
	"securitySchemes": "security scheme", "links": "link", "encoding": "encoding value", "mapping": "mapping value", "scopes": "scope",
}

// data are the keys below which there is data of the user's.
var data = map[string]bool{"example": true, "examples": true, "default": true, "enum": true, "const": true}

func isExtension(key string) bool { return strings.HasPrefix(strings.ToLower(key), "x-") }

// looksLikeOurs reports whether a key is probably our extension misspelt.
func looksLikeOurs(key string) bool {
	if len(key) < 9 || len(key) > 16 || key == extension {
		return false
	}
	lower := strings.ToLower(key)
	return lower == "resilience" || strings.HasPrefix(lower, "x") && distance(lower, extension) <= 2
}

// phrase names an object by the key under which it stands.
func phrase(under string) string {
	switch under {
	case "":
		return "the document"
	case "responses", "response":
		return "a response"
	case "parameters":
		return "a parameter"
	case "requestBody", "requestBodies":
		return "a request body"
	case "schema", "items", "allOf", "oneOf", "anyOf", "additionalProperties", "not":
		return "a schema"
	case "tags", "servers", "callbacks", "webhooks":
		return "an entry of " + under
	case "header", "media type", "variable", "security scheme", "link":
		return "a " + under
	}
	return "`" + under + "`"
}
