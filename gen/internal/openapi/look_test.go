package openapi_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
)

func TestLook(t *testing.T) {
	f := os.Getenv("ONLY")
	if f == "" {
		return
	}
	doc, ds, err := document.Load(f, document.Options{})
	fmt.Print(listed(ds))
	if err != nil || doc == nil {
		t.Fatal(err, ds)
	}
	api, ds := openapi.Lower(doc)
	fmt.Print(listed(ds))
	fmt.Print(describe(api))
}
