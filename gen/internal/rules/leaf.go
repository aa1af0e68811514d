package rules

import (
	"fmt"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/policy"
)

// written reports whether somebody wrote the value: in a policy file, the
// document or an overlay. Defaults, what is derived and what is inferred from
// the plain spec are not.
func written(o policy.Origin) bool {
	switch o.Layer {
	case policy.LayerFile, policy.LayerDocument, policy.LayerPath, policy.LayerOperation, policy.LayerPolicy:
		return true
	case policy.LayerDefault, policy.LayerDerived, policy.LayerInferred, 0:
		return false // 0: of a value that is not there
	}
	panic(fmt.Sprintf("rules: layer %d", int(o.Layer)))
}

// rank orders written values by how specific their place is; 0 is unwritten.
func rank(o policy.Origin) int {
	switch o.Layer {
	case policy.LayerDefault, policy.LayerDerived, policy.LayerInferred, 0:
		return 0
	case policy.LayerFile:
		return 1
	case policy.LayerDocument, policy.LayerPath, policy.LayerOperation:
		return placeRank(o.Layer)
	case policy.LayerPolicy:
		if o.Use == nil {
			return 1
		}
		return placeRank(o.Use.Layer) - 1 // directly beneath the own leaves of the place where it is used
	}
	panic(fmt.Sprintf("rules: layer %d", int(o.Layer)))
}

func placeRank(l policy.Layer) int {
	switch l {
	case policy.LayerDocument:
		return 3
	case policy.LayerPath:
		return 5
	case policy.LayerOperation:
		return 7
	}
	return 1 // used in a policy file
}

// fault is the leaf at fault among those that do not go together: the one
// written in the most specific place, the first of equals. Where none is
// written it is the first.
func fault(values ...policy.Value) policy.Value {
	out := values[0]
	for _, v := range values[1:] {
		if rank(v.Origin) > rank(out.Origin) {
			out = v
		}
	}
	return out
}

// off reports whether a section's `enabled` leaf switches it off.
func off(enabled policy.Value) bool { return enabled.Exists() && !enabled.Bool() }

// lastWord is the key under which a leaf stands in its section.
func lastWord(l policy.Leaf) string { return string(l[strings.LastIndexByte(string(l), '.')+1:]) }
