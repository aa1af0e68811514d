package rules

import (
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

var rg002 = &rule{
	Rule: Rule{
		ID: "RG002", Name: "class-without-reason", Severity: diag.Error,
		Says: "A class beyond what the method proves, `rejects` or `alreadyDone` stands without because and owner, or past until; or `keyed` without a key.",
	},
	check: checkClassWithoutReason,
}

func checkClassWithoutReason(p *pass) {
	for _, o := range p.plan.Operations {
		checkKeyless(p, o)
		if beyondMethod(o) {
			needReason(p, o, "class "+o.Class.String(), o.ClassOrigin, o.ClassReason,
				"or leave the class to the method, which proves "+o.Proven.String())
		}
		if len(o.Rejects.Texts) > 0 {
			needReason(p, o, "rejects", o.Rejects.Origin, o.Rejects.Reason, "or take rejects out")
		}
		if len(o.AlreadyDone.Texts) > 0 {
			needReason(p, o, "alreadyDone", o.AlreadyDone.Origin, o.AlreadyDone.Reason, "or take alreadyDone out")
		}
	}
}

func checkKeyless(p *pass, o *policy.Operation) {
	if !keyless(o) {
		return
	}
	p.operationAt(o, o.ClassOrigin, "class keyed without a key: neither the annotation nor the spec names one").binding().
		do("write idempotency.key with in and name; or class: unsafe, if the provider takes no key")
}

// beyondMethod reports whether the stated class permits more than the method
// proves. A key is a reason in itself for anything but safe.
func beyondMethod(o *policy.Operation) bool {
	if !written(o.ClassOrigin) {
		return false
	}
	switch o.Class {
	case policy.Safe:
		return o.Proven != policy.Safe
	case policy.Idempotent:
		return o.Proven == policy.Unsafe && o.Key == nil
	case policy.Keyed, policy.Unsafe:
		return false // the key is the reason; unsafe permits nothing
	}
	panic("rules: class " + o.Class.String())
}

// needReason finds a statement that lacks its reason, or whose date has passed.
func needReason(p *pass, o *policy.Operation, what string, at policy.Origin, r policy.Reason, otherwise string) {
	var missing []string
	if r.Because == "" {
		missing = append(missing, "because")
	}
	if r.Owner == "" {
		missing = append(missing, "owner")
	}
	if len(missing) > 0 {
		p.operationAt(o, at, "%s without %s; want both because and owner", what, strings.Join(missing, " and ")).
			do("write %s beside it in the same idempotency section; %s", strings.Join(missing, " and "), otherwise)
		return
	}
	if p.cfg.expired(r.Until) {
		f := p.operationAt(o, at, "%s held until %s", what, r.Until.Format("2006-01-02"))
		if r.UntilPos.IsValid() {
			f.near(f.pos, "%s is stated here", what)
			f.pos = r.UntilPos
		}
		f.do("ask %s whether it still holds and write a new date; %s", r.Owner, otherwise)
	}
}
