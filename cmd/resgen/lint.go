package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/resgen-dev/resgen/gen"
)

// lintFlags are the flags of lint beside those that say which specs are meant.
type lintFlags struct {
	format, failOn, newFrom, baseline, now string
}

func newLint(con *console) *cobra.Command {
	var sel selection
	var flags lintFlags
	cmd := &cobra.Command{
		Use:   "lint [SPEC]",
		Short: "Judge policies by the rules",
		Long: `Lint runs the rules and shows every finding at once. It writes nothing. On a code
base that is being taken over, --new-from shows what a revision did not have,
and --baseline what an earlier report (lint --format json) did not have.`,
		Example: `  resgen lint
  resgen lint --format sarif > resgen.sarif
  resgen lint --new-from origin/main --fail-on warn`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return lint(con, sel, flags, first(args))
		},
	}
	sel.specFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&flags.format, "format", "text", strings.Join(gen.LintFormats(), ", "))
	f.StringVar(&flags.failOn, "fail-on", "error", "fail on findings of this severity: error, warn, none")
	f.StringVar(&flags.newFrom, "new-from", "", "leave out what the git `REV`ision has already")
	f.StringVar(&flags.baseline, "baseline", "", "leave out what the report `FILE` has already")
	f.StringVar(&flags.now, "now", "", "judge what expires on this `DATE` instead of today")
	return cmd
}

func lint(con *console, sel selection, flags lintFlags, spec string) error {
	failOn, err := gen.ParseFailOn(flags.failOn)
	if err != nil {
		return err
	}
	if !slices.Contains(gen.LintFormats(), flags.format) {
		return fmt.Errorf("--format is %q; want one of %s", flags.format, strings.Join(gen.LintFormats(), ", "))
	}
	now, err := day(flags.now)
	if err != nil {
		return err
	}
	c, err := sel.configure(con, spec, false)
	if err != nil {
		return err
	}
	done := con.progress("reading")
	result, err := gen.Lint(c, gen.LintOptions{Now: now, NewFrom: flags.newFrom, Baseline: flags.baseline})
	done()
	if err != nil {
		return con.fault(err)
	}
	if result.Trouble.HasErrors() {
		return errors.Join(con.diagnostics(result.Trouble), end(result.Verdict))
	}
	if err := con.wrote(result.Print(con.out, flags.format, con.textStyle(con.out))); err != nil {
		return err
	}
	if flags.format == "text" {
		con.note("%s", result.Counts())
	}
	return end(result.Ends(failOn))
}

// day reads a date; empty is today.
func day(text string) (time.Time, error) {
	if text == "" {
		return time.Now(), nil
	}
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return d, fmt.Errorf("--now is %q; want a date such as 2027-06-30", text)
	}
	return d, nil
}
