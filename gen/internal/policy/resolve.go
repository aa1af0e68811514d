package policy

import (
	"slices"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// Settings are what resgen.yaml says about policies.
type Settings struct {
	Version   int           // of the table of defaults; 0 is 1
	Service   string        // who calls; may be empty
	Budget    time.Duration // 0: not given
	BudgetPos diag.Pos
	Files     []File // in order, outermost first
}

// A File is a policy file: the bare annotation object.
type File struct {
	Name string // as displayed
	Root document.Node
}

// Version is the newest version of the table of defaults.
const Version = 1

// Resolve merges, leaf by leaf, the defaults, the policy files and the
// document's annotations into a plan. Everything that is wrong in them is in
// the list, sorted, as an error at its position; the plan is made as far as
// possible all the same, and is never nil.
func Resolve(doc *document.Doc, api *model.API, s Settings) (*Plan, diag.List) {
	var diags diag.List
	r := &reader{words: words, doc: doc, diags: &diags}
	f := r.find(doc)
	r.stray(doc, f)
	p := newPlan(api, s, f)
	p.Gateways = gateways(doc.Root)
	m := r.merger(r.files(s.Files), f.root)
	for _, op := range api.Operations {
		p.Operations = append(p.Operations, m.operation(p, op, f.spot(op)))
	}
	p.Compartments = orderCompartments(p.Compartments)
	for _, c := range p.Compartments {
		c.deriveConnect()
	}
	p.Waivers = allWaivers(f.root, p.Operations)
	r.checkBudget(p)
	return p, diags.Sorted()
}

func newPlan(api *model.API, s Settings, f *finding) *Plan {
	p := &Plan{
		Version: max(s.Version, Version), Service: s.Service, Budget: Budget{Limit: s.Budget, Pos: s.BudgetPos},
		API: api, Annotated: f.any, Criticality: Standard, CriticalityOrigin: Origin{Layer: LayerDefault}, Dependency: Slug(api.Title),
	}
	if p.Dependency == "" {
		p.Dependency = "api" // a title without a letter or digit of ASCII
	}
	if f.root == nil {
		return p
	}
	if name := f.root.text(keyDependency); name != "" {
		p.Dependency = name
	}
	p.Criticality, p.CriticalityOrigin = spot{op: f.root}.criticality(Standard, p.CriticalityOrigin)
	p.Owner, p.OwnerOrigin = f.root.owner()
	return p
}

// files reads the policy files.
func (r *reader) files(files []File) []*annotation {
	plain := *r
	plain.doc = nil // no overlay reaches a policy file
	var out []*annotation
	for _, f := range files {
		a := &annotation{place: OnFile, layer: LayerFile, name: f.Name}
		if n := f.Root.Get(extension); n.Exists() {
			plain.errorf(n.Pos(), "a policy file holds %s; want the bare object", extension).WithHint("write its keys at the top of the file")
			continue
		}
		out = append(out, plain.read(f.Root, a, ""))
	}
	return out
}

// operation resolves one operation.
func (m *merger) operation(p *Plan, op *model.Operation, s spot) *Operation {
	c := m.chain(s.path, s.op)
	o := &Operation{Spec: op, Streaming: streaming(op)}
	o.Owner, o.OwnerOrigin = s.owner(p.Owner, p.OwnerOrigin)
	o.Criticality, o.CriticalityOrigin = s.criticality(p.Criticality, p.CriticalityOrigin)
	o.Compartment = m.compartment(p, op, s, c, m.begin(c, s, o.Streaming))
	o.Compartment.Operations = append(o.Compartment.Operations, o)

	merged := m.merge(c.layers, o.Criticality, false, nil)
	stated := merged.Get(IdempotencyClass)
	o.Key = m.key(op, merged, stated)
	o.Rejects, o.AlreadyDone = merged.Get(Rejects).Set(), merged.Get(AlreadyDone).Set()
	o.classify(stated)
	if o.Class == Safe {
		o.Key = nil // a read needs none: what the spec declares for it is an ordinary parameter
	}

	o.Leaves = slices.DeleteFunc(merged, func(v Value) bool { return inSection(v.Leaf, "idempotency") })
	o.Asks = o.asks()
	o.Leaves = switchOff(o.Leaves)
	o.takeOffers()
	o.deriveTimes(p.Budget.Limit)
	o.Reasons = reasons(c)
	o.Waivers = slices.Concat(waiversOf(m.root, "", ""), waiversOf(s.path, s.key, ""), waiversOf(s.op, s.key, op.Method+" "+op.Path))
	o.Gateways = append(gateways(s.item), gateways(s.node)...)
	return o
}

// reasons are the reasons that stand on the operation and its path item, and
// in the policies that they use.
func reasons(c chain) []SectionReason {
	var out []SectionReason
	for _, l := range c.layers {
		for _, r := range l.ann.reasons {
			out = append(out, SectionReason{Section: r.section, Origin: l.origin(r.pos, r.via), Reason: r.reason})
		}
	}
	return out
}

// waiversOf are the waivers of an annotation with the place that they hold for.
// The annotation keeps them, so that each is one value however often it is asked for.
func waiversOf(a *annotation, path, operation string) []*Waiver {
	if a == nil {
		return nil
	}
	for _, w := range a.waivers {
		w.Path, w.Operation = path, operation
	}
	return a.waivers
}

// allWaivers are the document's waivers, then those of its operations.
func allWaivers(root *annotation, operations []*Operation) []*Waiver {
	out := slices.Clone(waiversOf(root, "", ""))
	known := map[*Waiver]bool{}
	for _, w := range out {
		known[w] = true
	}
	for _, o := range operations {
		for _, w := range o.Waivers {
			if !known[w] {
				known[w] = true
				out = append(out, w)
			}
		}
	}
	return out
}

// streaming reports whether the operation's answer is handed on as it
// arrives: events and lines are, and bytes where nothing else is declared.
func streaming(op *model.Operation) bool {
	binary, other := false, false
	for _, r := range op.Responses {
		if !r.Success() {
			continue
		}
		for _, c := range r.Contents {
			switch c.Encoding {
			case model.EventStream, model.JSONLines:
				return true
			case model.Binary:
				binary = true
			case model.JSON, model.FormURL, model.Multipart, model.Text:
				other = true
			}
		}
	}
	return binary && !other
}

// checkBudget complains of a budget of the service's that leaves no time.
func (r *reader) checkBudget(p *Plan) {
	for _, o := range p.Operations {
		margin, _ := o.Leaves.Get(DeadlineMargin).Duration()
		if p.Budget.Limit > 0 && p.Budget.Limit <= margin {
			r.errorf(p.Budget.Pos, "budget is %s, which the deadline margin of %s uses up; want more", FormatDuration(p.Budget.Limit), FormatDuration(margin)).
				WithHint("raise the budget, or lower deadline.margin")
		}
	}
}
