package policy

// Schema is the JSON Schema (2020-12) of the x-resilience object, made from
// the vocabulary's table.
func Schema() []byte { panic("contract") }

// ConfigSchema is the JSON Schema (2020-12) of resgen.yaml.
func ConfigSchema() []byte { panic("contract") }
