// Command generate compares what generators make of real specifications and
// what that costs: resgen, oapi-codegen (tuned, so that it succeeds as often as
// it can) and ogen (told to ignore what it cannot do). Runs are interleaved.
//
//	go run ./generate [-rounds 5] [-build] [-specs DIR] [NAME…]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/resgen-dev/resgen/runtime/bench/measure"
)

func main() {
	rounds := flag.Int("rounds", 5, "runs of each generator; the median is shown")
	build := flag.Bool("build", true, "compile what was generated")
	specs := flag.String("specs", envOr("RESGEN_SPECS", "../../shared/specs"), "folder of specifications")
	flag.Parse()
	work, err := os.MkdirTemp("", "bench-gen-")
	if err != nil {
		fail(err)
	}
	defer os.RemoveAll(work)
	b := &bench{work: work, specs: *specs, rounds: *rounds, build: *build}
	if err := b.prepare(); err != nil {
		fail(err)
	}
	names := flag.Args()
	if len(names) == 0 {
		names = b.all()
	}
	fmt.Printf("%d runs each, interleaved; medians. Lines: code without comments, blanks and tests. CPU: user + system. 2 cores means wall time depends on load; compare CPU.\n\n", *rounds)
	fmt.Println("| spec | generator | lines | gen wall s | gen CPU s | gen MiB | build CPU s | build MiB |")
	fmt.Println("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
	var rows []row
	for _, name := range names {
		rows = append(rows, b.spec(name)...)
	}
	b.sums(rows)
	b.loader()
}

func envOr(name, value string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return value
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bench-gen:", err)
	os.Exit(1)
}

// A row is what one generator did with one specification.
type row struct {
	spec, generator string
	err             error
	lines           int
	gen             []measure.Cost
	build           measure.Cost
	built           bool
}

func (r row) print() {
	if r.err != nil && r.lines == 0 {
		fmt.Printf("| %s | %s | fails: %s |\n", r.spec, r.generator, oneLine(r.err))
		return
	}
	fmt.Printf("| %s | %s | %d | %.2f | %.2f | %d |", r.spec, r.generator, r.lines,
		measure.Of(r.gen, func(c measure.Cost) time.Duration { return c.Wall }).Seconds(), r.genCPU().Seconds(),
		measure.Of(r.gen, func(c measure.Cost) int64 { return c.RSS })>>20)
	switch {
	case r.built:
		fmt.Printf(" %.1f | %d |\n", r.build.CPU.Seconds(), r.build.RSS>>20)
	case r.err != nil:
		fmt.Printf(" fails: %s |\n", oneLine(r.err))
	default:
		fmt.Println(" - | - |")
	}
}

func (r row) genCPU() time.Duration {
	return measure.Of(r.gen, func(c measure.Cost) time.Duration { return c.CPU })
}

func oneLine(err error) string {
	s := strings.Join(strings.Fields(err.Error()), " ")
	if len(s) > 90 {
		s = strings.ToValidUTF8(s[:90], "") + "…"
	}
	return strings.ReplaceAll(s, "|", "\\|")
}

// A bench holds the built generators and the work folder.
type bench struct {
	work, specs string
	rounds      int
	build       bool
}

// prepare builds the generators and a module that their output compiles in,
// with every dependency compiled beforehand.
func (b *bench) prepare() error {
	bin := filepath.Join(b.work, "bin") + string(filepath.Separator)
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	for _, pkg := range []string{
		"github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen", "github.com/ogen-go/ogen/cmd/ogen",
		"github.com/resgen-dev/resgen/runtime/bench/kinload",
	} {
		if _, err := measure.Run(".", nil, "go", "build", "-o", bin, pkg); err != nil {
			return err
		}
	}
	if _, err := measure.Run("..", nil, "go", "build", "-o", bin, "./cmd/resgen"); err != nil {
		return err
	}
	for _, pkg := range []string{"github.com/oapi-codegen/runtime", "github.com/oapi-codegen/nullable", "github.com/ogen-go/ogen/...", "github.com/resgen-dev/resgen/runtime/..."} {
		if _, err := measure.Run(".", nil, "go", "build", pkg); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(b.work, "oapi.yaml"), []byte(oapiConfig), 0o644)
}

const oapiConfig = `package: api
output: api.gen.go
generate: {models: true, client: true}
output-options:
  resolve-type-name-collisions: true
  nullable-type: true
  response-type-suffix: Resp
  name-normalizer: ToCamelCaseWithInitialisms
compatibility: {always-prefix-enum-values: true}
`

const ogenConfig = `generator:
  ignore_not_implemented: ["all"]
  features:
    disable: ["paths/server", "webhooks/client", "webhooks/server", "ogen/unimplemented"]
`

func (b *bench) all() []string {
	var names []string
	for _, pattern := range []string{"*.json", "*.yaml", "*.yml", "digitalocean/*/*.yaml"} {
		found, err := filepath.Glob(filepath.Join(b.specs, pattern))
		if err != nil {
			fail(err)
		}
		for _, f := range found {
			if rel, err := filepath.Rel(b.specs, f); err == nil {
				names = append(names, rel)
			}
		}
	}
	slices.Sort(names)
	return names
}

// spec runs every generator on one specification, in turns.
func (b *bench) spec(name string) []row {
	spec, err := filepath.Abs(filepath.Join(b.specs, name))
	if err != nil {
		fail(err)
	}
	rows := []row{{spec: name, generator: "resgen"}, {spec: name, generator: "oapi-codegen"}, {spec: name, generator: "ogen"}}
	for range b.rounds {
		for i := range rows {
			if rows[i].err == nil {
				b.generate(&rows[i], spec)
			}
		}
	}
	for i := range rows {
		if rows[i].err == nil {
			rows[i].lines = countLines(b.out(rows[i]))
			if b.build {
				b.compile(&rows[i])
			}
		}
		rows[i].print()
	}
	return rows
}

// out is where a generator's package goes: inside this module, so that it
// compiles with the versions pinned here.
func (b *bench) out(r row) string {
	return filepath.Join(b.work, "out", safe(r.spec), safe(r.generator), "api")
}

func safe(s string) string {
	return "x" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

func (b *bench) generate(r *row, spec string) {
	out := b.out(*r)
	if err := os.MkdirAll(out, 0o755); err != nil {
		fail(err)
	}
	bin := filepath.Join(b.work, "bin", r.generator)
	var cost measure.Cost
	switch r.generator {
	case "resgen":
		cost, r.err = measure.Run(out, nil, bin, "generate", spec, "--out", out, "--package", "api", "--quiet")
	case "oapi-codegen":
		cost, r.err = measure.Run(out, nil, bin, "-config", filepath.Join(b.work, "oapi.yaml"), spec)
	case "ogen":
		config := filepath.Join(b.work, "ogen.yaml")
		if r.err = os.WriteFile(config, []byte(ogenConfig), 0o644); r.err != nil {
			return
		}
		cost, r.err = measure.Run(out, nil, bin, "-config", config, "-target", out, "-package", "api", "-clean", spec)
	}
	r.gen = append(r.gen, cost)
}

// compile builds the package where the module's dependencies are known. The
// folder lies in the work folder, so the package is given as files by overlay
// of a module of its own.
func (b *bench) compile(r *row) {
	dir := filepath.Dir(b.out(*r))
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		fail(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		fail(err)
	}
	text := strings.Replace(string(mod), "=> ../", "=> "+root, 1)
	text = strings.Replace(text, "module github.com/resgen-dev/resgen/runtime/bench", "module example.test/"+safe(r.spec)+safe(r.generator), 1)
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		fail(err)
	}
	for name, content := range map[string]string{"go.mod": text, "go.sum": string(sum)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			fail(err)
		}
	}
	r.build, r.err = measure.Run(dir, []string{"GOFLAGS=-mod=mod"}, "go", "build", "./api")
	r.built = r.err == nil
}

