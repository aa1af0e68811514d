package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/resgen-dev/resgen/gen"
)

func newDiff(con *console) *cobra.Command {
	var sel selection
	var format, failOn, against, now string
	cmd := &cobra.Command{
		Use:   "diff BASE HEAD | diff --against REV",
		Short: "Compare two policies and fail on what became unsafe",
		Long: `Diff compares effective policies, the riskiest change first. Each side is a spec, a
policy file or a resgen.yaml: a path, or REV:path in git. --against compares the
resgen.yaml here with that of a revision.`,
		Example: `  resgen diff --against origin/main
  resgen diff HEAD~1:internal/payments/policy.gen.yaml internal/payments/policy.gen.yaml
  resgen diff --against origin/main --format markdown --fail-on weakened`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if against == "" && len(args) != 2 {
				return fmt.Errorf("diff takes two sides, or --against REV and none; got %d", len(args))
			}
			if against != "" && len(args) > 0 {
				return errors.New("--against compares the resgen.yaml here; want no sides beside it")
			}
			today, err := day(now)
			if err != nil {
				return err
			}
			return compare(con, format, failOn, func() (*gen.Compared, error) {
				if against == "" {
					return gen.Diff(sel.selection("", false), args[0], args[1], today)
				}
				c, err := sel.configure(con, "", false)
				if err != nil {
					return nil, err
				}
				return gen.DiffAgainst(c, against, today)
			})
		},
	}
	sel.specFlags(cmd)
	cmd.Flags().StringVar(&format, "format", "text", strings.Join(gen.DiffFormats(), ", "))
	cmd.Flags().StringVar(&failOn, "fail-on", "unsafe", "fail on changes of this direction: unsafe, weakened, any, none")
	cmd.Flags().StringVar(&now, "now", "", "judge what expires on this `DATE` instead of today")
	cmd.Flags().StringVar(&against, "against", "", "compare with the git `REV`ision")
	return cmd
}

func compare(con *console, format, failOn string, run func() (*gen.Compared, error)) error {
	on, err := gen.ParseDiffFailOn(failOn)
	if err != nil {
		return err
	}
	if !slices.Contains(gen.DiffFormats(), format) {
		return fmt.Errorf("--format is %q; want one of %s", format, strings.Join(gen.DiffFormats(), ", "))
	}
	done := con.progress("comparing")
	result, err := run()
	done()
	if err != nil {
		return con.failed(err)
	}
	if err := con.diagnostics(result.Diagnostics); err != nil {
		return err
	}
	if result.Verdict == gen.NotUnderstood {
		return end(result.Verdict)
	}
	if err := con.wrote(result.Print(con.out, format, palette(con.out))); err != nil {
		return err
	}
	return end(result.Ends(on))
}
