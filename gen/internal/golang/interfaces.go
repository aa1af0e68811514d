package golang

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/names"
)

// A tagInterface lists the operations of a tag, so that callers can put a fake
// of their own in the client's place.
type tagInterface struct {
	name string
	tag  string
	ops  []*operation
}

// interfacesOf are the interfaces of a package, in order of their first
// operation; none unless they were asked for.
func interfacesOf(p *pkg) []*tagInterface {
	if !p.opts.Interfaces {
		return nil
	}
	var out []*tagInterface
	byTag := map[string]*tagInterface{}
	for _, op := range p.ops {
		tag := op.tag()
		if byTag[tag] == nil {
			stem := "Operations"
			if tag != "" {
				stem = names.Exported(tag)
			}
			byTag[tag] = &tagInterface{tag: tag, name: p.exported.Take(stem+"API", stem+"Calls")}
			out = append(out, byTag[tag])
		}
		byTag[tag].ops = append(byTag[tag].ops, op)
	}
	return out
}

// tag is the operation's first tag, which chooses its file; empty without any.
func (op *operation) tag() string {
	if len(op.spec.Tags) == 0 {
		return ""
	}
	return op.spec.Tags[0]
}

// declareInterface writes an interface, and that the client is one.
func declareInterface(f *jen.File, p *pkg, i *tagInterface) {
	of := "without a tag"
	if i.tag != "" {
		of = "of tag " + quoted(i.tag)
	}
	doc(f, fmt.Sprintf("%s is the operations %s, as [Client] has them: take it where a test puts a fake.", i.name, of))
	f.Type().Id(i.name).InterfaceFunc(func(g *jen.Group) {
		for _, op := range i.ops {
			g.Add(p.signature(op))
		}
	})
	f.Line()
	f.Var().Id("_").Id(i.name).Op("=").Parens(jen.Op("*").Id("Client")).Parens(jen.Nil())
	f.Line()
}
