package gen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// at is the configuration as a git revision has its files. What the revision
// lacks is left away: clients without a spec, overlays and policy files. The
// caller removes the revision.
func (c *Config) at(name string) (*Config, diag.List, error) {
	wanted, err := c.folders()
	if err != nil {
		return nil, nil, err
	}
	r, ds, err := openRevision(name, wanted)
	if err != nil || ds.HasErrors() {
		return nil, ds, err
	}
	old := *c
	old.revision = r
	root := c.Root
	if root == "" {
		root = "."
	}
	if old.Root, err = r.path(root); err != nil {
		return nil, nil, errors.Join(err, r.Remove())
	}
	there := func(path string) bool {
		_, err := os.Stat(old.path(path))
		return !errors.Is(err, fs.ErrNotExist)
	}
	old.Policies = keep(c.Policies, there)
	old.Clients = nil
	for _, client := range c.Clients {
		if there(client.Spec) {
			client.Overlays = keep(client.Overlays, there)
			old.Clients = append(old.Clients, client)
		}
	}
	return &old, nil, nil
}

// folders are where the configuration's files lie: absolute, without links.
func (c *Config) folders() ([]string, error) {
	paths := slices.Clone(c.Policies)
	if c.File != "" {
		paths = append(paths, filepath.Base(c.File))
	}
	for _, client := range c.Clients {
		paths = append(append(paths, client.Spec), client.Overlays...)
		if client.RefRoot != "" {
			paths = append(paths, filepath.Join(client.RefRoot, "x"))
		}
	}
	var out []string
	for _, path := range paths {
		folder, err := filepath.Abs(filepath.Dir(c.path(path)))
		if err != nil {
			return nil, err
		}
		if folder, err = resolved(folder); err != nil {
			return nil, err
		}
		out = append(out, folder)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
