package openapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// An opSource is an operation before it is lowered.
type opSource struct {
	kin     *openapi3.Operation
	node    document.Node
	item    *openapi3.PathItem
	itemAt  document.Node
	path    document.Node // the key, for its position and text
	method  string
	pointer string
	out     *model.Operation
}

// methods are the HTTP methods by the key of a path item.
var methods = map[string]string{
	"get": http.MethodGet, "put": http.MethodPut, "post": http.MethodPost, "delete": http.MethodDelete,
	"options": http.MethodOptions, "head": http.MethodHead, "patch": http.MethodPatch, "trace": http.MethodTrace,
	"query": "QUERY",
}

// nameOperations finds every operation in document order and names it: declared
// ids first, so that they keep their names whatever stands beside them. The
// loader has refused documents with one id twice.
func (l *lowerer) nameOperations() {
	l.findOperations()
	for _, op := range l.operations {
		if own := overrideName(op.node); own != "" {
			op.out.Name = l.methods.Take(own)
		}
	}
	for _, op := range l.operations {
		if op.out.Name == "" && op.out.Declared {
			id := op.kin.OperationID
			verb := names.Part(strings.ToLower(op.method))
			op.out.Name = l.methods.Take(names.Exported(id), names.Join(names.Exported(id), verb), names.ExportedSpelled(id))
		}
	}
	for _, op := range l.operations {
		if op.out.Name == "" {
			op.out.Name = l.methods.Take(pathNames(op.method, plainTemplate(op.path.Text()))...)
		}
	}
}

func (l *lowerer) findOperations() {
	if l.tree.kin.Paths == nil {
		return
	}
	items := l.tree.kin.Paths.Map()
	for path, node := range l.tree.root.Get("paths").Members() {
		item := items[path.Text()]
		if item == nil {
			continue // an extension, or nothing stands there
		}
		for key, opNode := range node.Members() {
			at := &opSource{item: item, itemAt: node, path: path, pointer: pointer("/paths", path.Text(), key.Text())}
			if key.Text() == "additionalOperations" {
				l.findAdditional(at, opNode)
				continue
			}
			method := methods[key.Text()]
			if method == "" {
				continue // parameters, servers, extensions
			}
			l.addOperation(at, item.GetOperation(method), method, opNode)
		}
	}
}

// findAdditional takes up operations with methods of their own (OpenAPI 3.2).
func (l *lowerer) findAdditional(at *opSource, node document.Node) {
	for key, opNode := range node.Members() {
		more := *at
		more.pointer = pointer(at.pointer, key.Text())
		l.addOperation(&more, at.item.AdditionalOperations[key.Text()], key.Text(), opNode)
	}
}

func (l *lowerer) addOperation(op *opSource, kin *openapi3.Operation, method string, node document.Node) {
	if kin == nil {
		l.diags.Warnf(op.path.Pos(), "empty-operation", "%s %s has no description; taken as an operation without parameters and answers", method, op.path.Text()).
			WithHint("describe the operation or remove the key")
		kin = &openapi3.Operation{}
	}
	op.kin, op.node, op.method = kin, node, method
	op.out = &model.Operation{
		Pos: node.Pos(), Method: method, Declared: kin.OperationID != "",
		ID: firstText(kin.OperationID, method+" "+op.path.Text()),
	}
	l.operations = append(l.operations, op)
	l.api.Operations = append(l.api.Operations, op.out)
}

// pathNames are names for an operation without an id: GET /yards/{yard} is
// GetYardsByYard. Further wishes spell the path out.
func pathNames(method, path string) []string {
	verb := names.Part(strings.ToLower(method))
	path, query, _ := strings.Cut(path, "?")
	parts, spelled := []string{verb}, []string{verb}
	for _, segment := range strings.Split(path, "/") {
		if segment == "" {
			continue
		}
		p, s := segmentName(segment)
		parts, spelled = append(parts, p...), append(spelled, s...)
	}
	if len(parts) == 1 {
		parts, spelled = append(parts, "Root"), append(spelled, "Root")
	}
	for _, field := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == '=' }) {
		parts, spelled = append(parts, names.Part(field)), append(spelled, names.Part(field))
	}
	return []string{names.Join(parts...), names.Join(spelled...)}
}

// segmentName is a piece of a path as words: literal text as it is, parameters
// after By.
func segmentName(segment string) (parts, spelled []string) {
	for segment != "" {
		open := strings.IndexByte(segment, '{')
		end := strings.IndexByte(segment, '}')
		if open < 0 || end < open {
			return append(parts, literalName(segment, names.Part)...), append(spelled, literalName(segment, names.PartSpelled)...)
		}
		if open > 0 {
			parts = append(parts, literalName(segment[:open], names.Part)...)
			spelled = append(spelled, literalName(segment[:open], names.PartSpelled)...)
		}
		parts = append(parts, "By", names.Part(segment[open+1:end]))
		spelled = append(spelled, "By", names.PartSpelled(segment[open+1:end]))
		segment = segment[end+1:]
	}
	return parts, spelled
}

// literalName is literal text as a part of a name; separators alone are none.
func literalName(text string, spell func(string) string) []string {
	if strings.Trim(text, ".:-_~,;") == "" {
		return nil
	}
	return []string{spell(text)}
}

// lowerOperations fills in the operations in document order.
func (l *lowerer) lowerOperations() {
	for _, op := range l.operations {
		l.lowerOperation(op)
	}
}

func (l *lowerer) lowerOperation(op *opSource) {
	o := op.out
	o.Summary = firstText(op.kin.Summary, op.item.Summary)
	o.Description = firstText(op.kin.Description, op.item.Description)
	o.Deprecated = op.kin.Deprecated
	for _, t := range op.kin.Tags {
		if t != "" && !slices.Contains(o.Tags, t) {
			o.Tags = append(o.Tags, t)
		}
	}
	params := l.lowerParams(op)
	l.lowerPath(op, params)
	l.lowerBody(op)
	nameParams(o)
	l.lowerResponses(op)
	o.Security = l.securityOf(op)
	o.Servers = l.serversOf(op)
	if len(o.Params) > 0 || o.Body != nil {
		o.Request = l.scope.Take(o.Name+"Request", o.Name+"Input", o.Name+"Args", o.Name+"Call")
	}
	if severalResults(o) {
		o.Result = l.scope.Take(o.Name+"Result", o.Name+"Answer", o.Name+"Outcome")
	}
}

// severalResults reports whether the operation's successes differ, so that a
// plain value cannot hold them.
func severalResults(o *model.Operation) bool {
	var found []*model.Type
	several := false
	note := func(t *model.Type) {
		if !slices.Contains(found, t) {
			found = append(found, t)
		}
	}
	for _, r := range o.Successes() {
		switch {
		case len(r.Contents) == 0:
			note(nil)
		default:
			for _, c := range r.Contents {
				if c.Type == nil || c.Encoding != model.JSON {
					several = several || len(found) > 0 && !slices.Contains(found, c.Type)
				}
				note(c.Type)
			}
		}
	}
	return several || len(found) > 1
}
