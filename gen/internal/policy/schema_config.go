package policy

// ConfigSchema is the JSON Schema (2020-12) of resgen.yaml.
func ConfigSchema() []byte {
	return encodeSchema(object{
		"$schema": dialect2020, "title": "resgen.yaml",
		"description": "What resgen generates, and from what.",
		"type":        "object", "additionalProperties": false, "required": []string{"version", "clients"},
		"properties": object{
			"version":  object{"const": Version, "description": "Pins the form of this file and the table of defaults."},
			"service":  textSchema("Who calls."),
			"budget":   described(durationSchema(&Row{Min: 1}), "The time that the service's own callers give it."),
			"policies": described(pathsSchema(), "Policy files between the defaults and the documents, in order."),
			"clients":  object{"type": "array", "minItems": 1, "items": clientSchema(), "description": "The clients to generate."},
			"rules": object{
				"type": "object", "description": "Severities of rules.",
				"propertyNames":        object{"pattern": "^RG[0-9]{3}$"},
				"additionalProperties": object{"enum": []string{"error", "warn", "ignore"}},
			},
		},
	})
}

func clientSchema() object {
	return object{
		"type": "object", "additionalProperties": false, "required": []string{"spec", "out"},
		"properties": object{
			"spec":      textSchema("The entry document of the OpenAPI description."),
			"overlays":  described(pathsSchema(), "Overlays, applied in this order."),
			"refRoot":   textSchema("The folder that a $ref may not leave; the spec's own unless told."),
			"package":   textSchema("The Go package's name; the last element of out unless told."),
			"out":       textSchema("The folder of the package."),
			"include":   described(filterSchema(), "The operations to generate; all unless told."),
			"exclude":   described(filterSchema(), "The operations to leave out."),
			"tests":     object{"type": "boolean", "description": "Whether to write fault tests beside the client."},
			"interface": object{"type": "boolean", "description": "Whether to write an interface a tag, for the caller's own fakes."},
			"alerts":    object{"type": "boolean", "description": "Whether to write alerts.gen.yaml, alerting rules for Prometheus."},
		},
	}
}

func pathsSchema() object {
	return object{"type": "array", "items": object{"type": "string", "pattern": `\S`}}
}

func filterSchema() object {
	return object{
		"type": "object", "additionalProperties": false,
		"properties": object{
			"operations": described(pathsSchema(), "Operation ids."),
			"tags":       described(pathsSchema(), "Tags."),
			"paths":      described(pathsSchema(), "Globs of paths."),
		},
	}
}

func described(s object, description string) object {
	s["description"] = description
	return s
}
