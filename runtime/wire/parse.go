package wire

import (
	"encoding"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// HeaderValue reads a declared header of an answer into dst. An absent header
// leaves dst as it is. Its error names the header.
//
//	err := wire.HeaderValue(h, "X-Rate-Remaining", wire.Simple, &out.Remaining)
func HeaderValue[T any](h http.Header, name string, s Style, dst *T) error {
	v := reflect.ValueOf(dst).Elem()
	if lines := h["Set-Cookie"]; len(lines) > 0 && v.Type() == reflect.TypeFor[[]string]() && strings.EqualFold(name, "Set-Cookie") {
		v.Set(reflect.ValueOf(slices.Clone(lines))) // RFC 6265: the one header whose lines are no list
		return nil
	}
	return readHeader(h, name, func(text string) error { return parseInto(v, text, s) })
}

// HeaderContentValue is [HeaderValue] for a header with JSON content.
func HeaderContentValue[T any](h http.Header, name string, dst *T) error {
	return readHeader(h, name, func(text string) error {
		return json.Unmarshal([]byte(text), dst, decodeOptions)
	})
}

func readHeader(h http.Header, name string, read func(string) error) error {
	lines := h.Values(name)
	if len(lines) == 0 {
		return nil
	}
	text := lines[0]
	if len(lines) > 1 {
		text = strings.Join(lines, ",") // several lines are one list (RFC 9110)
	}
	if err := read(text); err != nil {
		return &malformed{text: fmt.Sprintf("header %q is not as declared", name), cause: err}
	}
	return nil
}

// deref is the type behind pointers.
func deref(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// parseInto reads the text that a parameter of style simple would have.
func parseInto(v reflect.Value, text string, s Style) error {
	switch dst := v.Addr().Interface().(type) {
	case *string:
		*dst = text
		return nil
	case *time.Time:
		return parseTime(dst, text)
	case json.UnmarshalerFrom, stdjson.Unmarshaler, encoding.TextUnmarshaler:
		return parseOwn(dst, text)
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		if err := parseInto(p.Elem(), text, s); err != nil {
			return err
		}
		v.Set(p)
		return nil
	case reflect.Slice:
		return parseList(v, text, s)
	case reflect.Map, reflect.Struct:
		return parseMembers(v, splitMembers(text, s))
	default:
		return parseScalar(v, text)
	}
}

func parseTime(dst *time.Time, text string) error {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		var httpErr error
		if t, httpErr = http.ParseTime(text); httpErr != nil { // Last-Modified and its like
			return err
		}
	}
	*dst = t
	return nil
}

// parseOwn reads text into a type that reads JSON by itself: as the number or
// boolean that it looks like, else as a string.
func parseOwn(dst any, text string) error {
	switch v := jsontext.Value(text); v.Kind() {
	case '0', 't', 'f', 'n':
		if v.IsValid() && json.Unmarshal(v, dst, decodeOptions) == nil {
			return nil
		}
	}
	quoted, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return err
	}
	return json.Unmarshal(quoted, dst, decodeOptions)
}

func parseScalar(v reflect.Value, text string) error {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(strings.ToLower(text))
		if err != nil {
			return err
		}
		v.SetBool(b)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, v.Type().Bits())
		if err != nil {
			return err
		}
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, err := strconv.ParseUint(text, 10, v.Type().Bits())
		if err != nil {
			return err
		}
		v.SetUint(n)
	case reflect.Float32, reflect.Float64:
		f, err := strconv.ParseFloat(text, v.Type().Bits())
		if err != nil {
			return err
		}
		v.SetFloat(f)
	default:
		return fmt.Errorf("a %s has no text form", v.Kind())
	}
	return nil
}

func parseList(v reflect.Value, text string, s Style) error {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return parseOwn(v.Addr().Interface(), text) // base64
	}
	items := reflect.MakeSlice(v.Type(), 0, 4)
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue // RFC 9110: empty elements do not count
		}
		e := reflect.New(v.Type().Elem()).Elem()
		if err := parseInto(e, item, s); err != nil {
			return err
		}
		items = reflect.Append(items, e)
	}
	v.Set(items)
	return nil
}

// splitMembers cuts "a,1,b,2", or "a=1,b=2" with Explode.
func splitMembers(text string, s Style) map[string][]string {
	members := map[string][]string{}
	name, haveName := "", false
	for piece := range strings.SplitSeq(text, ",") {
		piece = strings.TrimSpace(piece)
		switch {
		case s.has(Explode):
			k, v, _ := strings.Cut(piece, "=")
			members[k] = append(members[k], v)
		case haveName:
			members[name] = append(members[name], piece)
			haveName = false
		default:
			name, haveName = piece, true
		}
	}
	return members
}

// parseMembers reads members into a map or into the fields of a struct;
// members that have no field are left out, as in JSON.
func parseMembers(v reflect.Value, members map[string][]string) error {
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		v.Set(p)
		return parseMembers(p.Elem(), members)
	case reflect.Map:
		if v.Type().Key().Kind() != reflect.String {
			return errors.New("keys are no strings")
		}
		v.Set(reflect.MakeMapWithSize(v.Type(), len(members)))
		for name, texts := range members {
			e := reflect.New(v.Type().Elem()).Elem()
			if err := parseTexts(e, texts); err != nil {
				return err
			}
			v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), e)
		}
		return nil
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			texts, ok := members[name]
			if !ok || name == "" || name == "-" {
				continue // absent, or no member of its own
			}
			if err := parseTexts(v.Field(i), texts); err != nil {
				return fmt.Errorf("member %q: %w", name, err)
			}
		}
		return nil
	default:
		return fmt.Errorf("a %s has no members", v.Kind())
	}
}

// parseTexts reads the texts of one name: all of them if it is a list.
func parseTexts(v reflect.Value, texts []string) error {
	if v.Kind() != reflect.Slice || len(texts) < 2 {
		return parseInto(v, texts[0], Simple)
	}
	items := reflect.MakeSlice(v.Type(), len(texts), len(texts))
	for i, text := range texts {
		if err := parseInto(items.Index(i), text, Simple); err != nil {
			return err
		}
	}
	v.Set(items)
	return nil
}
