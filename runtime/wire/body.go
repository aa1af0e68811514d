package wire

import (
	"errors"
	"fmt"
	"mime"
	"strings"

	"github.com/go-json-experiment/json"
	rt "github.com/resgen-dev/resgen/runtime"
)

// IsSet reports whether v is set at all: it is no nil, no absent [rt.Nullable]
// or [rt.Value], and no [rt.File] without content. Optional bodies are sent if
// it is:
//
//	if wire.IsSet(req.Body) {
//		wire.JSON(r, "application/json", req.Body)
//	}
func IsSet[T any](v T) bool { return isSet(any(v)) }

// JSON sets a JSON body: application/json or any +json type. Nil is sent as
// null. The value is encoded once; every attempt sends the same bytes.
func JSON[T any](r *Request, mediaType string, v T) {
	r.setJSON(mediaType, any(&v))
}

// Text sets a text body: a scalar as its plain text, without quotes.
func Text[T any](r *Request, mediaType string, v T) {
	r.setText(mediaType, operandOf(v))
}

// Binary sets a raw body. mediaType is as declared; where it is a wildcard or
// a list of types, f.ContentType must say which. Anywhere else a content type
// of the file's own wins.
func Binary(r *Request, mediaType string, f rt.File) {
	if f.Content.IsZero() {
		r.note(errors.New("body is not set; give it a Content such as rt.Bytes(b)"))
		return
	}
	contentType, err := contentTypeOf(f, mediaType)
	if err != nil {
		r.note(fmt.Errorf("body: %w", err))
		return
	}
	r.call.Body = f.Content
	r.setHeader("Content-Type", contentType)
}

func (r *Request) setJSON(mediaType string, v any) {
	b, err := json.Marshal(v, encodeOptions)
	if err != nil {
		r.note(fmt.Errorf("body: %w", notEncoded(err, v)))
		return
	}
	r.call.Body = rt.Bytes(b)
	r.setHeader("Content-Type", concreteType(mediaType, "application/json"))
}

func (r *Request) setText(mediaType string, o operand) {
	text, err := o.plainText()
	if err != nil {
		r.note(fmt.Errorf("body: %w", err))
		return
	}
	r.call.Body = rt.Bytes([]byte(text))
	r.setHeader("Content-Type", concreteType(mediaType, "text/plain"))
}

// plainText is a scalar's text.
func (o operand) plainText() (string, error) {
	switch err := o.check(); {
	case err != nil:
		return "", err
	case o.kind == unset:
		return "", errors.New("value is not set; want a scalar")
	case o.kind == treeOperand:
		return "", errors.New("value is a list or an object; want a scalar, which has a plain text")
	case o.kind == textOperand:
		return o.text, nil
	default:
		return string(o.appendText(nil)), nil
	}
}

// concreteType is what a declared media type is sent as: itself, unless it is
// a wildcard.
func concreteType(declared, instead string) string {
	if declared == "" || strings.Contains(declared, "*") {
		return instead
	}
	return declared
}

// contentTypeOf chooses the media type of raw content.
func contentTypeOf(f rt.File, declared string) (string, error) {
	if f.ContentType != "" {
		if err := checkFieldValue(f.ContentType); err != nil {
			return "", fmt.Errorf("content type: %w", err)
		}
		name, _, err := mime.ParseMediaType(f.ContentType)
		if err != nil || !strings.Contains(name, "/") || strings.Contains(name, "*") {
			return "", fmt.Errorf("content type is %q; want a media type such as image/png", f.ContentType)
		}
		return f.ContentType, nil
	}
	switch {
	case declared == "" || declared == "*/*":
		return "application/octet-stream", nil
	case strings.ContainsAny(declared, "*,"):
		return "", fmt.Errorf("content type is not set; set the file's ContentType to one of %s", declared)
	default:
		return declared, nil
	}
}
