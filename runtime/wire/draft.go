package wire

import (
	"context"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
	rt "github.com/resgen-dev/resgen/runtime"
)

// A Style says how a parameter, header or form field is written. One of the
// styles is combined with the flags: Form|Explode.
type Style uint16

// The styles of OpenAPI. The zero Style is not valid.
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

// The flags.
const (
	Explode       Style = 1 << (8 + iota)
	AllowReserved       // reserved characters go out as they are, as far as they do not change the request
	AllowEmpty          // an empty list that is not nil is sent as an empty value
)

// A Request is a call in the making. It serves one Do.
type Request struct{}

// NewRequest begins a request. The method is upper case.
func NewRequest(operation, method string, s Server) *Request { panic("") }

// Path sets the path template as in the spec, without a query. PathParam fills its {names}.
func (r *Request) Path(template string) {}

// FixedQuery sets the raw query that stood in the spec's path key ("beta=true").
func (r *Request) FixedQuery(raw string) {}

// Accept sets the Accept header: media types as declared, duplicates dropped. Without types nothing is sent.
func (r *Request) Accept(mediaTypes ...string) {}

// Auth sets the credentials, chosen by [Require] when the client was made.
func (r *Request) Auth(a Auth) {}

// Refuse makes the call end as class input: what names what is wrong, such as
// "body: none of JSON and Form is set; set one".
func (r *Request) Refuse(what string) {}

// PathParam fills {name} of the template. An unset or empty value, and one that would make the segment "." or "..", is refused.
func PathParam[T any](r *Request, name string, v T, s Style) {}

// Query adds a query parameter. Unset sends nothing.
func Query[T any](r *Request, name string, v T, s Style) {}

// Header adds a header parameter. Unset sends nothing.
func Header[T any](r *Request, name string, v T, s Style) {}

// Cookie adds a cookie parameter. Unset sends nothing.
func Cookie[T any](r *Request, name string, v T, s Style) {}

// PathContent is PathParam for a parameter with JSON content.
func PathContent[T any](r *Request, name string, v T) {}

// QueryContent is Query for a parameter with JSON content.
func QueryContent[T any](r *Request, name string, v T) {}

// HeaderContent is Header for a parameter with JSON content.
func HeaderContent[T any](r *Request, name string, v T) {}

// CookieContent is Cookie for a parameter with JSON content.
func CookieContent[T any](r *Request, name string, v T) {}

// IsSet reports whether v is neither nil nor an absent [rt.Nullable] or
// [rt.Value] nor a File without content: optional bodies are sent if it is.
//
//	if wire.IsSet(req.Body) {
//		wire.JSON(r, "application/json", req.Body)
//	}
func IsSet[T any](v T) bool { panic("") }

// JSON sets a JSON body (application/json or any +json type). Nil is sent as null.
func JSON[T any](r *Request, mediaType string, v T) {}

// Text sets a text body: a scalar as its plain text.
func Text[T any](r *Request, mediaType string, v T) {}

// Binary sets a raw body. mediaType is as declared; where it is a wildcard or a list, f.ContentType must say which.
func Binary(r *Request, mediaType string, f rt.File) {}

// A Fields is an application/x-www-form-urlencoded body in the making.
type Fields struct{}

// FormBody sets a form body, to which the Form… functions add the fields.
func FormBody(r *Request, mediaType string) *Fields { panic("") }

// FormField adds a field in a query style (Form, SpaceDelimited, PipeDelimited, DeepObject). Unset sends nothing.
func FormField[T any](f *Fields, name string, v T, s Style) {}

// FormJSON adds a field as JSON text (encoding contentType application/json).
func FormJSON[T any](f *Fields, name string, v T) {}

// FormMembers adds each member of an object, map or union as a field of its
// own, in style Form|Explode: additional properties, and bodies that are no struct.
func FormMembers[T any](f *Fields, v T) {}

// A Parts is a multipart body in the making. Its boundary is chosen once a call; parts are streamed anew on every attempt.
type Parts struct{}

// MultipartBody sets a multipart body ("multipart/form-data", "multipart/mixed"), to which the Part… functions add the parts, in order.
func MultipartBody(r *Request, mediaType string) *Parts { panic("") }

// PartText adds a scalar as a text part, a list as one part per item. mediaType is empty for plain text.
func PartText[T any](p *Parts, name string, v T, mediaType string) {}

// PartJSON adds a value as one JSON part. mediaType is empty for application/json.
func PartJSON[T any](p *Parts, name string, v T, mediaType string) {}

// PartJSONEach adds one JSON part per item of a list.
func PartJSONEach[T any](p *Parts, name string, items []T, mediaType string) {}

