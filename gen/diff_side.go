package gen

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// side reads one side of a comparison, whatever it is.
func (o *Compared) side(s Selection, name string) (side, error) {
	from, ds := locate(name)
	if o.add(ds); ds.HasErrors() {
		return nil, nil
	}
	content, err := from.read()
	if err != nil {
		return nil, err
	}
	switch {
	case isOurs(content):
		record, ds := policy.ReadRecord(from.shown(), content)
		o.add(ds)
		return side{{record: record}}, nil
	case from.isConfig():
		return o.configSide(from)
	}
	return o.specSide(s, from)
}

// configSide is every client of a resgen.yaml.
func (o *Compared) configSide(from location) (side, error) {
	c, ds, err := from.config(from.file)
	if err != nil {
		return nil, err
	}
	if o.add(ds); ds.HasErrors() {
		return nil, nil
	}
	return o.records(c)
}

// specSide is a spec with what the selection says of it.
func (o *Compared) specSide(s Selection, from location) (side, error) {
	client := s.Client
	client.Spec = from.file
	c, ds, err := Configure(Selection{ConfigFile: s.ConfigFile, Client: client})
	if err != nil {
		return nil, err
	}
	if o.add(ds); ds.HasErrors() {
		return nil, nil
	}
	if from.revision == "" {
		return o.records(c)
	}
	before, ds := c.before(from.revision)
	if o.add(ds); ds.HasErrors() {
		return nil, nil
	}
	wanted := c.Clients[0].Spec
	before.Clients = keep(before.Clients, func(mine Client) bool { return mine.Spec == wanted })
	if len(before.Clients) > 0 {
		return o.records(before)
	}
	before, ds = c.at(from.revision) // the revision's resgen.yaml did not list the spec yet
	if o.add(ds); ds.HasErrors() {
		return nil, nil
	}
	return o.records(before)
}

// A location is a file in the working tree or in a git revision.
type location struct {
	revision string     // empty: the working tree
	file     string     // in the working tree, relative to the working directory, whether it is there or not
	inRepo   string     // path in the repository, where there is a revision
	repo     repository // where there is a revision
	files    fs.FS      // of the revision, the file among them
}

// locate finds what a side's name means. A file of that name beats a revision.
func locate(name string) (location, diag.List) {
	revision, file, ok := strings.Cut(name, ":")
	if _, err := os.Stat(name); err == nil || !ok || revision == "" {
		return location{file: name}, readable(name, "spec, a policy file or a resgen.yaml")
	}
	repo, ds := findRepository(".")
	if ds.HasErrors() {
		return location{}, ds
	}
	at := location{revision: revision, repo: repo}
	for _, candidate := range []string{filepath.Join(repo.top, filepath.FromSlash(file)), filepath.FromSlash(file)} {
		inRepo, inside := repo.inside(candidate)
		if !inside {
			continue
		}
		files, ds := repo.open(revision, []string{inRepo})
		if ds.HasErrors() {
			return location{}, ds
		}
		if info, err := fs.Stat(files, inRepo); err == nil && !info.IsDir() {
			at.files, at.inRepo, at.file = files, inRepo, displayed(candidate)
			return at, nil
		}
	}
	ds.Errorf(diag.Pos{File: name}, "no-such-file", "there is no such file in the revision; want a spec, a policy file or a resgen.yaml").
		WithHint("write the path from the top of the repository, as git does")
	return location{}, ds
}

// displayed is a path relative to the working directory where it lies below it.
func displayed(file string) string {
	if rel := relative(".", file); filepath.IsLocal(rel) {
		return rel
	}
	return file
}

func (l location) read() ([]byte, error) {
	if l.revision == "" {
		return os.ReadFile(l.file)
	}
	return fs.ReadFile(l.files, l.inRepo)
}

// shown is the location as messages name it.
func (l location) shown() string {
	if l.revision == "" {
		return filepath.ToSlash(l.file)
	}
	return l.revision + ":" + l.inRepo
}

// isConfig reports whether the file is a resgen.yaml: a map with clients. What
// cannot be read is taken for a spec, and found out there.
func (l location) isConfig() bool {
	root, ds, err := l.plain()
	return err == nil && !ds.HasErrors() && root.Get("clients").Exists() && !root.Get("openapi").Exists()
}

func (l location) plain() (document.Node, diag.List, error) {
	if l.revision == "" {
		return document.LoadPlain(l.file)
	}
	return document.LoadPlain(l.inRepo, document.Options{FS: l.files, Prefix: l.revision + ":"})
}

// config reads the location as a configuration, in its revision.
func (l location) config(file string) (*Config, Diagnostics, error) {
	root, ds, err := l.plain()
	if err != nil || ds.HasErrors() {
		return nil, ds, err
	}
	c, more := configOf(root, file)
	if ds = append(ds, more...); ds.HasErrors() || l.revision == "" {
		return c, ds, nil
	}
	files, more := l.repo.open(l.revision, append(c.folders(l.repo), path.Dir(l.inRepo)))
	c.revision = &revision{name: l.revision, files: files, root: path.Dir(l.inRepo)}
	return c, append(ds, more...), nil
}

// before is the configuration as a revision has it: its own resgen.yaml where
// it has one, else this one with the revision's files.
func (c *Config) before(name string) (*Config, diag.List) {
	if c.File == "" {
		return c.at(name)
	}
	from, ds := locate(name + ":./" + filepath.ToSlash(c.File))
	if ds.HasErrors() {
		return c.at(name)
	}
	old, ds, err := from.config(c.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		ds.Errorf(diag.Pos{File: from.shown()}, "unreadable", "cannot be read: %s", reason(err))
	}
	if ds.HasErrors() {
		return nil, ds
	}
	return old, ds
}
