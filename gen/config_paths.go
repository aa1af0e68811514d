package gen

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
)

// path is where a path of the configuration lies for this process, or in the
// revision.
func (c *Config) path(p string) string {
	if c.revision != nil && p != "" {
		return path.Join(c.revision.root, filepath.ToSlash(p))
	}
	if c.Root == "" || p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(c.Root, p)
}

// paths is path for each of several.
func (c *Config) paths(ps []string) []string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = c.path(p)
	}
	return out
}

// options say where documents are read from.
func (c *Config) options() document.Options {
	if c.revision == nil {
		return document.Options{}
	}
	return document.Options{FS: c.revision.files, Prefix: c.revision.name + ":"}
}

// written is a displayed file name as the configuration would write it: the
// same in the working tree and in a revision, wherever resgen was started.
func (c *Config) written(displayed string) string {
	if displayed == "" {
		return ""
	}
	if c.revision != nil {
		return relative(c.revision.root, strings.TrimPrefix(displayed, c.revision.name+":"))
	}
	return relative(c.Root, displayed)
}

// relative is a file as seen from a folder, with forward slashes.
func relative(folder, file string) string {
	base, err := filepath.Abs(folder)
	if err != nil {
		return file // there is no working directory to be relative to
	}
	absolute, err := filepath.Abs(filepath.FromSlash(file))
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(base, absolute)
	if err != nil {
		return file // on another volume
	}
	return filepath.ToSlash(rel)
}

// readable says what is wrong with a file before anything tries to read it.
func (c *Config) readable(file, what string) diag.List {
	if c.revision == nil {
		return readable(file, what)
	}
	info, err := fs.Stat(c.revision.files, file)
	return judged(c.revision.name+":"+file, what, info, err)
}

// readable is Config.readable for a file on disk.
func readable(file, what string) diag.List {
	info, err := os.Stat(file)
	return judged(filepath.ToSlash(file), what, info, err)
}

// judged says what is wrong with a file of which this is known: it is missing,
// a folder, or not to be opened. what is what the file should be.
func judged(file, what string, info fs.FileInfo, err error) diag.List {
	var ds diag.List
	pos := diag.Pos{File: file}
	switch {
	case os.IsNotExist(err) && strings.Contains(file, "://"):
		ds.Errorf(pos, "no-such-file", "is an address, and nothing is fetched; want the name of %s", article(what)).
			WithHint("download it, and name the file")
	case os.IsNotExist(err):
		ds.Errorf(pos, "no-such-file", "there is no such file; want %s", article(what))
	case err != nil:
		ds.Errorf(pos, "unreadable", "cannot be read: %s", reason(err))
	case info.IsDir():
		ds.Errorf(pos, "is-a-folder", "is a folder; want %s", article(what)).WithHint("name the file in it")
	}
	return ds
}
