package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// Proposals are what init found in a spec.
type Proposals struct {
	Dependency string
	Proposals  []Proposal // document's first, then by path item and operation in document order
	Questions  []Question // one for each unsafe write
	Counts     Counts
}

// A Proposal is a fragment of annotation for a place.
type Proposal struct {
	Target  string   // JSONPath of the place for an overlay's action: "$", "$.paths['/charges'].post"
	Path    []string // within x-resilience: ["idempotency", "key"]
	YAML    string   // the value in flow style: `{in: header, name: Idempotency-Key}`
	Certain bool     // true: it lets nothing happen twice beyond what the spec proves, and can be written as it is; false: a comment to be considered
	Why     string   // a sentence: what it was seen in
	From    string   // "parameter Idempotency-Key", "x-speakeasy-retries", "title", "known provider" …
	Pos     diag.Pos
}

// A Question is what only a person can answer about a write.
type Question struct {
	Operation *model.Operation
	Target    string
	Text      string
	Class     Class // the class that may be stated, by what the operation is called: Safe or Idempotent
}

// Counts sum up what a spec says, for a table.
type Counts struct {
	Operations                         int
	Safe, Idempotent, Keyed, Unsafe    int
	DeclareKey, DeclareBodyKey         int // operations with a key header, or a property that is probably a key
	Declare429, Declare503, RetryAfter int // operations
	Foreign                            int // proposals made from other tools' annotations
}

// Propose looks at a spec and says what could be annotated.
func Propose(doc *document.Doc, api *model.API) *Proposals {
	p := &proposer{doc: doc, api: api, out: &Proposals{Dependency: Slug(api.Title)}}
	var diags diag.List
	p.found = (&reader{words: words, doc: doc, diags: &diags}).find(doc)
	plan, _ := Resolve(doc, api, Settings{})
	p.out.Dependency, p.main = plan.Dependency, mainHost(plan)
	p.document()
	items := map[string]bool{}
	for _, o := range plan.Operations {
		s := p.found.spot(o.Spec)
		if item := itemTarget(s.key); !items[item] {
			items[item] = true
			p.add(foreign(s.item, item, proven("PUT"), p.fernKey())...)
		}
		p.operation(o, s)
	}
	return p.out
}

type proposer struct {
	doc   *document.Doc
	api   *model.API
	found *finding
	main  string // host to which most operations go
	out   *Proposals
}

func (p *proposer) add(all ...Proposal) {
	for _, one := range all {
		if strings.HasPrefix(one.From, "x-") {
			p.out.Counts.Foreign++
		}
		p.out.Proposals = append(p.out.Proposals, one)
	}
}

func itemTarget(key string) string { return "$.paths[" + pathQuote(key) + "]" }

func operationTarget(key, method string) string {
	return itemTarget(key) + "." + strings.ToLower(method)
}

