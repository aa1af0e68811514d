package wire

import (
	"fmt"
	"net/http"
)

// A DeclaredError is an error answer that is as the spec declares it.
// errors.As finds it, and E or *E themselves where they are errors. Header and
// raw body are in the [rt.CallError] around it.
type DeclaredError[E any] struct {
	Status int
	Value  E
}

// Error names the status. The value's own text is left out: it is the
// server's, and may hold anything.
func (e *DeclaredError[E]) Error() string { return statusText(e.Status) }

// As gives E and *E to errors.As.
func (e *DeclaredError[E]) As(target any) bool {
	switch t := target.(type) {
	case *E:
		*t = e.Value
	case **E:
		*t = &e.Value
	default:
		return false
	}
	return true
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return fmt.Sprintf("status %d %s", status, text)
	}
	return fmt.Sprintf("status %d", status)
}

// DecodeError reads a JSON error answer as a [*DeclaredError]. Where the body
// is not what is declared, or there is none, the error is that of
// [rt.Answer.Unexpected] with the reason. A 2xx, which a default response may
// describe, is malformed besides.
func DecodeError[E any](a *Answer, mediaTypes ...string) error {
	e := &DeclaredError[E]{Status: a.Status}
	return declared(a, e, readJSON(a, any(&e.Value), mediaTypes, false))
}

// DecodeTextError is [DecodeError] for text answers.
func DecodeTextError[E any](a *Answer, mediaTypes ...string) error {
	e := &DeclaredError[E]{Status: a.Status}
	return declared(a, e, readText(a, any(&e.Value), mediaTypes))
}

func declared(a *Answer, typed, err error) error {
	switch {
	case err != nil:
		unexpected := a.Unexpected() // err is not wrapped: the class of an error answer is its status's
		return &refusal{words: err.Error(), text: fmt.Sprintf("%v (%v)", unexpected, err), cause: unexpected}
	case bodiless(a):
		return a.Unexpected()
	case a.Status/100 == 2:
		return fmt.Errorf("%w (%w)", a.Unexpected(), typed)
	default:
		return typed
	}
}
