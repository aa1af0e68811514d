package golang

import (
	"bytes"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// TestEveryKindIsDeclared holds that no kind of type is forgotten: File is the
// last of them.
func TestEveryKindIsDeclared(t *testing.T) {
	p := newPkg(&policy.Plan{API: &model.API{}}, Options{Package: "x", Spec: "x"})
	for kind := model.Any; kind <= model.File; kind++ {
		typ := &model.Type{Kind: kind, Name: "Named", Elem: &model.Type{Kind: model.String}}
		f := jen.NewFile("x")
		declareType(f, p, typ)
		var out bytes.Buffer
		if err := f.Render(&out); err != nil {
			t.Errorf("kind %d: %v", kind, err)
		}
		if !strings.Contains(out.String(), "type Named ") {
			t.Errorf("kind %d is not declared:\n%s", kind, &out)
		}
	}
}

func TestFileStem(t *testing.T) {
	taken := map[string]bool{"client": true, "policy": true}
	tests := []struct{ tag, want string }{
		{"Charges", "charges"}, {"charges", "charges2"}, {"linux_test", "linuxtest"}, {"Client", "client2"}, {"", "operations"},
		{"港", "tag"}, {"Краны", "tag2"}, {"con", "contag"}, {"3D", "3d"}, {"../../etc/passwd", "etcpasswd"}, {"Operations", "operations2"},
	}
	for _, tt := range tests {
		if got := fileStem(tt.tag, taken); got != tt.want {
			t.Errorf("fileStem(%q) = %q, want %q", tt.tag, got, tt.want)
		}
	}
}

func TestSplitBoundsFiles(t *testing.T) {
	d := &draft{stem: "models"}
	for range 30 {
		d.decls = append(d.decls, decl{weight: 1000})
	}
	d.decls = append(d.decls, decl{weight: 50_000}) // nothing can part one declaration
	parts := split(d, map[string]bool{"models": true, "models3": true})
	var names []string
	total := 0
	for _, part := range parts {
		names = append(names, part.name)
		total += len(part.decls)
	}
	if got, want := strings.Join(names, " "), "models.gen.go models2.gen.go models4.gen.go models5.gen.go models6.gen.go"; got != want {
		t.Errorf("files are %s, want %s", got, want)
	}
	if total != len(d.decls) {
		t.Errorf("%d declarations were laid out, want %d", total, len(d.decls))
	}
}
