package rules

import "github.com/resgen-dev/resgen/gen/internal/diag"

// Found by waive, which knows what the waivers did.
var rg903 = &rule{
	Rule: Rule{
		ID: "RG903", Name: "waiver-incomplete", Severity: diag.Error,
		Says: "A waiver lacks its rule, because, until or owner, and silences nothing.",
	},
}
