package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/resgen-dev/resgen/gen"
)

func newVersion(con *console) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(con.out, "resgen %s (%s)\n", gen.Version(), runtime.Version())
			return con.wrote(err)
		},
	}
}
