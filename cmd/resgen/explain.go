package main

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/resgen-dev/resgen/gen"
)

// ruleID is what the IDs of rules look like; an operation of such a name needs
// its spec beside it.
var ruleID = regexp.MustCompile(`(?i)^RG\d+$`)

func newExplain(con *console) *cobra.Command {
	var sel selection
	cmd := &cobra.Command{
		Use:   "explain [SPEC] OPERATION | explain RULE",
		Short: "Show the stack of one operation, or what a rule means",
		Long: `Explain shows the stack of one operation, outermost first: every value with the
place it came from, what was offered and not taken, what may be sent again and
why, and the worst case as a time line. The operation is named by its id or as
"METHOD /path". For a rule it tells what a finding means, and why, with a bad and
a good example.`,
		Example: `  resgen explain createCharge
  resgen explain api/payments.yaml "POST /charges"
  resgen explain RG001`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			spec, operation := "", args[len(args)-1]
			if len(args) == 2 {
				spec = args[0]
			} else if isRule, err := gen.ExplainRule(con.out, operation); isRule {
				return con.wrote(err)
			} else if ruleID.MatchString(operation) {
				return fmt.Errorf("%s is no rule; want an ID such as RG105, see docs/rules.md", operation)
			}
			c, err := sel.configure(con, spec, false)
			if err != nil {
				return err
			}
			return explain(con, c, operation)
		},
	}
	sel.specFlags(cmd)
	return cmd
}

func explain(con *console, c *gen.Config, operation string) error {
	done := con.progress("reading")
	e, err := gen.Explain(c, operation)
	done()
	if err != nil {
		return con.fault(err)
	}
	if err := con.diagnostics(e.Diagnostics); err != nil {
		return err
	}
	if e.Verdict == gen.NotUnderstood {
		return end(e.Verdict)
	}
	return con.wrote(e.Print(con.out, palette(con.out)))
}