// PartFile adds a file; a File without content (and a nil *rt.File) sends nothing. mediaType is as declared, a list or a
// wildcard included: the file's own type wins; empty is application/octet-stream.
func PartFile[F rt.File | *rt.File](p *Parts, name string, f F, mediaType string) {}

// PartFiles adds one part per file.
func PartFiles(p *Parts, name string, files []rt.File, mediaType string) {}

// PartMembers adds each member of an object, map or union as a part of its own: scalars as text, lists as one part per item, objects as JSON.
func PartMembers[T any](p *Parts, v T) {}

// PartHeader adds a declared header to the part or parts that the last Part… call added.
func PartHeader[T any](p *Parts, name string, v T, s Style) {}

// An Answer is what the server said, as the decode functions of generated code see it.
type Answer = rt.Answer

// Do carries out r and returns what decode made of the answer.
func Do[T any, O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, decode func(*Answer) (T, error)) (T, error) {
	panic("")
}

// DoWithFallback is Do with the caller's function behind a fallback of kind caller; nil is none. See [Bind].
func DoWithFallback[T any, O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, decode func(*Answer) (T, error), fallback func(context.Context, *rt.CallError) (T, error)) (T, error) {
	panic("")
}

// Bind gives a caller's fallback function its request; a nil f stays nil.
func Bind[Q, T any](f func(context.Context, Q, *rt.CallError) (T, error), req Q) func(context.Context, *rt.CallError) (T, error) {
	panic("")
}

// DoNone is Do without a result.
func DoNone[O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, decode func(*Answer) error) error {
	panic("")
}

// DoLive is Do for answers of which those that match one of the media types are streamed; no media type means every
// success. T is *rt.Stream, *Events, *Lines or a result struct that holds one.
func DoLive[T any, O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, live []string, decode func(*Answer) (T, error)) (T, error) {
	panic("")
}

// DoStream returns a success as a stream of bytes. The caller closes it.
func DoStream[O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, decode func(*Answer) (*rt.Stream, error)) (*rt.Stream, error) {
	panic("")
}

// DoEvents returns a success as events (text/event-stream). The caller closes it.
func DoEvents[T any, O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, decode func(*Answer) (*Events[T], error)) (*Events[T], error) {
	panic("")
}

// DoLines returns a success as JSON values one after the other. The caller closes it.
func DoLines[T any, O rt.RepeatableOption](ctx context.Context, e *rt.Engine, p *rt.Policy, r *Request, opts []O, decode func(*Answer) (*Lines[T], error)) (*Lines[T], error) {
	panic("")
}

// Match returns the index of the declared media type that fits the answer best, or -1. Case and parameters do not
// matter unless they tell two declared types apart; an answer without Content-Type is the first.
func Match(a *Answer, mediaTypes ...string) int { panic("") }

// DecodeJSON reads a JSON answer. Null is malformed for T that is no list, map or rt.Value; see [DecodeNullable].
// HEAD and 204 answers have no body and give the zero T.
func DecodeJSON[T any](a *Answer, mediaTypes ...string) (T, error) { panic("") }

// DecodeNullable is DecodeJSON where null is a value.
func DecodeNullable[T any](a *Answer, mediaTypes ...string) (T, error) { panic("") }

// DecodeText reads a scalar from a text answer.
func DecodeText[T any](a *Answer, mediaTypes ...string) (T, error) { panic("") }

// DecodeBytes reads an answer as it is.
func DecodeBytes(a *Answer, mediaTypes ...string) ([]byte, error) { panic("") }

// DecodeForm reads an application/x-www-form-urlencoded answer.
func DecodeForm[T any](a *Answer, mediaTypes ...string) (T, error) { panic("") }

// DecodeStream hands on the live body of an answer (DoStream, DoLive).
func DecodeStream(a *Answer, mediaTypes ...string) (*rt.Stream, error) { panic("") }

// DecodeEvents reads the live body of an answer as events (DoEvents, DoLive).
func DecodeEvents[T any](a *Answer, mediaTypes ...string) (*Events[T], error) { panic("") }

// DecodeLines reads the live body of an answer as JSON values (DoLines, DoLive).
func DecodeLines[T any](a *Answer, mediaTypes ...string) (*Lines[T], error) { panic("") }

// Into stores what a Decode… function returned in a field of a result struct:
//
//	res := &OrderResult{Status: a.Status}
//	switch a.Status {
//	case 200:
//		return res, wire.Into(&res.Full)(wire.DecodeJSON[*Full](a, "application/json"))
func Into[T any](field *T) func(T, error) error { panic("") }

