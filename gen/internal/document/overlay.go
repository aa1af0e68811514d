package document

import (
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/theory/jsonpath/spec"
	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// An action is one action of an overlay, checked as far as that goes without
// the document.
type action struct {
	target Node // the JSONPath as written
	query  *spec.PathQuery
	update Node
	copy   Node
	from   *spec.PathQuery // of copy
	remove bool
}

// applyOverlays applies overlay files to the entry, in order. It reports all
// that is wrong with them; false means that something is, and that the entry
// is not fit for use.
func (l *library) applyOverlays(files []string, opts Options, doc *Doc) bool {
	before := len(*l.ds)
	for _, file := range files {
		src := readNamed(file, opts, ours, l.ds)
		doc.Overlays = append(doc.Overlays, src.name)
		if src.root == nil {
			continue
		}
		actions := readOverlay(Node{src.root}, l.ds)
		l.checkExtends(src, file, doc)
		p := patcher{library: l, overlay: src, budget: maxExpanded}
		for _, a := range actions {
			p.apply(a)
		}
	}
	return !(*l.ds)[before:].HasErrors()
}

// readOverlay reads an overlay's actions and reports what it does not allow.
func readOverlay(root Node, ds *diag.List) []action {
	if root.Kind() != Map {
		ds.Errorf(root.Pos(), "overlay", "the overlay is %s; want a map", root.Kind()).WithHint("begin with overlay: 1.1.0")
		return nil
	}
	version := root.Get("overlay")
	minor := strings.HasPrefix(version.Text(), "1.1")
	switch {
	case !version.Exists():
		ds.Errorf(root.Pos(), "overlay", "the file does not say which version of Overlay it follows; want overlay: 1.0.0 or 1.1.0").WithHint("begin with overlay: 1.1.0")
	case !minor && !strings.HasPrefix(version.Text(), "1.0"):
		ds.Errorf(version.Pos(), "overlay", "overlay is %s; want 1.0.0 or 1.1.0", shownNode(version)).WithHint("write overlay: 1.1.0")
	}
	known := []string{"overlay", "info", "extends", "actions"}
	for key := range root.Members() {
		unknownField(key, "an overlay", known, ds)
	}
	list := root.Get("actions")
	if list.Kind() != List || list.Len() == 0 {
		at := list
		if !at.Exists() {
			at = root
		}
		ds.Errorf(at.Pos(), "overlay", "actions is %s; want a list of at least one action", describe(list)).WithHint("add actions: [{target: $, update: {}}]")
		return nil
	}
	var actions []action
	for item := range list.Items() {
		if a, ok := readAction(item, minor, ds); ok {
			actions = append(actions, a)
		}
	}
	return actions
}

func describe(n Node) string {
	if n.Kind() == List && n.Len() == 0 {
		return "an empty list"
	}
	return n.Kind().String()
}

func shownNode(n Node) string {
	if !n.Exists() {
		return "nothing"
	}
	return shown(n.y)
}

func unknownField(key Node, of string, known []string, ds *diag.List) {
	name := key.Text()
	if strings.HasPrefix(name, "x-") {
		return
	}
	for _, k := range known {
		if name == k {
			return
		}
	}
	d := ds.Errorf(key.Pos(), "overlay", "%s has no field %s; want one of %s", of, inQuotes(name), strings.Join(known, ", "))
	if near := nearest(name, known); near != "" {
		d.WithHint("write %s", near)
	} else {
		d.WithHint("remove it")
	}
}

// readAction checks one action by itself.
func readAction(n Node, minor bool, ds *diag.List) (action, bool) {
	a := action{target: n.Get("target"), update: n.Get("update"), copy: n.Get("copy")}
	if n.Kind() != Map {
		ds.Errorf(n.Pos(), "overlay", "an action is %s; want a map with target and update or remove", n.Kind()).WithHint("write {target: …, update: …}")
		return a, false
	}
	before := len(*ds)
	known := []string{"target", "description", "update", "remove"}
	if minor {
		known = append(known, "copy")
	}
	for key := range n.Members() {
		unknownField(key, "an action", known, ds)
	}
	a.query = readPath(a.target, "target", n, ds)
	if a.copy.Exists() && minor {
		a.from = readPath(a.copy, "copy", n, ds)
	}
	remove := n.Get("remove")
	if remove.Exists() && remove.Kind() != Bool {
		ds.Errorf(remove.Pos(), "overlay", "remove is %s; want true or false", shownNode(remove)).WithHint("write remove: true")
	}
	a.remove = remove.Text() == "true" && remove.Kind() == Bool
	a.checkModifiers(n, ds)
	return a, !(*ds)[before:].HasErrors()
}

func (a *action) checkModifiers(n Node, ds *diag.List) {
	var given []string
	if a.update.Exists() {
		given = append(given, "update")
	}
	if a.copy.Exists() {
		given = append(given, "copy")
	}
	if a.remove {
		given = append(given, "remove")
	}
	switch {
	case len(given) == 0:
		ds.Errorf(n.Pos(), "overlay", "the action does nothing; want update, copy or remove: true").WithHint("say what to do with the target")
	case len(given) > 1:
		ds.Errorf(n.Pos(), "overlay", "the action has %s; want one of them", strings.Join(given, " and ")).WithHint("make two actions of it")
	case a.remove && a.query != nil && len(a.query.Segments()) == 0:
		ds.Errorf(a.target.Pos(), "overlay", "the action removes the whole document; want a part of it").WithHint("name what to remove")
	}
}

// readPath parses a JSONPath, and reports the place in it that does not parse.
func readPath(n Node, field string, action Node, ds *diag.List) *spec.PathQuery {
	switch n.Kind() {
	case Absent:
		ds.Errorf(action.Pos(), "overlay", "the action has no %s; want a JSONPath", field).WithHint("add %s: $.paths['/x'].get", field)
		return nil
	case Text:
	default:
		ds.Errorf(n.Pos(), "overlay", "%s is %s; want a JSONPath", field, shownNode(n)).WithHint("write a path that begins with $")
		return nil
	}
	query, wrong := parsePath(n.Text())
	if wrong == nil {
		return query
	}
	p := n.Pos()
	quote := n.y.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle)
	if plain := n.y.Style == 0; wrong.offset >= 0 && (plain || quote != 0) && !strings.Contains(n.Text(), "\n") {
		p.Col += utf8.RuneCountInString(n.Text()[:min(wrong.offset, len(n.Text()))])
		if !plain {
			p.Col++
		}
	}
	ds.Errorf(p, "overlay", "%s %s is no JSONPath: %s", field, inQuotes(n.Text()), short(wrong.message)).WithHint("%s", hintForPath(n.Text()))
	return nil
}

