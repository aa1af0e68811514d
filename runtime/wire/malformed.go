package wire

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	rt "github.com/resgen-dev/resgen/runtime"
)

// A malformed is an answer that is not what was declared. Its text says where
// and what was wanted, but holds nothing of the answer's values: errors end up
// in logs. The decoder's own error, which may, is what it wraps.
type malformed struct {
	text  string
	cause error // or nil
}

func (m *malformed) Error() string { return rt.ErrMalformed.Error() + ": " + m.text }

// Worded is the text that may stand in the message of an [rt.CallError].
func (m *malformed) Worded() string { return m.Error() }

// Is finds rt.ErrMalformed.
func (m *malformed) Is(target error) bool { return target == rt.ErrMalformed }

// Unwrap gives the decoder's error.
func (m *malformed) Unwrap() error { return m.cause }

func malformedf(format string, args ...any) error {
	return &malformed{text: fmt.Sprintf(format, args...)}
}

// malformedJSON words the error of a decoder, given dst.
func malformedJSON(err error, dst any) error {
	var (
		semantic *json.SemanticError
		syntax   *jsontext.SyntacticError
	)
	switch {
	case errors.As(err, &semantic):
		text := "body"
		if semantic.JSONPointer != "" {
			text += " at " + placeIn(dst, semantic.JSONPointer)
		}
		if semantic.JSONKind != 0 {
			text += " is " + kindName(semantic.JSONKind)
		} else {
			text += " cannot be read"
		}
		if semantic.GoType != nil {
			text += "; want " + goTypeName(semantic.GoType)
		}
		return &malformed{text: text, cause: err}
	case errors.As(err, &syntax):
		return &malformed{text: fmt.Sprintf("body is no JSON from byte %d on", syntax.ByteOffset), cause: err}
	default:
		return &malformed{text: "body cannot be read as JSON", cause: err}
	}
}

// kindName words a JSON kind.
func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{', '}':
		return "an object"
	case '[', ']':
		return "a list"
	default:
		return "no JSON"
	}
}

// goTypeName words a Go type: the last part of its name, or its kind.
func goTypeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Slice:
		return "a list"
	case t.Kind() == reflect.Map:
		return "an object"
	case t.Name() == "":
		return t.Kind().String()
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}
