package main

import (
	"github.com/spf13/cobra"

	"github.com/resgen-dev/resgen/gen"
)

// A selection is the flags that say which specs are meant.
type selection struct {
	config           string
	overlays         []string
	refRoot          string
	include, exclude []string
	out, pkg         string
}

// specFlags are the flags of every command that reads specs.
func (s *selection) specFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.config, "config", "", "work from `FILE` instead of resgen.yaml")
	f.StringArrayVar(&s.overlays, "overlay", nil, "apply the OpenAPI overlay `FILE`; repeatable, in order")
	f.StringVar(&s.refRoot, "ref-root", "", "let a $ref go anywhere below `DIR` instead of the spec's own folder")
	f.StringSliceVar(&s.include, "include", nil, "only operations with this `ID`, tag or path glob; repeatable")
	f.StringSliceVar(&s.exclude, "exclude", nil, "no operations with this `ID`, tag or path glob; repeatable")
}

// outFlags are the flags of commands that write a client.
func (s *selection) outFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&s.out, "out", "o", "", "write the client to `DIR`; required without a resgen.yaml")
	f.StringVar(&s.pkg, "package", "", "`NAME` of the package; by default the last element of --out")
}

// selection is what the flags and a spec mean, for package gen.
func (s *selection) selection(spec string, needsOut bool) gen.Selection {
	return gen.Selection{
		ConfigFile: s.config,
		NeedsOut:   needsOut,
		Client: gen.Client{
			Spec: spec, Overlays: s.overlays, RefRoot: s.refRoot, Package: s.pkg, Out: s.out,
			Include: gen.ParseFilter(s.include), Exclude: gen.ParseFilter(s.exclude),
		},
	}
}

// configure finds the configuration that is meant. Where it returns no error,
// the configuration can be used; what there is to say has been said.
func (s *selection) configure(con *console, spec string, needsOut bool) (*gen.Config, error) {
	c, found, err := gen.Configure(s.selection(spec, needsOut))
	if err != nil {
		return nil, con.fault(err)
	}
	if err := con.diagnostics(found); err != nil {
		return nil, err
	}
	if found.HasErrors() {
		return nil, end(gen.NotUnderstood)
	}
	return c, nil
}
