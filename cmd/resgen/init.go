package main

import (
	"github.com/spf13/cobra"

	"github.com/resgen-dev/resgen/gen"
)

func newInit(con *console) *cobra.Command {
	var sel selection
	var file string
	cmd := &cobra.Command{
		Use:   "init SPEC",
		Short: "Write an overlay for a spec that says nothing about resilience",
		Long: `Init looks at a spec and writes an overlay: what can be inferred from it,
proposals as comments, other tools' annotations among them, and a question for
each write of which nobody said whether it may be sent twice.`,
		Example: `  resgen init api/payments.yaml -o api/payments.overlay.yaml`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := sel.configure(con, args[0], false)
			if err != nil {
				return err
			}
			return start(con, c, file)
		},
	}
	sel.specFlags(cmd)
	cmd.Flags().StringVarP(&file, "out", "o", "", "write to a new `FILE` instead of standard output")
	return cmd
}

func start(con *console, c *gen.Config, file string) error {
	done := con.progress("reading")
	s, err := gen.Init(c)
	done()
	if err != nil {
		return con.fault(err)
	}
	if err := con.diagnostics(s.Diagnostics); err != nil {
		return err
	}
	if s.Verdict != gen.Accepted {
		return end(s.Verdict)
	}
	if err := writeOverlay(con, s, file); err != nil {
		return err
	}
	if con.quiet {
		return nil
	}
	return con.wrote(s.Print(con.err, palette(con.err)))
}

func writeOverlay(con *console, s *gen.Started, file string) error {
	if file == "" {
		_, err := con.out.Write(s.Overlay)
		return con.wrote(err)
	}
	found, err := s.WriteNew(file)
	if err != nil {
		return con.fault(err)
	}
	if err := con.diagnostics(found); err != nil {
		return err
	}
	if found.HasErrors() {
		return end(gen.NotUnderstood)
	}
	return nil
}
