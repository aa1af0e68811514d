package golang

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/dave/jennifer/jen"
	"golang.org/x/tools/imports"

	"github.com/resgen-dev/resgen/gen/internal/model"
)

// maxLines is the length beyond which a file is split.
const maxLines = 10_000

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
			d.decls = append(d.decls, decl{weight: 10, write: func(f *jen.File) { declareDecoder(f, op.decoder) }})
		}
		if fail := p.failures.byText[op.failure]; fail != nil && fail.first == op {
			d.decls = append(d.decls, decl{weight: 12, write: func(f *jen.File) { declareFailure(f, p, fail) }})
		}
	}
}

func typeWeight(t *model.Type) int {
	lines := 3 + len(docLines(typeDoc(t)))
	for _, field := range t.Fields {
		lines += 1 + len(docLines(fieldDoc(field)))
	}
	return lines + 2*len(t.Enum) + 3*len(t.Variants) + 14*min(len(t.Variants), 1)
}

func operationWeight(op *operation) int {
	lines := 12 + len(docLines(operationDoc(op)))
	for _, param := range op.params {
		lines += 3 + len(docLines(paramDoc(param)))
	}
	return lines + 12*len(op.headers) + 4*len(op.bodies)
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

// render writes all drafts, side by side, and returns their files by name.
func render(p *pkg, drafts []*draft) ([]File, error) {
	results := make([][]File, len(drafts))
	errs := make([]error, len(drafts))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, d := range drafts {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i], errs[i] = renderSplit(p, d)
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	files := slices.Concat(results...)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// renderSplit renders a draft into one file, or into as many as are needed for
// none to be longer than maxLines.
func renderSplit(p *pkg, d *draft) ([]File, error) {
	for parts := 1; ; parts++ {
		var files []File
		fits := true
		for i, decls := range split(d.decls, parts) {
			name := d.stem + ".gen.go"
			if i > 0 {
				name = d.stem + "part" + strconv.Itoa(i+1) + ".gen.go"
				if d.stem == "models" {
					name = d.stem + strconv.Itoa(i+1) + ".gen.go"
				}
			}
			content, err := renderFile(p, name, decls)
			if err != nil {
				return nil, err
			}
			if lines := bytes.Count(content, []byte("\n")); lines > maxLines && len(decls) > 1 {
				fits = false
				parts = max(parts, lines/maxLines) // the loop adds one
				break
			}
			files = append(files, File{Name: name, Content: content})
		}
		if fits {
			return files, nil
		}
	}
}

// split parts decls into runs of about equal weight.
func split(decls []decl, parts int) [][]decl {
	total := 0
	for _, d := range decls {
		total += d.weight
	}
	var out [][]decl
	start, sum := 0, 0
	for i, d := range decls {
		if sum > 0 && sum+d.weight > (len(out)+1)*total/parts && len(out) < parts-1 {
			out = append(out, decls[start:i])
			start = i
		}
		sum += d.weight
	}
	return append(out, decls[start:])
}

// renderFile writes one file.
func renderFile(p *pkg, name string, decls []decl) ([]byte, error) {
	f := jen.NewFilePathName("generated.invalid/"+p.opts.Package, p.opts.Package)
	f.NoFormat = true // imports formats
	f.HeaderComment("// Code generated by resgen from " + oneLine(p.opts.Spec) + ". DO NOT EDIT.")
	f.ImportAlias(p.path("rt"), "rt")
	f.ImportName(p.path("wire"), "wire")
	for _, std := range [...]string{"context", "errors", "io", "iter", "time"} {
		f.ImportName(std, std)
	}
	f.ImportName("net/http", "http")
	for _, d := range decls {
		d.write(f)
	}
	var raw bytes.Buffer
	if err := f.Render(&raw); err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	content, err := imports.Process(name, raw.Bytes(), &imports.Options{FormatOnly: true, Comments: true, TabIndent: true, TabWidth: 8})
	if err != nil {
		return nil, fmt.Errorf("format %s: %w", name, err)
	}
	return content, nil
}
