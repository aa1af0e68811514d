package golang

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/sample"
)

// faultsFile writes faults.gen_test.go: a test that calls every operation of a
// dependency that fails, and holds what its policy promises. What it holds is
// in one function of the file; the rest is a table of calls with made-up
// arguments.
func faultsFile(f *jen.File, p *pkg) {
	maker := sample.New(p.api)
	doc(f, "faultCalls calls each operation once, with arguments made from the specification.")
	f.Var().Id("faultCalls").Op("=").Index().Struct(
		jen.Id("name").String(),
		jen.Id("policy").Op("*").Add(p.rt("Policy")),
		jen.Id("call").Add(faultCallType()),
	).CustomFunc(multi, func(g *jen.Group) {
		for _, op := range p.ops {
			g.Custom(inline, jen.Lit(op.spec.Name), jen.Op("&").Id(op.policy.name), p.faultCall(maker, op))
		}
	})
	f.Line()
	p.faultTest(f)
	p.faultPromises(f)
	p.faultHelpers(f)
}

func faultCallType() *jen.Statement {
	return jen.Func().Params(jen.Op("*").Qual("testing", "T"), jen.Qual("context", "Context"), jen.Op("*").Id("Client")).Error()
}

// faultCall is the function that calls an operation.
func (p *pkg) faultCall(maker *sample.Maker, op *operation) *jen.Statement {
	args := []jen.Code{jen.Id("ctx")}
	if op.hasRequest() {
		args = append(args, jen.Id(op.request()).CustomFunc(inline, func(g *jen.Group) { p.faultRequest(g, maker, op) }))
	}
	if op.key {
		args = append(args, p.rt("Key").Values(jen.Id("Value").Op(":").Lit("key-1")))
	}
	call := jen.Id("c").Dot(op.spec.Name).Call(args...)
	fn := jen.Func().Params(jen.Id("t").Op("*").Qual("testing", "T"), jen.Id("ctx").Qual("context", "Context"), jen.Id("c").Op("*").Id("Client")).Error()
	if op.result.kind == ResultNone {
		return fn.Block(jen.Return(call))
	}
	return fn.Block(jen.List(jen.Id("_"), jen.Err()).Op(":=").Add(call), jen.Return(jen.Err()))
}

// faultRequest fills what must be there of a request.
func (p *pkg) faultRequest(g *jen.Group, maker *sample.Maker, op *operation) {
	for _, param := range op.params {
		if !param.Required {
			continue
		}
		form := sample.Minimal
		if param.In == model.InPath {
			form = sample.Full // an empty list is no path
		}
		g.Id(param.Name).Op(":").Add(p.faultValue(paramType(param), faultText(maker, param.Type, form)))
	}
	if len(op.bodies) == 0 || !op.spec.Body.Required {
		return
	}
	b := op.bodies[0]
	switch b.content.Encoding {
	case model.Binary, model.EventStream, model.JSONLines:
		file := p.rt("File").Values(jen.Id("ContentType").Op(":").Lit(concrete(b.content.MediaType)),
			jen.Id("Content").Op(":").Add(p.rt("Bytes")).Call(jen.Index().Byte().Call(jen.Lit("x"))))
		if b.typ.isPointer() {
			file = jen.Op("&").Add(file)
		}
		g.Id(b.field).Op(":").Add(file)
	case model.Multipart:
		p.faultParts(g, maker, b)
	default:
		g.Id(b.field).Op(":").Add(p.faultValue(b.typ, string(maker.JSON(b.content.Type, sample.Request, sample.Minimal))))
	}
}

func (p *pkg) faultValue(typ expr, text string) *jen.Statement {
	return jen.Id("made").Types(p.code(typ)).Call(jen.Id("t"), rawText(text))
}

// concrete is a media type that a declared one, maybe a list or a range, allows.
func concrete(mediaType string) string {
	first, _, _ := strings.Cut(mediaType, ",")
	first, _, _ = strings.Cut(first, ";")
	return strings.NewReplacer("*/*", "application/octet-stream", "/*", "/x-test").Replace(strings.TrimSpace(first))
}

