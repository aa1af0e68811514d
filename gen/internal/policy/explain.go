package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// An Explanation is everything about one operation's policy, as plain data to
// be drawn.
type Explanation struct {
	Operation *Operation
	Sections  []ExplainSection // outermost first: fallback, retry, retry.budget, breaker, bulkhead, timeout; then deadline, idempotency, expect
	Repeats   []Repeat         // what may be sent again and why; empty: nothing is
	Never     []string         // what is not sent again although it looks so, a sentence each; what was offered and not taken is in Operation.NotTaken
	WorstCase []Step           // if every attempt takes all it may
	Total     time.Duration    // when the worst case ends
	Unlimited bool             // no limit holds: WorstCase and Total mean nothing
}

// An ExplainSection is a layer of the stack with its leaves.
type ExplainSection struct {
	Name   string // "retry"
	Off    bool
	Leaves Leaves
	Scope  string // "compartment payments https://…" where the layer is shared, else empty
}

// A Repeat is a reason for which a request goes out again.
type Repeat struct {
	After string // "503", "timeout", "a request that was not sent"
	Why   string // "every attempt bears the same Idempotency-Key"
	From  Origin
}

// Explain gathers what there is to say about an operation of the plan.
func Explain(op *Operation) *Explanation {
	e := &Explanation{Operation: op, Sections: explainSections(op)}
	e.Repeats, e.Never = repeats(op)
	e.WorstCase, e.Total, e.Unlimited = worstCase(op)
	return e
}

func explainSections(op *Operation) []ExplainSection {
	state := op.Compartment.Leaves
	all := slices.Concat(op.Leaves, state.except(BreakerSlowCallOver)).sorted()
	scope := "compartment " + op.Compartment.ID()
	section := func(name, scope string, leaves Leaves, off bool) ExplainSection {
		return ExplainSection{Name: name, Scope: scope, Off: off, Leaves: leaves}
	}
	in := func(name string) Leaves {
		return slices.DeleteFunc(slices.Clone(all), func(v Value) bool {
			return !inSection(v.Leaf, name) || name == "retry" && inSection(v.Leaf, "retry.budget")
		})
	}
	off := func(l Leaf) bool { _, off := all.off(l); return off }
	none := func(l Leaf) bool { v := all.Get(l); return !v.Exists() || v.Text == noLimit }
	return []ExplainSection{
		section("fallback", "", in("fallback"), none(FallbackKind)),
		section("retry", "", in("retry"), all.Get(RetryMaxAttempts).Int() <= 1),
		section("retry.budget", scope, in("retry.budget"), off(RetryBudgetEnabled)),
		section("breaker", scope, in("breaker"), off(BreakerEnabled)),
		section("bulkhead", scope, in("bulkhead"), off(BulkheadEnabled)),
		section("timeout", "", in("timeout"), none(TimeoutAttempt) && none(TimeoutTotal)),
		section("deadline", "", in("deadline"), none(DeadlineHeader)),
		section("idempotency", "", op.idempotency(), false),
		section("expect", scope, in("expect"), len(in("expect")) == 0),
	}
}

// idempotency is what an operation knows of its class and key, as leaves.
func (o *Operation) idempotency() Leaves {
	out := Leaves{{Leaf: IdempotencyClass, Text: o.Class.String(), Origin: o.ClassOrigin, Reason: o.ClassReason}}
	for _, s := range [...]struct {
		leaf Leaf
		set  Set
	}{{Rejects, o.Rejects}, {AlreadyDone, o.AlreadyDone}} {
		if !s.set.Empty() {
			out = append(out, Value{Leaf: s.leaf, Text: s.set.Text(), Origin: s.set.Origin, Members: s.set.Members, Reason: s.set.Reason})
		}
	}
	if o.Key != nil {
		out = append(out, o.Key.Leaves...)
	}
	return out
}

