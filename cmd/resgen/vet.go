package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/resgen-dev/resgen/gen"
	"github.com/resgen-dev/resgen/gen/vet"
)

func newVet(con *console) *cobra.Command {
	return &cobra.Command{
		Use:   "vet [PACKAGES]",
		Short: "Find calls in your own code that undo what the policies protect",
		Long: `Vet analyses your own Go packages: a write of a generated client that is repeated
from outside, an idempotency key made anew for each try, a raw call to a host
that has a client, a client made for each request, a lost deadline.`,
		Example: `  resgen vet ./...`,
		RunE: func(_ *cobra.Command, args []string) error {
			done := con.progress("analysing")
			findings, err := vet.Run("", args...)
			done()
			if err != nil { // the packages cannot be loaded or do not compile
				fmt.Fprintf(con.err, "resgen: %v\n", err)
				return end(gen.NotUnderstood)
			}
			for _, f := range findings {
				if _, err := fmt.Fprintln(con.out, f); err != nil {
					return con.wrote(err)
				}
			}
			if len(findings) > 0 {
				return end(gen.Refused)
			}
			return nil
		},
	}
}
