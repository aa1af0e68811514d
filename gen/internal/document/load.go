package document

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// Load reads the entry and everything it refers to. What the user got wrong is
// in the list, warnings for what was mended among it; the Doc is nil where an
// error leaves nothing to go on with. An error means that resgen failed.
func Load(entry string, opts Options) (*Doc, diag.List, error) {
	var ds diag.List
	doc := load(entry, opts, &ds)
	return doc, ds.Sorted(), nil
}

func load(entry string, opts Options, ds *diag.List) *Doc {
	lib, ok := openLibrary(entry, opts, ds)
	if !ok {
		return nil
	}
	defer lib.from.close()
	doc := &Doc{Path: entry}
	root := doc.identify(lib.entry, ds)
	if root == nil {
		return nil
	}
	lib.entry.mergeDuplicates(ds)
	m := &mender{linker: newLinker(lib), version: dialect(doc.Version), budget: maxExpanded, said: map[saidKey]bool{}}
	m.flatten(root)
	if !lib.applyOverlays(opts.Overlays, opts, doc) {
		return nil
	}
	lib.forget()
	tree := m.run(root)
	if root == document2 {
		tree = lift(tree, ds)
	}
	doc.Files = append(lib.files, doc.Overlays...)
	doc.Root = Node{tree}
	checkOperationIDs(doc.Root, ds)
	doc.indexComponents()
	return doc
}

// identify tells the version of the description that a file holds, and the
// shape that goes with it. The shape is nil where it holds none that resgen
// can read.
func (d *Doc) identify(src *source, ds *diag.List) *shape {
	root := Node{src.root}
	if root.Kind() != Map {
		ds.Errorf(root.Pos(), "wrong-shape", "the document is %s; want a map", root.Kind()).WithHint("begin with openapi: 3.1.0")
		return nil
	}
	version := root.Get("openapi")
	if swagger := root.Get("swagger"); swagger.Exists() && !version.Exists() {
		version = swagger
	}
	d.Version = asWrittenText(version)
	switch major, _, _ := strings.Cut(d.Version, "."); {
	case !version.Exists() && (root.Get("paths").Exists() || root.Get("components").Exists() || root.Get("webhooks").Exists()):
		ds.Warnf(root.Pos(), "no-version", "the document does not say which version of OpenAPI it follows; it was read as 3.0").
			WithHint("add openapi: 3.0.3")
		d.Version = "3.0.3"
		return document3
	case !version.Exists():
		ds.Errorf(root.Pos(), "no-version", "the document has neither openapi nor swagger; want a description in OpenAPI").
			WithHint("name the file that begins with openapi: or swagger:")
		return nil
	case major == "3":
		if dialect(d.Version) == "3.1" && !strings.HasPrefix(d.Version, "3.1") {
			ds.Warnf(version.Pos(), "version", "the version is %s; want 2.0, 3.0 or 3.1; it was read as 3.1", inQuotes(d.Version)).
				WithHint("look for what this version adds: it is left out")
		}
		return document3
	case major == "2":
		return document2
	}
	ds.Errorf(version.Pos(), "version", "the version is %s; want 2.0, 3.0 or 3.1", inQuotes(d.Version)).WithHint("convert the description to OpenAPI 3.1")
	return nil
}

func asWrittenText(n Node) string {
	if n.y == nil {
		return ""
	}
	return asWritten(n.y)
}

// dialect is the version to whose rules mends keep.
func dialect(version string) string {
	switch {
	case strings.HasPrefix(version, "2"):
		return "2.0"
	case strings.HasPrefix(version, "3.0"):
		return "3.0"
	}
	return "3.1"
}

// LoadPlain reads one YAML or JSON file that is no OpenAPI document, such as
// resgen.yaml or a policy file: parsed and normalised, with positions, nothing
// more. The node is absent where the file cannot be read. Of the options it
// takes FS and Prefix.
func LoadPlain(file string, opts ...Options) (Node, diag.List, error) {
	var ds diag.List
	var o Options
	if len(opts) > 0 {
		o = opts[0]
	}
	src := readNamed(file, o, ours, &ds)
	return Node{src.root}, ds.Sorted(), nil
}

// openLibrary opens the folder that references may not leave, and reads the
// entry.
func openLibrary(entry string, opts Options, ds *diag.List) (*library, bool) {
	src := readNamed(entry, opts, foreign, ds)
	if src.root == nil {
		return nil, false
	}
	from, name, err := openRoot(entry, opts)
	if err != nil {
		ds.Errorf(diag.Pos{File: src.name}, "ref-root", "the folder %s cannot be used for references: %v", opts.RefRoot, cause(err)).
			WithHint("name a folder that holds %s", entry)
		return nil, false
	}
	src.path = name
	lib := &library{
		from: from, entry: src, ds: ds, files: []string{src.name}, found: map[refKey]refFound{}, names: map[*yaml.Node]map[string]*yaml.Node{},
		byPath: map[string]*source{name: src}, byName: map[string]*source{src.name: src},
	}
	return lib, true
}

func newLinker(lib *library) *linker {
	return &linker{library: lib, targets: map[targetKey]*target{}, walked: map[targetKey]bool{}, landed: map[landKey]landing{}}
}

var errOutside = errors.New("it does not hold the entry")

// openRoot opens the folder of references, and tells the entry's path in it.
func openRoot(entry string, opts Options) (opener, string, error) {
	if opts.FS != nil {
		name := path.Clean(filepath.ToSlash(entry))
		root := path.Dir(name)
		if opts.RefRoot != "" {
			root = path.Clean(filepath.ToSlash(opts.RefRoot))
		}
		if root != "." && !strings.HasPrefix(name, root+"/") {
			return opener{}, "", errOutside
		}
		fsys, err := fs.Sub(opts.FS, root)
		name = strings.TrimPrefix(name, root+"/")
		prefix := opts.Prefix
		if root != "." {
			prefix += root + "/"
		}
		return opener{fsys: fsys, close: func() error { return nil }, prefix: prefix}, name, err
	}
	root := filepath.Dir(entry)
	if opts.RefRoot != "" {
		root = opts.RefRoot
	}
	name, err := below(root, entry)
	if err != nil {
		return opener{}, "", err
	}
	from, err := openFolder(root)
	return from, name, err
}

// below is the slash-separated path of a file within a folder.
func below(folder, file string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	if file, err = filepath.Abs(file); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(folder, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", errOutside
	}
	return filepath.ToSlash(rel), nil
}

// readNamed reads one file that the user named, wherever it is.
func readNamed(file string, opts Options, own ownership, ds *diag.List) *source {
	from, name := opener{prefix: displayFolder(filepath.Dir(file))}, filepath.Base(file)
	if opts.FS != nil {
		from, name = opener{fsys: opts.FS, prefix: opts.Prefix}, path.Clean(filepath.ToSlash(file))
	} else {
		from.fsys = os.DirFS(filepath.Dir(file))
	}
	data, err := from.read(name, maxFileSize)
	if err != nil {
		return unreadable(from.display(name), file, err, ds)
	}
	return parse(from.display(name), data, own, ds)
}

// unreadable reports that a file which the user named cannot be read.
func unreadable(display, given string, err error, ds *diag.List) *source {
	d := ds.Errorf(diag.Pos{File: display}, "unreadable", "the file cannot be read: %v", cause(err))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.Message = "there is no such file"
		d.WithHint("check the path %s", given)
	case errors.Is(err, errTooLarge):
		d.Code = "limit"
		d.Message = "the file is " + err.Error() + "; want at most 64 MiB"
	}
	return &source{name: display}
}

// cause strips the operation and the path, which the position already names.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
