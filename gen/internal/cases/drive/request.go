package drive

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	rt "github.com/resgen-dev/resgen/runtime"
)

// fill sets the fields and the body of a request struct.
func fill(req reflect.Value, c Call) error {
	for _, f := range c.Fields {
		field := req.FieldByName(f.Field)
		if !field.IsValid() {
			return fmt.Errorf("the request struct has no field %s", f.Field)
		}
		if err := json.Unmarshal(f.JSON, field.Addr().Interface()); err != nil {
			return fmt.Errorf("%s: %w", f.Field, err)
		}
	}
	if c.Body == nil {
		return nil
	}
	field := req.FieldByName(c.Body.Field)
	if !field.IsValid() {
		return fmt.Errorf("the request struct has no body field %q", c.Body.Field)
	}
	return setBody(field, c.Body)
}

func setBody(field reflect.Value, b *Body) error {
	switch {
	case b.Parts != nil:
		return setParts(made(field), b.Parts)
	case b.JSON != nil:
		return json.Unmarshal(b.JSON, field.Addr().Interface())
	case b.Text != nil:
		return setText(field, *b.Text, b.Type)
	}
	return setBytes(field, b.Bytes, "", b.Type)
}

// made is the value behind a field, made where the field is a nil pointer.
func made(field reflect.Value) reflect.Value {
	for field.Kind() == reflect.Pointer {
		if field.IsNil() {
			field.Set(reflect.New(field.Type().Elem()))
		}
		field = field.Elem()
	}
	return field
}

// setText sets a scalar from its text.
func setText(field reflect.Value, text, mediaType string) error {
	switch made(field).Interface().(type) {
	case rt.File, rt.Body:
		return setBytes(field, []byte(text), "", mediaType)
	}
	if err := json.Unmarshal([]byte(quote(text)), field.Addr().Interface()); err == nil {
		return nil
	}
	return json.Unmarshal([]byte(text), field.Addr().Interface())
}

func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		return strconv.Quote(text)
	}
	return string(b)
}

// setBytes sets binary content.
func setBytes(field reflect.Value, b []byte, name, mediaType string) error {
	v := made(field)
	switch v.Interface().(type) {
	case rt.File:
		v.Set(reflect.ValueOf(rt.File{Name: name, ContentType: mediaType, Content: rt.Bytes(b)}))
	case rt.Body:
		v.Set(reflect.ValueOf(rt.Bytes(b)))
	case []byte:
		v.SetBytes(b)
	default:
		return fmt.Errorf("a field of type %s takes no bytes", v.Type())
	}
	return nil
}

// setParts sets the fields of a multipart body, each from the parts of its name.
func setParts(body reflect.Value, parts []Part) error {
	for _, p := range parts {
		field, err := fieldByWire(body, p.Name)
		if err != nil {
			return err
		}
		target := made(field)
		_, isBytes := target.Interface().([]byte)
		if target.Kind() == reflect.Slice && !isBytes {
			target.Set(reflect.Append(target, reflect.Zero(target.Type().Elem())))
			target = target.Index(target.Len() - 1)
		}
		if err := setPart(target, p); err != nil {
			return fmt.Errorf("part %s: %w", p.Name, err)
		}
	}
	return nil
}

func setPart(target reflect.Value, p Part) error {
	name := ""
	if p.Filename != nil {
		name = *p.Filename
	}
	switch {
	case p.JSON != nil:
		return json.Unmarshal(p.JSON, target.Addr().Interface())
	case p.Text != nil && p.Filename == nil:
		return setText(target, *p.Text, p.Type)
	case p.Text != nil:
		return setBytes(target, []byte(*p.Text), name, p.Type)
	}
	return setBytes(target, p.Bytes, name, p.Type)
}

// fieldByWire finds the field that a JSON name stands for.
func fieldByWire(v reflect.Value, wire string) (reflect.Value, error) {
	if v.Kind() != reflect.Struct {
		return reflect.Value{}, fmt.Errorf("a body of type %s has no parts", v.Type())
	}
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		if strings.HasPrefix(name, "'") {
			if unquoted, err := strconv.Unquote("\"" + strings.Trim(name, "'") + "\""); err == nil {
				name = unquoted
			}
		}
		if name == wire {
			return v.Field(i), nil
		}
	}
	return reflect.Value{}, fmt.Errorf("%s has no field for %q", v.Type(), wire)
}