// A DeclaredError is an error answer that is as the spec declares it. errors.As finds it, and E or *E itself where
// they are errors. Status, header and raw body are in the [rt.CallError] around it.
type DeclaredError[E any] struct {
	Status int
	Value  E
}

// Error names the status.
func (e *DeclaredError[E]) Error() string { panic("") }

// As gives E and *E to errors.As.
func (e *DeclaredError[E]) As(target any) bool { panic("") }

// DecodeError reads a JSON error answer as a [*DeclaredError]. If the body is not what is declared, or there is none,
// it is [rt.Answer.Unexpected]'s error, with the reason.
func DecodeError[E any](a *Answer, mediaTypes ...string) error { panic("") }

// DecodeTextError is DecodeError for text answers.
func DecodeTextError[E any](a *Answer, mediaTypes ...string) error { panic("") }

// HeaderValue reads a declared header into dst. An absent header leaves dst as it is.
func HeaderValue[T any](h http.Header, name string, s Style, dst *T) error { panic("") }

// HeaderContentValue is HeaderValue for a header with JSON content.
func HeaderContentValue[T any](h http.Header, name string, dst *T) error { panic("") }

// An Event is one event of a text/event-stream answer.
type Event[T any] struct {
	ID   string // the last id that the stream named
	Name string // the event field; empty: "message"
	Data T      // the data lines: as they are for string types, else decoded as JSON
	Raw  string // the data lines as they came, joined by line breaks
}

// Events is a live text/event-stream answer.
type Events[T any] struct {
	Status int
	Header http.Header
}

// Close ends the stream.
func (e *Events[T]) Close() error { panic("") }

// Lines is a live answer of JSON values: JSON lines, NDJSON, JSON text sequences.
type Lines[T any] struct {
	Status int
	Header http.Header
}

// Close ends the stream.
func (l *Lines[T]) Close() error { panic("") }

// A Union describes a oneOf or anyOf type U, a struct with a pointer field per variant and a Raw field. It is a
// package-level variable of generated code, which the type's four JSON methods hand on:
//
//	var unionShape = wire.Union[Shape]{
//		Name:     "Shape",
//		Property: "kind",
//		Raw:      func(u *Shape) *rt.Value { return &u.Raw },
//		Variants: []wire.Variant[Shape]{
//			wire.Case("Circle", func(u *Shape) **Circle { return &u.Circle }, wire.Rule{Tags: []string{"circle"}}),
//			wire.Case("Square", func(u *Shape) **Square { return &u.Square }, wire.Rule{Tags: []string{"square"}}),
//		},
//	}
//
//	func (u Shape) MarshalJSONTo(e *jsontext.Encoder) error      { return unionShape.Encode(e, &u) }
//	func (u *Shape) UnmarshalJSONFrom(d *jsontext.Decoder) error { return unionShape.Decode(d, u) }
//	func (u Shape) MarshalJSON() ([]byte, error)                 { return unionShape.Marshal(&u) }
//	func (u *Shape) UnmarshalJSON(b []byte) error                { return unionShape.Unmarshal(b, u) }
type Union[U any] struct {
	Name     string             // Go name, for messages
	Property string             // the discriminator's property; empty: none
	Raw      func(*U) *rt.Value // the field for what no variant knows
	Variants []Variant[U]       // document order
}

// A Variant is one alternative of a union, made by [Case].
type Variant[U any] struct{}

// A Rule tells a variant from its siblings where its Go type does not: what the Go type says (kind, members, required
// members, constants) need not be repeated.
type Rule struct {
	Tags    []string            // discriminator values that select it, as written
	Values  []string            // enum of a scalar variant: JSON texts
	Members map[string][]string // enums of an object's members: JSON texts by member name
}

// Case makes the variant that is kept in the field that at points to.
func Case[U, V any](name string, at func(*U) **V, rule Rule) Variant[U] { panic("") }

// Encode writes the one variant that is set, or Raw.
func (u *Union[U]) Encode(e *jsontext.Encoder, v *U) error { panic("") }

// Decode reads a value into the variant that fits it best, or Raw.
func (u *Union[U]) Decode(d *jsontext.Decoder, v *U) error { panic("") }

// Marshal is Encode for encoding/json.
func (u *Union[U]) Marshal(v *U) ([]byte, error) { panic("") }

// Unmarshal is Decode for encoding/json.
func (u *Union[U]) Unmarshal(b []byte, v *U) error { panic("") }

