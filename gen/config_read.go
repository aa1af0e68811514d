package gen

import (
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/rules"
)

// ConfigFile is the file that resgen works from where none is named.
const ConfigFile = "resgen.yaml"

// ReadConfig reads a resgen.yaml. What is wrong with it is in the list, all of
// it; the Config is then not to be used.
func ReadConfig(file string) (*Config, Diagnostics, error) {
	if ds := readable(file, "resgen.yaml"); ds.HasErrors() {
		return nil, ds, nil
	}
	root, ds, err := document.LoadPlain(file)
	if err != nil || ds.HasErrors() {
		return nil, ds, err
	}
	c, more := configOf(root, file)
	return c, append(ds, more...).Sorted(), nil
}

// configOf is the configuration that a resgen.yaml holds.
func configOf(root document.Node, file string) (*Config, diag.List) {
	r := &configReader{file: file}
	c := &Config{File: filepath.ToSlash(file), Root: filepath.Dir(file)}
	if c.Root == "." {
		c.Root = ""
	}
	r.config(root, c)
	return c, r.ds
}

// A configReader walks resgen.yaml and collects what is wrong with it.
type configReader struct {
	file string
	ds   diag.List
}

func (r *configReader) config(n document.Node, c *Config) {
	if n.Kind() != document.Map {
		r.ds.Errorf(orFile(n.Pos(), r.file), "config", "resgen.yaml is %s; want a map with version and clients", n.Kind())
		return
	}
	r.members(n, "", fields{
		"version":  func(v document.Node) { c.Version = r.version(v) },
		"service":  func(v document.Node) { c.Service = r.text(v, "service") },
		"budget":   func(v document.Node) { c.Budget, c.budgetPos = r.duration(v, "budget"), v.Pos() },
		"policies": func(v document.Node) { c.Policies = r.texts(v, "policies") },
		"clients":  func(v document.Node) { c.Clients = r.clients(v) },
		"rules":    func(v document.Node) { c.Rules = r.rules(v) },
	})
	if !n.Get("version").Exists() {
		r.ds.Errorf(n.Pos(), "config", "version is missing; want version: 1, which pins the table of defaults").WithHint("write version: 1 first")
	}
	if !n.Get("clients").Exists() {
		r.ds.Errorf(n.Pos(), "config", "clients is missing; want a list with at least one client").WithHint("write clients: [{spec: api.yaml, out: internal/api}]")
	}
}

func (r *configReader) version(v document.Node) int {
	if v.Text() != "1" {
		r.ds.Errorf(v.Pos(), "config", "version is %s; want 1", shown(v)).WithHint("write version: 1")
		return 0
	}
	return 1
}

func (r *configReader) clients(v document.Node) []Client {
	if v.Kind() != document.List || v.Len() == 0 {
		r.ds.Errorf(v.Pos(), "config", "clients is %s; want a list with at least one client", shown(v))
		return nil
	}
	var out []Client
	places := map[string]document.Node{}
	i := 0
	for item := range v.Items() {
		path := "clients[" + strconv.Itoa(i) + "]"
		i++
		c, ok := r.client(item, path)
		if !ok {
			continue
		}
		folder := filepath.Clean(c.Out)
		if first, taken := places[folder]; taken {
			r.ds.Errorf(item.Get("out").Pos(), "config", "%s.out is %q, which another client has already; want a folder a client", path, c.Out).
				WithRelated(first.Pos(), "the other client")
		}
		places[folder] = item.Get("out")
		out = append(out, c)
	}
	return out
}

