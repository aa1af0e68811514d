package openapi_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/openapi"
)

// TestNames pins every Go name of three real APIs, in document order: a change
// of a rule shows what it renames.
func TestNames(t *testing.T) {
	for _, spec := range []string{"adyen-checkout.json", "github.json", "openai.yaml"} {
		t.Run(spec, func(t *testing.T) {
			api, _ := openapi.Lower(load(t, spec))
			golden(t, "testdata/names/"+spec[:strings.IndexByte(spec, '.')]+".txt", nameList(api))
		})
	}
}

// nameList is every name of an API: a line an operation with its parameters, a
// line a type with what is inside it. Fields that are called as their types are
// listed once.
func nameList(api *model.API) []byte {
	var w bytes.Buffer
	for _, o := range api.Operations {
		fmt.Fprintf(&w, "%s(%s)", o.Name, o.Request)
		for _, p := range o.Params {
			fmt.Fprintf(&w, " %s", p.Name)
		}
		if o.Result != "" {
			fmt.Fprintf(&w, " => %s", o.Result)
		}
		for _, r := range o.Responses {
			if r.Name+r.HeadersName != "" {
				fmt.Fprintf(&w, " %s=%s", r.Stem, strings.TrimSpace(r.Name+" "+r.HeadersName))
			}
		}
		fmt.Fprintln(&w)
	}
	for _, t := range api.Types {
		fmt.Fprintf(&w, "%s", t.Name)
		for _, f := range t.Fields {
			fmt.Fprintf(&w, " %s", f.Name)
		}
		for _, v := range t.Enum {
			fmt.Fprintf(&w, " %s", strings.Replace(v.Name, t.Name, "~", 1))
		}
		for _, v := range t.Variants {
			fmt.Fprintf(&w, " |%s", v.Name)
		}
		fmt.Fprintln(&w)
	}
	return w.Bytes()
}
