package main

import (
	"github.com/spf13/cobra"
)

// newRoot is the command tree.
func newRoot(con *console) *cobra.Command {
	root := &cobra.Command{
		Use:   "resgen",
		Short: "Go clients that survive, from OpenAPI descriptions",
		Long: `resgen reads an OpenAPI description annotated with x-resilience and generates
a Go client in which each operation carries its policy: time limits, retries,
circuit, bulkhead, fallback, and an idempotency key on every write that may be
sent twice. A write that could be charged twice does not get past it.

It works from resgen.yaml in the current folder, or from flags alone.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetOut(con.out)
	root.SetErr(con.err)
	root.PersistentFlags().BoolVarP(&con.quiet, "quiet", "q", false, "say nothing but errors")
	root.PersistentFlags().BoolVarP(&con.verbose, "verbose", "v", false, "show infos and every repeat")
	root.AddCommand(newGenerate(con), newExplain(con), newLint(con), newDiff(con), newInit(con), newSchema(con), newVet(con), newVersion(con))
	return root
}
