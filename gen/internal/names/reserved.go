package names

import "go/token"

// predeclared are the names that every Go file starts with.
var predeclared = set(
	"any", "append", "bool", "byte", "cap", "clear", "close", "comparable", "complex", "complex128", "complex64",
	"copy", "delete", "error", "false", "float32", "float64", "imag", "int", "int16", "int32", "int64", "int8",
	"iota", "len", "make", "max", "min", "new", "nil", "panic", "print", "println", "real", "recover", "rune",
	"string", "true", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr", "init", "main", "_",
)

// imports are the names under which generated files import packages.
var imports = set(
	"bytes", "cmp", "context", "embed", "errors", "fmt", "http", "io", "iter", "json", "jsontext", "maps", "math",
	"netip", "os", "rt", "slices", "strconv", "strings", "sync", "testing", "time", "url", "wire",
)

// IsReserved reports whether a generated file cannot declare the name without
// hiding a keyword, a predeclared name or an import.
func IsReserved(name string) bool {
	return token.IsKeyword(name) || predeclared[name] || imports[name]
}

// Package is a package name for a text: lower-case letters and digits, no
// keyword and no import of ours. Where nothing is left of the text, it is "api".
func Package(text string) string {
	out := make([]rune, 0, len(text))
	for _, r := range text {
		switch {
		case r >= 'A' && r <= 'Z':
			out = append(out, r-'A'+'a')
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' && len(out) > 0:
			out = append(out, r)
		}
	}
	name := string(out)
	switch {
	case name == "":
		return "api"
	case IsReserved(name):
		return name + "api"
	}
	return name
}