// EncodeConst, DecodeConst and UnmarshalConst are the methods of a type that has only one value, given as JSON text:
//
//	type KindHorn struct{}
//
//	func (KindHorn) MarshalJSONTo(e *jsontext.Encoder) error      { return wire.EncodeConst(e, `"horn"`) }
//	func (KindHorn) UnmarshalJSONFrom(d *jsontext.Decoder) error  { return wire.DecodeConst(d, `"horn"`) }
//	func (KindHorn) MarshalJSON() ([]byte, error)                 { return []byte(`"horn"`), nil }
//	func (KindHorn) UnmarshalJSON(b []byte) error                 { return wire.UnmarshalConst(b, `"horn"`) }
func EncodeConst(e *jsontext.Encoder, text string) error { panic("") }

// DecodeConst reads the constant and refuses any other value. See EncodeConst.
func DecodeConst(d *jsontext.Decoder, text string) error { panic("") }

// UnmarshalConst is DecodeConst for encoding/json.
func UnmarshalConst(b []byte, text string) error { panic("") }

// Encode, Decode, Marshal and Unmarshal are the methods of a struct with additional properties (a field
// Extra map[string]T tagged `json:",inline,embed"`), which encoding/json would not know how to write. They are given
// the value as a type of the same fields without methods:
//
//	type plainCrate Crate
//
//	func (c Crate) MarshalJSONTo(e *jsontext.Encoder) error      { return wire.Encode(e, (*plainCrate)(&c)) }
//	func (c *Crate) UnmarshalJSONFrom(d *jsontext.Decoder) error { return wire.Decode(d, (*plainCrate)(c)) }
//	func (c Crate) MarshalJSON() ([]byte, error)                 { return wire.Marshal((*plainCrate)(&c)) }
//	func (c *Crate) UnmarshalJSON(b []byte) error                { return wire.Unmarshal(b, (*plainCrate)(c)) }
func Encode[T any](e *jsontext.Encoder, v *T) error { panic("") }

// Decode reads a value. See Encode.
func Decode[T any](d *jsontext.Decoder, v *T) error { panic("") }

// Marshal is Encode for encoding/json.
func Marshal[T any](v *T) ([]byte, error) { panic("") }

// Unmarshal is Decode for encoding/json.
func Unmarshal[T any](b []byte, v *T) error { panic("") }

// A Server is where requests go. It is made once, by NewServer, when the client is made; a server that cannot be used
// ends each call to it as class input.
type Server struct{}

// A ServerURL is one entry of the spec's servers, with the values that the caller chose.
type ServerURL struct {
	URL       string // as in the spec: absolute, relative, with {variables}
	Variables []ServerVariable
}

// A ServerVariable is a variable of a server URL.
type ServerVariable struct {
	Name    string
	Value   string // the caller's; empty: Default
	Default string
	Enum    []string // the values that are allowed; empty: any
}

// NewServer fills u's variables. A relative URL is resolved against document, the URL that the spec was read from or the
// caller's base.
func NewServer(u ServerURL, document string) Server { panic("") }

// BaseURL makes a Server of a base URL that the caller gave in place of the spec's.
func BaseURL(base string) Server { panic("") }

// Err reports why the server cannot be used, or nil.
func (s Server) Err() error { panic("") }

// A Credential is what the caller gave for one security scheme, or nothing.
type Credential struct{}

// Bearer is the credential of a bearer, OAuth2 or OpenID scheme. A nil source gives nothing.
func Bearer(scheme string, source rt.TokenSource) Credential { panic("") }

// Basic is the credential of a basic scheme. A nil source gives nothing.
func Basic(scheme string, source rt.BasicSource) Credential { panic("") }

// HeaderKey is the credential of an API key in a header. A nil source gives nothing.
func HeaderKey(scheme, name string, source rt.TokenSource) Credential { panic("") }

// QueryKey is the credential of an API key in the query.
func QueryKey(scheme, name string, source rt.TokenSource) Credential { panic("") }

// CookieKey is the credential of an API key in a cookie.
func CookieKey(scheme, name string, source rt.TokenSource) Credential { panic("") }

// Custom is the credential of a scheme that the caller applies. A nil authorizer gives nothing.
func Custom(scheme string, a rt.Authorizer) Credential { panic("") }

// Transport is the credential of a scheme that the connection itself shows (mutualTLS): it is always there.
func Transport(scheme string) Credential { panic("") }

// An Auth is how an operation shows who calls: chosen when the client is made. The zero Auth shows nothing.
type Auth struct{}

// Require chooses the first alternative of which the caller gave every credential; each is a list of what is sent
// together. An empty alternative, wherever it stands, is chosen when no other can be. Without a usable one every call
// ends as class input, and its error names what is missing.
//
//	wire.Require([]wire.Credential{headerKey, queryKey}, []wire.Credential{oauth})
func Require(alternatives ...[]Credential) Auth { panic("") }
