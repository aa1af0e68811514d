package openapi_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/resgen-dev/resgen/gen/internal/openapi"
	"github.com/resgen-dev/resgen/gen/internal/sample"
)

// tooBig is more than any sample of a real type needs.
const tooBig = 4 << 20

// TestSamplesOfRealSpecs makes a value of every type of every real spec: JSON,
// and of bounded size.
func TestSamplesOfRealSpecs(t *testing.T) {
	for _, spec := range realSpecs {
		t.Run(filepath.Base(spec.file), func(t *testing.T) {
			api, _ := openapi.Lower(load(t, spec.file))
			m := sample.New(api)
			for _, typ := range api.Types {
				for _, form := range []sample.Form{sample.Minimal, sample.Full} {
					if value := m.JSON(typ, sample.Answer, form); !json.Valid(value) || len(value) > tooBig {
						t.Errorf("sample of %s (%d bytes) is no JSON or too big: %.200s", typ.Name, len(value), value)
					}
				}
			}
		})
	}
}
