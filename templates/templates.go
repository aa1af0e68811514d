// Package templates holds the text of everything that resgen writes and that
// is not Go: the policy file, what explain shows, reports. Package report
// executes them; no Go code is made by a template.
package templates

import "embed"

// Files are the templates, each NAME.tmpl named after the file or report it
// makes.
//
//go:embed *.tmpl
var Files embed.FS
