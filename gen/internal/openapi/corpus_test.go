package openapi_test

import (
	"os"
	"path/filepath"
	"sort"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
)

func TestTry(t *testing.T) {
	files, _ := filepath.Glob("../../../../shared/specs/*.*")
	files = append(files, "../../../../shared/specs/digitalocean/specification/DigitalOcean-public.v2.yaml")
	if f := os.Getenv("ONLY"); f != "" {
		files = []string{f}
	}
	for _, f := range files {
		if filepath.Ext(f) == ".md" {
			continue
		}
		doc, ds, err := document.Load(f, document.Options{})
		if err != nil || doc == nil {
			t.Errorf("%s: %v %v", f, err, ds.Count(3))
			for i, d := range ds {
				if d.Severity == 3 && i < 10 {
					t.Log(d)
				}
			}
			continue
		}
		api, ds := openapi.Lower(doc)
		kinds := map[string]int{}
		for _, d := range ds {
			kinds[d.Severity.String()+" "+d.Code]++
		}
		t.Logf("%s ops=%d types=%d", filepath.Base(f), len(api.Operations), len(api.Types))
		var keys []string
		for k := range kinds {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			t.Logf("    %s %d", k, kinds[k])
		}
	}
}
