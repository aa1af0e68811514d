package rules

import "github.com/resgen-dev/resgen/gen/internal/diag"

// Found by waive, which knows what the waivers did.
var rg901 = &rule{
	Rule: Rule{
		ID: "RG901", Name: "waiver-unused", Severity: diag.Warn,
		Says: "A waiver matches no finding, names no rule, or is of a rule that cannot be waived.",
	},
}
