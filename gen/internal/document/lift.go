package document

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// A lifter makes OpenAPI 3.0 out of a Swagger 2.0 tree whose references are
// all to its own sections. Values keep their nodes and so their positions;
// what 3.0 says in more words than 2.0 stands where the word of 2.0 stood.
type lifter struct {
	ds         *diag.List
	root       Node
	consumes   []*yaml.Node // of the document
	produces   []*yaml.Node
	parameters Node // of the document
	responses  Node
}

// lift returns the document as OpenAPI 3.0.
func lift(root *yaml.Node, ds *diag.List) *yaml.Node {
	n := Node{root}
	l := lifter{ds: ds, root: n, parameters: n.Get("parameters"), responses: n.Get("responses")}
	l.consumes = l.mediaTypes(n.Get("consumes"))
	l.produces = l.mediaTypes(n.Get("produces"))
	out := object{Node: mapAt(root), copied: true}
	version := n.Get("swagger").y
	if version == nil {
		version = root
	}
	out.Content = append(out.Content, textAt(version, "openapi"), textAt(version, "3.0.3"))
	for key, value := range n.Members() {
		switch key.Text() {
		case "swagger", "openapi", "consumes", "produces", "definitions", "parameters", "responses", "securityDefinitions", "components":
		case "host", "basePath", "schemes":
			if out.get("servers") == nil {
				if servers := l.servers(n.Get("schemes")); servers != nil {
					out.Content = append(out.Content, textAt(key.y, "servers"), servers)
				}
			}
		case "paths":
			out.Content = append(out.Content, key.y, l.paths(value))
		default:
			out.Content = append(out.Content, key.y, value.y)
		}
	}
	l.components(&out)
	return out.Node
}

func (l *lifter) mediaTypes(list Node) []*yaml.Node {
	var types []*yaml.Node
	for t := range list.Items() {
		whole, short := shortTypes[strings.ToLower(t.Text())]
		if !short {
			types = append(types, t.y)
			continue
		}
		l.ds.Warnf(t.Pos(), "media-type-name", "%s is no media type; it was read as %s", inQuotes(t.Text()), whole).WithHint("write %s", whole)
		types = append(types, textAt(t.y, whole))
	}
	return types
}

// shortTypes are what people call the media types that have one meaning.
var shortTypes = map[string]string{
	"json": "application/json", "xml": "application/xml", "html": "text/html", "text": "text/plain", "plain": "text/plain",
	"csv": "text/csv", "multipart": "multipart/form-data", "form-data": "multipart/form-data",
	"x-www-form-urlencoded": "application/x-www-form-urlencoded", "octet-stream": "application/octet-stream",
}

// servers are the addresses that host, basePath and schemes make, HTTPS first.
func (l *lifter) servers(schemes Node) *yaml.Node {
	base := strings.TrimSuffix(l.root.Get("basePath").Text(), "/")
	if base != "" && !strings.HasPrefix(base, "/") {
		base = "/" + base
	}
	host := strings.Trim(l.root.Get("host").Text(), "/")
	if host == "" {
		if base == "" {
			return nil
		}
		at := l.root.Get("basePath").y
		return listAt(at, mapAt(at, textAt(at, "url"), textAt(at, base)))
	}
	if _, rest, found := strings.Cut(host, "://"); found {
		l.ds.Warnf(l.root.Get("host").Pos(), "host", "host %s has a scheme; want a name and perhaps a port; the scheme was left out", inQuotes(host))
		host = rest
	}
	at := l.root.Get("host").y
	var urls []*yaml.Node
	for _, scheme := range []string{"https", "http"} {
		for s := range schemes.Items() {
			if strings.EqualFold(s.Text(), scheme) {
				urls = append(urls, mapAt(at, textAt(at, "url"), textAt(at, scheme+"://"+host+base)))
			}
		}
	}
	if len(urls) == 0 {
		urls = append(urls, mapAt(at, textAt(at, "url"), textAt(at, "https://"+host+base)))
	}
	return listAt(at, urls...)
}

// components collects the sections of 2.0 under the names of 3.0.
func (l *lifter) components(out *object) {
	at := out.Node
	whole := object{Node: mapAt(at), copied: true}
	if schemas := l.root.Get("definitions"); schemas.Exists() {
		whole.set("schemas", l.each(schemas.y, l.schema))
	}
	if l.responses.Exists() {
		whole.set("responses", l.each(l.responses.y, func(n *yaml.Node) *yaml.Node { return l.response(n, l.produces) }))
	}
	var plain, bodies []*yaml.Node
	for key, value := range l.parameters.Members() {
		switch place2(value) {
		case inBody:
			bodies = append(bodies, key.y, l.body(value.y, l.consumes))
		case inForm: // put into each operation, as fields of its body
		default:
			plain = append(plain, key.y, l.parameter(value.y))
		}
	}
	if len(plain) > 0 {
		whole.set("parameters", mapAt(l.parameters.y, plain...))
	}
	if len(bodies) > 0 {
		whole.set("requestBodies", mapAt(l.parameters.y, bodies...))
	}
	if schemes := l.root.Get("securityDefinitions"); schemes.Exists() {
		whole.set("securitySchemes", l.each(schemes.y, l.security))
	}
	if len(whole.Content) > 0 {
		out.set("components", whole.Node)
	}
}

// each lifts the values of a map of named things.
func (l *lifter) each(n *yaml.Node, lift func(*yaml.Node) *yaml.Node) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return n
	}
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i := 0; i+1 < len(n.Content); i += 2 {
		c.Content[i], c.Content[i+1] = n.Content[i], lift(n.Content[i+1])
	}
	return &c
}

// security lifts a security definition.
func (l *lifter) security(n *yaml.Node) *yaml.Node {
	o := object{Node: n}
	kind := o.get("type")
	if kind == nil {
		return n
	}
	switch kind.Value {
	case "basic":
		o.set("type", textAt(kind, "http"))
		o.set("scheme", textAt(kind, "basic"))
	case "oauth2":
		flow := o.get("flow")
		name := map[string]string{"implicit": "implicit", "password": "password", "application": "clientCredentials", "accessCode": "authorizationCode"}[(Node{flow}).Text()]
		if name == "" {
			at := flow
			if at == nil {
				at = kind
			}
			l.ds.Warnf(pos(at), "oauth-flow", "the OAuth flow is %s; want implicit, password, application or accessCode; a token of the caller's is sent", shownNode(Node{flow})).
				WithHint("write the flow that the provider uses")
			name = "clientCredentials"
		}
		inner := mapAt(n)
		for _, field := range []string{"authorizationUrl", "tokenUrl", "scopes"} {
			if v := o.get(field); v != nil {
				inner.Content = append(inner.Content, textAt(v, field), v)
			}
			o.drop(field)
		}
		if !(Node{inner}).Get("scopes").Exists() {
			inner.Content = append(inner.Content, textAt(n, "scopes"), mapAt(n))
		}
		o.drop("flow")
		o.set("flows", mapAt(n, textAt(n, name), inner))
	}
	return o.Node
}
