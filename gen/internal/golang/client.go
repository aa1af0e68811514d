package golang

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// A serverSet is a list of servers that operations share: the document's, or
// that of a path or an operation.
type serverSet struct {
	field   string // of Client
	config  string // field of Config that chooses; empty where there is nothing to choose
	servers []serverChoice
	iface   string // Go interface over several choices; empty: the one struct itself, or no choice
	of      string // operation that it begins with; empty: the document
}

// A serverChoice is one server of a set, a Go struct that holds its variables.
type serverChoice struct {
	server model.Server
	name   string
}

// collectServers finds the distinct lists of servers, the document's first.
func collectServers(p *pkg) []*serverSet {
	root := p.newServerSet(p.api.Servers, "")
	sets := []*serverSet{root}
	known := map[string]bool{serversText(p.api.Servers): true}
	for _, op := range p.api.Operations {
		if text := serversText(op.Servers); len(op.Servers) > 0 && !known[text] {
			known[text] = true
			sets = append(sets, p.newServerSet(op.Servers, op.Name))
		}
	}
	return sets
}

func (p *pkg) newServerSet(servers []model.Server, operation string) *serverSet {
	s := &serverSet{field: p.private.Take("server" + operation), of: operation}
	if len(servers) == 0 {
		servers = []model.Server{{URL: "/"}}
	}
	for _, server := range servers {
		s.servers = append(s.servers, serverChoice{server: server})
	}
	if len(servers) == 1 && len(servers[0].Variables) == 0 {
		return s
	}
	s.config = operation + "Server"
	if operation == "" {
		s.config = "Server"
	}
	for i := range s.servers {
		stem := s.servers[i].server.Name
		s.servers[i].name = p.exported.Take("Server"+operation+stem, "Server"+operation+"Of"+stem)
	}
	if len(servers) > 1 {
		s.iface = "Server"
		if operation != "" {
			s.iface = p.exported.Take(operation+"Server", operation+"Servers")
		}
	}
	return s
}

func serversText(servers []model.Server) string {
	var b strings.Builder
	for _, s := range servers {
		fmt.Fprintf(&b, "%q %v\n", s.URL, s.Variables)
	}
	return b.String()
}

// serverOf is the set of an operation's servers.
func (p *pkg) serverOf(spec *model.Operation) *serverSet {
	if len(spec.Servers) == 0 {
		return p.servers[0]
	}
	text := serversText(spec.Servers)
	for _, s := range p.servers {
		var own []model.Server
		for _, c := range s.servers {
			own = append(own, c.server)
		}
		if serversText(own) == text {
			return s
		}
	}
	panic(fmt.Sprintf("golang: the servers of %s were not collected", spec.ID))
}

// relative reports whether some server's URL is relative to the place that the
// document was read from.
func (p *pkg) relative() bool {
	for _, s := range p.servers {
		for _, c := range s.servers {
			if c.server.URL != "/" && !strings.Contains(c.server.URL, "://") && !strings.HasPrefix(c.server.URL, "{") {
				return true
			}
		}
	}
	return false
}

// method is the unexported method that the set's servers have, and no server of
// another set, so that one is not taken for the other.
func (s *serverSet) method() string {
	if s.iface != "" {
		return names.Uncapital(s.iface) + "URL"
	}
	return names.Uncapital(s.config) + "URL"
}

// declareServers writes the types that choose a server.
func declareServers(f *jen.File, p *pkg, s *serverSet) {
	if s.config == "" {
		return
	}
	if s.iface != "" {
		var list []string
		for _, c := range s.servers {
			list = append(list, "["+c.name+"]")
		}
		whose := "the API"
		if s.of != "" {
			whose = "[Client." + s.of + "]"
		}
		doc(f, fmt.Sprintf("%s is one of the servers of %s: %s.", s.iface, whose, strings.Join(list, ", ")))
		f.Type().Id(s.iface).Interface(jen.Id(s.method()).Params().Add(p.wire("ServerURL")))
		f.Line()
	}
	for _, c := range s.servers {
		declareServer(f, p, c, s.method())
	}
}

func declareServer(f *jen.File, p *pkg, c serverChoice, method string) {
	text := c.name + " is " + oneLine(c.server.URL) + "."
	if c.server.Description != "" {
		text = c.name + " is " + oneLine(c.server.URL) + ": " + oneLine(c.server.Description)
	}
	doc(f, text)
	f.Type().Id(c.name).StructFunc(func(g *jen.Group) {
		for _, v := range c.server.Variables {
			doc(g, variableDoc(v))
			g.Id(v.Name).String()
		}
	})
	f.Line()
	receiver := jen.Id("s").Id(c.name)
	if len(c.server.Variables) == 0 {
		receiver = jen.Id(c.name)
	}
	f.Func().Params(receiver).Id(method).Params().Add(p.wire("ServerURL")).Block(jen.Return(p.serverURL(c.server, "s")))
	f.Line()
}

