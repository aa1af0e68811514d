package report

import (
	"fmt"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// origin is where a value came from, in words: "operation, api.yaml:31:11".
func origin(o policy.Origin) string {
	text := layer(o.Layer)
	if o.Name != "" {
		text += " " + o.Name
	}
	if o.Pos.IsValid() {
		text += ", " + o.Pos.String()
	}
	if o.Use != nil {
		text += fmt.Sprintf(", used by the %s at %s", layer(o.Use.Layer), o.Use.Pos)
	}
	if o.Via != "" && o.Via != o.Pos.File {
		text += " via " + o.Via
	}
	return text
}

// layer is the word for a layer.
func layer(l policy.Layer) string {
	switch l {
	case policy.LayerDefault:
		return "default"
	case policy.LayerFile:
		return "file"
	case policy.LayerDocument:
		return "document"
	case policy.LayerPath:
		return "path"
	case policy.LayerOperation:
		return "operation"
	case policy.LayerPolicy:
		return "policy"
	case policy.LayerDerived:
		return "derived"
	case policy.LayerInferred:
		return "inferred from the spec"
	}
	panic(fmt.Sprintf("report: layer %d not handled", l))
}
