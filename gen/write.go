package gen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// Write puts the changes on disk, all or none: every new content is first
// written beside its place, and only when all of them are there are they moved
// into it. On an error the tree is put back as it was found.
func (o *Output) Write() error {
	t := &transaction{}
	err := t.stage(o.Changes)
	if err == nil {
		err = t.commit()
	}
	if err != nil {
		return errors.Join(err, t.rollback())
	}
	return nil
}

// A transaction is a set of changes on their way to the disk.
type transaction struct {
	staged  []staged
	done    []Change // moved into place or removed, in order
	folders []string // made by us, outermost first
}

// A staged change has its content in a temporary file beside its place.
type staged struct {
	change Change
	temp   string // empty for a removal
}

// stage writes every content beside its place.
func (t *transaction) stage(changes []Change) error {
	for _, c := range changes {
		if c.Kind == Removed {
			t.staged = append(t.staged, staged{change: c})
			continue
		}
		target := filepath.FromSlash(c.Path)
		if err := t.makeFolder(filepath.Dir(target)); err != nil {
			return err
		}
		temp, err := writeTemp(target, c.content)
		if err != nil {
			return err
		}
		t.staged = append(t.staged, staged{change: c, temp: temp})
	}
	return nil
}

// makeFolder makes a folder and those above it, and remembers which of them
// were not there.
func (t *transaction) makeFolder(folder string) error {
	var missing []string
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, dir)
	}
	slices.Reverse(missing)
	for _, dir := range missing {
		if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("make the folder: %w", err)
		}
		t.folders = append(t.folders, dir)
	}
	return nil
}

// writeTemp writes the content to a file of its own in the target's folder.
func writeTemp(target string, content []byte) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(target), ".resgen-*.tmp")
	if err != nil {
		return "", fmt.Errorf("write %s: %w", filepath.ToSlash(target), err)
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("write %s: %w", filepath.ToSlash(target), err), os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// commit moves everything into place.
func (t *transaction) commit() error {
	for i, s := range t.staged {
		target := filepath.FromSlash(s.change.Path)
		var err error
		if s.temp == "" {
			err = os.Remove(target)
		} else {
			err = os.Rename(s.temp, target)
		}
		if err != nil {
			return fmt.Errorf("replace %s: %w", s.change.Path, err)
		}
		t.staged[i].temp = ""
		t.done = append(t.done, s.change)
	}
	return nil
}

// rollback puts back what commit did, and removes what stage left.
func (t *transaction) rollback() error {
	var errs []error
	for _, c := range slices.Backward(t.done) {
		target := filepath.FromSlash(c.Path)
		if c.Kind == Created {
			errs = append(errs, os.Remove(target))
		} else {
			errs = append(errs, os.WriteFile(target, c.before, 0o644))
		}
	}
	for _, s := range t.staged {
		if s.temp != "" {
			errs = append(errs, os.Remove(s.temp))
		}
	}
	for _, dir := range slices.Backward(t.folders) {
		errs = append(errs, os.Remove(dir))
	}
	return errors.Join(errs...)
}

// writeNew writes a file of the user's that is not there yet: what has been
// written by hand is never replaced.
func writeNew(file string, content []byte) (diag.List, error) {
	var ds diag.List
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		ds.Errorf(diag.Pos{File: filepath.ToSlash(file)}, "exists", "is there already; want the name of a new file").
			WithHint("name another file, or move it away")
		return ds, nil
	}
	if err != nil {
		return nil, err
	}
	_, err = f.Write(content)
	return nil, errors.Join(err, f.Close())
}
