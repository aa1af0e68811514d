package gen

import "github.com/resgen-dev/resgen/gen/internal/policy"

// AnnotationSchema is the JSON Schema of an x-resilience object.
func AnnotationSchema() []byte { return policy.Schema() }

// ConfigSchema is the JSON Schema of resgen.yaml.
func ConfigSchema() []byte { return policy.ConfigSchema() }
