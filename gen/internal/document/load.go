package document

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// Load reads the entry and everything it refers to. What the user got wrong is
// in the list, warnings for what was mended among it; the Doc is nil where an
// error leaves nothing to go on with. An error means that resgen failed.
func Load(entry string, opts Options) (*Doc, diag.List, error) {
	var ds diag.List
	src, err := loadOne(entry, opts, foreign, &ds)
	if err != nil || src.root == nil {
		return nil, ds.Sorted(), err
	}
	doc := &Doc{Path: entry, Root: Node{src.root}, Files: []string{src.name}}
	doc.Version = doc.Root.Get("openapi").Text()
	return doc, ds.Sorted(), nil
}

// LoadPlain reads one YAML or JSON file that is no OpenAPI document, such as
// resgen.yaml or a policy file: parsed and normalised, with positions, nothing
// more. The node is absent where the file cannot be read. Of the options it
// takes FS and Prefix.
func LoadPlain(path string, opts ...Options) (Node, diag.List, error) {
	var ds diag.List
	var o Options
	if len(opts) > 0 {
		o = opts[0]
	}
	src, err := loadOne(path, o, ours, &ds)
	if err != nil {
		return Node{}, ds, err
	}
	return Node{src.root}, ds.Sorted(), nil
}

// loadOne reads one file that the user named.
func loadOne(file string, opts Options, own ownership, ds *diag.List) (*source, error) {
	from, name, err := open(file, opts)
	if err != nil {
		return unreadable(file, file, err, ds), nil
	}
	defer from.close()
	data, err := from.read(name, maxFileSize)
	if err != nil {
		return unreadable(from.display(name), file, err, ds), nil
	}
	src := parse(from.display(name), data, own, ds)
	src.path = name
	return src, nil
}

// open opens the folder of a file that the user named.
func open(file string, opts Options) (opener, string, error) {
	if opts.FS != nil {
		return opener{fsys: opts.FS, close: func() error { return nil }, prefix: opts.Prefix}, path.Clean(filepath.ToSlash(file)), nil
	}
	from, err := openFolder(filepath.Dir(file))
	return from, filepath.Base(file), err
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
		d.Message = cause(err).Error() + "; want at most 64 MiB"
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