// faultTest is the test over operations and faults.
func (p *pkg) faultTest(f *jen.File) {
	doc(f, "TestGeneratedFaults calls every operation while the dependency answers 503, hangs, and breaks the connection.")
	f.Func().Id("TestGeneratedFaults").Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		jen.Id("faults").Op(":=").Map(jen.String()).Add(p.faulttest("Step")).CustomFunc(multi, func(g *jen.Group) {
			g.Lit("unavailable").Op(":").Add(p.faulttest("Status")).Call(jen.Lit(503))
			g.Lit("hang").Op(":").Add(p.faulttest("Hang")).Call()
			g.Lit("reset").Op(":").Values(jen.Id("Fault").Op(":").Add(p.faulttest("Reset")))
		}),
		jen.For(jen.List(jen.Id("_"), jen.Id("tt")).Op(":=").Range().Id("faultCalls")).Block(
			jen.For(jen.List(jen.Id("name"), jen.Id("step")).Op(":=").Range().Id("faults")).Block(
				jen.Id("t").Dot("Run").Call(jen.Id("tt").Dot("name").Op("+").Lit("/").Op("+").Id("name"), jen.Func().Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
					jen.Qual("testing/synctest", "Test").Call(jen.Id("t"), jen.Func().Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
						jen.Id("holdPromises").Call(jen.Id("t"), jen.Id("tt").Dot("policy"), jen.Id("step"), jen.Id("tt").Dot("call")),
					)),
				)),
			),
		),
	)
	f.Line()
}

// faultPromises is the function that holds a policy's promises over one call.
func (p *pkg) faultPromises(f *jen.File) {
	doc(f, "holdPromises calls a dependency that always fails: the call ends in time, reaches it no more often than the policy says, and bears one key.")
	f.Func().Id("holdPromises").Params(
		jen.Id("t").Op("*").Qual("testing", "T"), jen.Id("p").Op("*").Add(p.rt("Policy")), jen.Id("step").Add(p.faulttest("Step")), jen.Id("call").Add(faultCallType()),
	).BlockFunc(func(g *jen.Group) {
		g.Id("server").Op(":=").Add(p.faulttest("NewRoundTripper")).Call()
		g.Id("server").Dot("Otherwise").Call(jen.Id("step"))
		g.If(jen.Id("p").Dot("Key").Dot("In").Op("==").Add(p.rt("InHeader"))).Block(jen.Id("server").Dot("KeyIn").Call(jen.Id("p").Dot("Key").Dot("Name")))
		g.List(jen.Id("client"), jen.Err()).Op(":=").Id("NewClient").Call(jen.Id("Config").CustomFunc(multi, func(g *jen.Group) {
			g.Id("BaseURL").Op(":").Lit("http://dependency.invalid")
			if len(p.schemes) > 0 {
				g.Id("Auth").Op(":").Add(p.faultAuth())
			}
			g.Id("ClientConfig").Op(":").Add(p.rt("ClientConfig")).Values(jen.Id("Transport").Op(":").Id("server"))
		}))
		g.If(jen.Err().Op("!=").Nil()).Block(jen.Id("t").Dot("Fatal").Call(jen.Err()))
		g.List(jen.Id("ctx"), jen.Id("cancel")).Op(":=").Qual("context", "WithTimeout").Call(jen.Id("t").Dot("Context").Call(), jen.Qual("time", "Hour"))
		g.Defer().Id("cancel").Call()
		g.Id("start").Op(":=").Qual("time", "Now").Call()
		g.Err().Op("=").Id("call").Call(jen.Id("t"), jen.Id("ctx"), jen.Id("client"))
		g.If(jen.Id("took").Op(":=").Qual("time", "Since").Call(jen.Id("start")),
			jen.Id("p").Dot("Timeout").Dot("Total").Op(">").Lit(0).Op("&&").Id("took").Op(">").Id("p").Dot("Timeout").Dot("Total")).Block(
			jen.Id("t").Dot("Errorf").Call(jen.Lit("the call took %v, want at most %v"), jen.Id("took"), jen.Id("p").Dot("Timeout").Dot("Total")))
		g.If(jen.Err().Op("==").Nil().Op("&&").Id("p").Dot("Fallback").Dot("Kind").Op("!=").Add(p.rt("FallbackStatic"))).Block(
			jen.Id("t").Dot("Error").Call(jen.Lit("got no error of a dependency that fails")))
		g.Id("most").Op(":=").Id("max").Call(jen.Lit(1), jen.Id("p").Dot("Retry").Dot("MaxAttempts"))
		g.If(jen.Id("p").Dot("Class").Op("==").Add(p.rt("Unsafe")).Op("&&").Len(jen.Id("p").Dot("Rejects")).Op("==").Lit(0)).Block(jen.Id("most").Op("=").Lit(1))
		g.Id("requests").Op(":=").Id("server").Dot("Requests").Call()
		g.If(jen.Len(jen.Id("requests")).Op("<").Lit(1).Op("||").Len(jen.Id("requests")).Op(">").Id("most")).Block(
			jen.Id("t").Dot("Fatalf").Call(jen.Lit("the dependency was reached %d times, want 1 to %d: %v"), jen.Len(jen.Id("requests")), jen.Id("most"), jen.Err()))
		g.For(jen.List(jen.Id("_"), jen.Id("r")).Op(":=").Range().Id("requests")).Block(
			jen.If(jen.Id("r").Dot("Key").Op("!=").Id("requests").Index(jen.Lit(0)).Dot("Key").Op("||").
				Id("p").Dot("Key").Dot("In").Op("==").Add(p.rt("InHeader")).Op("&&").Id("r").Dot("Key").Op("==").Lit("")).Block(
				jen.Id("t").Dot("Errorf").Call(jen.Lit("an attempt bore the key %q, want the first one's %q"), jen.Id("r").Dot("Key"), jen.Id("requests").Index(jen.Lit(0)).Dot("Key"))))
	})
	f.Line()
}

