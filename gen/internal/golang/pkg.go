package golang

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// runtimePath is the import path of package rt where Options name no other.
const runtimePath = "github.com/resgen-dev/resgen/runtime"

// A pkg is the package in the making: the plan seen as Go, every name settled.
// Nothing changes it once newPkg has made it, so that files can be written side
// by side.
type pkg struct {
	plan *policy.Plan
	api  *model.API
	opts Options

	private  *names.Scope // helpers of the package level, lower case
	exported *names.Scope // everything that is declared with an upper-case name
	cycles   cycleSet

	keyFields map[*model.Field]bool // see keyFields
	policies  policySet
	schemes   []*model.SecurityScheme // those that some operation asks for
	auths     []*authSet
	servers   []*serverSet // the document's first
	failures  failureSet
	decoders  decoderSet

	headerSets map[string]*headerSet // by what they hold
	ops        []*operation
}

// An operation is a method of Client with all that it needs.
type operation struct {
	plan    *policy.Operation
	spec    *model.Operation
	policy  *policyVar
	params  []*model.Param // the ordinary arguments: without those that bear the key
	bodies  []body
	key     bool // the caller must give the key
	result  result
	auth    *authSet // nil: no credentials
	server  *serverSet
	decoder *decoder
	failure string // the text of its failures; empty where one expression reads them
	headers []headers
	errors  map[*model.Response][]errorGroup
}

func newPkg(plan *policy.Plan, opts Options) *pkg {
	if opts.RuntimePath == "" {
		opts.RuntimePath = runtimePath
	}
	p := &pkg{
		plan:     plan,
		api:      plan.API,
		opts:     opts,
		private:  names.NewScope(),
		exported: exportedScope(plan.API),
		cycles:   findCycles(plan.API.Types),

		keyFields: keyFields(plan),
	}
	p.headerSets = map[string]*headerSet{}
	p.policies = collectPolicies(p)
	p.servers = collectServers(p)
	p.failures = failureSet{byText: map[string]*failure{}, groups: map[*model.Response][]errorGroup{}, own: map[string]bool{}}
	p.decoders = decoderSet{byText: map[string]*decoder{}}
	for _, op := range plan.Operations {
		p.ops = append(p.ops, newOperation(p, op))
	}
	for _, op := range p.ops {
		op.decoder = p.decoderOf(op) // after all failures have been counted
	}
	return p
}

func newOperation(p *pkg, plan *policy.Operation) *operation {
	spec := plan.Spec
	op := &operation{
		plan:   plan,
		spec:   spec,
		policy: p.policies.of[plan],
		params: arguments(plan),
		key:    plan.Key != nil && plan.Class != policy.Safe && plan.Key.Generate == policy.GenerateCaller,
		bodies: bodiesOf(spec),
		result: resultOf(p, spec),
		auth:   p.authOf(spec),
		server: p.serverOf(spec),
	}
	op.headers = headersOf(p, spec)
	p.countFailures(op)
	op.errors = map[*model.Response][]errorGroup{}
	for _, resp := range spec.Responses {
		if groups := p.failures.groups[resp]; groups != nil {
			op.errors[resp] = groups
		}
	}
	return op
}

// arguments are the parameters that the caller fills: all but those that bear
// the idempotency key.
func arguments(plan *policy.Operation) []*model.Param {
	if plan.Key == nil || plan.Class == policy.Safe {
		return plan.Spec.Params
	}
	var out []*model.Param
	for _, param := range plan.Spec.Params {
		if !isKey(plan.Key, param) {
			out = append(out, param)
		}
	}
	return out
}

func isKey(k *policy.Key, param *model.Param) bool {
	for _, kp := range k.Params {
		if kp == param {
			return true
		}
	}
	return false
}

// hasRequest reports whether the method takes a request struct.
func (op *operation) hasRequest() bool { return len(op.params) > 0 || len(op.bodies) > 0 }

// request is the name of the request struct.
func (op *operation) request() string {
	if op.spec.Request == "" {
		panic(fmt.Sprintf("golang: operation %s has arguments and no name for them", op.spec.ID))
	}
	return op.spec.Request
}

// option is the interface of the method's options.
func (op *operation) option() string {
	if op.plan.Repeatable() {
		return "RepeatableOption"
	}
	return "Option"
}

// exportedScope holds all names of the model and those that every package
// declares.
func exportedScope(api *model.API) *names.Scope {
	s := names.NewScope("Client", "NewClient", "Config", "Auth", "Fallbacks", "Server")
	for _, t := range api.Types {
		s.Reserve(t.Name)
		for _, v := range t.Enum {
			s.Reserve(v.Name)
		}
	}
	for _, op := range api.Operations {
		s.Reserve(op.Request, op.Result)
		for _, r := range op.Responses {
			s.Reserve(r.Name)
		}
	}
	return s
}

// path is the import path behind a qualifier of an expr.
func (p *pkg) path(qualifier string) string {
	switch qualifier {
	case "rt":
		return p.opts.RuntimePath
	case "wire":
		return p.opts.RuntimePath + "/wire"
	case "faulttest":
		return p.opts.RuntimePath + "/faulttest"
	case "time", "iter", "io":
		return qualifier
	default:
		panic(fmt.Sprintf("golang: import %q not handled", qualifier))
	}
}

func (p *pkg) rt(name string) *jen.Statement   { return jen.Qual(p.path("rt"), name) }
func (p *pkg) wire(name string) *jen.Statement { return jen.Qual(p.path("wire"), name) }
