package gen

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A revision is the part of a git revision that a run needs, in a folder of its
// own. The working tree is not touched. Remove gives the folder back.
type revision struct {
	name string // as the user wrote it
	top  string // of the repository, absolute
	tree string // folder that holds the revision's files as top holds the working tree's
}

// openRevision copies files of a revision of the repository that the working
// directory lies in: those below the wanted folders or files, absolute paths.
// What git refuses is a diagnostic: the user named it.
func openRevision(name string, wanted []string) (*revision, diag.List, error) {
	top, ds := git("rev-parse", "--show-toplevel")
	if ds.HasErrors() {
		return nil, ds, nil
	}
	r := &revision{name: name, top: strings.TrimSpace(string(top))}
	if _, ds = git("rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}"); ds.HasErrors() {
		ds = nil
		ds.Errorf(diag.Pos{}, "git", "%q is no revision of this repository; want a commit, a branch or a tag", name)
		return nil, ds, nil
	}
	args := []string{"-C", r.top, "ls-tree", "-r", "-z", name, "--"}
	for _, path := range wanted {
		if rel, err := filepath.Rel(r.top, path); err == nil && filepath.IsLocal(rel) {
			args = append(args, filepath.ToSlash(rel))
		}
	}
	listing, ds := git(args...)
	if ds.HasErrors() {
		return nil, ds, nil
	}
	tree, err := os.MkdirTemp("", "resgen-revision-")
	if err != nil {
		return nil, nil, err
	}
	r.tree = tree
	if err := r.copy(listing); err != nil {
		return nil, nil, errors.Join(err, r.Remove())
	}
	return r, nil, nil
}

// Remove deletes the revision's folder.
func (r *revision) Remove() error { return os.RemoveAll(r.tree) }

// path is where a file of the working tree lies in the revision's folder.
func (r *revision) path(working string) (string, error) {
	absolute, err := filepath.Abs(working)
	if err != nil {
		return "", err
	}
	absolute, err = resolved(absolute)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(r.top, absolute)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s lies outside of the repository %s", working, r.top)
	}
	return filepath.Join(r.tree, rel), nil
}

// resolved is a path whose existing part has no symbolic links, as git names
// its top folder.
func resolved(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real, nil
	}
	parent := filepath.Dir(path)
	if !os.IsNotExist(err) || parent == path {
		return "", err
	}
	above, err := resolved(parent)
	if err != nil {
		return "", err
	}
	return filepath.Join(above, filepath.Base(path)), nil
}

// shown is a file of the revision's folder as messages name it: REV:path.
func (r *revision) shown(file string) string {
	rel, err := filepath.Rel(r.tree, filepath.FromSlash(file))
	if err != nil || !filepath.IsLocal(rel) {
		return file
	}
	return r.name + ":" + filepath.ToSlash(rel)
}

// copy writes the files of a listing into the folder.
func (r *revision) copy(listing []byte) error {
	type blob struct{ hash, path string }
	var blobs []blob
	for entry := range bytes.SplitSeq(bytes.TrimRight(listing, "\x00"), []byte{0}) {
		meta, path, ok := strings.Cut(string(entry), "\t")
		fields := strings.Fields(meta) // mode, type, hash
		if !ok || len(fields) != 3 || fields[1] != "blob" || fields[0] == "120000" || !isText(path) || !filepath.IsLocal(path) {
			continue // folders, submodules, links and what no spec refers to
		}
		blobs = append(blobs, blob{fields[2], path})
	}
	var hashes strings.Builder
	for _, b := range blobs {
		hashes.WriteString(b.hash + "\n")
	}
	cmd := exec.Command("git", "-C", r.top, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(hashes.String())
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	in := bufio.NewReader(bytes.NewReader(out))
	for _, b := range blobs {
		if err := writeBlob(in, filepath.Join(r.tree, filepath.FromSlash(b.path))); err != nil {
			return fmt.Errorf("%s:%s: %w", r.name, b.path, err)
		}
	}
	return nil
}

// writeBlob writes the next object of `git cat-file --batch` to a file.
func writeBlob(in *bufio.Reader, path string) error {
	head, err := in.ReadString('\n') // "<hash> blob <size>"
	if err != nil {
		return err
	}
	fields := strings.Fields(head)
	size, err := strconv.ParseInt(fields[len(fields)-1], 10, 64)
	if err != nil {
		return fmt.Errorf("git says %q", strings.TrimSpace(head))
	}
	content := make([]byte, size)
	if _, err := io.ReadFull(in, content); err != nil {
		return err
	}
	if _, err := in.Discard(1); err != nil { // the line break behind each object
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

// isText reports whether a file may be part of a spec, by its name.
func isText(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml", ".json", ".md", ".txt", "":
		return true
	}
	return false
}

// git runs git in the working directory. That it fails is the user's to mend,
// in git's own words.
func git(args ...string) ([]byte, diag.List) {
	var ds diag.List
	cmd := exec.Command("git", args...)
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
