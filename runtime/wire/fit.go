package wire

import (
	"encoding"
	"encoding/base64"
	stdjson "encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A fit says how well a JSON value fits a Go type.
type fit struct {
	ok      bool // it can be decoded
	certain bool // what is decoded surely encodes to the same again
	missing int  // required members that are not there
	unknown int  // members that the type drops
	foreign int  // values that no enum lists
}

func (f fit) better(than fit) bool {
	if a, b := f.missing+f.foreign, than.missing+than.foreign; a != b {
		return a < b
	}
	return f.unknown < than.unknown
}

// with adds what is found deeper.
func (f fit) with(inner fit) fit {
	return fit{
		ok:      f.ok && inner.ok,
		certain: f.certain && inner.certain,
		missing: f.missing + inner.missing,
		unknown: f.unknown + inner.unknown,
	}
}

var (
	misfit  = fit{}
	fits    = fit{ok: true, certain: true}
	perhaps = fit{ok: true}
)

func fitsIf(ok bool) fit {
	if ok {
		return fits
	}
	return misfit
}

var (
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonUnmarshaler = reflect.TypeFor[stdjson.Unmarshaler]()
	fromUnmarshaler = reflect.TypeFor[json.UnmarshalerFrom]()
)

// readsItself reports whether a type decodes JSON by methods of its own.
func readsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(fromUnmarshaler) || p.Implements(jsonUnmarshaler) || p.Implements(textUnmarshaler)
}

// fitInto compares a value with a type, all the way down except into types
// that read themselves and have no members.
func fitInto(v tree, t reflect.Type) fit {
	if t.Kind() == reflect.Pointer {
		if v.kind == 'n' {
			return fits
		}
		return fitInto(v, t.Elem())
	}
	s := shapeOf(t)
	switch {
	case v.kind == '{' && s.members != nil:
		return s.fit(v)
	case s.own:
		return fitOwn(v, t)
	case v.kind == 'n':
		return perhaps // decodes to the zero value
	}
	switch t.Kind() {
	case reflect.String:
		return fitsIf(v.kind == '"')
	case reflect.Bool:
		return fitsIf(v.kind == 't' || v.kind == 'f')
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		_, err := strconv.ParseInt(v.text, 10, t.Bits())
		return fitsIf(v.kind == '0' && err == nil)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		_, err := strconv.ParseUint(v.text, 10, t.Bits())
		return fitsIf(v.kind == '0' && err == nil)
	case reflect.Float32, reflect.Float64:
		return fitFloat(v, t.Bits())
	case reflect.Slice:
		return fitList(v, t)
	case reflect.Map:
		return fitMap(v, t)
	default:
		return misfit
	}
}

func fitFloat(v tree, bits int) fit {
	f, err := strconv.ParseFloat(v.text, bits)
	if v.kind != '0' || err != nil || math.IsInf(f, 0) {
		return misfit
	}
	if decimalOf(v.text) != decimalOf(string(appendFloat(nil, f, bits))) {
		return perhaps // digits are lost
	}
	return fits
}

func fitList(v tree, t reflect.Type) fit {
	if t.Elem().Kind() == reflect.Uint8 {
		_, err := base64.StdEncoding.DecodeString(v.text)
		return fitsIf(v.kind == '"' && err == nil)
	}
	if v.kind != '[' {
		return misfit
	}
	all := fits
	for _, item := range v.items {
		all = all.with(fitInto(item, t.Elem()))
	}
	return all
}

func fitMap(v tree, t reflect.Type) fit {
	if v.kind != '{' {
		return misfit
	}
	all := fits
	for _, item := range v.items {
		all = all.with(fitInto(item, t.Elem()))
	}
	return all
}

// fitOwn asks a type that reads itself. Lists and objects it is trusted with:
// asking would read all that is below once more.
func fitOwn(v tree, t reflect.Type) fit {
	if v.kind == '[' || v.kind == '{' {
		if reflect.PointerTo(t).Implements(textUnmarshaler) {
			return misfit
		}
		return perhaps
	}
	return fit{ok: json.Unmarshal(v.scalarJSON(), reflect.New(t).Interface(), decodeOptions) == nil}
}

