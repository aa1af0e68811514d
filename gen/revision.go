package gen

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A revision is the part of a git revision that a run needs. It is read
// through git: the working tree is not touched.
type revision struct {
	name  string // as the user wrote it
	files fs.FS  // paths are those of the repository, from its top
	root  string // folder in it that a configuration's paths are relative to
}

// A repository is the one that a folder lies in.
type repository struct{ top string } // absolute, without links

// findRepository asks git. What git refuses is a diagnostic: it is the user's
// to mend.
func findRepository(folder string) (repository, diag.List) {
	top, ds := git(folder, "rev-parse", "--show-toplevel")
	return repository{strings.TrimSpace(string(top))}, ds
}

// inside is a path of the working tree as the repository names it; ok is false
// where it lies outside.
func (r repository) inside(working string) (path string, ok bool) {
	absolute, err := filepath.Abs(working)
	if err != nil {
		return "", false
	}
	if absolute, err = withoutLinks(absolute); err != nil {
		return "", false
	}
	rel, err := filepath.Rel(r.top, absolute)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// withoutLinks is a path whose existing part has no symbolic links, as git
// names its top folder.
func withoutLinks(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	parent := filepath.Dir(path)
	if err == nil || parent == path {
		return real, err
	}
	above, err := withoutLinks(parent)
	return filepath.Join(above, filepath.Base(path)), err
}

// open reads what a revision has below the wanted paths of the repository.
func (r repository) open(name string, wanted []string) (fs.FS, diag.List) {
	if _, ds := git(r.top, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}"); ds.HasErrors() {
		ds = nil
		d := ds.Errorf(diag.Pos{}, "git", "%q is no revision of this repository; want a commit, a branch or a tag", name)
		if shallow, _ := git(r.top, "rev-parse", "--is-shallow-repository"); strings.TrimSpace(string(shallow)) == "true" {
			d.WithHint("this clone is shallow: fetch its history (git fetch --unshallow; in CI a depth of 0)")
		}
		return nil, ds
	}
	args := []string{"archive", "--format=zip", "-0", name, "--"}
	for _, path := range slices.Compact(slices.Sorted(slices.Values(wanted))) {
		if path == "." {
			args = append(args[:5], ".")
			break
		}
		if _, ds := git(r.top, "cat-file", "-e", name+":"+path); !ds.HasErrors() {
			args = append(args, path)
		}
	}
	if len(args) == 5 {
		return &zip.Reader{}, nil // the revision has none of them
	}
	archive, ds := git(r.top, args...)
	if ds.HasErrors() {
		return nil, ds
	}
	files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		ds.Errorf(diag.Pos{}, "git", "git archive %s does not give an archive: %s", name, err)
	}
	return files, ds
}

// git runs git in a folder. That it fails is told in git's own words.
func git(folder string, args ...string) ([]byte, diag.List) {
	var ds diag.List
	cmd := exec.Command("git", args...)
	cmd.Dir = folder
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		if said == "" {
			said = err.Error()
		}
		ds.Errorf(diag.Pos{}, "git", "git cannot help: %s", strings.TrimPrefix(said, "fatal: "))
	}
	return out, ds
}
