package openapi

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/names"
)

// lowerServers makes the document's servers.
func (l *lowerer) lowerServers() {
	l.api.Servers = l.servers(l.tree.kin.Servers, l.tree.root.Get("servers"))
}

// serversOf are the servers that an operation or its path has for itself; nil
// where the document's hold.
func (l *lowerer) serversOf(op *opSource) []model.Server {
	if op.kin.Servers != nil && len(*op.kin.Servers) > 0 {
		return l.servers(*op.kin.Servers, op.node.Get("servers"))
	}
	return l.servers(op.item.Servers, op.itemAt.Get("servers"))
}

func (l *lowerer) servers(kins openapi3.Servers, node document.Node) []model.Server {
	var out []model.Server
	scope := names.NewScope()
	i := -1
	for n := range node.Items() {
		if i++; i >= len(kins) {
			break
		}
		kin := kins[i]
		if kin == nil {
			continue
		}
		if kin.URL == "" && n.Get("url").Text() == "" {
			l.diags.Warnf(n.Pos(), "server", "a server has no url; it is left out").WithHint("add url")
			continue
		}
		s := model.Server{Pos: n.Pos(), URL: strings.TrimSpace(kin.URL), Description: kin.Description}
		s.Variables = l.variablesOf(&s, kin, n)
		s.Name = scope.Take(serverNames(s)...)
		out = append(out, s)
	}
	return out
}

var placeholders = regexp.MustCompile(`\{([^{}]*)\}`)

// variablesOf are the variables of a URL in their order there. One that nobody
// describes has no default, so that the caller must give it.
func (l *lowerer) variablesOf(s *model.Server, kin *openapi3.Server, node document.Node) []model.ServerVariable {
	var out []model.ServerVariable
	scope := names.NewScope()
	seen := map[string]bool{}
	for _, m := range placeholders.FindAllStringSubmatch(s.URL, -1) {
		name := m[1]
		if seen[name] {
			continue
		}
		seen[name] = true
		v := model.ServerVariable{Wire: name, Name: scope.Take(names.Exported(name), names.ExportedSpelled(name))}
		if k := kin.Variables[name]; k != nil {
			v.Default, v.Enum, v.Description = k.Default, k.Enum, k.Description
			v.Given = !node.At("variables", name, "default").Exists()
		} else {
			v.Given = true
			l.diags.Warnf(node.Get("url").Pos(), "server-variable", "{%s} in the server's url %q is not described; it has no default", name, s.URL).
				WithHint("add it to variables, with a default")
		}
		out = append(out, v)
	}
	return out
}

// serverNames are names for a server: its description where that is short, else
// the first part of its host.
func serverNames(s model.Server) []string {
	var wishes []string
	words := strings.Fields(strings.Trim(s.Description, ". "))
	var kept []string
	for _, w := range words {
		switch strings.ToLower(strings.Trim(w, ".,;:()")) {
		case "server", "servers", "url", "environment", "endpoint", "the", "api", "base":
			continue
		}
		kept = append(kept, w)
	}
	if len(words) <= 5 && len(kept) > 0 && len(kept) <= 3 {
		wishes = append(wishes, names.Exported(strings.Join(kept, " ")))
	}
	if u, err := url.Parse(placeholders.ReplaceAllString(s.URL, "x")); err == nil && u.Host != "" {
		labels := strings.Split(u.Hostname(), ".")
		if labels[0] == "www" || labels[0] == "x" {
			labels = labels[1:]
		}
		if len(labels) > 0 && labels[0] != "" {
			wishes = append(wishes, names.Exported(labels[0]))
		}
	}
	return append(wishes, "Default")
}
