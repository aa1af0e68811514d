package wire

import (
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"

	rt "github.com/resgen-dev/resgen/runtime"
)

// A Request is a call in the making. It serves one Do, in one goroutine.
type Request struct {
	call   rt.Call
	url    url.URL
	server Server

	template   string
	pathParams []pathParam
	pathText   []byte
	fixed      string
	query      pairs
	cookies    pairs
	header     http.Header
	live       []string // media types that are streamed; see DoLive
	kept       []string // those that are not; see Kept
	form       *Fields  // or nil
	parts      *Parts   // or nil

	paramRoom  [3]pathParam // room for what most requests have, so that it costs nothing more
	pathRoom   [40]byte
	queryRoom  [64]byte
	headerRoom [4]string // the values of the first headers
	headers    int       // values taken from headerRoom
}

// NewRequest begins a request. operation is the name that errors and events
// bear, method is upper case.
func NewRequest(operation, method string, s Server) *Request {
	r := &Request{server: s}
	r.call.Operation, r.call.Method = operation, method
	r.pathParams, r.pathText = r.paramRoom[:0], r.pathRoom[:0]
	r.query = pairs{buf: r.queryRoom[:0], medium: &queryMedium}
	r.cookies.medium = &cookieMedium
	return r
}

// Path sets the path template as it stands in the spec, without a query.
// [PathParam] fills its {names}.
func (r *Request) Path(template string) { r.template = template }

// queryLiteral is what a query of the spec's own may hold as it is.
var queryLiteral = unreserved.with("!$&'()*+,;=:@/?[]")

// FixedQuery sets the query that stood in the spec's path key ("beta=true").
// It goes before the parameters.
func (r *Request) FixedQuery(raw string) {
	r.fixed = string(escaping{keep: &queryLiteral, triples: true}.appendTo(nil, raw))
}

// Accept sets the Accept header. Media types are given as declared; one
// argument that lists them all costs less than several.
func (r *Request) Accept(mediaTypes ...string) {
	switch len(mediaTypes) {
	case 0:
	case 1:
		r.setHeader("Accept", mediaTypes[0])
	default:
		r.setHeader("Accept", strings.Join(mediaTypes, ", "))
	}
}

// Auth sets the credentials, which [Require] chose when the client was made.
func (r *Request) Auth(a Auth) {
	r.call.Auth = a.apply
	if a.err != nil {
		r.note(a.err)
	}
}

// Refuse makes the call end as class input. what says what is wrong and what
// to do: "body is not set; set one of JSON and Form".
func (r *Request) Refuse(what string) { r.note(errors.New(what)) }

// note keeps the first thing found wrong.
func (r *Request) note(err error) {
	if r.call.Err != nil {
		return
	}
	var inner *refusal
	words := err.Error()
	if errors.As(err, &inner) { // its own text may say more than may be told
		words = strings.Replace(words, inner.Error(), inner.words, 1)
	}
	r.call.Err = &refusal{words: words, cause: err}
}

// fail keeps what is wrong with a named part of the request.
func (r *Request) fail(kind, name string, err error) {
	r.note(fmt.Errorf("%s %q: %w", kind, name, err))
}

// setHeader sets a header. The engine hands a copy of the map to each attempt.
func (r *Request) setHeader(name, value string) {
	if r.header == nil {
		r.header = make(http.Header, 4)
	}
	name = textproto.CanonicalMIMEHeaderKey(name)
	if r.headers < len(r.headerRoom) {
		r.headerRoom[r.headers] = value
		r.headers++
		r.header[name] = r.headerRoom[r.headers-1 : r.headers : r.headers]
		return
	}
	r.header[name] = []string{value}
}

// finish completes the call.
func (r *Request) finish() {
	if len(r.cookies.buf) > 0 {
		r.setHeader("Cookie", string(r.cookies.buf))
	}
	if r.form != nil {
		r.call.Body = rt.Bytes(r.form.pairs.buf)
	}
	if r.parts != nil {
		body, err := r.parts.body()
		if err != nil {
			r.note(err)
		}
		r.call.Body = body
	}
	if err := r.setURL(); err != nil {
		r.note(err)
	}
	r.call.URL, r.call.Header = &r.url, r.header
}
