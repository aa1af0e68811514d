package golang

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/names"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// A policyVar is one distinct policy of the package and the operations that
// share it.
type policyVar struct {
	name       string
	literal    *jen.Statement
	operations []*policy.Operation
}

// A compartmentVar is one distinct compartment literal.
type compartmentVar struct {
	name    string
	literal *jen.Statement
	first   *policy.Compartment
}

// policySet is what policy.gen.go holds, in document order.
type policySet struct {
	compartments []*compartmentVar
	policies     []*policyVar
	of           map[*policy.Operation]*policyVar
}

// collectPolicies finds the distinct compartments and policies: two operations
// with the same values share one literal.
func collectPolicies(p *pkg) policySet {
	set := policySet{of: map[*policy.Operation]*policyVar{}}
	compartments := map[*policy.Compartment]*compartmentVar{}
	byText := map[string]*compartmentVar{}
	for _, c := range p.plan.Compartments {
		lit := p.compartmentLiteral(c)
		text := codeText([]jen.Code{lit})
		v := byText[text]
		if v == nil {
			v = &compartmentVar{literal: lit, first: c}
			v.name = p.private.Take("compartment" + compartmentStem(c))
			byText[text] = v
			set.compartments = append(set.compartments, v)
		}
		compartments[c] = v
	}
	policies := map[string]*policyVar{}
	for _, op := range p.plan.Operations {
		lit := p.policyLiteral(op, compartments[op.Compartment].name)
		text := codeText([]jen.Code{lit})
		v := policies[text]
		if v == nil {
			v = &policyVar{literal: lit}
			policies[text] = v
			set.policies = append(set.policies, v)
		}
		v.operations = append(v.operations, op)
		set.of[op] = v
	}
	namePolicies(p, set.policies)
	return set
}

// compartmentStem is the name of a compartment in code: its own, after that of
// the dependency while that is short.
func compartmentStem(c *policy.Compartment) string {
	dependency := names.Exported(c.Dependency)
	switch {
	case len(dependency) > 20 && c.Name == "":
		return "Main"
	case len(dependency) > 20:
		return names.Exported(c.Name)
	case c.Name == "":
		return dependency
	}
	return names.Join(dependency, names.Part(c.Name))
}

// namePolicies names a policy after the trait that its operations share, if
// it is the first of several with it, else after its first operation.
func namePolicies(p *pkg, policies []*policyVar) {
	for _, v := range policies {
		first := v.operations[0]
		if len(v.operations) > 1 {
			trait := "policy" + names.Exported(first.Compartment.Name+" "+first.Class.String())
			if !p.private.Has(trait) {
				v.name = p.private.Take(trait)
				continue
			}
		}
		v.name = p.private.Take("policy" + first.Spec.Name)
	}
}

// policyFile writes policy.gen.go.
func policyFile(f *jen.File, p *pkg) {
	for _, c := range p.policies.compartments {
		doc(f, c.name+" is shared by the operations of "+c.first.ID()+": one circuit, one bulkhead, one retry budget.")
		f.Var().Id(c.name).Op("=").Add(c.literal)
		f.Line()
	}
	for _, v := range p.policies.policies {
		doc(f, policyDoc(v))
		f.Var().Id(v.name).Op("=").Add(v.literal)
		f.Line()
	}
}

func policyDoc(v *policyVar) string {
	first := v.operations[0]
	names := make([]string, 0, 3)
	for _, op := range v.operations[:min(len(v.operations), 3)] {
		names = append(names, op.Spec.Name)
	}
	text := strings.Join(names, ", ")
	if more := len(v.operations) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%s: %s operations of %s: %s. See policy.gen.yaml.", v.name, first.Class, first.Compartment.Dependency, text)
}

