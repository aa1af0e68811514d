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
		needReasons(p, o, "rejects", o.Rejects)
		needReasons(p, o, "alreadyDone", o.AlreadyDone)
	}
}

// needReasons finds statuses without a reason, place by place: what the
// operation says of its own does not speak for those of a policy that it uses.
func needReasons(p *pass, o *policy.Operation, what string, set policy.Set) {
	judged := map[policy.Layer]map[string]bool{}
	for _, m := range set.Members {
		if !m.In || judged[m.Origin.Layer][m.Origin.Name] {
			continue
		}
		if judged[m.Origin.Layer] == nil {
			judged[m.Origin.Layer] = map[string]bool{}
		}
		judged[m.Origin.Layer][m.Origin.Name] = true
		at := m.Origin
		if set.Origin.Layer == at.Layer && set.Origin.Name == at.Name {
			at = set.Origin // what stands there is the whole set
		}
		needReason(p, o, what, at, m.Reason, "or take "+what+" out")
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