func variableDoc(v model.ServerVariable) string {
	note := "Empty: " + quoted(v.Default) + "."
	if v.Given {
		note = "It has no default and must be set."
	}
	if len(v.Enum) > 0 {
		var list []string
		for _, e := range v.Enum {
			list = append(list, quoted(e))
		}
		note += " One of " + strings.Join(list, ", ") + "."
	}
	return joinNotes(v.Description, []string{note})
}

// serverURL is the wire.ServerURL of a server; its variables' values are
// fields of from, or defaults where from is empty.
func (p *pkg) serverURL(s model.Server, from string) *jen.Statement {
	return p.wire("ServerURL").CustomFunc(inline, func(g *jen.Group) {
		g.Id("URL").Op(":").Lit(s.URL)
		if len(s.Variables) == 0 {
			return
		}
		g.Id("Variables").Op(":").Index().Add(p.wire("ServerVariable")).CustomFunc(multi, func(g *jen.Group) {
			for _, v := range s.Variables {
				g.CustomFunc(inline, func(g *jen.Group) {
					g.Id("Name").Op(":").Lit(v.Wire)
					if from != "" {
						g.Id("Value").Op(":").Id(from).Dot(v.Name)
					}
					if v.Given {
						g.Id("Given").Op(":").True()
					} else {
						g.Id("Default").Op(":").Lit(v.Default)
					}
					if len(v.Enum) > 0 {
						g.Id("Enum").Op(":").Add(textList(v.Enum))
					}
				})
			}
		})
	})
}

// declareConfig writes Config: what a client is made from.
func declareConfig(f *jen.File, p *pkg) {
	doc(f, "Config is what a [Client] is made from. Only what has no default must be given.")
	f.Type().Id("Config").StructFunc(func(g *jen.Group) {
		doc(g, "BaseURL is where the API is, in place of every server that the specification names. "+p.baseDoc())
		g.Id("BaseURL").String()
		if p.relative() {
			doc(g, "DocumentURL is the URL that the specification was read from: its relative server URLs are resolved against it.")
			g.Id("DocumentURL").String()
		}
		for _, s := range p.servers {
			if s.config == "" {
				continue
			}
			typ := s.iface
			zero := "nil: the first"
			if typ == "" {
				typ, zero = s.servers[0].name, "Zero: all variables have their defaults"
			}
			doc(g, fmt.Sprintf("%s chooses a server%s. %s. BaseURL wins.", s.config, forOperation(s), zero))
			g.Id(s.config).Id(typ)
		}
		if len(p.schemes) > 0 {
			doc(g, "Auth holds the credentials. Each operation uses the first alternative of its own that is complete.")
			g.Id("Auth").Id("Auth")
		}
		if len(p.fallbacks()) > 0 {
			doc(g, "Fallbacks answer where the dependency does not.")
			g.Id("Fallbacks").Id("Fallbacks")
		}
		g.Line()
		g.Add(p.rt("ClientConfig"))
	})
	f.Line()
}

func forOperation(s *serverSet) string {
	if s.of == "" {
		return ""
	}
	return " for the operations that have their own, [Client." + s.of + "] among them"
}

func (p *pkg) baseDoc() string {
	first := p.servers[0].servers[0].server.URL
	if strings.Contains(first, "://") {
		return "Empty: " + oneLine(first) + "."
	}
	return "The specification names no absolute one, so that it is needed."
}

// title is what the API is called.
func (p *pkg) title() string {
	if title := oneLine(p.api.Title); title != "" {
		return title
	}
	return p.plan.Dependency
}

// packageDoc documents the package.
func packageDoc(f *jen.File, p *pkg) {
	doc(packageCommenter{f}, "Package "+p.opts.Package+" is a client of "+p.title()+". Begin with [NewClient]: the methods of [Client] are the operations of the API. "+
		"Each carries the policy that policy.gen.yaml shows: how long it may take, how often it may be sent, and when it is not sent at all.")
}

// A packageCommenter puts comments above the package clause.
type packageCommenter struct{ file *jen.File }

// Comment adds a line.
func (c packageCommenter) Comment(line string) *jen.Statement {
	c.file.PackageComment(line)
	return nil
}

// declareClient writes Client and NewClient.
func declareClient(f *jen.File, p *pkg) {
	doc(f, "Client calls "+p.title()+". It is safe for concurrent use. Make one per dependency and process: circuit, bulkhead, retry budget and connections live in it.")
	declareServerDirectives(f, p)
	f.Type().Id("Client").StructFunc(func(g *jen.Group) {
		g.Id("core").Op("*").Add(p.rt("Engine"))
		for _, s := range p.servers {
			g.Id(s.field).Add(p.wire("Server"))
		}
		for _, a := range p.auths {
			g.Id(a.field).Add(p.wire("Auth"))
		}
		for _, op := range p.fallbacks() {
			g.Id(fallbackField(op)).Add(p.fallbackType(op))
		}
	})
	f.Line()
	doc(f, "NewClient makes a client. Its error names every mistake in the configuration.")
	f.Func().Id("NewClient").Params(jen.Id("config").Id("Config")).Params(jen.Op("*").Id("Client"), jen.Error()).BlockFunc(func(g *jen.Group) {
		p.newClientBody(g)
	})
	f.Line()
}