// repeats are the reasons for which an operation is sent again, and what looks
// like one and is none.
func repeats(o *Operation) (again []Repeat, never []string) {
	when, attempts := o.Leaves.Get(RetryWhen), o.Leaves.Get(RetryMaxAttempts).Int()
	if attempts > 1 {
		set := when.Set()
		for _, text := range set.Texts {
			if stored := o.stored(text); stored != "" {
				never = append(never, stored)
				continue
			}
			again = append(again, Repeat{After: text, Why: o.whyRepeatable(), From: memberOrigin(when, text)})
		}
		again = append(again, o.inFlight()...)
		if header := o.Leaves.Get(RetryVerdictHeader); header.Exists() && o.Repeatable() {
			word := header.Text + ": " + o.Leaves.Get(RetryVerdictRetry).Text
			again = append(again, Repeat{After: "an answer with " + word, Why: o.whyRepeatable(), From: header.Origin})
			if o.Leaves.Get(RetryVerdictWhenAbsent).Text == "stop" {
				never = append(never, "an answer without "+word+", whatever its status: the server's own word decides")
			} else {
				never = append(never, "an answer whose "+header.Text+" says something else: the server's own word decides")
			}
		}
	}
	if o.Class == Unsafe && o.Leaves.Get(RetryNotSent).Int() > 0 {
		again = append(again, Repeat{After: "a request that was not sent", Why: "what provably did not go out cannot happen twice",
			From: o.Leaves.Get(RetryNotSent).Origin})
	}
	if o.Key != nil && o.Key.Replayed != "" {
		never = append(never, fmt.Sprintf("an answer with the header %s is a stored one: final, whatever its status", o.Key.Replayed))
	}
	return again, never
}

// memberOrigin is where a member of a set was written.
func memberOrigin(v Value, text string) Origin {
	for _, m := range v.Members {
		if m.Text == text {
			return m.Origin
		}
	}
	return v.Origin
}

// whyRepeatable is why sending the operation twice does no harm.
func (o *Operation) whyRepeatable() string {
	switch o.Class {
	case Safe, Idempotent:
		if o.Key != nil {
			return "twice is as good as once, and " + o.Key.bears()
		}
		if o.Class == Safe {
			return because("it writes nothing", o)
		}
		return because("twice does what once does", o)
	case Keyed:
		if o.Key == nil {
			return "its class is keyed, but no key is known"
		}
		return o.Key.bears()
	case Unsafe:
		return because("the provider says that nothing was done then", o)
	}
	panic(fmt.Sprintf("policy: class %d", o.Class))
}

func (k *Key) bears() string {
	if k.In == KeyInBody {
		return "every attempt bears the same key at " + k.Pointer
	}
	return "every attempt bears the same " + k.Name
}

// because adds who says so: the method, or the stated reason.
func because(why string, o *Operation) string {
	reason := o.ClassReason
	if o.Class == Unsafe {
		reason = o.Rejects.Reason
	}
	switch {
	case reason.Because != "":
		return why + ": " + strings.TrimSuffix(reason.Because, ".")
	case o.Class == o.Proven && o.Class != Unsafe:
		return why + ": " + o.Spec.Method + " proves it"
	}
	return why
}

// stored says why a status is not worth a repeat, or nothing: the server keeps
// the error under the key and gives it back for ever.
func (o *Operation) stored(text string) string {
	k := o.Key
	if k == nil || k.Stores != StoresErrors || text[0] != '5' || text == "502" || text == "503" || text == "504" {
		return ""
	}
	if text == "5XX" {
		return "of 5XX only 502, 503 and 504: the server stores other errors under the key and would give them back"
	}
	return text + ": the server stores it under the key and would give it back"
}

// inFlight are the answers that say that another attempt is still at work.
func (o *Operation) inFlight() []Repeat {
	var out []Repeat
	if o.Key == nil {
		return nil
	}
	for _, m := range o.Key.Statuses {
		if m.Meaning == InFlight {
			out = append(out, Repeat{After: m.String(), Why: "an attempt with the same key is still at work", From: m.Origin})
		}
	}
	return out
}
