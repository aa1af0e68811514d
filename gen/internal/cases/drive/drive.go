// Package drive runs calls of a generated client that it knows only by
// reflection, against a server of its own, and reports what went over the wire
// and what the caller saw. The case runner writes a small program around it
// for each case. It judges nothing: comparing is the runner's.
package drive

import (
	"encoding/json"
	"fmt"
	"os"
)

// A Package is a generated client as its driver program hands it over.
type Package struct {
	NewClient  any            // the package's NewClient
	Operations map[string]any // operation id -> method expression
	Types      map[string]any // Go name of a type -> pointer to a zero value
	Servers    map[string]any // Go name of a server type -> zero value
	Headers    map[string]any // Go name of a header reader -> the function
}

// A Script is what a driver program is told on standard input.
type Script struct {
	Calls      []Call
	RoundTrips []RoundTrip
}

// A Call is one call to make.
type Call struct {
	Operation string
	Fields    []FieldValue // of the request struct
	Body      *Body
	Auth      []Credential
	Server    *Server // nil: the client's default
	BaseURL   bool    // send to the test server's address rather than where the spec says
	Document  string  // URL that the document was read from; relative servers are relative to it
	Key       bool    // the method takes a key
	Answer    Answer
	Headers   string // Go name of the reader of the answer's headers; empty: none
}

// A FieldValue sets a field of the request struct from JSON.
type FieldValue struct {
	Field string
	JSON  json.RawMessage `json:",omitempty"`
}

// A Body is the request body to give.
type Body struct {
	Field string
	Type  string          // media type, for files
	JSON  json.RawMessage `json:",omitempty"`
	Text  *string
	Bytes []byte
	Parts []Part
}

// A Part is a part of a multipart body.
type Part struct {
	Name     string
	Filename *string
	Type     string
	JSON     json.RawMessage `json:",omitempty"`
	Text     *string
	Bytes    []byte
}

// A Credential fills Config.Auth.<Field>.
type Credential struct {
	Field    string
	Token    string
	Basic    bool
	User     string
	Password string
}

// A Server fills Config.Server.
type Server struct {
	Type   string
	Fields map[string]string
}

// An Answer is what the test server says.
type Answer struct {
	Status int
	Header map[string][]string
	Body   []byte
	Chunks [][]byte
	Then   *Answer // what the next request of the call is answered with; nil: the same
}

// A RoundTrip decodes a payload into a type and encodes it again.
type RoundTrip struct {
	Type    string
	Payload json.RawMessage `json:",omitempty"`
}

// A Report is what a driver program prints.
type Report struct {
	Calls      []Observation
	RoundTrips []Trip
}

// An Observation is what happened in a call.
type Observation struct {
	Request *Request // nil: none was sent
	OK      bool
	Error   string // text of the error
	Class   string // input, status, decode, or another class of the runtime
	Status  int
	JSON    json.RawMessage `json:",omitempty"` // the result, or the typed error, encoded again
	Bytes   []byte          // of a binary or text result, or the raw body of an error
	IsBytes bool
	Types   []string        // Go names that the result decodes to
	Headers json.RawMessage `json:",omitempty"` // the typed headers
	Events  []Event
	Setup   string // why the call could not be made at all: a fault of the case, the driver or the client's shape
}

// An Event is one of a stream.
type Event struct {
	ID, Event string
	Data      json.RawMessage `json:",omitempty"`
}

// A Request is what reached the server.
type Request struct {
	Method  string
	URL     string // as the client addressed it
	Path    string // escaped
	Query   string // raw
	Header  map[string][]string
	Body    []byte
	HasBody bool
}

// A Trip is a payload's way through a type, by both JSON libraries.
type Trip struct {
	V2, V1         json.RawMessage `json:",omitempty"`
	Error2, Error1 string
	Panicked       string
}

// Main reads a script from standard input, runs it against the package that its
// argument names, and prints the report.
func Main(packages map[string]Package) {
	p, ok := packages[os.Args[1]]
	if !ok {
		fmt.Fprintf(os.Stderr, "drive: no package %q\n", os.Args[1])
		os.Exit(2)
	}
	var s Script
	if err := json.NewDecoder(os.Stdin).Decode(&s); err != nil {
		fmt.Fprintln(os.Stderr, "drive:", err)
		os.Exit(2)
	}
	srv := newServer()
	defer srv.close()
	var r Report
	for _, c := range s.Calls {
		r.Calls = append(r.Calls, p.call(srv, c))
	}
	for _, t := range s.RoundTrips {
		r.RoundTrips = append(r.RoundTrips, p.roundTrip(t))
	}
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		fmt.Fprintln(os.Stderr, "drive:", err)
		os.Exit(2)
	}
}
