package wire

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A refusal is why a request is not sent, or an answer not taken. Its words
// name places and what was wanted, never a value of the caller's or the
// server's, so that they may stand in a log. What it wraps may hold one.
type refusal struct {
	words string
	text  string // longer than words; empty: words
	cause error  // or nil
}

func (r *refusal) Error() string {
	if r.text != "" {
		return r.text
	}
	return r.words
}

// Worded is the text that may stand in the message of an [rt.CallError].
func (r *refusal) Worded() string { return r.words }

func (r *refusal) Unwrap() error { return r.cause }

// refused makes a refusal of words alone.
func refused(format string, args ...any) error {
	return &refusal{words: fmt.Sprintf(format, args...)}
}

// notEncoded words the error of an encoder, given v.
func notEncoded(err error, v any) error {
	words := "value"
	var semantic *json.SemanticError
	var syntax *jsontext.SyntacticError
	if errors.As(err, &semantic) {
		if semantic.JSONPointer != "" {
			words += " at " + placeIn(v, semantic.JSONPointer)
		}
	}
	var inner *refusal
	switch {
	case errors.As(err, &inner):
		words += ": " + inner.words
	case errors.As(err, &syntax):
		words += " is not UTF-8; want text"
		if syntax.JSONPointer != "" {
			words = "value at " + placeIn(v, syntax.JSONPointer) + " is not UTF-8; want text"
		}
	case semantic != nil && semantic.GoType != nil:
		words += " is a " + goTypeName(semantic.GoType) + " that JSON has no form for"
	default:
		words += " cannot be encoded"
	}
	if !utf8.ValidString(words) {
		words = "value cannot be encoded"
	}
	return &refusal{words: words, text: words + " (" + err.Error() + ")", cause: err}
}
