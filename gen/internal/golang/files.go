package golang

import (
	"bytes"
	"fmt"
	"go/format"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/dave/jennifer/jen"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// maxLines is the length beyond which a file is split; fileOverhead are the
// lines of its header and imports.
const (
	maxLines     = 10_000
	fileOverhead = 20
)

// faultsStem is the draft of the tests.
const faultsStem = "faults"

// A decl is one piece of a file.
type decl struct {
	weight int // lines, roughly
	write  func(*jen.File)
}

// A draft is a file in the making: what it holds, in order.
type draft struct {
	stem  string // "charges" of charges.gen.go
	decls []decl
}

// layOut distributes everything that is declared over files: client, policies,
// a file a tag with the types that only it uses, and the models of the rest.
func layOut(p *pkg) []*draft {
	drafts := []*draft{
		{stem: "client", decls: []decl{{weight: 1, write: func(f *jen.File) { clientFile(f, p) }}}},
	}
	if len(p.policies.policies) > 0 {
		drafts = append(drafts, &draft{stem: "policy", decls: []decl{{weight: 1, write: func(f *jen.File) { policyFile(f, p) }}}})
	}
	models := &draft{stem: "models"}
	tags := map[string]*draft{}
	taken := map[string]bool{"client": true, "policy": true, "models": true, "faults": true}
	var tagged []*draft
	of := func(tag string) *draft {
		if d := tags[tag]; d != nil {
			return d
		}
		d := &draft{stem: fileStem(tag, taken)}
		tags[tag] = d
		tagged = append(tagged, d)
		return d
	}
	operationFiles(p, of)
	for _, t := range p.api.Types {
		d := models
		if len(t.Tags) == 1 && tags[t.Tags[0]] != nil {
			d = tags[t.Tags[0]]
		}
		d.decls = append(d.decls, decl{weight: typeWeight(t), write: func(f *jen.File) { declareType(f, p, t) }})
	}
	for _, g := range p.failures.types {
		models.decls = append(models.decls, decl{weight: 8, write: func(f *jen.File) { declareErrorType(f, p, g) }})
	}
	if p.opts.Tests && len(p.ops) > 0 {
		drafts = append(drafts, &draft{stem: faultsStem, decls: []decl{{weight: 1, write: func(f *jen.File) { faultsFile(f, p) }}}})
	}
	if len(models.decls) > 0 {
		drafts = append(drafts, models)
	}
	return append(drafts, tagged...)
}

// operationFiles puts each operation into the file of its first tag, with the
// helpers that it is the first to use.
func operationFiles(p *pkg, of func(string) *draft) {
	decoders := map[*decoder]bool{}
	for _, i := range interfacesOf(p) {
		d := of(i.tag)
		d.decls = append(d.decls, decl{weight: 5 + len(i.ops), write: func(f *jen.File) { declareInterface(f, p, i) }})
	}
	for _, op := range p.ops {
		d := of(op.tag())
		d.decls = append(d.decls, decl{weight: operationWeight(op), write: func(f *jen.File) { declareOperation(f, p, op) }})
		if !decoders[op.decoder] {
			decoders[op.decoder] = true
			d.decls = append(d.decls, decl{weight: 8 + 4*len(op.spec.Responses) + 6*len(op.result.cases), write: func(f *jen.File) { declareDecoder(f, op.decoder) }})
		}
		if fail := p.failures.byText[op.failure]; fail != nil && fail.first == op {
			d.decls = append(d.decls, decl{weight: 8 + 8*len(op.spec.Responses), write: func(f *jen.File) { declareFailure(f, p, fail) }})
		}
	}
}

// typeWeight is at least the number of lines that a type takes.
func typeWeight(t *model.Type) int {
	lines := 24 + docWeight(t.Description) + 2*len(t.Enum) + 6*len(t.Variants)
	for _, field := range t.Fields {
		lines += 6 + docWeight(field.Description) + docWeight(field.Type.Description)
	}
	for _, v := range t.Enum {
		lines += docWeight(v.Description)
	}
	for _, v := range t.Variants {
		lines += docWeight(v.Type.Description)
	}
	return lines
}

// operationWeight is at least the number of lines that an operation takes.
func operationWeight(op *operation) int {
	lines := 40 + docWeight(op.spec.Summary) + docWeight(op.spec.Description) + 6*len(op.bodies)
	for _, param := range op.params {
		lines += 7 + docWeight(param.Description) + docWeight(param.Type.Description)
	}
	for _, b := range op.bodies {
		lines += 2*len(b.content.Fields) + docWeight(op.spec.Body.Description)
	}
	for _, c := range op.result.cases {
		lines += 8 + docWeight(c.response.Description)
	}
	for _, h := range op.headers {
		for _, param := range h.set.params {
			lines += 8 + docWeight(param.Description)
		}
	}
	return lines
}

// docWeight is at least the number of comment lines of a text.
func docWeight(text string) int {
	if text == "" {
		return 0
	}
	text = text[:min(len(text), docLimit)]
	return 2 + 2*len(text)/docWidth + 2*strings.Count(text, "\n") + strings.Count(text, "<br") + 2*strings.Count(text, "<p>")
}

// fileStem is the name of a tag's file: lower-case letters and digits without
// a sign between them, so that none is read as a test or as one for another
// system; taken names get a number.
func fileStem(tag string, taken map[string]bool) string {
	stem := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, tag)
	switch {
	case tag == "":
		stem = "operations"
	case stem == "":
		stem = "tag"
	case devices[stem]:
		stem += "tag"
	}
	if len(stem) > 60 {
		stem = stem[:60]
	}
	name := stem
	for n := 2; taken[name]; n++ {
		name = stem + strconv.Itoa(n)
	}
	taken[name] = true
	return name
}

