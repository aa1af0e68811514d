package gen

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/document"
)

// fields are the members that a map of resgen.yaml may have, each with what
// reads it.
type fields map[string]func(document.Node)

// members reads a map: unknown and repeated keys are errors.
func (r *configReader) members(n document.Node, path string, known fields) {
	seen := map[string]bool{}
	for key, value := range n.Members() {
		name := key.Text()
		full := strings.TrimPrefix(path+"."+name, ".")
		read, ok := known[name]
		switch {
		case !ok:
			d := r.ds.Errorf(key.Pos(), "unknown-key", "%s is not known; want one of %s", full, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
			if near := nearWord(name, slices.Sorted(maps.Keys(known))); near != "" {
				d.WithHint("write %s", near)
			}
		case seen[name]:
			r.ds.Errorf(key.Pos(), "config", "%s is there twice; want it once", full)
		default:
			read(value)
		}
		seen[name] = true
	}
}

func (r *configReader) text(v document.Node, path string) string {
	if v.Kind() != document.Text || v.Text() == "" {
		r.ds.Errorf(v.Pos(), "config", "%s is %s; want text", path, shown(v))
		return ""
	}
	return v.Text()
}

func (r *configReader) texts(v document.Node, path string) []string {
	if v.Kind() != document.List {
		r.ds.Errorf(v.Pos(), "config", "%s is %s; want a list", path, shown(v)).WithHint("write [%s]", v.Text())
		return nil
	}
	var out []string
	i := 0
	for item := range v.Items() {
		if s := r.text(item, path+"["+strconv.Itoa(i)+"]"); s != "" {
			out = append(out, s)
		}
		i++
	}
	return out
}

func (r *configReader) boolean(v document.Node, path string) bool {
	if v.Kind() != document.Bool {
		r.ds.Errorf(v.Pos(), "config", "%s is %s; want true or false", path, shown(v))
	}
	return v.Text() == "true"
}

// shown is a value as messages name it: scalars as written, the rest by kind.
func shown(v document.Node) string {
	switch v.Kind() {
	case document.Text:
		return strconv.Quote(v.Text())
	case document.Number, document.Bool:
		return v.Text()
	case document.List:
		if v.Len() == 0 {
			return "an empty list"
		}
		return "a list"
	case document.Map, document.Null, document.Absent:
		return v.Kind().String()
	}
	panic("gen: node kind " + v.Kind().String() + " not handled")
}

// orFile is the position, or the file's beginning where there is none.
func orFile(pos diag.Pos, file string) diag.Pos {
	if pos.IsValid() {
		return pos
	}
	return diag.Pos{File: file}
}

// reason is the part of a file error that does not repeat the path.
func reason(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

// article puts "a" or "an" before a word.
func article(what string) string {
	if strings.ContainsRune("aeiouAEIOU", rune(what[0])) {
		return "an " + what
	}
	return "a " + what
}