// checkExtends compares what the overlay says it is for with the entry.
func (l *library) checkExtends(src *source, file string, doc *Doc) {
	extends := (Node{src.root}).Get("extends")
	switch {
	case !extends.Exists():
	case extends.Kind() != Text:
		l.ds.Errorf(extends.Pos(), "overlay", "extends is %s; want the address of a description", shownNode(extends)).WithHint("remove it")
	case hasScheme(extends.Text()):
		l.ds.Infof(extends.Pos(), "overlay", "extends is %s; the overlay is applied to %s", shownNode(extends), doc.Path)
	default:
		named := path.Join(path.Dir(filepath.ToSlash(file)), extends.Text())
		if strings.HasPrefix(extends.Text(), "/") {
			named = path.Clean(extends.Text())
		}
		if !sameFile(named, doc.Path) {
			l.ds.Errorf(extends.Pos(), "overlay", "extends is %s, which is %s; want %s", shownNode(extends), short(named), doc.Path).
				WithHint("remove extends, or name the description that the overlay is for")
		}
	}
}

func sameFile(a, b string) bool {
	absA, errA := filepath.Abs(filepath.FromSlash(a))
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}

// nearest is the word that is most like name, or nothing where none is near.
func nearest(name string, words []string) string {
	best, least := "", 3
	for _, w := range words {
		if d := distance(strings.ToLower(name), strings.ToLower(w)); d < least && d < len(w) {
			best, least = w, d
		}
	}
	return best
}

// distance counts the letters to insert, delete or replace.
func distance(a, b string) int {
	if len(a)-len(b) > 2 || len(b)-len(a) > 2 || len(a) > 100 {
		return 3
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