// pathQuote is a name as a selector of a JSONPath.
func pathQuote(name string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range name {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// document proposes for the document's root.
func (p *proposer) document() {
	if p.found.root != nil {
		return // somebody has been here
	}
	p.add(Proposal{
		Target: "$", Path: []string{"dependency"}, YAML: flow(p.out.Dependency), Certain: true,
		Why: "The name under which circuits and metrics show it.", From: "title", Pos: p.doc.Root.At("info", "title").Pos(),
	})
	p.add(Proposal{
		Target: "$", Path: []string{"criticality"}, YAML: Standard.String(),
		Why: "How much your service depends on it: critical, standard or enhancement.", From: "default", Pos: p.doc.Root.Pos(),
	})
	if known := providerOf(p.api); known != nil {
		p.add(known.proposals(p.doc.Root.Get("servers").Pos())...)
	}
	p.answers()
	p.add(foreign(p.doc.Root, "$", Safe, p.fernKey())...)
}

// operation proposes for one operation and counts it.
func (p *proposer) operation(o *Operation, s spot) {
	c := &p.out.Counts
	c.Operations++
	switch o.Class {
	case Safe:
		c.Safe++
	case Idempotent:
		c.Idempotent++
	case Keyed:
		c.Keyed++
	case Unsafe:
		c.Unsafe++
	}
	p.countAnswers(o.Spec)
	target := operationTarget(s.key, o.Spec.Method)
	if s.op != nil {
		return // somebody has been here
	}
	before := len(p.out.Proposals)
	p.host(o, target)
	p.key(o, target)
	p.add(foreign(s.node, target, o.Proven, p.fernKey())...)
	if o.Class == Unsafe && !p.keyed(before) {
		p.out.Questions = append(p.out.Questions, Question{
			Operation: o.Spec, Target: target, Text: question(o, p.out.Proposals[before:]), Class: possible(o.Spec),
		})
	}
}

// host proposes a compartment of its own for an operation that goes to another
// host than most: it has another circuit there, which then bears a name.
func (p *proposer) host(o *Operation, target string) {
	c := o.Compartment
	if c.Host == p.main || c.Host == "" || c.Name != "" {
		return
	}
	_, name, _ := strings.Cut(c.Host, "//")
	p.add(Proposal{
		Target: target, Path: []string{"compartment"}, YAML: flow(Slug(name)), Certain: true, Pos: o.Spec.Servers[0].Pos,
		Why: "It goes to another host, with a circuit, a bulkhead and a budget of its own.", From: "server",
	})
}

// mainHost is the host to which most operations of a plan go, the first of
// equals.
func mainHost(plan *Plan) string {
	counts := map[string]int{}
	for _, o := range plan.Operations {
		counts[o.Compartment.Host]++
	}
	most := ""
	for _, o := range plan.Operations {
		if h := o.Compartment.Host; counts[h] > counts[most] {
			most = h
		}
	}
	return most
}

// keyed reports whether a key was proposed with certainty since.
func (p *proposer) keyed(since int) bool {
	return slices.ContainsFunc(p.out.Proposals[since:], func(q Proposal) bool {
		return q.Certain && slices.Equal(q.Path, []string{"idempotency", "key"})
	})
}

// key proposes the key that an operation declares.
func (p *proposer) key(o *Operation, target string) {
	if o.Key != nil && o.Key.Origin.Layer == LayerInferred {
		p.out.Counts.DeclareKey++
		p.add(Proposal{
			Target: target, Path: []string{"idempotency", "key"}, Certain: true, Pos: o.Key.Origin.Pos,
			YAML: "{in: header, name: " + flow(o.Key.Name) + "}",
			Why:  "The spec declares a header that is known to be an idempotency key.", From: "parameter " + o.Key.Name,
		})
		return
	}
	if o.Proven == Safe {
		return
	}
	if f := bodyKey(o.Spec.Body); f != nil {
		p.out.Counts.DeclareBodyKey++
		p.add(Proposal{
			Target: target, Path: []string{"idempotency", "key"}, Pos: f.Pos,
			YAML: "{in: body, pointer: " + flow("/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(f.Wire)) + "}",
			Why:  "The body has a property that is probably an idempotency key: does the provider say that it is one?", From: "property " + f.Wire,
		})
	}
}

// bodyKey is a property at the top of the body that is probably a key.
func bodyKey(b *model.Body) *model.Field {
	if b == nil {
		return nil
	}
	for _, c := range b.Contents {
		if c.Encoding != model.JSON {
			continue // a key travels in a JSON body only
		}
		t := c.Type
		for range 16 {
			if t == nil || t.Kind != model.Alias {
				break
			}
			t = t.Elem
		}
		if t == nil || t.Kind != model.Struct {
			continue
		}
		for _, f := range t.Fields {
			if IsKeyProperty(f.Wire) && !f.ReadOnly && textual(f.Type) {
				return f
			}
		}
	}
	return nil
}

// question is what must be known before an unsafe write may be sent twice.
func question(o *Operation, proposals []Proposal) string {
	text := fmt.Sprintf("Can %s %s be sent twice without harm?", o.Spec.Method, o.Spec.Path)
	for _, p := range proposals {
		if slices.Equal(p.Path, []string{"idempotency", "key"}) {
			return text + " Does the provider know a repeat by the key proposed here?"
		}
	}
	if possible(o.Spec) == Safe {
		text += " It is called as if it only read: if so, state class safe"
	} else {
		text += " If it only reads, or twice is as good as once, state a class"
	}
	text += " with because and owner; if it takes an idempotency key, say which."
	if declares(o.Spec, 429) {
		text += " If nothing is done when it answers 429, write rejects: [429]."
	}
	return text
}

// possible is the class that an unsafe operation may be of, as far as its path
// says: a POST to …/search probably reads.
func possible(op *model.Operation) Class {
	path := strings.Split(strings.TrimRight(op.Path, "/"), "/")
	last := strings.FieldsFunc(path[len(path)-1], func(r rune) bool { return r == ':' || r == '-' || r == '_' || r == '.' })
	if op.Method != "POST" || len(last) == 0 || strings.HasPrefix(path[len(path)-1], "{") {
		return Idempotent
	}
	if slices.Contains(readingWords, last[0]) || slices.Contains(readingWords, last[len(last)-1]) {
		return Safe
	}
	return Idempotent
}

// readingWords are words in the last part of a path by which a POST is told to
// read.
var readingWords = []string{"search", "query", "get", "list", "find", "lookup", "count"}

func declares(op *model.Operation, status int) bool {
	return slices.ContainsFunc(op.Responses, func(r *model.Response) bool { return r.Status == status && !r.Range })
}

// flow is a text as a scalar in YAML's flow style.
func flow(text string) string {
	if flowPlain(text) {
		return text
	}
	var b strings.Builder
	quoteJSON(&b, text)
	return b.String()
}

// flowPlain reports whether a text is itself in flow style: letters, digits
// and a few signs, and no boolean, null or number in any YAML.
func flowPlain(text string) bool {
	lower := strings.ToLower(text)
	if oldBooleans[lower] != "" || lower == "true" || lower == "false" || lower == "null" || text == "" {
		return false
	}
	first := text[0]
	if (first < 'a' || first > 'z') && (first < 'A' || first > 'Z') && first != '/' {
		return false
	}
	return !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_./", r)
	})
}
