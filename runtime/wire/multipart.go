package wire

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	rt "github.com/resgen-dev/resgen/runtime"
)

// A Parts is a multipart body in the making. Its boundary is chosen once a
// call; its parts are opened anew and streamed on every attempt.
type Parts struct {
	r        *Request
	formData bool // multipart/form-data: parts are form fields
	boundary string
	parts    []part
	last     int // index of the first part that the last Part… call added
}

// A part is one part of a multipart body.
type part struct {
	header  []byte // its header lines, each ended
	content rt.Body
}

// MultipartBody sets a multipart body ("multipart/form-data",
// "multipart/mixed"), to which [PartText] and its kin add the parts in order.
func MultipartBody(r *Request, mediaType string) *Parts {
	mediaType = concreteType(mediaType, "multipart/form-data")
	bare, _, _ := strings.Cut(mediaType, ";") // a declared boundary cannot be promised
	bare = strings.TrimSpace(bare)
	p := &Parts{r: r, formData: strings.EqualFold(bare, "multipart/form-data"), boundary: rand.Text()}
	r.parts = p
	r.setHeader("Content-Type", bare+"; boundary="+p.boundary)
	return p
}

// PartText adds a scalar as a text part, a list of scalars as one part per
// item. mediaType is empty where none is declared: plain text. Unset sends
// nothing.
func PartText[T any](p *Parts, name string, v T, mediaType string) {
	p.begin()
	p.addText(name, operandOf(v), mediaType)
}

// PartJSON adds a value as one JSON part. mediaType is empty for
// application/json. Unset sends nothing.
func PartJSON[T any](p *Parts, name string, v T, mediaType string) {
	p.begin()
	p.addJSON(name, any(v), mediaType)
}

// PartJSONEach adds one JSON part per item of a list.
func PartJSONEach[T any](p *Parts, name string, items []T, mediaType string) {
	p.begin()
	for i := range items {
		p.addJSON(name, any(&items[i]), mediaType)
	}
}

// PartFile adds a file. A nil file, and one without content, sends nothing.
// mediaType is as declared, lists and wildcards included: a content type of
// the file's own wins. Empty is application/octet-stream.
func PartFile[F rt.File | *rt.File](p *Parts, name string, f F, mediaType string) {
	p.begin()
	switch f := any(f).(type) {
	case rt.File:
		p.addFile(name, f, mediaType)
	case *rt.File:
		if f != nil {
			p.addFile(name, *f, mediaType)
		}
	}
}

// PartFiles adds one part per file.
func PartFiles(p *Parts, name string, files []rt.File, mediaType string) {
	p.begin()
	for i, f := range files {
		if f.Content.IsZero() {
			p.r.fail("part", name, fmt.Errorf("file %d has no content; give it one such as rt.Bytes(b)", i))
			return
		}
		p.addFile(name, f, mediaType)
	}
}

// PartMembers adds each member of an object, a map or a union as a part of its
// own: scalars as text, objects as JSON, lists as a part per item.
func PartMembers[T any](p *Parts, v T) {
	p.begin()
	p.addMembers(any(v))
}

// PartHeader adds a declared header to the part, or the parts, that the last
// Part… call added. Unset adds nothing; a value without a part is refused.
func PartHeader[T any](p *Parts, name string, v T, s Style) {
	p.addHeader(name, operandOf(v), s)
}

// PartHeaderContent is [PartHeader] for a header that is declared as JSON.
func PartHeaderContent[T any](p *Parts, name string, v T) {
	p.addHeader(name, jsonOperand(any(v)), Simple)
}

func (p *Parts) begin() { p.last = len(p.parts) }

func (p *Parts) addText(name string, o operand, mediaType string) {
	switch {
	case o.kind == unset:
	case o.kind == treeOperand && o.tree.kind == '[':
		for i, item := range o.tree.items {
			if !item.scalar() {
				p.r.fail("part", name, fmt.Errorf("item %d is no scalar; want plain text", i))
				return
			}
			p.addText(name, item.operand(), mediaType)
		}
	default:
		text, err := o.plainText()
		if err != nil {
			p.r.fail("part", name, err)
			return
		}
		p.add(name, "", concreteType(mediaType, ""), rt.Bytes([]byte(text)))
	}
}

