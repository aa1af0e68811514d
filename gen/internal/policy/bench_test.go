package policy_test

import (
	"fmt"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/document"
	"github.com/resgen-dev/resgen/gen/internal/model"
	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// BenchmarkResolve resolves a thousand operations from the defaults alone.
func BenchmarkResolve(b *testing.B) {
	api := &model.API{Title: "Shop"}
	for i := range 1000 {
		api.Operations = append(api.Operations, &model.Operation{
			ID: fmt.Sprint("op", i), Method: []string{"GET", "POST", "PUT"}[i%3], Path: fmt.Sprint("/things/", i),
		})
	}
	b.ReportAllocs()
	for b.Loop() {
		policy.Resolve(&document.Doc{}, api, policy.Settings{})
	}
}
