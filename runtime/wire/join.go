package wire

import (
	"errors"
	"fmt"
	"strings"
)

// A joining is how the items of a list, or the members of an object, become
// one text.
type joining struct {
	sep    string   // between items, as it stands in the request
	assign bool     // members are name=value; otherwise names and values alternate
	escape escaping // of names and values; its zero value leaves them as they are
	taken  string   // characters that no item may hold: nothing would tell them from a separator
}

// appendTo appends the text of a list or an object.
func (j joining) appendTo(dst []byte, t tree) ([]byte, error) {
	first := true
	next := func() {
		if !first {
			dst = append(dst, j.sep...)
		}
		first = false
	}
	if t.kind == '[' {
		for i, item := range t.items {
			text, err := j.text(item)
			if err != nil {
				return nil, fmt.Errorf("item %d %w", i, err)
			}
			next()
			dst = j.append(dst, text)
		}
		return dst, nil
	}
	for name, v := range t.members {
		text, err := j.text(v)
		if err == nil && strings.ContainsAny(name, j.taken) {
			err = errTaken
		}
		if err != nil {
			return nil, fmt.Errorf("member %q %w", name, err)
		}
		next()
		dst = j.append(dst, name)
		if j.assign {
			dst = append(dst, '=')
		} else {
			dst = append(dst, j.sep...)
		}
		dst = j.append(dst, text)
	}
	return dst, nil
}

func (j joining) append(dst []byte, text string) []byte {
	if j.escape.keep == nil {
		return append(dst, text...)
	}
	return j.escape.appendTo(dst, text)
}

var (
	errNested = errors.New("is a list or an object; the parameter's style has no way to write it")
	errNull   = errors.New("is null; the parameter's style has no way to write it")
	errTaken  = errors.New("holds a separator of the parameter's style, which would split it")
)

// text returns the text of an item, or why it cannot be one.
func (j joining) text(item tree) (string, error) {
	switch {
	case item.kind == 'n':
		return "", errNull
	case !item.scalar():
		return "", errNested
	case j.taken != "" && strings.ContainsAny(item.text, j.taken):
		return "", errTaken
	default:
		return item.text, nil
	}
}