// compartmentLiteral is the rt.Compartment of a compartment.
func (p *pkg) compartmentLiteral(c *policy.Compartment) *jen.Statement {
	get := c.Leaves.Get
	l := p.literal("Compartment", true)
	l.text("Dependency", c.Dependency)
	l.text("Name", c.Name)
	l.duration("Connect", get(policy.TimeoutConnect))
	if on(get(policy.BreakerEnabled)) {
		l.add("Breaker", p.breakerLiteral(get))
	}
	if on(get(policy.BulkheadEnabled)) {
		b := p.literal("Bulkhead", false)
		b.int("MaxConcurrent", get(policy.BulkheadMaxConcurrent).Int())
		b.int("MaxQueue", get(policy.BulkheadMaxQueue).Int())
		b.duration("MaxWait", get(policy.BulkheadMaxWait))
		l.nested("Bulkhead", b)
	}
	if on(get(policy.RetryBudgetEnabled)) {
		b := p.literal("Budget", false)
		b.share("Ratio", get(policy.RetryBudgetRatio))
		b.rate("Floor", get(policy.RetryBudgetFloor))
		b.duration("Window", get(policy.RetryBudgetWindow))
		l.nested("Budget", b)
	}
	return l.code()
}

func (p *pkg) breakerLiteral(get func(policy.Leaf) policy.Value) *jen.Statement {
	b := p.literal("Breaker", true)
	b.share("FailureRate", get(policy.BreakerFailureRate))
	if on(get(policy.BreakerSlowCallEnabled)) {
		b.share("SlowRate", get(policy.BreakerSlowCallRate))
	}
	b.duration("Window", get(policy.BreakerWindow))
	b.int("MinimumCalls", get(policy.BreakerMinimumCalls).Int())
	b.int("Consecutive", get(policy.BreakerConsecutive).Int())
	b.duration("OpenFor", get(policy.BreakerOpenFor))
	b.duration("OpenMax", get(policy.BreakerOpenMax))
	probes := p.literal("Probes", false)
	probes.int("Count", get(policy.BreakerProbesCount).Int())
	probes.int("Successes", get(policy.BreakerProbesSuccesses).Int())
	b.nested("Probes", probes)
	b.flag("Observe", get(policy.BreakerMode).Text == "observe")
	return b.code()
}

// policyLiteral is the rt.Policy of an operation.
func (p *pkg) policyLiteral(op *policy.Operation, compartment string) *jen.Statement {
	l := p.literal("Policy", true)
	l.add("Class", p.rt(classNames[op.Class]))
	l.add("Compartment", jen.Op("&").Id(compartment))
	l.nested("Timeout", p.timeoutLiteral(op))
	if on(op.Value(policy.RetryEnabled)) {
		l.nested("Retry", p.retryLiteral(op))
	}
	if on(op.Value(policy.BreakerSlowCallEnabled)) && on(op.Value(policy.BreakerEnabled)) {
		l.duration("SlowOver", op.Value(policy.BreakerSlowCallOver))
	}
	if counts := edited(op.Value(policy.BreakerCounts)); len(counts) > 0 {
		l.add("Counts", p.countsLiteral(counts))
	}
	l.nested("Fallback", p.fallbackLiteral(op))
	l.nested("Deadline", p.deadlineLiteral(op))
	if op.Key != nil && op.Class != policy.Safe {
		l.nested("Key", p.keyLiteral(op.Key))
	}
	l.ints("Rejects", op.Rejects.Spelled())
	l.statuses("AlreadyDone", op.AlreadyDone)
	return l.code()
}

var classNames = map[policy.Class]string{
	policy.Safe: "Safe", policy.Idempotent: "Idempotent", policy.Keyed: "Keyed", policy.Unsafe: "Unsafe",
}

func (p *pkg) timeoutLiteral(op *policy.Operation) *literal {
	t := p.literal("Timeout", false)
	t.duration("Attempt", op.Value(policy.TimeoutAttempt))
	t.duration("Total", op.Value(policy.TimeoutTotal))
	if op.Streaming {
		t.duration("Idle", op.Value(policy.TimeoutIdle))
	}
	t.duration("MinRemaining", op.Value(policy.TimeoutMinRemaining))
	return t
}

