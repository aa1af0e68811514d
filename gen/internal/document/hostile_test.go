package document

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/resgen-dev/resgen/gen/internal/diag"
)

// within runs a load that is meant to hurt, and holds it to bounds that leave
// much room on a busy machine.
func loadWithin(t *testing.T, f files) (*Doc, diag.List) {
	t.Helper()
	// Hostile input is about growth without bounds: the time only tells that from
	// a busy machine, under the race detector.
	const most, slowest = 1 << 30, 3 * time.Minute
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	doc, ds := loadFiles(t, f)
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if took > slowest {
		t.Errorf("it took %s, want at most %s", took, slowest)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > most {
		t.Errorf("it allocated %d MiB, want at most %d", used>>20, most>>20)
	}
	return doc, ds
}

func TestHostileInput(t *testing.T) {
	layers := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(format, "NEXT", fmt.Sprint(i+1)), "N", fmt.Sprint(i)))
		}
		return b.String()
	}
	tests := []struct {
		name string
		file files
		want string // a code that must be among the diagnostics; empty: none may be an error
	}{
		{"callbacks that double with each step", files{"api.yaml": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {$ref: '#/components/pathItems/P0'}}\ncomponents:\n  pathItems:\n" +
			layers("    PN: {get: {callbacks: {a: {u: {$ref: '#/components/pathItems/PNEXT'}}, b: {u: {$ref: '#/components/pathItems/PNEXT'}}, c: {u: {$ref: '#/components/pathItems/PNEXT'}}}}}\n", 40) +
			"    P40: {get: {}}\n"}, "limit"},
		{"property maps that double with each step", files{"api.yaml": head + "paths: {}\ncomponents:\n  schemas:\n    A: {properties: {$ref: 'x.yaml#/p0'}}\n",
			"x.yaml": layers("pN: {a: {properties: {$ref: '#/pNEXT'}}, b: {properties: {$ref: '#/pNEXT'}}}\n", 60) + "p60: {}\n"}, "limit"},
		{"property maps within each other without end", files{"api.yaml": head + "paths: {}\ncomponents:\n  schemas:\n    A: {properties: {$ref: 'x.yaml#/p0'}}\n",
			"x.yaml": layers("pN: {a: {properties: {$ref: '#/pNEXT'}}}\n", 50_000) + "p50000: {}\n"}, "limit"},
		{"a chain of a thousand references", files{"api.yaml": head + "paths: {}\ncomponents:\n  schemas:\n" + layers("    AN: {$ref: '#/components/schemas/ANEXT'}\n", 1000) + "    A1000: {type: string}\n"}, "ref-loop"},
		{"a chain of parameters that all fall", files{"api.yaml": head + "paths: {}\ncomponents:\n  parameters:\n" + layers("    PN: {$ref: '#/components/parameters/PNEXT'}\n", 300) + "    P300: 5\n"}, "wrong-shape"},
		{"fifty thousand schemas that refer to each other", files{"api.yaml": head + "paths: {}\ncomponents:\n  schemas:\n" + layers("    AN: {items: {$ref: '#/components/schemas/ANEXT'}}\n", 50_000) + "    A50000: {type: string}\n"}, ""},
		{"path items in a circle", files{"api.yaml": head + "paths: {/a: {$ref: '#/paths/~1b'}, /b: {$ref: x.yaml}}\n", "x.yaml": "$ref: 'api.yaml#/paths/~1a'\n"}, "ref-loop"},
		{"a callback in a circle", files{"api.yaml": head + "paths: {/a: {get: {callbacks: {c: {u: {$ref: '#/paths/~1a'}}}}}}\n"}, "ref-loop"},
		{"a megabyte of description", files{"api.json": `{"openapi": "3.0.3", "info": {"title": "T", "version": "1", "description": "` + strings.Repeat("x", 1<<20) + `"}, "paths": {}}`}, ""},
		{"a key of a megabyte", files{"api.json": `{"openapi": "3.0.3", "paths": {}, "` + strings.Repeat("k", 1<<20) + `": 1}`}, ""},
		{"a reference of a megabyte", files{"api.json": `{"openapi": "3.0.3", "paths": {}, "components": {"schemas": {"A": {"items": {"$ref": "` + strings.Repeat("r/", 1<<19) + `"}}}}}`}, "dangling-ref"},
		{"a million values on one line", files{"api.json": `{"openapi": "3.0.3", "paths": {}, "x-a": [` + strings.Repeat("1,", 1_000_000) + `1]}`}, ""},
		{"a hundred thousand members of one map", files{"api.yaml": head + "paths: {}\nx-a:\n" + layers("  kN: 1\n", 100_000)}, ""},
		{"brackets without end", files{"api.yaml": "a: " + strings.Repeat("[", 1<<20)}, "limit"},
		{"dashes without end", files{"api.yaml": strings.Repeat("- ", 1<<16) + "a\n"}, "limit"},
		{"more files than are read", manyFiles(), "limit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, ds := loadWithin(t, tt.file)
			found := false
			for _, d := range ds {
				found = found || d.Code == tt.want
				if tt.want == "" && d.Severity == diag.Error {
					t.Errorf("diagnostic %s", d)
				}
				if len(d.Message) > 1000 {
					t.Errorf("a message of %d bytes", len(d.Message))
				}
			}
			if tt.want != "" && !found {
				t.Errorf("no %s among the %d diagnostics, such as %.200s", tt.want, len(ds), lines(ds))
			}
		})
	}
}