// faultAuth is an Auth that has a credential for every scheme.
func (p *pkg) faultAuth() *jen.Statement {
	return jen.Id("Auth").CustomFunc(inline, func(g *jen.Group) {
		for _, s := range p.schemes {
			switch s.Kind {
			case model.MutualTLS:
			case model.Basic:
				g.Id(s.Name).Op(":").Add(p.rt("BasicCredentials")).Values(jen.Id("User").Op(":").Lit("user"), jen.Id("Password").Op(":").Lit("password"))
			case model.OtherHTTP:
				g.Id(s.Name).Op(":").Id("anyone").Values()
			default:
				g.Id(s.Name).Op(":").Add(p.rt("StaticToken")).Call(jen.Lit("token"))
			}
		}
	})
}

// faultHelpers are what the table and the promises lean on.
func (p *pkg) faultHelpers(f *jen.File) {
	doc(f, "made reads an argument from JSON.")
	f.Func().Id("made").Types(jen.Id("T").Any()).Params(jen.Id("t").Op("*").Qual("testing", "T"), jen.Id("text").String()).Params(jen.Id("v").Id("T")).Block(
		jen.Id("t").Dot("Helper").Call(),
		jen.If(jen.Err().Op(":=").Add(p.wire("Unmarshal")).Call(jen.Index().Byte().Call(jen.Id("text")), jen.Op("&").Id("v")), jen.Err().Op("!=").Nil()).Block(
			jen.Id("t").Dot("Fatal").Call(jen.Err())),
		jen.Return(jen.Id("v")),
	)
	f.Line()
	for _, s := range p.schemes {
		if s.Kind == model.OtherHTTP {
			doc(f, "anyone shows no credential at all.")
			f.Type().Id("anyone").Struct()
			f.Line()
			f.Func().Params(jen.Id("anyone")).Id("Authorize").Params(jen.Qual("context", "Context"), jen.Op("*").Qual("net/http", "Request")).Error().Block(jen.Return(jen.Nil()))
			return
		}
	}
}

func (p *pkg) faulttest(name string) *jen.Statement { return jen.Qual(p.path("faulttest"), name) }
