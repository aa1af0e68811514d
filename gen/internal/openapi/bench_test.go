package openapi_test

import (
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/openapi"
)

// BenchmarkLower lowers GitHub's whole description, loaded once.
func BenchmarkLower(b *testing.B) {
	doc := load(b, "github.json")
	b.ReportAllocs()
	for b.Loop() {
		openapi.Lower(doc)
	}
}
