package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/resgen-dev/resgen/gen"
)

func newGenerate(con *console) *cobra.Command {
	var sel selection
	var check, dryRun bool
	cmd := &cobra.Command{
		Use:   "generate [SPEC]",
		Short: "Generate clients and their policy files",
		Long: `Generate reads a spec and its overlays, checks the rules and writes the client
package and its policy file. While an error stands, nothing is written. It
removes its own files that nothing makes any more, and touches no others.`,
		Example: `  resgen generate                                        # the clients of resgen.yaml
  resgen generate api/payments.yaml --out internal/payments
  resgen generate --check                                # in CI: is the tree up to date?`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := sel.configure(con, first(args), true)
			if err != nil {
				return err
			}
			return generate(con, c, check, dryRun)
		},
	}
	sel.specFlags(cmd)
	sel.outFlags(cmd)
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; fail if anything is stale")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "write nothing; say what would change")
	cmd.MarkFlagsMutuallyExclusive("check", "dry-run")
	return cmd
}

func generate(con *console, c *gen.Config, check, dryRun bool) error {
	done := con.progress("generating")
	out, err := gen.Generate(c)
	done()
	if err != nil {
		return con.fault(err)
	}
	if err := con.diagnostics(out.Diagnostics); err != nil {
		return err
	}
	if out.Verdict != gen.Accepted {
		con.note("%s; nothing was written", counted(out.Diagnostics))
		return end(out.Verdict)
	}
	switch {
	case check:
		return checked(con, out)
	case dryRun:
		return con.wrote(gen.PrintChanges(con.out, out))
	}
	if err := out.Write(); err != nil {
		return con.fault(err)
	}
	if con.quiet {
		return nil
	}
	return con.wrote(gen.PrintSummary(con.err, out, palette(con.err)))
}

// checked says what is stale, as a result, and fails if anything is.
func checked(con *console, out *gen.Output) error {
	if len(out.Changes) == 0 {
		return nil
	}
	if err := con.wrote(gen.PrintChanges(con.out, out)); err != nil {
		return err
	}
	con.note("%d stale; run: resgen generate", len(out.Changes))
	return end(gen.Refused)
}

// counted is the number of errors and warnings in words.
func counted(found gen.Diagnostics) string {
	errors, warnings := found.Count(gen.Error), found.Count(gen.Warn)
	text := plural(errors, "error")
	if warnings > 0 {
		text += ", " + plural(warnings, "warning")
	}
	return text
}

func plural(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// first is the first argument, or empty.
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
