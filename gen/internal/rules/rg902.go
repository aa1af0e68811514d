package rules

import "github.com/resgen-dev/resgen/gen/internal/diag"

// Found by waive, which knows what the waivers did.
var rg902 = &rule{
	Rule: Rule{
		ID: "RG902", Name: "waiver-expired", Severity: diag.Error,
		Says: "The date of a waiver has passed; what it silenced is shown again.",
	},
}