// sums prints the totals over the specifications with 20 operations or more
// where both made code, which is what sizes are compared on.
func (b *bench) sums(rows []row) {
	ours, peers := map[string]row{}, map[string]map[string]row{}
	for _, r := range rows {
		if r.lines == 0 {
			continue
		}
		if r.generator == "resgen" {
			ours[r.spec] = r
			continue
		}
		if peers[r.generator] == nil {
			peers[r.generator] = map[string]row{}
		}
		peers[r.generator][r.spec] = r
	}
	fmt.Println()
	for _, peer := range []string{"oapi-codegen", "ogen"} {
		var mine, theirs int
		var myCPU, theirCPU, myBuild, theirBuild time.Duration
		for spec, r := range peers[peer] {
			o, ok := ours[spec]
			if !ok {
				continue
			}
			mine, theirs = mine+o.lines, theirs+r.lines
			myCPU, theirCPU = myCPU+o.genCPU(), theirCPU+r.genCPU()
			if o.built && r.built {
				myBuild, theirBuild = myBuild+o.build.CPU, theirBuild+r.build.CPU
			}
		}
		if theirs == 0 {
			continue
		}
		fmt.Printf("Where %s makes code: resgen %d lines against %d (%.2f), generates in %.1f CPU s against %.1f (%.2f)", peer,
			mine, theirs, float64(mine)/float64(theirs), myCPU.Seconds(), theirCPU.Seconds(), myCPU.Seconds()/theirCPU.Seconds())
		if theirBuild > 0 {
			fmt.Printf(", compiles in %.1f CPU s against %.1f (%.2f; where both compile)", myBuild.Seconds(), theirBuild.Seconds(), myBuild.Seconds()/theirBuild.Seconds())
		}
		fmt.Println(".")
	}
}

// loader compares a whole run on GitHub's description with kin-openapi's own
// loader on the same bytes.
func (b *bench) loader() {
	spec, err := filepath.Abs(filepath.Join(b.specs, "github.json"))
	if err != nil {
		fail(err)
	}
	if _, err := os.Stat(spec); err != nil {
		return
	}
	out := filepath.Join(b.work, "github")
	if err := os.MkdirAll(out, 0o755); err != nil {
		fail(err)
	}
	var whole, load []measure.Cost
	for range b.rounds {
		c, err := measure.Run(out, nil, filepath.Join(b.work, "bin", "resgen"), "generate", spec, "--out", out, "--package", "api", "--quiet")
		if err != nil {
			fmt.Println("github.json:", oneLine(err))
			return
		}
		whole = append(whole, c)
		c, err = measure.Run(out, nil, filepath.Join(b.work, "bin", "kinload"), spec)
		if err != nil {
			fmt.Println("github.json, kin-openapi:", oneLine(err))
			return
		}
		load = append(load, c)
	}
	wall := func(c measure.Cost) time.Duration { return c.Wall }
	rss := func(c measure.Cost) int64 { return c.RSS }
	fmt.Printf("\nGitHub's full description: resgen generates in %.2f s and %d MiB; kin-openapi's loader alone takes %.2f s and %d MiB (medians of %d, interleaved).\n",
		measure.Of(whole, wall).Seconds(), measure.Of(whole, rss)>>20, measure.Of(load, wall).Seconds(), measure.Of(load, rss)>>20, b.rounds)
}