// scalarJSON writes a scalar, or null, as JSON.
func (t tree) scalarJSON() []byte {
	switch t.kind {
	case 'n':
		return []byte("null")
	case '"':
		b, _ := jsontext.AppendQuote(nil, t.text) // what was read can be written
		return b
	default:
		return []byte(t.text)
	}
}

// A shape is what a Go type says of the JSON it takes.
type shape struct {
	own     bool                   // it reads itself
	members map[string]shapeMember // of a struct with members; else nil
	extra   reflect.Type           // type of further members; nil: they are dropped
}

type shapeMember struct {
	typ      reflect.Type
	required bool
}

// takesNull reports whether null is no mere absence of the member.
func (m shapeMember) takesNull() bool {
	return m.typ.Kind() == reflect.Pointer || takesNull(m.typ) || readsItself(m.typ)
}

var shapes sync.Map // reflect.Type -> *shape

func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s := &shape{own: readsItself(t)}
	if t.Kind() == reflect.Struct {
		s.readFields(t)
	}
	shapes.Store(t, s)
	return s
}

// readFields reads the tags of generated structs: each member has a name, and
// those that may be left out are omitzero, or
// omitempty.
func (s *shape) readFields(t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, tagged := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case strings.Contains(options, "inline") && f.Type.Kind() == reflect.Map:
			s.extra = f.Type.Elem()
		case !tagged && name == "", name == "-", !f.IsExported():
			continue // no member
		default:
			if s.members == nil {
				s.members = map[string]shapeMember{}
			}
			s.members[memberName(name, f.Name)] = shapeMember{f.Type, !strings.Contains(options, "omit")}
		}
	}
	if s.extra != nil && s.members == nil {
		s.members = map[string]shapeMember{}
	}
	if t.NumField() == 0 && !s.own {
		s.members = map[string]shapeMember{}
	}
}

// memberName undoes the quotes that names with commas and the like need.
func memberName(tag, field string) string {
	if tag == "" {
		return field
	}
	if len(tag) >= 2 && tag[0] == '\'' && tag[len(tag)-1] == '\'' {
		if name, err := strconv.Unquote(`"` + strings.ReplaceAll(tag[1:len(tag)-1], `"`, `\"`) + `"`); err == nil {
			return name
		}
	}
	return tag
}

// fit compares an object with the members.
func (s *shape) fit(v tree) fit {
	all := fits
	index := v.index()
	for i, name := range v.names {
		if last, _ := index.find(name); last != i {
			all.certain = false // a duplicate: the last one counts
			continue
		}
		m, known := s.members[name]
		switch {
		case known && v.items[i].kind == 'n' && m.typ.Kind() == reflect.Pointer && !m.required:
			all = all.with(perhaps) // decodes to nil, which is left out
		case known && v.items[i].kind == 'n' && m.required && !m.takesNull():
			all.missing++
			all.certain = false
		case known:
			all = all.with(fitInto(v.items[i], m.typ))
		case s.extra != nil:
			all = all.with(fitInto(v.items[i], s.extra))
		default:
			all.unknown++
			all.certain = false
		}
	}
	for name, m := range s.members {
		if _, there := index.find(name); m.required && !there {
			all.missing++
			all.certain = false
		}
	}
	return all
}

// takesKind reports whether a type can take a JSON value of a kind at all.
func takesKind(t reflect.Type, kind jsontext.Kind) bool {
	s := shapeOf(t)
	if s.members != nil {
		return kind == '{'
	}
	if s.own {
		return true
	}
	switch t.Kind() {
	case reflect.String:
		return kind == '"'
	case reflect.Bool:
		return kind == 't' || kind == 'f'
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return kind == '"'
		}
		return kind == '['
	case reflect.Map:
		return kind == '{'
	default:
		return kind == '0'
	}
}