func (p *Parts) addJSON(name string, v any, mediaType string) {
	if !isSet(v) {
		return
	}
	b, err := json.Marshal(v, encodeOptions)
	if err != nil {
		p.r.fail("part", name, notEncoded(err, v))
		return
	}
	p.add(name, "", concreteType(mediaType, "application/json"), rt.Bytes(b))
}

func (p *Parts) addFile(name string, f rt.File, mediaType string) {
	if f.Content.IsZero() {
		return
	}
	contentType, err := contentTypeOf(f, mediaType)
	if err != nil {
		p.r.fail("part", name, err)
		return
	}
	fileName := f.Name
	if fileName == "" {
		fileName = name // servers take a part without one for a plain field
	}
	p.add(name, fileName, contentType, f.Content)
}

func (p *Parts) addMembers(v any) {
	if !isSet(v) {
		return
	}
	raw, err := json.Marshal(v, encodeOptions)
	if err != nil {
		p.r.note(fmt.Errorf("multipart body: %w", notEncoded(err, v)))
		return
	}
	if jsontext.Value(raw).Kind() != '{' {
		p.r.note(errors.New("multipart body: value is no object; want one, whose members are the parts"))
		return
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	_, err = d.ReadToken()
	for err == nil && d.PeekKind() != '}' {
		var name jsontext.Token
		if name, err = d.ReadToken(); err == nil {
			err = p.addMember(name.String(), d)
		}
	}
	if err != nil {
		p.r.note(fmt.Errorf("multipart body: %w", err))
	}
}

// addMember adds the value that d stands at, or each item of the list.
func (p *Parts) addMember(name string, d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case 'n':
		return d.SkipValue()
	case '{':
		v, err := d.ReadValue()
		if err == nil {
			p.add(name, "", "application/json", rt.Bytes(bytes.Clone(v)))
		}
		return err
	case '[':
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != ']' {
			if err := p.addMember(name, d); err != nil {
				return err
			}
		}
		_, err := d.ReadToken()
		return err
	default:
		t, err := readTree(d)
		if err == nil {
			p.addText(name, t.operand(), "")
		}
		return err
	}
}

func (p *Parts) addHeader(name string, o operand, s Style) {
	if o.kind == unset {
		return
	}
	value, ok, err := headerText(o, s)
	if err == nil {
		err = checkHeaderName(name)
	}
	switch {
	case err != nil:
		p.r.fail("part header", name, err)
	case ok && p.last == len(p.parts):
		p.r.fail("part header", name, errors.New("its part is not sent; set the part too, or leave the header unset"))
	case ok:
		for i := p.last; i < len(p.parts); i++ {
			p.parts[i].header = append(p.parts[i].header, name+": "+value+"\r\n"...)
		}
	}
}

// quoted escapes text for a quoted-string of a header.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// add appends a part. An empty fileName makes it a field, an empty contentType
// leaves that header out.
func (p *Parts) add(name, fileName, contentType string, content rt.Body) {
	if err := errors.Join(checkCookieText(name), checkCookieText(fileName)); err != nil {
		p.r.fail("part", name, fmt.Errorf("name or file name: %w", err))
		return
	}
	var h strings.Builder
	h.WriteString("Content-Disposition: ")
	if p.formData {
		h.WriteString("form-data")
	} else {
		h.WriteString("attachment")
	}
	h.WriteString(`; name="` + quoted.Replace(name) + `"`)
	if fileName != "" {
		h.WriteString(`; filename="` + quoted.Replace(fileName) + `"`)
	}
	h.WriteString("\r\n")
	if contentType != "" {
		h.WriteString("Content-Type: " + contentType + "\r\n")
	}
	p.parts = append(p.parts, part{header: []byte(h.String()), content: content})
}
