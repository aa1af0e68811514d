package runtime

import (
	"bytes"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// keyInBody returns a JSON body with key at pointer, in place of what stands
// there. Objects that are missing on the way are made, items of a list are not.
// Everything else stays as it is, byte for byte.
func keyInBody(body []byte, pointer, key string) ([]byte, error) {
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i := range parts {
		parts[i] = unescapePointer(parts[i])
	}
	quoted, err := jsontext.AppendQuote(nil, key)
	if err != nil {
		return nil, err
	}
	value := jsontext.Value(bytes.TrimSpace(body))
	if !value.IsValid(jsontext.AllowDuplicateNames(true)) {
		return nil, wordedf(ErrInput, "idempotency key at %s: the body is not JSON", pointer)
	}
	out, err := setMember(value, parts, quoted)
	switch {
	case errors.Is(err, errNoPlace):
		return nil, wordedf(ErrInput, "idempotency key at %s: the body has no such place; want an object or a list that is long enough around it", pointer)
	case err != nil: // its text holds some of the body
		return nil, wordedf(ErrInput, "idempotency key at %s: it cannot be placed in the body", pointer)
	}
	return out, nil
}

var errNoPlace = errors.New("no object or list around it")

// setMember returns object with value at parts. It may be a list, if it has
// the item that parts names.
func setMember(object jsontext.Value, parts []string, value []byte) ([]byte, error) {
	switch object.Kind() {
	case '{':
	case '[':
		return setItem(object, parts, value)
	default:
		return nil, errNoPlace
	}
	start, end, members, err := findMember(object, parts[0])
	if err != nil {
		return nil, err
	}
	if start >= 0 {
		inner := value
		if len(parts) > 1 {
			if inner, err = setMember(object[start:end], parts[1:], value); err != nil {
				return nil, err
			}
		}
		return join(object[:start], inner, object[end:]), nil
	}
	for i := len(parts) - 1; i > 0; i-- { // make what is missing
		name, err := jsontext.AppendQuote(nil, parts[i])
		if err != nil {
			return nil, err
		}
		value = join([]byte{'{'}, name, []byte{':'}, value, []byte{'}'})
	}
	name, err := jsontext.AppendQuote(nil, parts[0])
	if err != nil {
		return nil, err
	}
	closing := len(object) - 1
	comma := []byte{','}
	if members == 0 {
		comma = nil
	}
	return join(object[:closing], comma, name, []byte{':'}, value, object[closing:]), nil
}

// setItem returns list with value at parts, of which the first is an index.
func setItem(list jsontext.Value, parts []string, value []byte) ([]byte, error) {
	at, ok := index(parts[0])
	d := jsontext.NewDecoder(bytes.NewReader(list), jsontext.AllowDuplicateNames(true))
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	for i := 0; d.PeekKind() != ']'; i++ {
		item, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		if !ok || i != at {
			continue
		}
		end := int(d.InputOffset())
		start := end - len(item)
		if len(parts) > 1 {
			if value, err = setMember(list[start:end], parts[1:], value); err != nil {
				return nil, err
			}
		}
		return join(list[:start], value, list[end:]), nil
	}
	return nil, errNoPlace
}

// findMember returns where the value of a member stands within object, or -1,
// and the number of members.
func findMember(object jsontext.Value, name string) (start, end, members int, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true))
	if _, err := d.ReadToken(); err != nil {
		return -1, -1, 0, err
	}
	start, end = -1, -1
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return -1, -1, 0, err
		}
		found := token.String() == name
		value, err := d.ReadValue()
		if err != nil {
			return -1, -1, 0, err
		}
		members++
		if found {
			end = int(d.InputOffset())
			start = end - len(value)
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return -1, -1, 0, err
	}
	return start, end, members, nil
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
