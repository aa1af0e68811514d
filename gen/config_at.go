package gen

import (
	"path"
	"path/filepath"
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// at is the configuration with its files as a git revision has them. What the
// revision lacks is left away: clients without a spec, overlays, policy files.
func (c *Config) at(name string) (*Config, diag.List) {
	root := c.Root
	if root == "" {
		root = "."
	}
	repo, ds := findRepository(root)
	if ds.HasErrors() {
		return nil, ds
	}
	inRepo, ok := repo.inside(root)
	if !ok {
		ds.Errorf(diag.Pos{File: c.File}, "git", "lies outside of the repository %s", repo.top)
		return nil, ds
	}
	files, ds := repo.open(name, c.folders(repo))
	if ds.HasErrors() {
		return nil, ds
	}
	old := *c
	old.revision = &revision{name: name, files: files, root: inRepo}
	there := func(file string) bool { return !old.readable(old.path(file), "file").HasErrors() }
	old.Policies = keep(c.Policies, there)
	old.Clients = nil
	for _, client := range c.Clients {
		if there(client.Spec) {
			client.Overlays = keep(client.Overlays, there)
			old.Clients = append(old.Clients, client)
		}
	}
	return &old, nil
}

// folders are those of a repository that hold the configuration's files.
func (c *Config) folders(repo repository) []string {
	files := slices.Clone(c.Policies)
	for _, client := range c.Clients {
		files = append(append(files, client.Spec), client.Overlays...)
		if client.RefRoot != "" {
			files = append(files, filepath.Join(client.RefRoot, "any"))
		}
	}
	var out []string
	for _, file := range files {
		if inRepo, ok := repo.inside(c.path(file)); ok {
			out = append(out, path.Dir(inRepo))
		}
	}
	return out
}
