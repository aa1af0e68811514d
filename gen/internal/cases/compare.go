package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/cases/drive"
	"github.com/resgen-dev/resgen/gen/internal/golang"
)

// compare lists what differs between a call's expectation and what happened.
func compare(c Call, o drive.Observation, t golang.Table) []string {
	d := &differences{}
	if o.Setup != "" {
		d.addf("%s", o.Setup)
		return d.list
	}
	refused := o.Request == nil
	switch {
	case c.Unsent && !refused:
		d.addf("a request was sent (%s %s?%s), want none", o.Request.Method, o.Request.Path, o.Request.Query)
	case c.Unsent, c.OrRefused && refused:
	case c.Sends != nil && refused:
		d.addf("no request was sent: %s", o.Error)
		return d.list
	case c.Sends != nil:
		d.request(c.Sends, o.Request)
	}
	if c.Gets != nil && !(c.OrRefused && refused) {
		d.result(c.Gets, o, t)
	}
	return d.list
}

// differences collects what is not as it should be.
type differences struct{ list []string }

func (d *differences) addf(format string, args ...any) {
	d.list = append(d.list, fmt.Sprintf(format, args...))
}

func (d *differences) request(want *Sends, got *drive.Request) {
	if want.Method != "" && got.Method != want.Method {
		d.addf("method = %s, want %s", got.Method, want.Method)
	}
	if want.URL != "" && upperHex(got.URL) != upperHex(want.URL) {
		d.addf("url = %s, want %s", got.URL, want.URL)
	}
	if want.URL == "" && want.Path != "" && !slices.Contains(upperAll(append([]string{want.Path}, want.PathAlso...)), upperHex(got.Path)) {
		d.addf("path = %s, want %s", got.Path, strings.Join(append([]string{want.Path}, want.PathAlso...), " or "))
	}
	d.query(want, got)
	header := http.Header(got.Header)
	for _, name := range sortedKeys(want.Headers) {
		if v := strings.Join(header.Values(name), ", "); !slices.Contains(want.Headers[name], v) {
			d.addf("header %s = %q, want %q", name, v, want.Headers[name])
		}
	}
	for _, name := range want.NoHeaders {
		if v, ok := header[http.CanonicalHeaderKey(name)]; ok {
			d.addf("header %s = %q, want none", name, v)
		}
	}
	for _, mediaType := range want.Accepts {
		if accept := header.Values("Accept"); len(accept) > 0 && !accepts(accept, mediaType) {
			d.addf("Accept = %q, which does not allow %s", accept, mediaType)
		}
	}
	if want.Cookies != nil {
		d.cookies(want.Cookies, header)
	}
	if want.NoBody && got.HasBody {
		d.addf("body = %q, want none", got.Body)
	}
	if want.Body != nil {
		d.body(want.Body, header.Get("Content-Type"), got.Body)
	}
}

func (d *differences) query(want *Sends, got *drive.Request) {
	if want.Query == nil {
		return
	}
	if want.RawQueryJSON != nil {
		var asJSON map[string]json.RawMessage
		if err := json.Unmarshal(want.RawQueryJSON, &asJSON); err != nil {
			d.addf("queryJSON: %v", err)
		}
		values, err := url.ParseQuery(got.Query)
		if err != nil {
			d.addf("query %q: %v", got.Query, err)
			return
		}
		for _, name := range sortedKeys(asJSON) {
			if diff := DiffersJSON(asJSON[name], []byte(values.Get(name))); diff != "" {
				d.addf("query %s: %s", name, diff)
			}
		}
		return
	}
	for _, q := range append([]string{*want.Query}, want.QueryAlso...) {
		if sameQuery(q, got.Query) {
			return
		}
	}
	d.addf("query = %s, want %s", got.Query, strings.Join(append([]string{*want.Query}, want.QueryAlso...), " or "))
}

// sameQuery compares raw queries: pairs with different names may come in any
// order, those with the same name keep theirs.
func sameQuery(a, b string) bool {
	split := func(q string) map[string][]string {
		pairs := map[string][]string{}
		if q == "" {
			return pairs
		}
		for pair := range strings.SplitSeq(upperHex(q), "&") {
			name, _, _ := strings.Cut(pair, "=")
			pairs[name] = append(pairs[name], pair)
		}
		return pairs
	}
	x, y := split(a), split(b)
	if len(x) != len(y) {
		return false
	}
	for name, pairs := range x {
		if !slices.Equal(pairs, y[name]) {
			return false
		}
	}
	return true
}

var escape = regexp.MustCompile(`%[0-9a-fA-F]{2}`)

