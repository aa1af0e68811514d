package main

import (
	"github.com/spf13/cobra"

	"github.com/resgen-dev/resgen/gen"
)

func newSchema(con *console) *cobra.Command {
	var config bool
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the annotation, for editors",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			schema := gen.AnnotationSchema()
			if config {
				schema = gen.ConfigSchema()
			}
			_, err := con.out.Write(schema)
			return con.wrote(err)
		},
	}
	cmd.Flags().BoolVar(&config, "config", false, "that of resgen.yaml instead")
	return cmd
}