func (p *pkg) retryLiteral(op *policy.Operation) *literal {
	r := p.literal("Retry", true)
	r.int("MaxAttempts", op.Value(policy.RetryMaxAttempts).Int())
	set := op.Value(policy.RetryWhen).Set()
	when := p.literal("When", false)
	when.statuses("Statuses", set)
	when.ints("Except", set.Except())
	when.flag("Timeout", set.HasWord("timeout"))
	when.flag("Connection", set.HasWord("connection"))
	r.nested("When", when)
	if !op.Repeatable() {
		r.int("NotSent", op.Value(policy.RetryNotSent).Int())
	}
	backoff := p.literal("Backoff", false)
	backoff.duration("Initial", op.Value(policy.RetryBackoffInitial))
	backoff.duration("Max", op.Value(policy.RetryBackoffMax))
	if f := op.Value(policy.RetryBackoffMultiplier).Factor(); f != 0 {
		backoff.add("Multiplier", jen.Op(strconv.FormatFloat(float64(f)/1000, 'f', -1, 64)))
	}
	backoff.word("Jitter", op.Value(policy.RetryBackoffJitter).Text, jitterNames)
	r.nested("Backoff", backoff)
	after := p.literal("RetryAfter", false)
	after.duration("Max", op.Value(policy.RetryAfterMax))
	if headers := op.Value(policy.RetryAfterHeaders).Set().Texts; len(headers) != 1 || !strings.EqualFold(headers[0], "Retry-After") {
		after.texts("Headers", headers)
	}
	r.nested("RetryAfter", after)
	verdict := p.literal("Verdict", false)
	if header := op.Value(policy.RetryVerdictHeader).Text; header != "" {
		verdict.text("Header", header)
		verdict.text("Retry", op.Value(policy.RetryVerdictRetry).Text)
		verdict.word("WhenAbsent", op.Value(policy.RetryVerdictWhenAbsent).Text, absentNames)
	}
	r.nested("Verdict", verdict)
	return r
}

var (
	jitterNames    = map[string]string{"full": "FullJitter", "equal": "EqualJitter", "decorrelated": "DecorrelatedJitter", "none": "NoJitter"}
	absentNames    = map[string]string{"judge": "Judge", "stop": "Stop"}
	fallbackNames  = map[string]string{"none": "FallbackNone", "static": "FallbackStatic", "stale": "FallbackStale", "caller": "FallbackCaller"}
	principalNames = map[string]string{"credential": "ByCredential", "context": "ByContext", "shared": "Shared"}
	formatNames    = map[string]string{"remaining": "Remaining", "timestamp": "Timestamp"}
)

// edited are the members of a set that someone wrote: the runtime's own table
// holds the rest.
func edited(v policy.Value) []policy.Member {
	var out []policy.Member
	for _, m := range v.Members {
		if m.Origin.Layer != policy.LayerDefault {
			out = append(out, m)
		}
	}
	return out
}

func (p *pkg) countsLiteral(members []policy.Member) *jen.Statement {
	return p.rt("Counts").CustomFunc(jen.Options{Open: "{", Close: "}", Separator: ", "}, func(g *jen.Group) {
		for _, m := range members {
			g.Add(jen.Op(statusNumber(m.Text)).Op(":").Lit(m.In))
		}
	})
}

// statusNumber is how the runtime writes a status or a range: 503, or 5.
func statusNumber(text string) string {
	if strings.HasSuffix(strings.ToUpper(text), "XX") {
		return text[:1]
	}
	return text
}

