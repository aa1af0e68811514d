package wire

import (
	"fmt"
	"net/textproto"
)

// PathParam fills {name} of the path template. A value that is unset or empty,
// and one that would make its segment "." or "..", is refused: the request
// would go to another path.
func PathParam[T any](r *Request, name string, v T, s Style) {
	r.addPathParam(name, operandOf(v), s)
}

// Query adds a query parameter. Unset sends nothing.
func Query[T any](r *Request, name string, v T, s Style) {
	r.addQuery(name, operandOf(v), s)
}

// Header adds a header parameter. Unset sends nothing.
func Header[T any](r *Request, name string, v T, s Style) {
	r.addHeader(name, operandOf(v), s)
}

// Cookie adds a cookie parameter. Unset sends nothing. What a cookie cannot
// hold is percent-escaped.
func Cookie[T any](r *Request, name string, v T, s Style) {
	r.addCookie(name, operandOf(v), s)
}

// PathContent is [PathParam] for a parameter with JSON content.
func PathContent[T any](r *Request, name string, v T) {
	r.addPathParam(name, jsonOperand(any(v)), Simple)
}

// QueryContent is [Query] for a parameter with JSON content.
func QueryContent[T any](r *Request, name string, v T) {
	r.addQuery(name, jsonOperand(any(v)), Form)
}

// HeaderContent is [Header] for a parameter with JSON content.
func HeaderContent[T any](r *Request, name string, v T) {
	r.addHeader(name, jsonOperand(any(v)), Simple)
}

// CookieContent is [Cookie] for a parameter with JSON content.
func CookieContent[T any](r *Request, name string, v T) {
	r.addCookie(name, jsonOperand(any(v)), Form)
}

func (r *Request) addQuery(name string, o operand, s Style) {
	if err := r.query.add(name, o, s); err != nil {
		r.fail("query parameter", name, err)
	}
}

func (r *Request) addCookie(name string, o operand, s Style) {
	if err := r.cookies.add(name, o, s); err != nil {
		r.fail("cookie", name, err)
	}
}

func (r *Request) addHeader(name string, o operand, s Style) {
	if o.kind == unset {
		return
	}
	value, ok, err := headerText(o, s)
	if err == nil && ok {
		err = checkHeaderName(name)
	}
	if err != nil {
		r.fail("header", name, err)
		return
	}
	if !ok || textproto.CanonicalMIMEHeaderKey(name) == "Content-Length" {
		return // the length follows from the body, whatever the caller holds it to be
	}
	r.setHeader(name, value)
}

// headerText writes an argument in style simple, which is the only one of
// headers in OpenAPI 3; Swagger 2.0 has other dividers. Nothing is escaped
// there.
func headerText(o operand, s Style) (text string, ok bool, err error) {
	if err := o.check(); err != nil {
		return "", false, err
	}
	switch b := s.base(); {
	case b != Simple && b != Form && s.divider() == ",": // Form is what specs write by mistake
		return "", false, fmt.Errorf("style is %s, which has no meaning in a header; want simple", s)
	case o.kind == textOperand:
		text = o.text
	case o.kind != treeOperand:
		text = string(o.appendText(nil))
	case len(o.tree.items) == 0 && !s.has(AllowEmpty):
		return "", false, nil
	default:
		divider := s.divider()
		j := joining{sep: divider, assign: s.has(Explode), taken: divider}
		b, err := j.appendTo(nil, *o.tree)
		if err != nil {
			return "", false, err
		}
		text = string(b)
	}
	return text, true, checkFieldValue(text)
}

// checkHeaderName refuses names that are none, and headers that net/http
// writes itself: a value set for one would be dropped in silence.
func checkHeaderName(name string) error {
	for i := range len(name) {
		if !token.has(name[i]) {
			return fmt.Errorf("name holds %q; a header's cannot", name[i])
		}
	}
	switch textproto.CanonicalMIMEHeaderKey(name) {
	case "":
		return fmt.Errorf("name is empty; want a header's name")
	case "Host", "Transfer-Encoding", "Trailer":
		return fmt.Errorf("it follows from the request and cannot be set; leave it unset")
	}
	return nil
}
