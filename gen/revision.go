package gen

import (
	"archive/zip"
	"bytes"
	"fmt"
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
	args := []string{"ls-tree", "-r", "-z", "--full-tree", name, "--"}
	if !slices.Contains(wanted, ".") {
		args = append(args, slices.Compact(slices.Sorted(slices.Values(wanted)))...)
	}
	if len(wanted) == 0 {
		return &zip.Reader{}, nil // nothing of it is needed
	}
	listed, ds := git(r.top, args...)
	if ds.HasErrors() {
		return nil, ds
	}
	files, err := r.unpacked(blobsOf(string(listed)))
	if err != nil {
		ds.Errorf(diag.Pos{}, "git", "git cannot give the files of %s: %s", name, err)
	}
	return files, ds
}

// A blob is a file of a revision.
type blob struct{ id, path string }

// blobsOf reads what ls-tree -z lists: "MODE blob ID\tPATH". What a revision
// has of another repository, a submodule, is none of its files.
func blobsOf(listed string) []blob {
	var out []blob
	for entry := range strings.SplitSeq(strings.TrimSuffix(listed, "\x00"), "\x00") {
		head, path, ok := strings.Cut(entry, "\t")
		if fields := strings.Fields(head); ok && len(fields) == 3 && fields[1] == "blob" {
			out = append(out, blob{fields[2], path})
		}
	}
	return out
}

// unpacked are the blobs as files. They are read one after another from git
// itself and not as an archive, from which attributes leave files out.
func (r repository) unpacked(blobs []blob) (fs.FS, error) {
	var ids, packed bytes.Buffer
	for _, b := range blobs {
		ids.WriteString(b.id + "\n")
	}
	cmd := exec.Command("git", "cat-file", "--batch")
	cmd.Dir, cmd.Stdin = r.top, &ids
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	w := zip.NewWriter(&packed)
	for _, b := range blobs {
		head, rest, _ := bytes.Cut(out, []byte("\n"))
		var id, kind string
		var size int
		if _, err := fmt.Sscan(string(head), &id, &kind, &size); err != nil || id != b.id || size > len(rest) {
			return nil, fmt.Errorf("%s is answered with %q", b.path, head)
		}
		file, err := w.CreateHeader(&zip.FileHeader{Name: b.path, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		content := rest[:size]
		if bytes.HasPrefix(content, []byte(largeFile)) {
			content = r.filtered(b, content)
		}
		if _, err := file.Write(content); err != nil {
			return nil, err
		}
		out = bytes.TrimPrefix(rest[size:], []byte("\n"))
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
}

// largeFile is how the stand-in of a file begins that git keeps elsewhere.
const largeFile = "version https://git-lfs.github.com/spec/"

// filtered is a blob as it would be checked out, or as it is where git cannot.
func (r repository) filtered(b blob, content []byte) []byte {
	out, ds := git(r.top, "cat-file", "--filters", "--path="+b.path, b.id)
	if ds.HasErrors() {
		return content
	}
	return out
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