func (p *pkg) fallbackLiteral(op *policy.Operation) *literal {
	f := p.literal("Fallback", false)
	kind := op.Value(policy.FallbackKind)
	coalesce := op.Value(policy.FallbackCoalesce).Bool()
	if kind.Text == "" || kind.Text == "none" && kind.Reason.Because == "" && !coalesce {
		return f
	}
	f.word("Kind", kind.Text, fallbackNames)
	switch kind.Text {
	case "none":
		f.text("Because", oneLine(kind.Reason.Because))
	case "static":
		f.text("Value", op.Value(policy.FallbackValue).Text)
		if status := firstSuccess(op.Spec); status != 200 {
			f.int("Status", status)
		}
	case "stale":
		f.duration("MaxAge", op.Value(policy.FallbackMaxAge))
	case "caller":
	default:
		panic(fmt.Sprintf("golang: fallback kind %q not handled", kind.Text))
	}
	if kind.Text == "stale" || coalesce {
		f.texts("Vary", op.Value(policy.FallbackVary).Set().Texts)
		f.word("Principal", op.Value(policy.FallbackPrincipal).Text, principalNames)
	}
	f.flag("Coalesce", coalesce)
	return f
}

func (p *pkg) deadlineLiteral(op *policy.Operation) *literal {
	d := p.literal("DeadlineRule", false)
	header := op.Value(policy.DeadlineHeader)
	if header.Text == "" || header.Text == "none" {
		return d
	}
	d.text("Header", header.Text)
	format := op.Value(policy.DeadlineFormat).Text
	if format == "" {
		format = "remaining"
	}
	d.word("Format", format, formatNames)
	d.duration("Margin", op.Value(policy.DeadlineMargin))
	d.duration("MaxSkew", op.Value(policy.DeadlineMaxSkew))
	return d
}

func (p *pkg) keyLiteral(k *policy.Key) *literal {
	l := p.literal("KeyRule", false)
	switch k.In {
	case policy.KeyInHeader:
		l.add("In", p.rt("InHeader"))
		l.text("Name", k.Name)
	case policy.KeyInQuery:
		l.add("In", p.rt("InQuery"))
		l.text("Name", k.Name)
	case policy.KeyInBody:
		l.add("In", p.rt("InBody"))
		l.text("Pointer", k.Pointer)
	default:
		panic(fmt.Sprintf("golang: place of a key %v not handled", k.In))
	}
	l.int("MaxLength", k.MaxLength)
	l.flag("ByCaller", k.Generate == policy.GenerateCaller)
	l.time("Retention", k.Retention)
	if k.Stores == policy.StoresSuccess {
		l.add("Stores", p.rt("StoresSuccess"))
	} else {
		l.add("Stores", p.rt("StoresErrors"))
	}
	if len(k.Statuses) > 0 {
		l.multi = true
		l.add("Statuses", jen.Index().Add(p.rt("KeyStatus")).CustomFunc(multi, func(g *jen.Group) {
			for _, s := range k.Statuses {
				g.Add(p.keyStatus(s))
			}
		}))
	}
	l.text("Replayed", k.Replayed)
	return l
}

func (p *pkg) keyStatus(s policy.StatusMeaning) *jen.Statement {
	l := p.literal("KeyStatus", false)
	l.add("Status", jen.Op(statusNumber(s.Status)))
	l.add("Means", p.rt(meaningNames[s.Meaning]))
	l.text("At", s.At)
	l.texts("Is", s.Is)
	l.untyped = true
	return l.code()
}

var meaningNames = map[policy.Meaning]string{
	policy.InFlight: "InFlight", policy.Done: "Done", policy.Mismatch: "Mismatch", policy.NewKey: "NewKey",
}

// on reports whether a section runs: unless it was switched off.
func on(enabled policy.Value) bool { return !enabled.Exists() || enabled.Bool() }

// durationCode is a duration in its largest exact unit.
func durationCode(d time.Duration) *jen.Statement {
	units := [...]struct {
		unit time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"}, {1, "Nanosecond"}}
	for _, u := range units {
		if d%u.unit == 0 {
			n := int64(d / u.unit)
			if n == 1 {
				return jen.Qual("time", u.name)
			}
			return jen.Op(strconv.FormatInt(n, 10)).Op("*").Qual("time", u.name)
		}
	}
	panic(fmt.Sprintf("golang: duration %v not handled", d))
}
