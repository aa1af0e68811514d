package wire

import "fmt"

// A Style says how a parameter, header or form field is written. One of the
// styles is combined with the flags: Form|Explode.
type Style uint16

// The styles of OpenAPI. The zero Style is not valid.
const (
	_              Style = iota
	Simple               // a,b in paths and headers
	Label                // .a.b in paths
	Matrix               // ;name=a in paths
	Form                 // name=a in queries, cookies and forms
	SpaceDelimited       // name=a%20b
	PipeDelimited        // name=a%7Cb
	DeepObject           // name[member]=a, lists as name[0]=a
	TabDelimited         // name=a%09b: collectionFormat tsv of Swagger 2.0
)

// The flags.
const (
	Explode         Style = 1 << (8 + iota) // each item or member goes out on its own
	AllowReserved                           // reserved characters go out as they are, except those that would change the request
	AllowEmpty                              // a list or object that is empty but not nil is sent as an empty value
	SeveralSegments                         // the slashes of a path parameter go out as they are: its value is one segment or more
)

// base is the style without its flags.
func (s Style) base() Style { return s & 0xff }

// has reports whether a flag is set.
func (s Style) has(flag Style) bool { return s&flag != 0 }

// divider is what stands between the items of a list, before any escape.
func (s Style) divider() string {
	switch s.base() {
	case SpaceDelimited:
		return " "
	case PipeDelimited:
		return "|"
	case TabDelimited:
		return "\t"
	default:
		return ","
	}
}

// String returns the style as OpenAPI writes it.
func (s Style) String() string {
	switch s.base() {
	case Simple:
		return "simple"
	case Label:
		return "label"
	case Matrix:
		return "matrix"
	case Form:
		return "form"
	case SpaceDelimited:
		return "spaceDelimited"
	case PipeDelimited:
		return "pipeDelimited"
	case DeepObject:
		return "deepObject"
	case TabDelimited:
		return "tabDelimited"
	default:
		return fmt.Sprintf("style %d", int(s.base()))
	}
}
