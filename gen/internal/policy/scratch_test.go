package policy_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

func TestScratch(t *testing.T) {
	doc, ds, err := document.Load(os.Getenv("SPEC"), document.Options{})
	fmt.Println(ds, err)
	api, ds := openapi.Lower(doc)
	fmt.Println(len(ds))
	plan, ds := policy.Resolve(doc, api, policy.Settings{})
	for _, d := range ds {
		fmt.Println(d, d.Hint)
	}
	text := plan.Record().Text()
	fmt.Println(string(text))
	r, ds := policy.ReadRecord("x", text)
	fmt.Println(ds, string(r.Text()) == string(text))
}
