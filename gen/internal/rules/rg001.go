package rules

import (
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg001 = &rule{
	Rule: Rule{
		ID: "RG001", Name: "unsafe-write-retried", Severity: diag.Error,
		Says: "An unsafe write asks for more than one attempt, by its own leaf, a policy that it uses, or an overlay.",
	},
	check: checkUnsafeWriteRetried,
}

func checkUnsafeWriteRetried(p *pass) {
	for _, o := range p.plan.Operations {
		if o.Repeatable() && !keyless(o) {
			continue // each repeat is proven, stated or keyed
		}
		for _, a := range o.Asks {
			if !asks(o, a) {
				continue
			}
			f := p.operationAt(o, a.Origin, "an unsafe write %s; want one attempt", asked(a)).binding()
			f.do("%s", waysOut(a))
			nearClass(f, o)
		}
	}
}

// asks reports whether an ask is one of an unsafe write that may not be
// granted. With `rejects` more attempts only follow answers that did nothing.
func asks(o *policy.Operation, a policy.Ask) bool {
	return a.Leaf != policy.RetryMaxAttempts || len(o.Rejects.Texts) == 0
}

// asked says what an ask wants, and through which policy.
func asked(a policy.Ask) string {
	what := "asks to be sent again after " + a.Text
	switch {
	case a.Leaf == policy.RetryMaxAttempts:
		what = "asks for " + a.Text + " attempts"
	case a.Text == "timeout":
		what = "asks to be sent again after a time-out"
	case a.Text == "connection":
		what = "asks to be sent again after a broken connection"
	}
	if a.Origin.Layer == policy.LayerPolicy {
		what += " through policy " + a.Origin.Name
	}
	return what
}

func waysOut(a policy.Ask) string {
	ways := []string{
		"give it an idempotency key (class: keyed with a key)",
		"state class: safe or class: idempotent with because and owner",
	}
	switch {
	case a.Leaf == policy.RetryMaxAttempts:
		ways = append(ways, "list in rejects the answers of which the provider says that nothing was done", "or write maxAttempts: 1")
	case a.Text == "timeout" || a.Text == "connection":
		ways = append(ways, "or write "+a.Text+": false")
	default:
		ways = append(ways, "add "+a.Text+" to rejects if the provider says that nothing was done then", "or write "+a.Text+": false")
	}
	return strings.Join(ways, "; ")
}

// nearClass shows where the class comes from.
func nearClass(f *finding, o *policy.Operation) {
	if written(o.ClassOrigin) {
		f.near(o.ClassOrigin.Pos, "class %s is stated here", o.Class)
		return
	}
	f.near(o.Spec.Pos, "a %s is unsafe unless the spec or an annotation says otherwise", o.Spec.Method)
}

// keyless reports whether an operation is called keyed and sends no key: a
// repeat of it is a second write.
func keyless(o *policy.Operation) bool { return o.Class == policy.Keyed && o.Key == nil }
