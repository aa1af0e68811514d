package report

import "io"

// A Generated is what a run made of one client, in numbers.
type Generated struct {
	Spec, Package, Out               string
	Operations, Types                int
	Safe, Idempotent, Keyed, Unsafe  int
	Compartments                     int
	Files, Created, Updated, Removed int
}

// Summary writes what was generated.
func Summary(w io.Writer, clients []Generated, p Palette) error {
	return execute(w, "summary.txt.tmpl", p, clients)
}