// declareServerDirectives writes a directive for each absolute URL of the
// servers, their variables at the defaults: resgen vet reads it.
func declareServerDirectives(f *jen.File, p *pkg) {
	written := map[string]bool{}
	for _, s := range p.servers {
		for _, c := range s.servers {
			url := atDefaults(c.server)
			if !absolute(url) || written[url] {
				continue
			}
			if len(written) == 0 {
				f.Comment("//")
			}
			written[url] = true
			f.Comment("//resgen:server " + url)
		}
	}
}

// atDefaults is a server's URL with the defaults of its variables in it; a
// variable that has none stays a placeholder.
func atDefaults(s model.Server) string {
	url := s.URL
	for _, v := range s.Variables {
		if !v.Given {
			url = strings.ReplaceAll(url, "{"+v.Wire+"}", v.Default)
		}
	}
	return url
}

// absolute reports whether a URL names a host, and nothing in it would end a
// directive.
func absolute(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && !strings.ContainsAny(u.Host, "{}") && !strings.ContainsFunc(text, unicode.IsSpace)
}

func (p *pkg) newClientBody(g *jen.Group) {
	g.List(jen.Id("core"), jen.Err()).Op(":=").Add(p.rt("NewEngine")).Call(
		p.rt("EngineSpec").CustomFunc(multi, func(g *jen.Group) {
			g.Id("Package").Op(":").Lit(p.opts.Package)
			g.Id("UserAgent").Op(":").Id("userAgent")
			g.Id("Policies").Op(":").Index().Op("*").Add(p.rt("Policy")).CustomFunc(inline, func(g *jen.Group) {
				for _, v := range p.policies.policies {
					g.Op("&").Id(v.name)
				}
			})
		}),
		jen.Id("config").Dot("ClientConfig"))
	g.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err()))
	g.Id("c").Op(":=").Op("&").Id("Client").Values(jen.Id("core").Op(":").Id("core"))
	p.setServers(g)
	for _, s := range p.schemes {
		g.Id(credentialVar(s)).Op(":=").Add(p.credential(s))
	}
	for _, a := range p.auths {
		g.Id("c").Dot(a.field).Op("=").Add(p.requirement(a))
	}
	for _, op := range p.fallbacks() {
		g.Id("c").Dot(fallbackField(op)).Op("=").Id("config").Dot("Fallbacks").Dot(op.spec.Name)
	}
	g.Return(jen.Id("c"), jen.Nil())
}

// setServers writes the choice of each set of servers.
func (p *pkg) setServers(g *jen.Group) {
	document := jen.Lit("")
	if p.relative() {
		document = jen.Id("config").Dot("DocumentURL")
	}
	var base, chosen []jen.Code
	for _, s := range p.servers {
		field := jen.Id("c").Dot(s.field)
		base = append(base, field.Clone().Op("=").Add(p.wire("BaseURL")).Call(jen.Id("config").Dot("BaseURL")))
		var url *jen.Statement
		switch {
		case s.config == "":
			url = p.serverURL(s.servers[0].server, "")
		case s.iface == "":
			url = jen.Id("config").Dot(s.config).Dot(s.method()).Call()
		default:
			chosen = append(chosen, jen.If(jen.Id("config").Dot(s.config).Op("==").Nil()).Block(
				jen.Id("config").Dot(s.config).Op("=").Id(s.servers[0].name).Values()))
			url = jen.Id("config").Dot(s.config).Dot(s.method()).Call()
		}
		chosen = append(chosen, field.Clone().Op("=").Add(p.wire("NewServer")).Call(url, document))
	}
	g.If(jen.Id("config").Dot("BaseURL").Op("!=").Lit("")).Block(base...).Else().Block(chosen...)
}

// clientFile writes client.gen.go.
func clientFile(f *jen.File, p *pkg) {
	version := p.opts.Version
	if version == "" {
		version = "devel"
	}
	packageDoc(f, p)
	doc(f, "This package was generated for version 1 of the runtime. If this line does not compile, run:\n\n```\ngo get "+p.opts.RuntimePath+"@latest\ngo tool resgen generate\n```")
	f.Const().Id("_").Op("=").Add(p.rt("GeneratedCodeV1"))
	f.Line()
	f.Const().Id("userAgent").Op("=").Lit(p.opts.Package + " resgen/" + oneLine(version))
	f.Line()
	declareConfig(f, p)
	declareAuth(f, p)
	declareFallbacks(f, p)
	for _, s := range p.servers {
		declareServers(f, p, s)
	}
	declareClient(f, p)
}
