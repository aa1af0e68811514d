// Package golang turns a plan into the Go files of a client package. It is the
// only home of jennifer and of x/tools/imports. What the files do is in the
// runtime; here is only what differs from one API to the next: types, requests,
// what an answer's status means, policies as literals.
//
// Output is a function of the input. Every name of the model is used as it is;
// names made here are private helpers (policyCharge, decodeCharge, authCharge)
// or stand in Table.
package golang

import "github.com/resgen-dev/resgen/gen/internal/policy"

// Options steer Files.
type Options struct {
	Package     string // name of the package; required
	Spec        string // path of the specification as the header shows it; required
	RuntimePath string // import path of package runtime; empty: this module's. wire lies beneath it
	Version     string // of resgen, for one line of client.gen.go; empty: "devel"
	Tests       bool   // write faults.gen_test.go
	Interfaces  bool   // write an interface a tag, for the caller's own fakes
}

// A File is one file of the package.
type File struct {
	Name    string // base name, "charges.gen.go"
	Content []byte // formatted
}

// Files makes the package's files, sorted by name. An error means that resgen
// failed: whatever a specification says has been settled before a plan is there.
func Files(plan *policy.Plan, opts Options) ([]File, error) {
	p := newPkg(plan, opts)
	return render(p, layOut(p))
}