func (r *configReader) client(v document.Node, path string) (c Client, ok bool) {
	if v.Kind() != document.Map {
		r.ds.Errorf(v.Pos(), "config", "%s is %s; want a map with spec and out", path, shown(v))
		return c, false
	}
	at := func(key string) string { return path + "." + key }
	r.members(v, path, fields{
		"spec":      func(n document.Node) { c.Spec = r.text(n, at("spec")) },
		"overlays":  func(n document.Node) { c.Overlays = r.texts(n, at("overlays")) },
		"refRoot":   func(n document.Node) { c.RefRoot = r.text(n, at("refRoot")) },
		"package":   func(n document.Node) { c.Package = r.text(n, at("package")) },
		"out":       func(n document.Node) { c.Out = r.text(n, at("out")) },
		"include":   func(n document.Node) { c.Include = r.filter(n, at("include")) },
		"exclude":   func(n document.Node) { c.Exclude = r.filter(n, at("exclude")) },
		"tests":     func(n document.Node) { c.Tests = r.boolean(n, at("tests")) },
		"interface": func(n document.Node) { c.Interface = r.boolean(n, at("interface")) },
		"alerts":    func(n document.Node) { c.Alerts = r.boolean(n, at("alerts")) },
	})
	for _, key := range []string{"spec", "out"} {
		if !v.Get(key).Exists() {
			r.ds.Errorf(v.Pos(), "config", "%s.%s is missing; want a path", path, key)
		}
	}
	if c.Out != "" && !isPackageName(c.PackageName()) {
		where := v.Get("package")
		if !where.Exists() {
			where = v.Get("out")
		}
		r.ds = append(r.ds, badPackage(where.Pos(), c))
	}
	return c, c.Spec != "" && c.Out != ""
}

func (r *configReader) filter(v document.Node, path string) (f Filter) {
	if v.Kind() != document.Map {
		r.ds.Errorf(v.Pos(), "config", "%s is %s; want a map of operations, tags and paths", path, shown(v)).
			WithHint("write %s: {tags: […]}", path[len(path)-len("include"):])
		return f
	}
	r.members(v, path, fields{
		"operations": func(n document.Node) { f.Operations = r.texts(n, path+".operations") },
		"tags":       func(n document.Node) { f.Tags = r.texts(n, path+".tags") },
		"paths":      func(n document.Node) { f.Paths = r.texts(n, path+".paths") },
	})
	return f
}

func (r *configReader) rules(v document.Node) map[string]rules.Setting {
	out := map[string]rules.Setting{}
	if v.Kind() != document.Map {
		r.ds.Errorf(v.Pos(), "config", "rules is %s; want a map from rule to error, warn or ignore", shown(v))
		return out
	}
	words := map[string]rules.Setting{"error": rules.AsError, "warn": rules.AsWarn, "ignore": rules.Ignored}
	places := map[string]diag.Pos{}
	for key, value := range v.Members() {
		setting, ok := words[value.Text()]
		if !ok {
			r.ds.Errorf(value.Pos(), "config", "rules.%s is %s; want error, warn or ignore", key.Text(), shown(value))
			continue
		}
		out[key.Text()], places[key.Text()] = setting, key.Pos()
	}
	r.ds = append(r.ds, rules.CheckSettings(out, func(id string) diag.Pos { return places[id] })...)
	return out
}

// badPackage is the finding for a package name that Go does not take.
func badPackage(pos diag.Pos, c Client) diag.Diagnostic {
	d := diag.Diagnostic{Pos: pos, Severity: diag.Error, Code: "package-name", Message: "the package name is " + strconv.Quote(c.PackageName()) + "; want a Go identifier that is no keyword"}
	if c.Package == "" {
		d.Message = "the package name, taken from out, is " + strconv.Quote(c.PackageName()) + "; want a Go identifier that is no keyword"
		d.Hint = "give a package name beside out"
	}
	if name := packageLike(c.PackageName()); name != "" {
		if d.Hint != "" {
			d.Hint += ", such as " + name
		} else {
			d.Hint = "write " + name
		}
	}
	return d
}

// packageLike is the package name nearest to a text: its letters and digits, in
// lower case. It is empty where they make none.
func packageLike(text string) string {
	name := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(text))
	if !isPackageName(name) {
		return ""
	}
	return name
}

func isPackageName(s string) bool {
	return token.IsIdentifier(s) && s != "_"
}

func (r *configReader) duration(v document.Node, path string) time.Duration {
	d, err := time.ParseDuration(v.Text())
	if err != nil || d <= 0 {
		r.ds.Errorf(v.Pos(), "config", "%s is %s; want a duration above zero such as 4s", path, shown(v))
		return 0
	}
	return d
}