func upperHex(s string) string { return escape.ReplaceAllStringFunc(s, strings.ToUpper) }

func upperAll(list []string) []string {
	for i := range list {
		list[i] = upperHex(list[i])
	}
	return list
}

// accepts reports whether an Accept header allows a media type.
func accepts(lines []string, mediaType string) bool {
	for _, line := range lines {
		for item := range strings.SplitSeq(line, ",") {
			if e := essence(item); e == essence(mediaType) || matchesRange(e, essence(mediaType)) {
				return true
			}
		}
	}
	return false
}

func (d *differences) cookies(want map[string]string, header http.Header) {
	lines := header.Values("Cookie")
	if len(lines) > 1 {
		d.addf("%d Cookie headers, want one", len(lines))
	}
	got := map[string]string{}
	for pair := range strings.SplitSeq(strings.Join(lines, "; "), ";") {
		name, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if ok {
			got[name] = value
		}
	}
	for _, name := range sortedKeys(want) {
		if got[name] != want[name] {
			d.addf("cookie %s = %q, want %q (Cookie: %q)", name, got[name], want[name], lines)
		}
	}
	if len(got) != len(want) {
		d.addf("cookies = %q, want %v", lines, want)
	}
}

func (d *differences) body(want *Content, contentType string, got []byte) {
	if want.Type != "" && essence(contentType) != essence(want.Type) {
		d.addf("Content-Type = %q, want %q", contentType, want.Type)
	}
	switch {
	case want.JSON != nil:
		if diff := DiffersJSON(want.JSON, got); diff != "" {
			d.addf("body: %s", diff)
		}
	case want.Text != nil:
		if string(got) != *want.Text {
			d.addf("body = %q, want %q", got, *want.Text)
		}
	case want.Base64 != nil:
		if b, err := decode64(*want.Base64); err != nil || !bytes.Equal(b, got) {
			d.addf("body = %x, want %x", got, b)
		}
	case want.Form != nil:
		d.form(want, string(got))
	case want.Parts != nil:
		d.parts(want.Parts, contentType, got)
	}
}

func (d *differences) form(want *Content, got string) {
	var raw string
	if err := json.Unmarshal(want.Form, &raw); err != nil {
		d.addf("form: %v", err)
		return
	}
	for _, form := range append([]string{raw}, want.FormAlso...) {
		if sameQuery(form, got) {
			return
		}
	}
	d.addf("form = %s, want %s", got, strings.Join(append([]string{raw}, want.FormAlso...), " or "))
}

func (d *differences) parts(want []Part, contentType string, body []byte) {
	r := multipart.NewReader(bytes.NewReader(body), multipartBoundary(contentType))
	used := make([]bool, len(want))
	n := 0
	for {
		p, err := r.NextRawPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			d.addf("multipart body: %v", err)
			return
		}
		content, err := io.ReadAll(p)
		if err != nil {
			d.addf("multipart body: %v", err)
			return
		}
		// Parts of one name keep their order; different names may come in any.
		i := slices.IndexFunc(want, func(w Part) bool { return w.Name == p.FormName() })
		for i >= 0 && i < len(want) && (used[i] || want[i].Name != p.FormName()) {
			i++
		}
		if i < 0 || i >= len(want) {
			d.addf("a part %q too many: %q", p.FormName(), content)
			continue
		}
		used[i] = true
		n++
		d.part(want[i], p, content)
	}
	for i, u := range used {
		if !u {
			d.addf("part %d (%s) is missing", i, want[i].Name)
		}
	}
}

func (d *differences) part(want Part, got *multipart.Part, content []byte) {
	_, params, err := mime.ParseMediaType(got.Header.Get("Content-Disposition"))
	if err != nil {
		d.addf("part %s: Content-Disposition %q: %v", want.Name, got.Header.Get("Content-Disposition"), err)
	}
	filename, has := params["filename"]
	switch {
	case want.Filename == nil && has:
		d.addf("part %s has file name %q, want none", want.Name, filename)
	case want.Filename != nil && filename != *want.Filename:
		d.addf("part %s has file name %q, want %q", want.Name, filename, *want.Filename)
	}
	if t := got.Header.Get("Content-Type"); want.Type != "" && !strings.EqualFold(strings.ReplaceAll(t, " ", ""), strings.ReplaceAll(want.Type, " ", "")) {
		d.addf("part %s has type %q, want %q", want.Name, t, want.Type)
	}
	for _, name := range sortedKeys(want.Headers) {
		line, has := got.Header[textproto.CanonicalMIMEHeaderKey(name)]
		text := headerText(want.Headers[name])
		if has != (string(want.Headers[name]) != "null") || has && (len(line) != 1 || line[0] != text) {
			d.addf("part %s has header %s %q, want %s", want.Name, name, line, want.Headers[name])
		}
	}
	switch {
	case want.JSON != nil:
		if diff := DiffersJSON(want.JSON, content); diff != "" {
			d.addf("part %s: %s", want.Name, diff)
		}
	case want.Text != nil:
		if string(content) != *want.Text {
			d.addf("part %s = %q, want %q", want.Name, content, *want.Text)
		}
	case want.Base64 != nil:
		if b, err := decode64(*want.Base64); err != nil || !bytes.Equal(b, content) {
			d.addf("part %s = %x, want %x", want.Name, content, b)
		}
	}
}

