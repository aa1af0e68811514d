package wire

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// A pathParam is a parameter that stands ready for its place: its escaped
// text is Request.pathText[from:to].
type pathParam struct {
	name     string
	from, to int
}

// addPathParam writes a parameter in style s.
func (r *Request) addPathParam(name string, o operand, s Style) {
	from := len(r.pathText)
	text, err := appendPathText(r.pathText, name, o, s)
	if err != nil {
		r.fail("path parameter", name, err)
		return
	}
	r.pathText = text
	r.pathParams = append(r.pathParams, pathParam{name, from, len(text)})
}

var errEmptySegment = errors.New("value is empty; a path cannot hold it")

func appendPathText(dst []byte, name string, o operand, s Style) ([]byte, error) {
	if o.kind == unset {
		return nil, errors.New("value is not set; a path needs it")
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	e := escaping{keep: &unreserved}
	switch {
	case s.has(AllowReserved):
		e = escaping{keep: &reservedInPath, triples: true}
	case s.has(SeveralSegments):
		e.keep = &severalSegments
	}
	before := len(dst)
	var err error
	switch s.base() {
	case Simple, Form: // form is what specs write by mistake; it has no meaning in a path
		dst, err = appendSimple(dst, o, s, e)
	case Label:
		dst, err = appendLabel(dst, o, s, e)
	case Matrix:
		return appendMatrix(dst, name, o, s, e)
	case SpaceDelimited, PipeDelimited, TabDelimited:
		dst, err = appendDivided(dst, o, s, e)
	default:
		return nil, fmt.Errorf("style is %s, which has no meaning in a path; want simple", s)
	}
	if err == nil && len(dst) == before {
		err = errEmptySegment
	}
	return dst, err
}

func appendSimple(dst []byte, o operand, s Style, e escaping) ([]byte, error) {
	if o.kind != treeOperand {
		return o.appendEscaped(dst, e), nil
	}
	return joining{sep: ",", assign: s.has(Explode), escape: e, taken: taken(s, ",")}.appendTo(dst, *o.tree)
}

// appendDivided writes a list as collectionFormat says in Swagger 2.0, for
// which paths have no style in OpenAPI 3.
func appendDivided(dst []byte, o operand, s Style, e escaping) ([]byte, error) {
	if o.kind != treeOperand {
		return o.appendEscaped(dst, e), nil
	}
	divider := s.divider()
	sep := string(escaping{keep: &unreserved}.appendTo(nil, divider))
	return joining{sep: sep, escape: e, taken: divider}.appendTo(dst, *o.tree)
}

// taken is what items may not hold where allowReserved leaves separators
// unescaped.
func taken(s Style, separators string) string {
	if s.has(AllowReserved) {
		return separators
	}
	return ""
}

func appendLabel(dst []byte, o operand, s Style, e escaping) ([]byte, error) {
	dst = append(dst, '.')
	if o.kind != treeOperand {
		if o.kind == textOperand && o.text == "" {
			return nil, errEmptySegment
		}
		return o.appendEscaped(dst, e), nil
	}
	if len(o.tree.items) == 0 {
		return nil, errEmptySegment
	}
	if s.has(Explode) { // a dot is unreserved: no escape tells it from the separator
		return joining{sep: ".", assign: true, escape: e, taken: "."}.appendTo(dst, *o.tree)
	}
	return joining{sep: ",", escape: e, taken: taken(s, ",")}.appendTo(dst, *o.tree)
}

func appendMatrix(dst []byte, name string, o operand, s Style, e escaping) ([]byte, error) {
	names := escaping{keep: &unreserved}
	pair := func(name, text string) {
		dst = names.appendTo(append(dst, ';'), name)
		if text != "" { // RFC 6570: ";name" for an empty value
			dst = e.appendTo(append(dst, '='), text)
		}
	}
	switch {
	case o.kind != treeOperand:
		pair(name, string(o.appendText(nil)))
		return dst, nil
	case len(o.tree.items) == 0:
		return nil, errEmptySegment
	case !s.has(Explode):
		dst = append(names.appendTo(append(dst, ';'), name), '=')
		return joining{sep: ",", escape: e, taken: taken(s, ",;")}.appendTo(dst, *o.tree)
	}
	j := joining{taken: taken(s, ";")}
	if o.tree.kind == '[' {
		for i, item := range o.tree.items {
			text, err := j.text(item)
			if err != nil {
				return nil, fmt.Errorf("item %d %w", i, err)
			}
			pair(name, text)
		}
		return dst, nil
	}
	for member, v := range o.tree.members {
		text, err := j.text(v)
		if err != nil {
			return nil, fmt.Errorf("member %q %w", member, err)
		}
		pair(member, text)
	}
	return dst, nil
}

// appendPath appends the template with its parameters filled in. A segment
// that a parameter would make empty or a dot segment is refused: it would
// lead elsewhere.
func (r *Request) appendPath(dst []byte) ([]byte, error) {
	literal := escaping{keep: &pathLiteral, triples: true}
	used := 0
	for segment := range strings.SplitSeq(strings.TrimPrefix(r.template, "/"), "/") {
		dst = append(dst, '/')
		start, holes := len(dst), 0
		for segment != "" {
			before, rest, open := strings.Cut(segment, "{")
			name, after, closed := strings.Cut(rest, "}")
			if !open || !closed { // a lone brace is text
				dst = literal.appendTo(dst, segment)
				break
			}
			text, ok := r.pathParamText(name)
			if !ok {
				return nil, fmt.Errorf("path parameter %q is not set; the path is %s", name, r.template)
			}
			dst = append(literal.appendTo(dst, before), text...)
			segment = after
			holes++
		}
		if holes > 0 {
			for rest, more := dst[start:], true; more; { // a parameter may be of several segments; an iterator would move dst to the heap
				var piece []byte
				if piece, rest, more = bytes.Cut(rest, []byte("/")); leadsElsewhere(piece) {
					return nil, fmt.Errorf("path parameters make the segment %q of %s; it would lead to another path", string(piece), r.template)
				}
			}
		}
		used += holes
	}
	if used < len(r.pathParams) {
		return nil, fmt.Errorf("a path parameter has no place in %s", r.template)
	}
	return dst, nil
}

// leadsElsewhere reports whether a segment is empty or a dot segment. A dot
// may come as %2E by way of allowReserved.
func leadsElsewhere(segment []byte) bool {
	if len(segment) > len("%2E%2E") {
		return false
	}
	switch strings.ReplaceAll(strings.ToUpper(string(segment)), "%2E", ".") {
	case "", ".", "..":
		return true
	}
	return false
}

func (r *Request) pathParamText(name string) ([]byte, bool) {
	for _, p := range r.pathParams {
		if p.name == name {
			return r.pathText[p.from:p.to], true
		}
	}
	return nil, false
}

// setURL puts base, path and query together.
func (r *Request) setURL() error {
	base := r.server.base
	if base == nil {
		return errors.New("no server is set; make the client with its base URL")
	}
	if base.err != nil {
		return base.err
	}
	var room [256]byte
	path, err := r.appendPath(append(room[:0], base.path...))
	if err != nil {
		return err
	}
	r.url.Scheme, r.url.Host = base.scheme, base.host
	r.url.Path = string(path)
	if strings.ContainsAny(r.url.Path, "%!'()*") { // what package url would write otherwise
		r.url.RawPath = r.url.Path
		if r.url.Path, err = url.PathUnescape(r.url.RawPath); err != nil {
			return err
		}
	}
	switch {
	case r.fixed == "":
		r.url.RawQuery = string(r.query.buf)
	case len(r.query.buf) == 0:
		r.url.RawQuery = r.fixed
	default:
		r.url.RawQuery = r.fixed + "&" + string(r.query.buf)
	}
	return nil
}
