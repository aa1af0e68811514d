// Package cases runs small test inputs: folders that hold a specification and
// what a client generated from it must send and understand (expect.json). It
// generates each client, builds a driver around it (package drive), has it make
// the calls against a local server, and compares.
package cases

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// An Expectation is an expect.json.
type Expectation struct {
	Generate      string           `json:"generate"`
	ErrorNames    []string         `json:"errorNames"`
	ErrorNamesAny []string         `json:"errorNamesAny"`
	Entries       map[string]Entry `json:"entries"`
	Calls         []Call           `json:"calls"`
	Operations    []string         `json:"operations"`
	ForbidIdents  []string         `json:"forbidIdents"`
	DocURL        string           `json:"docURL"`
	Limits        Limits           `json:"limits"`
	RoundTrip     []RoundTrip      `json:"roundTrip"`
	ExactOrError  []ExactOrError   `json:"exactOrError"`
	Note          string           `json:"note"`
}

// Limits are bounds of what a case may cost. What compiling costs is held for
// real specifications, where it matters, and read over here.
type Limits struct {
	GenerateSeconds float64 // of each entry; 0 is no bound
}

// UnmarshalJSON reads the bounds that are held.
func (l *Limits) UnmarshalJSON(b []byte) error {
	var held struct {
		GenerateSeconds float64 `json:"generateSeconds"`
	}
	err := json.Unmarshal(b, &held)
	l.GenerateSeconds = held.GenerateSeconds
	return err
}

// Check says which bound a generation that took so long breaks, or nothing.
func (l Limits) Check(took time.Duration) string {
	if limit := time.Duration(l.GenerateSeconds * float64(time.Second)); limit > 0 && took > limit {
		return fmt.Sprintf("generation took %v, want at most %v", took.Round(time.Millisecond), limit)
	}
	return ""
}

// An Entry overrides what one file of the case must do.
type Entry struct {
	Generate      string   `json:"generate"`
	ErrorNames    []string `json:"errorNames"`
	ErrorNamesAny []string `json:"errorNamesAny"`
}

// A RoundTrip lists payloads of a schema.
type RoundTrip struct {
	Schema  string            `json:"schema"`
	File    string            `json:"file"`
	Same    []json.RawMessage `json:"same"`
	Invalid []json.RawMessage `json:"invalid"`
}

// An ExactOrError lists payloads that must survive, or be refused.
type ExactOrError struct {
	Schema   string            `json:"schema"`
	File     string            `json:"file"`
	Payloads []json.RawMessage `json:"payloads"`
}

// A Call is one operation call and what must come of it.
type Call struct {
	Op        string                                `json:"op"`
	File      string                                `json:"file"`
	Args      map[string]map[string]json.RawMessage `json:"args"`
	Body      *Content                              `json:"body"`
	Auth      map[string]json.RawMessage            `json:"auth"`
	Server    *Server                               `json:"server"`
	Sends     *Sends                                `json:"-"`
	Unsent    bool                                  `json:"-"` // sends: null
	OrRefused bool                                  `json:"orRefused"`
	Answer    *Answer                               `json:"answer"`
	Gets      *Gets                                 `json:"gets"`
	Note      string                                `json:"note"`
}

// UnmarshalJSON tells `"sends": null` from no sends at all.
func (c *Call) UnmarshalJSON(b []byte) error {
	type plain Call
	var with struct {
		plain
		Sends json.RawMessage `json:"sends"`
	}
	if err := strict(b, &with); err != nil {
		return err
	}
	*c = Call(with.plain)
	switch {
	case string(with.Sends) == "null":
		c.Unsent = true
	case with.Sends != nil:
		c.Sends = new(Sends)
		return strict(with.Sends, c.Sends)
	}
	return nil
}

// A Server picks a server entry.
type Server struct {
	Index *int              `json:"index"`
	Vars  map[string]string `json:"vars"`
}

// A Content is a body, given or sent.
type Content struct {
	Type     string          `json:"type"`
	JSON     json.RawMessage `json:"json"`
	Text     *string         `json:"text"`
	Base64   *string         `json:"base64"`
	Form     json.RawMessage `json:"form"`
	FormAlso []string        `json:"formAlso"`
	Parts    []Part          `json:"parts"`
}

