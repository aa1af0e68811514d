package cases

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/cases/drive"
	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/golang"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// A Client is what came of one entry of a case.
type Client struct {
	Diagnostics diag.List
	Plan        *policy.Plan // nil where an error stopped generation
	Table       golang.Table
	Files       []golang.File
}

// Generate runs the stages from a specification to the files of a client.
func Generate(spec string) (*Client, error) {
	c := &Client{}
	doc, ds, err := document.Load(spec, document.Options{})
	c.Diagnostics = append(c.Diagnostics, ds...)
	if err != nil || doc == nil || ds.HasErrors() {
		return c, err
	}
	api, ds := openapi.Lower(doc)
	c.Diagnostics = append(c.Diagnostics, ds...)
	if ds.HasErrors() {
		return c, nil
	}
	plan, ds := policy.Resolve(doc, api, policy.Settings{})
	c.Diagnostics = append(c.Diagnostics, ds...)
	if ds.HasErrors() {
		return c, nil
	}
	files, err := golang.Files(plan, golang.Options{Package: "client", Spec: filepath.Base(spec)})
	if err != nil {
		return c, err
	}
	c.Plan, c.Files, c.Table = plan, files, golang.Names(plan)
	return c, nil
}

// modulePath lies beneath gen, so that the driver programs may import drive.
const modulePath = "github.com/resgen-dev/resgen/gen/caseclients"

// A Module is a temporary module that holds the clients and drivers of many
// cases, a package each, so that one that does not compile fails alone. What
// compiles is linked into one program: linking costs more than compiling.
type Module struct {
	dir string
}

// NewModule makes the module in an empty folder. root is the checkout that it
// builds against.
func NewModule(dir, root string) (*Module, error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	text := strings.Replace(string(mod), "module github.com/resgen-dev/resgen\n", "module "+modulePath+"\n", 1)
	if i := strings.Index(text, "\ntool "); i >= 0 {
		end := strings.Index(text[i+1:], "\n")
		text = text[:i+1] + text[i+1+end:]
	}
	text += "\nrequire github.com/resgen-dev/resgen v0.0.0\n\nreplace github.com/resgen-dev/resgen => " + root + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644); err != nil {
		return nil, err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	return &Module{dir}, os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644)
}

// Add writes a client and its driver under a name that is a Go identifier.
func (m *Module) Add(name string, c *Client) error {
	dir := filepath.Join(m.dir, name, "client")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range c.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o644); err != nil {
			return err
		}
	}
	dir = filepath.Join(m.dir, name, "driver")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "driver.go"), driver(name, c.Table), 0o644)
}

// driver is the source of the package that says what a client has.
func driver(name string, t golang.Table) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package driver\n\nimport (\n\t%q\n\n\t%q\n)\n\n", modulePath+"/"+name+"/client", "github.com/resgen-dev/resgen/gen/internal/cases/drive")
	b.WriteString("var Package = drive.Package{\n\tNewClient: client.NewClient,\n")
	section := func(field string, lines map[string]string) {
		fmt.Fprintf(&b, "\t%s: map[string]any{\n", field)
		for _, key := range slices.Sorted(maps.Keys(lines)) {
			fmt.Fprintf(&b, "\t\t%q: %s,\n", key, lines[key])
		}
		b.WriteString("\t},\n")
	}
	operations, types, servers, headers := map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}
	for _, op := range t.Operations {
		operations[op.ID] = "(*client.Client)." + op.Method
		for _, s := range op.Servers {
			if s.Type != "" {
				servers[s.Type] = "client." + s.Type + "{}"
			}
		}
		for _, h := range op.Headers {
			headers[h.Func] = "client." + h.Func
		}
	}
	for _, s := range t.Servers {
		if s.Type != "" {
			servers[s.Type] = "client." + s.Type + "{}"
		}
	}
	for _, typ := range t.Types {
		if typ.Schema != "" {
			types[typ.Type] = "new(client." + typ.Type + ")"
		}
	}
	section("Operations", operations)
	section("Types", types)
	section("Servers", servers)
	section("Headers", headers)
	b.WriteString("}\n")
	return b.Bytes()
}

// Vet runs go vet over every client and returns its complaints by case.
func (m *Module) Vet(ctx context.Context, names []string) map[string]string {
	return m.blame(ctx, names, "/client", "go", "vet")
}

// Build compiles every case's client and driver, links those that compile, and
// returns the compiler's complaints by case.
func (m *Module) Build(ctx context.Context, names []string) (map[string]string, error) {
	broken := m.blame(ctx, names, "/driver", "go", "build")
	built := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return broken[name] != "" })
	dir := filepath.Join(m.dir, "drivers")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), program(built), 0o644); err != nil {
		return nil, err
	}
	if text, err := m.run(ctx, nil, "go", "build", "-o", m.program(), "./drivers"); err != nil {
		return nil, fmt.Errorf("link the drivers: %w\n%s", err, text)
	}
	return broken, nil
}

func (m *Module) program() string { return filepath.Join(m.dir, "program") }

// program is the source of the program that runs any driver.
func program(names []string) []byte {
	var b bytes.Buffer
	b.WriteString("package main\n\nimport (\n")
	for _, name := range names {
		fmt.Fprintf(&b, "\t%s %q\n", name, modulePath+"/"+name+"/driver")
	}
	fmt.Fprintf(&b, "\n\t%q\n)\n\nfunc main() {\n\tdrive.Main(map[string]drive.Package{\n", "github.com/resgen-dev/resgen/gen/internal/cases/drive")
	for _, name := range names {
		fmt.Fprintf(&b, "\t\t%q: %s.Package,\n", name, name)
	}
	b.WriteString("\t})\n}\n")
	return b.Bytes()
}

// blame runs a command over all packages at once and, where that fails, over
// each alone to see whose fault it is.
func (m *Module) blame(ctx context.Context, names []string, below string, command ...string) map[string]string {
	all := slices.Clone(command)
	for _, name := range names {
		all = append(all, "./"+name+below)
	}
	if _, err := m.run(ctx, nil, all...); err == nil || len(names) == 0 {
		return nil
	}
	out := map[string]string{}
	for _, name := range names {
		if text, err := m.run(ctx, nil, append(slices.Clone(command), "./"+name+below)...); err != nil {
			out[name] = text
		}
	}
	return out
}

// Drive runs a case's driver in a process of its own.
func (m *Module) Drive(ctx context.Context, name string, s drive.Script) (*drive.Report, error) {
	in, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, m.program(), name)
	cmd.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, stderr.String())
	}
	r := &drive.Report{}
	return r, json.Unmarshal(out, r)
}

func (m *Module) run(ctx context.Context, stdin []byte, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err.Error(), err
	}
	return string(out), err
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
