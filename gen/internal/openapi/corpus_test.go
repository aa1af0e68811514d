package openapi_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
)

// realSpecs are the documents of the corpus and how many operations each has.
var realSpecs = []struct {
	file       string
	operations int
}{
	{"adyen-checkout.json", 28}, {"adyen-management.yaml", 134}, {"docker-engine.swagger2.yaml", 108}, {"firecracker.json", 26},
	{"github-2022.json", 767}, {"github.json", 1223}, {"lxkns.yaml", 3}, {"mollie.yaml", 128}, {"openai.yaml", 288},
	{"paypal-orders.json", 8}, {"plaid.yml", 329}, {"square.json", 316}, {"stoplight.json", 334}, {"superset.json", 140},
	{"telegram.json", 82}, {"tempo.yaml", 8}, {"tinkoff.json", 21}, {"twilio-api.json", 197}, {"twilio-conversations.json", 103},
	{"twilio-messaging.yaml", 58}, {"twilio-verify.json", 57}, {"wikimedia.yaml", 1},
	{"digitalocean/specification/DigitalOcean-public.v2.yaml", 659},
}

// specsFolder is where the real specs are.
func specsFolder(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("RESGEN_SPECS")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "shared", "specs")
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no real specs at %s; set RESGEN_SPECS to the folder that holds them", folder)
	}
	return folder
}

// load loads a real spec.
func load(t testing.TB, file string) *document.Doc {
	t.Helper()
	doc, ds, err := document.Load(filepath.Join(specsFolder(t), filepath.FromSlash(file)), document.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if doc == nil || ds.HasErrors() {
		t.Fatalf("%s does not load:\n%s", file, listed(slices.DeleteFunc(ds, func(d diag.Diagnostic) bool { return d.Severity != diag.Error })))
	}
	return doc
}

// TestCorpus lowers every real spec: without an error, every operation kept,
// twice the same. What is said of each is a golden, by kind.
func TestCorpus(t *testing.T) {
	specsFolder(t)
	var got bytes.Buffer
	for _, spec := range realSpecs {
		t.Run(filepath.Base(spec.file), func(t *testing.T) {
			doc := load(t, spec.file)
			api, ds := openapi.Lower(doc)
			if ds.HasErrors() {
				t.Errorf("errors:\n%s", listed(ds))
			}
			if len(api.Operations) != spec.operations {
				t.Errorf("operations = %d, want %d", len(api.Operations), spec.operations)
			}
			checkModel(t, api)
			if again, _ := openapi.Lower(doc); describe(again) != describe(api) {
				t.Error("lowering twice gives two models")
			}
			summarise(&got, spec.file, api, ds)
		})
	}
	golden(t, "testdata/corpus.txt", got.Bytes())
}

// summarise writes what became of a spec, and what was said, by kind.
func summarise(w *bytes.Buffer, file string, api *model.API, ds diag.List) {
	kinds := map[string]int{}
	for _, d := range ds {
		kinds[d.Severity.String()+" "+d.Code]++
	}
	byKind := map[model.Kind]int{}
	for _, t := range api.Types {
		byKind[t.Kind]++
	}
	fmt.Fprintf(w, "%s: %d operations, %d types", filepath.Base(file), len(api.Operations), len(api.Types))
	for _, k := range slices.Sorted(maps.Keys(byKind)) {
		fmt.Fprintf(w, ", %d %s", byKind[k], kindWords[k])
	}
	fmt.Fprintln(w)
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(w, "  %d %s\n", kinds[k], k)
	}
}

// golden compares with a file, or writes it.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range gotLines {
		if i >= len(wantLines) || gotLines[i] != wantLines[i] {
			t.Fatalf("%s differs in line %d (-update writes it anew):\ngot  %.300s\nwant %.300s", file, i+1, gotLines[i], at(wantLines, i))
		}
	}
	t.Fatalf("%s has %d lines, got %d (-update writes it anew)", file, len(wantLines), len(gotLines))
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