func manyFiles() files {
	f := files{}
	var b strings.Builder
	b.WriteString(head + "paths: {}\ncomponents:\n  schemas:\n")
	for i := range maxFiles + 10 {
		name := fmt.Sprintf("s%d.json", i)
		f[name] = "{}"
		fmt.Fprintf(&b, "    A%d: {$ref: %s}\n", i, name)
	}
	f["api.yaml"] = b.String()
	return f
}

func TestSymbolicLinksDoNotLeadOut(t *testing.T) {
	outside, inside := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(outside, "secret.yaml", "type: string\n")
	write(inside, "api.yaml", head+"paths: {}\ncomponents: {schemas: {A: {items: {$ref: link.yaml}}, B: {items: {$ref: sub/secret.yaml}}}}\n")
	if err := os.Symlink(filepath.Join(outside, "secret.yaml"), filepath.Join(inside, "link.yaml")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if err := os.Symlink(outside, filepath.Join(inside, "sub")); err != nil {
		t.Fatal(err)
	}
	doc, ds, err := Load(filepath.Join(inside, "api.yaml"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range ds {
		if d.Code != "refused-ref" || d.Hint != "allow it with --ref-root DIR" {
			t.Errorf("diagnostic %s (%s), want refused-ref", d, d.Hint)
		}
	}
	if len(ds) != 2 {
		t.Errorf("got %d diagnostics, want 2", len(ds))
	}
	wantTree(t, doc.Root, "components schemas", "{A: {items: {}}, B: {items: {}}}")
}

func TestRefRoot(t *testing.T) {
	f := files{
		"apis/pay/api.yaml":      head + "paths: {}\ncomponents: {schemas: {A: {items: {$ref: ../shared/money.yaml}}}}\n",
		"apis/shared/money.yaml": "type: string\n",
		"secret.yaml":            "type: string\n",
	}
	for root, want := range map[string]string{"": "{items: {}}", "apis": `{items: {$ref: "#/components/schemas/money"}}`, ".": `{items: {$ref: "#/components/schemas/money"}}`} {
		doc, ds, err := Load("apis/pay/api.yaml", Options{FS: f.fs(), RefRoot: root, Prefix: "HEAD~1:"})
		if err != nil || doc == nil {
			t.Fatal(err, ds)
		}
		wantTree(t, doc.Root, "components schemas A", want)
		if doc.Files[0] != "HEAD~1:apis/pay/api.yaml" {
			t.Errorf("the entry is shown as %s", doc.Files[0])
		}
		if root != "" {
			wantPos(t, doc.Root, "components schemas money", "HEAD~1:apis/shared/money.yaml:1:1")
		}
	}
	_, ds, _ := Load("apis/pay/api.yaml", Options{FS: f.fs(), RefRoot: "other"})
	wantLines(t, ds, "apis/pay/api.yaml: error: the folder other cannot be used for references: it does not hold the entry [ref-root]")
}

func TestLargeFiles(t *testing.T) {
	large := strings.Repeat(" ", maxFileSize+1)
	_, ds := loadFiles(t, files{"api.yaml": large})
	wantLines(t, ds, "api.yaml: error: the file is too large: 67108865 bytes; want at most 64 MiB [limit]")
	doc, ds := loadFiles(t, files{"api.yaml": head + "paths: {}\ncomponents: {schemas: {A: {items: {$ref: x.yaml}}}}\n", "x.yaml": large})
	wantTree(t, doc.Root, "components schemas", "{A: {items: {}}}")
	wantLines(t, ds, `api.yaml:4:42: warning: $ref "x.yaml" leads to a file that is too large: 67108865 bytes; want at most 64 MiB, and 512 MiB in all; it was read as any value [limit]`)
}

func TestMissingFiles(t *testing.T) {
	_, ds, err := Load("nope/api.yaml", Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, ds, "nope/api.yaml: error: there is no such file [unreadable]")
	_, ds, _ = LoadPlain("nope.yaml")
	wantLines(t, ds, "nope.yaml: error: there is no such file [unreadable]")
	_, ds, _ = Load(t.TempDir(), Options{})
	if len(ds) != 1 || !strings.HasSuffix(ds[0].Message, "is a folder") {
		t.Errorf("a folder: %v", ds)
	}
	_, ds = loadFiles(t, files{"api.yaml": head + "paths: {}\n"}, "gone.yaml")
	wantLines(t, ds, "gone.yaml: error: there is no such file [unreadable]")
}