// devices are names that no file may have on Windows.
var devices = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true,
	"com1": true, "com2": true, "com3": true, "com4": true, "com5": true, "com6": true, "com7": true, "com8": true, "com9": true,
	"lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true,
}

// render writes all drafts side by side and returns their files by name.
func render(p *pkg, drafts []*draft) ([]File, error) {
	taken := map[string]bool{}
	for _, d := range drafts {
		taken[d.stem] = true
	}
	var parts []part
	for _, d := range drafts {
		parts = append(parts, split(d, taken)...)
	}
	files := make([]File, len(parts))
	errs := make([]error, len(parts))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, part := range parts {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() {
				<-slots
				if fault := recover(); fault != nil { // nobody above can catch it in a goroutine
					errs[i] = fmt.Errorf("%s: panic: %v\n%s", part.name, fault, debug.Stack())
				}
			}()
			files[i].Name = part.name
			files[i].Content, errs[i] = renderFile(p, part)
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(files); i++ {
		if files[i].Name == files[i-1].Name {
			return nil, fmt.Errorf("two files are called %s", files[i].Name)
		}
	}
	return files, nil
}

// A part is a run of a draft's declarations that fits into one file.
type part struct {
	name  string
	decls []decl
}

// split parts a draft into as many files as are needed for none to be longer
// than maxLines, in order. Weights are never below the lines that they stand
// for. The names of further files are free ones: a tag may be called models2.
func split(d *draft, taken map[string]bool) []part {
	suffix := "part"
	if d.stem == "models" {
		suffix = ""
	}
	var out []part
	start, sum, number := 0, fileOverhead, 2
	add := func(end int) {
		name := d.stem
		for ; len(out) > 0 && taken[name]; number++ {
			name = d.stem + suffix + strconv.Itoa(number)
		}
		taken[name] = true
		name += ".gen.go"
		if d.stem == faultsStem {
			name = "faults.gen_test.go"
		}
		out = append(out, part{name: name, decls: d.decls[start:end]})
		start, sum = end, fileOverhead
	}
	for i, decl := range d.decls {
		if sum+decl.weight > maxLines && i > start {
			add(i)
		}
		sum += decl.weight
	}
	add(len(d.decls))
	return out
}

// renderFile writes one file.
func renderFile(p *pkg, part part) ([]byte, error) {
	f := jen.NewFilePathName("generated.invalid/"+p.opts.Package, p.opts.Package)
	f.NoFormat = true // once, below
	f.HeaderComment("// Code generated by resgen from " + oneLine(p.opts.Spec) + ". DO NOT EDIT.")
	f.ImportAlias(p.path("rt"), "rt")
	f.ImportName(p.path("wire"), "wire")
	for _, std := range [...]string{"context", "errors", "io", "iter", "time"} {
		f.ImportName(std, std)
	}
	f.ImportName("net/http", "http")
	f.ImportName("testing", "testing")
	f.ImportName("testing/synctest", "synctest")
	f.ImportName(p.path("faulttest"), "faulttest")
	for _, d := range part.decls {
		d.write(f)
	}
	var raw bytes.Buffer
	if err := f.Render(&raw); err != nil {
		return nil, fmt.Errorf("render %s: %w", part.name, err)
	}
	content, err := format.Source(groupImports(raw.Bytes()))
	if err != nil {
		return nil, fmt.Errorf("format %s: %w", part.name, err)
	}
	return content, nil
}

// groupImports puts an empty line between the standard library's imports and
// the others in jennifer's import block, as goimports does, which would parse
// and print every file twice for it.
func groupImports(src []byte) []byte {
	const open, end = "\nimport (\n", "\n)\n"
	start := bytes.Index(src, []byte(open))
	if start < 0 {
		return src
	}
	start += len(open)
	length := bytes.Index(src[start:], []byte(end))
	if length < 0 {
		return src
	}
	var std, other [][]byte
	for _, line := range bytes.Split(src[start:start+length], []byte("\n")) {
		if path := bytes.SplitN(line, []byte(`"`), 3); len(path) == 3 && bytes.Contains(path[1], []byte(".")) {
			other = append(other, line)
		} else {
			std = append(std, line)
		}
	}
	if len(std) == 0 || len(other) == 0 {
		return src
	}
	block := append(append(std, nil), other...)
	return slices.Concat(src[:start], bytes.Join(block, []byte("\n")), src[start+length:])
}
