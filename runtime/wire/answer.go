package wire

import (
	"bytes"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	rt "github.com/resgen-dev/resgen/runtime"
)

// An Answer is what the server said, as the decode functions of generated code
// see it.
type Answer = rt.Answer

// decodeOptions read leniently what servers write: later duplicates win, bad
// UTF-8 is replaced.
var decodeOptions = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// DecodeJSON reads a JSON answer of one of the media types. Null is malformed
// unless T is a list, a map or an [rt.Value]; see [DecodeNullable]. Answers to
// HEAD and those with status 204, 205 and 304 have no body: they give the zero
// T.
func DecodeJSON[T any](a *Answer, mediaTypes ...string) (T, error) {
	var v T
	err := readJSON(a, any(&v), mediaTypes, false)
	return v, err
}

// DecodeNullable is [DecodeJSON] where null is a value.
func DecodeNullable[T any](a *Answer, mediaTypes ...string) (T, error) {
	var v T
	err := readJSON(a, any(&v), mediaTypes, true)
	return v, err
}

// DecodeText reads a scalar from a text answer: T's text as parameters have
// it, for strings all of it.
func DecodeText[T any](a *Answer, mediaTypes ...string) (T, error) {
	var v T
	err := readText(a, any(&v), mediaTypes)
	return v, err
}

// DecodeForm reads an application/x-www-form-urlencoded answer: a pair a
// member, pairs of one name a list.
func DecodeForm[T any](a *Answer, mediaTypes ...string) (T, error) {
	var v T
	err := readForm(a, any(&v), mediaTypes)
	return v, err
}

// DecodeBytes reads an answer as it is.
func DecodeBytes(a *Answer, mediaTypes ...string) ([]byte, error) {
	if err := checkType(a, mediaTypes); err != nil {
		return nil, err
	}
	return append([]byte{}, a.Body...), nil
}

// Into stores what a Decode… function returned in a field of a result struct:
//
//	res := &OrderResult{Status: a.Status}
//	switch a.Status {
//	case 200:
//		return res, wire.Into(&res.Full)(wire.DecodeJSON[*Full](a, "application/json"))
func Into[T any](field *T) func(T, error) error {
	return func(v T, err error) error {
		*field = v
		return err
	}
}

// bodiless reports whether the answer cannot have a body.
func bodiless(a *Answer) bool {
	switch a.Status {
	case http.StatusNoContent, http.StatusResetContent, http.StatusNotModified:
		return true
	}
	return a.Method == http.MethodHead
}

// checkType refuses an answer of another media type than the declared ones.
func checkType(a *Answer, mediaTypes []string) error {
	if len(mediaTypes) == 0 || Match(a, mediaTypes...) >= 0 {
		return nil
	}
	got, _ := splitType(a.Header.Get("Content-Type"))
	return malformedf("content type is %.80q; want %s", got, strings.Join(mediaTypes, " or "))
}

func readJSON(a *Answer, dst any, mediaTypes []string, nullable bool) error {
	if bodiless(a) {
		return nil
	}
	if err := checkType(a, mediaTypes); err != nil {
		return err
	}
	body := bytes.TrimSpace(bytes.TrimPrefix(a.Body, []byte("\xef\xbb\xbf")))
	switch {
	case len(body) == 0:
		return malformedf("body is empty; want JSON")
	case string(body) == "null" && !nullable && !takesNull(reflect.TypeOf(dst).Elem()):
		return malformedf("body is null; want %s", goTypeName(reflect.TypeOf(dst).Elem()))
	}
	if err := json.Unmarshal(body, dst, decodeOptions); err != nil {
		return malformedJSON(err, dst)
	}
	return nil
}

// takesNull reports whether null is harmless for a type: servers write it for
// an empty list or map.
func takesNull(t reflect.Type) bool {
	return t.Kind() == reflect.Slice || t.Kind() == reflect.Map
}

func readText(a *Answer, dst any, mediaTypes []string) error {
	if bodiless(a) {
		return nil
	}
	if err := checkType(a, mediaTypes); err != nil {
		return err
	}
	text := string(a.Body)
	if isLatin1(a.Header.Get("Content-Type")) {
		text = fromLatin1(a.Body)
	}
	v := reflect.ValueOf(dst).Elem()
	switch base := deref(v.Type()); {
	case base.Kind() == reflect.String:
	case isStructured(base): // text of a list or an object can only be its JSON
		if err := json.Unmarshal([]byte(text), dst, decodeOptions); err != nil {
			return malformedJSON(err, dst)
		}
		return nil
	default:
		text = strings.TrimSpace(text) // a line end after a number is no part of it
	}
	if err := parseInto(v, text, Simple); err != nil {
		return &malformed{text: "body is no " + goTypeName(v.Type()), cause: err}
	}
	return nil
}

// isStructured reports whether a type is a list or an object that has no form
// of its own.
func isStructured(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Uint8
	case reflect.Map:
		return true
	case reflect.Struct:
		return !readsItself(t)
	}
	return false
}

// isLatin1 reports whether a media type names the one other charset that is
// met in the wild and reads without tables.
func isLatin1(contentType string) bool {
	_, params := splitType(contentType)
	params = strings.ToLower(params)
	return strings.Contains(params, "charset=iso-8859-1") || strings.Contains(params, `charset="iso-8859-1"`)
}

func fromLatin1(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

func readForm(a *Answer, dst any, mediaTypes []string) error {
	if bodiless(a) {
		return nil
	}
	if err := checkType(a, mediaTypes); err != nil {
		return err
	}
	values, err := url.ParseQuery(string(a.Body))
	if err != nil {
		return &malformed{text: "body is no form", cause: err}
	}
	if err := parseMembers(reflect.ValueOf(dst).Elem(), values); err != nil {
		return &malformed{text: "body is not the form that is declared", cause: err}
	}
	return nil
}
