// Package model is the description of an API as the rest of resgen sees it:
// plain data, in document order, with the wire name and the Go name of each
// thing side by side and the position it was written at. It does not know
// where it was read from, and nothing changes it after openapi.Lower made it.
package model

import "github.com/resgen-dev/resgen/gen/internal/diag"

// An API is one described service.
type API struct {
	Title       string
	Version     string
	Description string
	Spec        string // the entry document's path as the user wrote it
	Servers     []Server
	Schemes     []*SecurityScheme // document order
	Operations  []*Operation      // document order
	Types       []*Type           // every named Go type, in document order of first use
	Tags        []Tag             // declared tags first, then those only used
}

// A Tag groups operations.
type Tag struct {
	Name        string
	Description string
}

// An Operation is one method of one path.
type Operation struct {
	Pos         diag.Pos // of the operation object
	ID          string   // operationId, or "METHOD /path" where none is declared
	Declared    bool     // whether operationId is declared
	Name        string   // Go method name, also the stem of its request and result types
	Method      string   // upper case
	Path        string   // template as written, query string removed
	FixedQuery  string   // raw query that stood in the path key ("beta=true"), or empty
	Summary     string
	Description string
	Deprecated  bool
	Tags        []string

	Segments  []Segment // the path template, split at its parameters
	Params    []*Param  // document order: path item's first, overridden ones replaced
	Body      *Body     // nil: no request body
	Responses []*Response
	Security  []Requirement // alternatives; empty: no credentials. Already inherited from the document.
	Servers   []Server      // nil: the document's
	Request   string        // Go name of the request struct; empty where there is nothing to ask for
	Result    string        // Go name of the result struct; empty where a plain value or nothing is returned
}

// A Segment is a piece of a path template: literal text (with its slashes,
// percent-escaped as it goes on the wire) or a parameter.
type Segment struct {
	Literal string
	Param   *Param // nil: literal
}

// In says where a parameter travels.
type In int

// The places of parameters.
const (
	_ In = iota
	InPath
	InQuery
	InHeader
	InCookie
)

// A Style is the OpenAPI serialisation style of a parameter or form field.
type Style int

// The styles.
const (
	_ Style = iota
	Simple
	Label
	Matrix
	Form
	SpaceDelimited
	PipeDelimited
	DeepObject
	TabDelimited // Swagger 2.0 collectionFormat tsv
)

// A Param is a parameter of an operation, or a declared response header.
type Param struct {
	Pos             diag.Pos
	Wire            string // name on the wire
	Name            string // Go field name
	In              In
	Required        bool
	Deprecated      bool
	Description     string
	Style           Style
	Explode         bool
	AllowReserved   bool
	AllowEmpty      bool
	SeveralSegments bool   // InPath: the value may be several segments, whose slashes go out as they are
	Content         string // media type of a parameter with JSON `content` ("application/json"), else empty
	Type            *Type
}

// A Body is a request body: one or more media types, of which the caller picks
// one (the first is the default).
type Body struct {
	Pos         diag.Pos
	Required    bool
	Description string
	Contents    []*Content // document order, at least one
}

// An Encoding is how the bytes of a content are made from, or read into, a value.
type Encoding int

// The encodings.
const (
	_           Encoding = iota
	JSON                 // application/json and every +json
	FormURL              // application/x-www-form-urlencoded
	Multipart            // multipart/form-data, multipart/mixed …
	Text                 // text/*: a scalar as its text
	Binary               // anything else: bytes, streamed in answers
	EventStream          // text/event-stream
	JSONLines            // application/jsonl, x-ndjson, json-seq …
)

// A Content is one media type of a body or an answer.
type Content struct {
	Pos       diag.Pos
	MediaType string // as written, parameters included
	Encoding  Encoding
	Name      string       // Go name that tells this content from its siblings ("JSON", "Form", …); empty where there is one. No parameter's Name is "Body" or "Body" and this
	Type      *Type        // nil: nothing is known of it (raw bytes)
	Fields    []*FormField // FormURL and Multipart: how each property travels
}

// A FormField is the encoding of one property of a form or multipart body.
type FormField struct {
	Field         *Field
	Style         Style
	Explode       bool
	AllowReserved bool
	MediaType     string   // of a multipart part, or JSON inside a form; empty: by type
	File          bool     // the part is a file: rt.File
	Repeat        bool     // a list: one part or pair per item
	Headers       []*Param // declared headers of a part, for the caller to give; their names are fields of the request
}

// A Response is one declared answer.
type Response struct {
	Pos         diag.Pos
	Status      int  // 200; for a range its first status (200 for 2XX); 0 for default
	Range       bool // 2XX
	Description string
	Headers     []*Param
	HeadersName string     // Go name of the typed header struct; empty without headers
	Contents    []*Content // empty: no body is declared
	Stem        string     // Go name of the answer among the operation's: "OK", "NotFound", "Success" (2XX), "ClientError" (4XX), "Default"
	Name        string     // Go name of the error type made for this answer where it is a failure and its type cannot be an error itself (no Struct, no Union); else empty
	Assumed     bool       // nothing declares it: the operation declares no success, so that any 2xx is taken for one
	Redirect    bool       // a declared 3xx that is a success: the operation declares no 2xx, and clients do not follow this one
}

// Default reports whether the response is the `default` one.
func (r *Response) Default() bool { return r.Status == 0 }

// Success reports whether the response, exact or range, is a 2xx.
func (r *Response) Success() bool { return r.Status/100 == 2 }

// Successes are the answers that end a call of the operation without an error:
// every 2xx, and every declared redirect that is one; where there is none,
// default. They are in document order.
func (o *Operation) Successes() []*Response {
	var out, defaults []*Response
	for _, r := range o.Responses {
		switch {
		case r.Success() || r.Redirect:
			out = append(out, r)
		case r.Default():
			defaults = append(defaults, r)
		}
	}
	if out == nil {
		return defaults
	}
	return out
}

// A Server is one entry of `servers`.
type Server struct {
	Pos         diag.Pos
	URL         string
	Description string
	Name        string           // Go name stem
	Variables   []ServerVariable // in order of appearance in URL
}

// A ServerVariable is a {placeholder} of a server URL.
type ServerVariable struct {
	Wire        string
	Name        string // Go field name
	Default     string
	Given       bool // no default is declared: the caller must give a value
	Enum        []string
	Description string
}

// SchemeKind is the kind of a security scheme.
type SchemeKind int

// The kinds of security schemes.
const (
	_ SchemeKind = iota
	APIKey
	Bearer
	Basic
	OAuth2
	OpenID
	MutualTLS
	OtherHTTP // an HTTP scheme that resgen has no word for: the caller gives the Authorization header
)

// A SecurityScheme is one way to show who calls.
type SecurityScheme struct {
	Pos         diag.Pos
	Wire        string // key in components.securitySchemes
	Name        string // Go field name in Auth
	Kind        SchemeKind
	In          In     // of an API key
	Param       string // name of an API key's header, query parameter or cookie
	HTTPScheme  string // of OtherHTTP, as written
	Description string
}

// A Requirement is a set of schemes that must be sent together. An empty one
// means that no credentials are needed.
type Requirement struct {
	Schemes []SchemeUse
}

// A SchemeUse is a scheme with the scopes that an operation asks of it.
type SchemeUse struct {
	Scheme *SecurityScheme
	Scopes []string
}
