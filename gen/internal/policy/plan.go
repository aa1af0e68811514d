// Package policy holds the x-resilience vocabulary: one table from which the
// parser, the JSON Schema, the order of the record, the documentation of the
// defaults and explain are made. Resolve merges what the table's leaves say in
// their places into a Plan, in which every value knows where it came from.
package policy

import (
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// A Plan is the resolved policy of one API: every operation with the values
// that hold for it. Nothing changes it after Resolve made it.
type Plan struct {
	Version     int    // of the table of defaults
	Service     string // who calls; empty where resgen.yaml does not say
	Budget      Budget
	Dependency  string // who is called: `dependency`, or a slug of info.title
	Criticality Criticality
	// CriticalityOrigin is where the document says it; LayerDefault where it does not.
	CriticalityOrigin Origin
	Owner             string // of the document's annotation
	OwnerOrigin       Origin // where Owner is written; zero without one
	API               *model.API
	Compartments      []*Compartment // the document's own first, then by first operation
	Operations        []*Operation   // document order, one for each of API.Operations
	Waivers           []*Waiver      // every waiver written, document order
	Annotated         bool           // some x-resilience stands in the document, or an overlay put one there
	Gateways          []Gateway      // at the document's root; an operation has its own
}

// A Budget is the time that the service's own callers give it. The zero Budget
// is unknown.
type Budget struct {
	Limit time.Duration // 0: resgen.yaml says nothing
	Pos   diag.Pos
}

// A Gateway is a limit that a gateway's own annotation declares in the spec.
type Gateway struct {
	Key   string // "x-google-backend.deadline" or "x-amazon-apigateway-integration.timeoutInMillis"
	Limit time.Duration
	Pos   diag.Pos
}

// A Compartment is what shares a breaker, a bulkhead, a retry budget and a
// pool of connections: dependency × scheme and host × name.
type Compartment struct {
	Dependency  string
	Host        string // scheme://host[:port] of the server with its variables' defaults; empty where the spec names none
	Name        string // empty: the document's own
	Criticality Criticality
	// CriticalityOrigin is where `criticality` is written; LayerDefault where
	// nobody did.
	CriticalityOrigin Origin
	Owner             string // of the place where it begins, else of the document; may be empty
	OwnerOrigin       Origin // where Owner is written; zero without one
	Leaves            Leaves // the leaves that a compartment holds, expect among them; breaker.slowCall.over only where written
	Operations        []*Operation
	Begins            Origin // where it begins: the document, a path item or an operation; derived for "streams"
}

// ID names the compartment in the record: "payments https://payments.internal reports".
func (c *Compartment) ID() string {
	id := c.Dependency
	for _, part := range []string{c.Host, c.Name} {
		if part != "" {
			id += " " + part
		}
	}
	return id
}

// Expect is a fact of the `expect` section (one of the Expect… leaves), or the
// zero Value where nothing is expected.
func (c *Compartment) Expect(l Leaf) Value { return c.Leaves.Get(l) }

// An Operation is one operation with the policy that holds for it.
type Operation struct {
	Spec        *model.Operation
	Compartment *Compartment
	Criticality Criticality
	// CriticalityOrigin is where `criticality` is written; LayerDefault where
	// nobody did. RG401 stands there.
	CriticalityOrigin Origin
	Owner             string // nearest `owner` beside the place's leaves: operation, path item, document; may be empty
	OwnerOrigin       Origin // where Owner is written; zero without one

	Class       Class
	ClassOrigin Origin // LayerDefault: the method proves it; LayerInferred: a known key is declared
	ClassReason Reason // of the section that states the class
	Proven      Class  // what the method alone proves

	Key         *Key // nil: no key is sent
	Rejects     Set  // statuses of which the provider says that nothing was done
	AlreadyDone Set

	Leaves   Leaves  // operation leaves in vocabulary order; breaker.slowCall.over among them, compartment leaves and idempotency.* not
	NotTaken []Offer // offered and not taken up, vocabulary order
	Asks     []Ask   // what asks for more than one attempt, whatever the class; RG001 on an unsafe operation

	Streaming bool      // the answer is handed on as it arrives
	Waivers   []*Waiver // those in whose scope the operation lies, the document's first
	Gateways  []Gateway // at the operation or its path item
	Reasons   []SectionReason
}

// Value is the operation's value of a leaf, its compartment's where the leaf
// belongs to that, or the zero Value.
func (o *Operation) Value(l Leaf) Value {
	if v := o.Leaves.Get(l); v.Exists() {
		return v
	}
	return o.Compartment.Leaves.Get(l)
}

// Repeatable reports whether the operation may be sent again as a rule: its
// class is anything but unsafe. An unsafe one with Rejects may still be sent
// again after those.
func (o *Operation) Repeatable() bool { return o.Class != Unsafe }

// A Reason says why something may be otherwise than it would be. It is never
// inherited.
type Reason struct {
	Because, Owner       string
	Until                time.Time // a date in UTC, the last day on which it holds; zero: no end
	BecausePos, OwnerPos diag.Pos
	UntilPos             diag.Pos
}

// Stated reports whether both because and owner are there.
func (r Reason) Stated() bool { return r.Because != "" && r.Owner != "" }

// A SectionReason is a reason with the section and the place where it stands.
type SectionReason struct {
	Section string // "breaker", "retry.budget"; empty: the annotation itself
	Origin  Origin
	Reason  Reason
}

// An Offer is a leaf that retry was offered with and that the operation does
// not take up.
type Offer struct {
	Leaf   Leaf
	Text   string // what was offered and not taken: "3", or the statuses left out
	Taken  string // what holds instead: "1", "429"
	Origin Origin // where the offer stands
	Why    string // "unsafe"
}

// An Ask is a leaf on the operation itself, or in a policy that it uses, that
// wants the operation sent again: maxAttempts above 1, or a member of `when`
// that `rejects` does not cover.
type Ask struct {
	Leaf   Leaf
	Text   string // the maxAttempts, or the member of when
	Origin Origin
}

// A Key is the idempotency key that an operation sends.
type Key struct {
	In        KeyIn
	Name      string // header or query parameter, as the spec or the annotation spells it
	Pointer   string // JSON pointer into the request body
	MaxLength int    // 0: unknown
	Generate  Generate
	Retention time.Duration // 0: unknown, the key serves one call
	Stores    Stores
	Statuses  []StatusMeaning // by status, then as written
	Replayed  string          // header that marks a stored answer; empty: none
	Leaves    Leaves          // the idempotency.key.* leaves with their origins
	Origin    Origin          // where the key was declared; LayerInferred: read from the plain spec
	Reason    Reason          // of the section that declares it

	Params   []*model.Param // the declared parameters that the key replaces: no ordinary arguments any more
	Path     []*model.Field // the declared properties on the way to Pointer, the last one Field
	Field    *model.Field   // the declared body property that the key replaces; nil: none
	Required bool           // the spec requires the parameter or property
}

// Declared reports whether the spec declares what carries the key.
func (k *Key) Declared() bool { return len(k.Params) > 0 || k.Field != nil }

// TakesText reports whether a key that is made here, a text, is a value of what
// the spec declares for it, if anything.
func (k *Key) TakesText() bool {
	for _, p := range k.Params {
		if !textual(p.Type) {
			return false
		}
	}
	return k.Field == nil || textual(k.Field.Type)
}

// A StatusMeaning says what an answer means for an operation with a key.
type StatusMeaning struct {
	Status  string // "409" or "4XX"
	Meaning Meaning
	At      string   // JSON pointer into the answer's body; empty: every such answer
	Is      []string // texts that the member at At may have
	Origin  Origin
}

// A Waiver silences one rule where it stands.
type Waiver struct {
	Rule      string // as written
	Reason    Reason
	Origin    Origin // layer document, path or operation; Pos of the entry
	Path      string // of the path item or operation; empty: the document
	Operation string // "POST /charges"; empty: more than one
}