// A Part is a part of a multipart body.
type Part struct {
	Name     string                     `json:"name"`
	Filename *string                    `json:"filename"`
	Type     string                     `json:"type"`
	JSON     json.RawMessage            `json:"json"`
	Text     *string                    `json:"text"`
	Base64   *string                    `json:"base64"`
	Headers  map[string]json.RawMessage `json:"headers"` // given: values of declared headers; sent: exact texts, null for none
}

// Sends is the exact request.
type Sends struct {
	Method       string                     `json:"method"`
	Path         string                     `json:"path"`
	PathAlso     []string                   `json:"pathAlso"`
	Query        *string                    `json:"query"`
	QueryAlso    []string                   `json:"queryAlso"`
	QueryJSON    map[string]json.RawMessage `json:"-"`
	RawQueryJSON json.RawMessage            `json:"queryJSON"`
	Headers      map[string]OneOf           `json:"headers"`
	NoHeaders    []string                   `json:"noHeaders"`
	Accepts      []string                   `json:"accepts"`
	Cookies      map[string]string          `json:"cookies"`
	Body         *Content                   `json:"body"`
	NoBody       bool                       `json:"noBody"`
	URL          string                     `json:"url"`
}

// OneOf is a value or a list of values of which any one is right.
type OneOf []string

// UnmarshalJSON reads either form.
func (o *OneOf) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*o = OneOf{s}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(o))
}

// An Answer is what the server says.
type Answer struct {
	Status  int                    `json:"status"`
	Headers map[string]HeaderLines `json:"headers"`
	JSON    json.RawMessage        `json:"json"`
	Text    *string                `json:"text"`
	Base64  *string                `json:"base64"`
	NoBody  bool                   `json:"noBody"`
	Chunks  []string               `json:"chunks"`
	Then    *Answer                `json:"then"` // what the next request of the call is answered with: after a redirect
}

// HeaderLines are the lines of one header.
type HeaderLines []string

// UnmarshalJSON reads one line, a number, or a list of lines.
func (h *HeaderLines) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) {
		return json.Unmarshal(b, (*[]string)(h))
	}
	var s string
	if json.Unmarshal(b, &s) != nil {
		s = string(b)
	}
	*h = HeaderLines{s}
	return nil
}

// Gets is what the caller must see.
type Gets struct {
	OK      *bool                      `json:"ok"`
	Status  int                        `json:"status"`
	JSON    json.RawMessage            `json:"json"`
	Text    *string                    `json:"text"`
	Base64  *string                    `json:"base64"`
	Schema  string                     `json:"schema"`
	Headers map[string]json.RawMessage `json:"headers"`
	Stream  []StreamEvent              `json:"stream"`
	Error   string                     `json:"error"`
}

// A StreamEvent is one event of a stream.
type StreamEvent struct {
	ID    string          `json:"id"`
	Event string          `json:"event"`
	Data  json.RawMessage `json:"data"`
}

// Read reads the expect.json of a case folder, and lists its entries: spec.yaml
// and the further files that it names. Without expect.json the case only has to
// generate and compile.
func Read(dir string) (*Expectation, []string, error) {
	e := &Expectation{}
	b, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	switch {
	case os.IsNotExist(err):
	case err != nil:
		return nil, nil, err
	default:
		if err := strict(b, e); err != nil {
			return nil, nil, fmt.Errorf("%s/expect.json: %w", filepath.Base(dir), err)
		}
	}
	files := []string{}
	if _, err := os.Stat(filepath.Join(dir, "spec.yaml")); err == nil {
		files = append(files, "spec.yaml")
	}
	add := func(file string) {
		if file != "" && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	for _, file := range sortedKeys(e.Entries) {
		add(file)
	}
	for _, c := range e.Calls {
		add(c.File)
	}
	for _, r := range e.RoundTrip {
		add(r.File)
	}
	for _, x := range e.ExactOrError {
		add(x.File)
	}
	return e, files, nil
}

// Of is what a file of the case must do.
func (e *Expectation) Of(file string) Entry {
	if entry, ok := e.Entries[file]; ok {
		return entry
	}
	if file != "spec.yaml" {
		return Entry{Generate: "ok"}
	}
	return Entry{Generate: e.Generate, ErrorNames: e.ErrorNames, ErrorNamesAny: e.ErrorNamesAny}
}

// strict decodes JSON and refuses keys that the format does not have, so that
// no expectation is passed over.
func strict(b []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

func decode64(s string) ([]byte, error) { return base64.StdEncoding.DecodeString(s) }