// headerText is an expected header: a string's text, or a number as written.
func headerText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func (d *differences) result(want *Gets, o drive.Observation, t golang.Table) {
	if want.OK != nil && o.OK != *want.OK {
		d.addf("ok = %v, want %v (class %q: %s)", o.OK, *want.OK, o.Class, o.Error)
		return
	}
	if want.Status != 0 && o.Status != want.Status {
		d.addf("status = %d, want %d (%s)", o.Status, want.Status, o.Error)
	}
	if want.Error != "" && o.Class != want.Error {
		d.addf("error class = %q, want %q (%s)", o.Class, want.Error, o.Error)
	}
	d.content(want, o)
	if want.Schema != "" && !decodesTo(want.Schema, o.Types, t) {
		d.addf("the result is of type %v, want schema %s", o.Types, want.Schema)
	}
	if len(want.Headers) > 0 {
		d.headers(want, o, t)
	}
	if want.Stream != nil {
		d.stream(want.Stream, o.Events)
	}
}

func (d *differences) content(want *Gets, o drive.Observation) {
	switch {
	case want.JSON != nil:
		got := []byte(o.JSON)
		if got == nil || o.IsBytes {
			got = o.Bytes
		}
		diff := DiffersJSON(want.JSON, got)
		if diff != "" && o.IsBytes && o.JSON != nil {
			diff = DiffersJSON(want.JSON, o.JSON) // base64 text
		}
		if diff != "" {
			d.addf("result: %s", diff)
		}
	case want.Text != nil:
		if got := textOf(o); got != *want.Text {
			d.addf("result = %q, want %q", got, *want.Text)
		}
	case want.Base64 != nil:
		b, err := decode64(*want.Base64)
		if err != nil || !bytes.Equal(b, o.Bytes) {
			d.addf("result = %x, want %x", o.Bytes, b)
		}
	}
}

// textOf is a result as text: a JSON string's value, a number's digits, or bytes.
func textOf(o drive.Observation) string {
	if o.JSON == nil || o.IsBytes {
		return string(o.Bytes)
	}
	var s string
	if json.Unmarshal(o.JSON, &s) == nil {
		return s
	}
	return string(o.JSON)
}

func decodesTo(schema string, types []string, t golang.Table) bool {
	for _, typ := range t.Types {
		if typ.Schema == schema && slices.Contains(types, typ.Type) {
			return true
		}
	}
	return false
}

func (d *differences) headers(want *Gets, o drive.Observation, t golang.Table) {
	var got map[string]json.RawMessage
	if o.Headers != nil {
		if err := json.Unmarshal(o.Headers, &got); err != nil {
			d.addf("headers: %v", err)
			return
		}
	}
	for _, name := range sortedKeys(want.Headers) {
		field := headerField(t, name)
		if diff := DiffersJSON(want.Headers[name], got[field]); diff != "" {
			d.addf("header %s (%s): %s", name, field, diff)
		}
	}
}

// headerField is the Go field of a declared header, wherever it is declared.
func headerField(t golang.Table, name string) string {
	for _, op := range t.Operations {
		for _, h := range op.Headers {
			for _, f := range h.Fields {
				if strings.EqualFold(f.Wire, name) {
					return f.Field
				}
			}
		}
	}
	return ""
}

func (d *differences) stream(want []StreamEvent, got []drive.Event) {
	if len(want) != len(got) {
		d.addf("%d events, want %d", len(got), len(want))
		return
	}
	for i, w := range want {
		g := got[i]
		if w.ID != "" && g.ID != w.ID {
			d.addf("event %d has id %q, want %q", i, g.ID, w.ID)
		}
		if w.Event != "" && g.Event != w.Event {
			d.addf("event %d is called %q, want %q", i, g.Event, w.Event)
		}
		if diff := DiffersJSON(w.Data, g.Data); w.Data != nil && diff != "" {
			d.addf("event %d: %s", i, diff)
		}
	}
}
