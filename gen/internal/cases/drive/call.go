package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	rt "github.com/resgen-dev/resgen/runtime"
)

// call makes one call and observes it.
func (p Package) call(srv *server, c Call) (o Observation) {
	defer func() {
		if r := recover(); r != nil {
			o.Setup = fmt.Sprintf("panic: %v", r)
		}
	}()
	srv.next(c.Answer)
	method, ok := p.Operations[c.Operation]
	if !ok {
		return Observation{Setup: "the client has no operation " + c.Operation}
	}
	client, err := p.client(srv, c)
	if err != nil {
		return refused(err)
	}
	fn := reflect.ValueOf(method)
	args := []reflect.Value{client, reflect.ValueOf(context.Background())}
	if takesRequest(fn.Type()) {
		req := reflect.New(fn.Type().In(2)).Elem()
		if err := fill(req, c); err != nil {
			return refused(err)
		}
		args = append(args, req)
	} else if len(c.Fields) > 0 || c.Body != nil {
		return Observation{Setup: "the method takes no request, and there are arguments"}
	}
	if c.Key {
		args = append(args, reflect.ValueOf(rt.Key{Value: "case-key"}))
	}
	var info rt.Info
	args = append(args, reflect.ValueOf(rt.WithoutRetry()), reflect.ValueOf(rt.WithInfo(&info)))
	out := fn.Call(args)
	o = p.observe(c, out, &info)
	o.Request = srv.request()
	return o
}

// refused is what a caller sees whose arguments do not fit the types.
func refused(err error) Observation {
	return Observation{Class: "input", Error: err.Error()}
}

// takesRequest reports whether a method expression's argument behind client
// and context is a request struct.
func takesRequest(fn reflect.Type) bool {
	return fn.NumIn() > 3 && fn.In(2).Kind() == reflect.Struct && fn.In(2) != reflect.TypeFor[rt.Key]()
}

// client makes a client for one call.
func (p Package) client(srv *server, c Call) (reflect.Value, error) {
	fn := reflect.ValueOf(p.NewClient)
	cfg := reflect.New(fn.Type().In(0)).Elem()
	if err := p.configure(cfg, srv, c); err != nil {
		return reflect.Value{}, err
	}
	out := fn.Call([]reflect.Value{cfg})
	if err, _ := out[1].Interface().(error); err != nil {
		return reflect.Value{}, err
	}
	return out[0], nil
}

func (p Package) configure(cfg reflect.Value, srv *server, c Call) error {
	cfg.FieldByName("Transport").Set(reflect.ValueOf(srv))
	switch {
	case c.BaseURL:
		cfg.FieldByName("BaseURL").SetString(srv.http.URL)
	case c.Document != "":
		field := cfg.FieldByName("DocumentURL")
		if !field.IsValid() {
			field = cfg.FieldByName("BaseURL")
		}
		field.SetString(c.Document)
	}
	if c.Server != nil {
		zero, ok := p.Servers[c.Server.Type]
		if !ok {
			return fmt.Errorf("no server type %s", c.Server.Type)
		}
		v := reflect.New(reflect.TypeOf(zero)).Elem()
		for name, value := range c.Server.Fields {
			v.FieldByName(name).SetString(value)
		}
		serverField(cfg, c.Server.Type).Set(v)
	}
	for _, a := range c.Auth {
		field := cfg.FieldByName("Auth").FieldByName(a.Field)
		if a.Basic {
			field.Set(reflect.ValueOf(rt.BasicCredentials{User: a.User, Password: a.Password}))
			continue
		}
		if field.Type() == reflect.TypeFor[rt.Authorizer]() {
			field.Set(reflect.ValueOf(wholeAuthorization(a.Token)))
			continue
		}
		field.Set(reflect.ValueOf(rt.StaticToken(a.Token)))
	}
	return nil
}

// A wholeAuthorization is the text of an Authorization header, for schemes
// that only the caller can write.
type wholeAuthorization string

// Authorize sets the header.
func (w wholeAuthorization) Authorize(_ context.Context, r *http.Request) error {
	r.Header.Set("Authorization", string(w))
	return nil
}

// serverField is the field of Config that chooses among the servers that a type
// belongs to: Server, or ReadBlobServer for ServerReadBlobFiles.
func serverField(cfg reflect.Value, typeName string) reflect.Value {
	best := "Server"
	for i := range cfg.NumField() {
		name := cfg.Type().Field(i).Name
		stem, ok := strings.CutSuffix(name, "Server")
		if ok && strings.HasPrefix(typeName, "Server"+stem) && len(name) > len(best) {
			best = name
		}
	}
	return cfg.FieldByName(best)
}

// observe reads what the method returned.
func (p Package) observe(c Call, out []reflect.Value, info *rt.Info) (o Observation) {
	o.Status = info.Status
	err, _ := out[len(out)-1].Interface().(error)
	if err != nil {
		p.observeError(&o, c, err)
		return o
	}
	o.OK = true
	if c.Headers != "" {
		o.Headers = p.headers(c.Headers, info.Header)
	}
	if len(out) > 1 {
		if err := o.result(out[0]); err != nil {
			o.OK, o.Class, o.Error = false, "decode", err.Error()
		}
	}
	return o
}

