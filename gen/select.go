package gen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A Selection is what a command line asks for.
type Selection struct {
	ConfigFile string // empty: resgen.yaml in the working directory, if there is one
	Client     Client // what the flags say; Spec empty: the clients of the configuration. Paths are relative to the working directory.
	NeedsOut   bool   // whether the command writes, so that a client from flags alone must say where
}

// Configure finds the configuration that a selection means. A spec that
// resgen.yaml lists is that client; any other is a client made from the flags,
// to which the configuration's service, budget, policies and rules apply too.
// Flags replace what the file says of a client; overlays are added to it.
func Configure(s Selection) (*Config, Diagnostics, error) {
	c, ds, err := s.base()
	if err != nil || ds.HasErrors() {
		return nil, ds, err
	}
	flags := s.Client.seenFrom(c.Root)
	listed := slices.DeleteFunc(slices.Clone(c.Clients), func(known Client) bool {
		return flags.Spec != "" && filepath.Clean(known.Spec) != filepath.Clean(flags.Spec)
	})
	switch {
	case len(listed) == 0 && flags.Spec == "":
		ds.Errorf(diag.Pos{}, "no-spec", "no spec is named, and there is no %s here; want one of them", ConfigFile).
			WithHint("name the spec, as in: resgen generate api.yaml --out internal/api")
		return nil, ds, nil
	case len(listed) == 0:
		c.Clients = []Client{flags}
	case len(listed) > 1 && flags.adjusts():
		ds.Errorf(diag.Pos{File: c.File}, "several-clients", "there are %d clients here, and the flags are for one; want the spec of one of them as argument", len(listed)).
			WithHint("name the spec, or leave the flags away")
		return nil, ds, nil
	case flags.adjusts():
		c.Clients = []Client{listed[0].with(flags)}
	default:
		c.Clients = listed
	}
	for _, client := range c.Clients {
		ds = append(ds, s.complete(client)...)
	}
	return c, ds, nil
}

// base is the configuration without the flags; without a file it has no
// clients.
func (s Selection) base() (*Config, Diagnostics, error) {
	file := s.ConfigFile
	if file == "" {
		file = ConfigFile
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return &Config{Version: 1}, nil, nil
		}
	}
	return ReadConfig(file)
}

// complete says what a client lacks for the command.
func (s Selection) complete(c Client) Diagnostics {
	var ds diag.List
	switch {
	case !s.NeedsOut:
	case c.Out == "":
		ds.Errorf(diag.Pos{}, "no-out", "--out is missing; want the folder of the client package, where no %s names it", ConfigFile).
			WithHint("write --out internal/NAME")
	case !isPackageName(c.PackageName()):
		ds.Add(badPackage(diag.Pos{}, c))
	}
	return ds
}

// adjusts reports whether flags say more than which spec is meant.
func (c Client) adjusts() bool {
	return len(c.Overlays) > 0 || c.RefRoot != "" || c.Package != "" || c.Out != "" || !c.Include.Empty() || !c.Exclude.Empty()
}

// with is the client with what the flags say.
func (c Client) with(flags Client) Client {
	c.Overlays = slices.Concat(c.Overlays, flags.Overlays)
	if flags.RefRoot != "" {
		c.RefRoot = flags.RefRoot
	}
	if flags.Package != "" {
		c.Package = flags.Package
	}
	if flags.Out != "" {
		c.Out = flags.Out
	}
	if !flags.Include.Empty() {
		c.Include = flags.Include
	}
	if !flags.Exclude.Empty() {
		c.Exclude = flags.Exclude
	}
	return c
}

// seenFrom is the client with its paths relative to another folder.
func (c Client) seenFrom(root string) Client {
	if root == "" {
		return c
	}
	from := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		absolute, err := filepath.Abs(path)
		if err != nil {
			return path // no working directory: the path is as good as it gets
		}
		base, err := filepath.Abs(root)
		if err != nil {
			return path
		}
		rel, err := filepath.Rel(base, absolute)
		if err != nil {
			return absolute // another volume
		}
		return rel
	}
	c.Spec, c.Out, c.RefRoot = from(c.Spec), from(c.Out), from(c.RefRoot)
	c.Overlays = slices.Clone(c.Overlays)
	for i := range c.Overlays {
		c.Overlays[i] = from(c.Overlays[i])
	}
	return c
}