// result encodes a result again, or reads it to its end.
func (o *Observation) result(v reflect.Value) error {
	switch x := v.Interface().(type) {
	case io.ReadCloser:
		if v.IsNil() {
			return nil
		}
		defer x.Close()
		b, err := io.ReadAll(x)
		o.Bytes, o.IsBytes = b, true
		return err
	case []byte: // raw content, or base64 text of JSON: the expectation says which
		b, err := json.Marshal(x)
		o.Bytes, o.IsBytes, o.JSON = x, true, b
		return err
	}
	if all := v.MethodByName("All"); all.IsValid() {
		return o.events(all.Call(nil)[0])
	}
	s := reflect.Indirect(v)
	if s.Kind() == reflect.Struct && s.FieldByName("Status").Kind() == reflect.Int && v.Kind() == reflect.Pointer && isResult(s) {
		for i := range s.NumField() {
			f := s.Field(i)
			if f.Type().Kind() != reflect.Int && !f.IsZero() {
				return o.result(f)
			}
		}
		return nil
	}
	o.Types = typeNames(v)
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer:
		if v.IsNil() {
			o.JSON = []byte("null") // as encoding/json writes it
			return nil
		}
	}
	b, err := json.Marshal(v.Interface())
	o.JSON = b
	return err
}

// isResult reports whether a struct is a result struct rather than a model: its
// fields have no JSON names.
func isResult(s reflect.Value) bool {
	for i := range s.NumField() {
		if _, ok := s.Type().Field(i).Tag.Lookup("json"); ok {
			return false
		}
	}
	return true
}

// events reads a sequence of events or lines to its end.
func (o *Observation) events(seq reflect.Value) error {
	var failed error
	yield := reflect.MakeFunc(seq.Type().In(0), func(args []reflect.Value) []reflect.Value {
		if err, _ := args[1].Interface().(error); err != nil {
			failed = err
			return []reflect.Value{reflect.ValueOf(false)}
		}
		e, data := Event{}, args[0]
		if data.Kind() == reflect.Struct && data.FieldByName("Data").IsValid() && data.FieldByName("Raw").IsValid() {
			e.ID, e.Event = data.FieldByName("ID").String(), data.FieldByName("Name").String()
			data = data.FieldByName("Data")
		}
		b, err := json.Marshal(data.Interface())
		if err != nil {
			failed = err
			return []reflect.Value{reflect.ValueOf(false)}
		}
		e.Data = b
		o.Events = append(o.Events, e)
		return []reflect.Value{reflect.ValueOf(true)}
	})
	seq.Call([]reflect.Value{yield})
	return failed
}

// typeNames are the names of a value's type and, for a union, of the variant
// that is set.
func typeNames(v reflect.Value) []string {
	v = reflect.Indirect(v)
	if !v.IsValid() {
		return nil
	}
	out := []string{v.Type().Name()}
	if v.Kind() != reflect.Struct || !v.FieldByName("Raw").IsValid() {
		return out
	}
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Pointer && !f.IsNil() {
			out = append(out, v.Type().Field(i).Name)
			out = append(out, typeNames(f)...)
		}
	}
	return out
}

func (p Package) observeError(o *Observation, c Call, err error) {
	o.Error = err.Error()
	var call *rt.CallError
	if !errors.As(err, &call) {
		o.Class = "not a CallError"
		return
	}
	o.Status = call.Status
	o.Bytes = call.Body
	switch {
	case call.Class == rt.ClassInput || call.Class == rt.ClassAuth:
		o.Class = "input"
	case call.Class == rt.ClassMalformed:
		o.Class = "decode"
	case call.Status != 0:
		o.Class = "status"
	default:
		o.Class = call.Class.String()
	}
	if c.Headers != "" && call.Header != nil {
		o.Headers = p.headers(c.Headers, call.Header)
	}
	if typed := declared(err); typed.IsValid() {
		o.Types = typeNames(typed)
		if b, err := json.Marshal(typed.Interface()); err == nil {
			o.JSON = b
		}
	}
}

// declared is the value of the declared error within err: the Value of a
// DeclaredError.
func declared(err error) reflect.Value {
	v := reflect.Indirect(reflect.ValueOf(err))
	if v.Kind() == reflect.Struct && v.NumField() == 2 && v.FieldByName("Status").IsValid() && v.FieldByName("Value").IsValid() {
		return v.FieldByName("Value")
	}
	var below []error
	switch x := err.(type) {
	case interface{ Unwrap() error }:
		below = []error{x.Unwrap()}
	case interface{ Unwrap() []error }:
		below = x.Unwrap()
	}
	for _, e := range slices.DeleteFunc(below, func(e error) bool { return e == nil }) {
		if found := declared(e); found.IsValid() {
			return found
		}
	}
	return reflect.Value{}
}

// headers are the typed headers by their Go names, as JSON.
func (p Package) headers(reader string, h http.Header) []byte {
	fn, ok := p.Headers[reader]
	if !ok {
		return nil
	}
	out := reflect.ValueOf(fn).Call([]reflect.Value{reflect.ValueOf(h)})
	if err, _ := out[1].Interface().(error); err != nil {
		return nil
	}
	fields := map[string]any{}
	s := reflect.Indirect(out[0])
	for i := range s.NumField() {
		if f := s.Field(i); !f.IsZero() {
			fields[s.Type().Field(i).Name] = f.Interface()
		}
	}
	b, err := json.Marshal(fields)
	if err != nil {
		return nil
	}
	return b
}
