package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// DiffersJSON compares JSON by value: the order of members is free, absent
// differs from null, numbers are exact decimals, and date-times may be spelt
// differently where they name the same instant. It returns what differs, or
// nothing.
func DiffersJSON(want, got []byte) string {
	w, err := exact(want)
	if err != nil {
		return fmt.Sprintf("want is no JSON: %v", err)
	}
	g, err := exact(got)
	if err != nil {
		return fmt.Sprintf("got %q, which is no JSON: %v", got, err)
	}
	if at := differs("", w, g); at != "" {
		return fmt.Sprintf("%s (got %s, want %s)", at, got, want)
	}
	return ""
}

func exact(b []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if dec.More() {
		return nil, fmt.Errorf("more than one value")
	}
	return v, nil
}

// differs returns the path of the first difference and what it is.
func differs(at string, want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s is %T, want an object", at, got)
		}
		for _, k := range sortedKeys(w) {
			gv, ok := g[k]
			if !ok {
				return at + "/" + k + " is missing"
			}
			if d := differs(at+"/"+k, w[k], gv); d != "" {
				return d
			}
		}
		for _, k := range sortedKeys(g) {
			if _, ok := w[k]; !ok {
				return at + "/" + k + " is too many"
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%s is %v, want a list of %d", at, got, len(w))
		}
		for i := range w {
			if d := differs(fmt.Sprintf("%s/%d", at, i), w[i], g[i]); d != "" {
				return d
			}
		}
		return ""
	case json.Number:
		g, ok := got.(json.Number)
		if !ok || !sameNumber(w, g) {
			return fmt.Sprintf("%s is %v, want %v", at, got, w)
		}
		return ""
	case string:
		g, ok := got.(string)
		if !ok || g != w && !sameInstant(w, g) {
			return fmt.Sprintf("%s is %#v, want %q", at, got, w)
		}
		return ""
	}
	if want != got {
		return fmt.Sprintf("%s is %v, want %v", at, got, want)
	}
	return ""
}

func sameNumber(a, b json.Number) bool {
	x, ok1 := new(big.Rat).SetString(string(a))
	y, ok2 := new(big.Rat).SetString(string(b))
	return ok1 && ok2 && x.Cmp(y) == 0
}

func sameInstant(a, b string) bool {
	if !strings.ContainsAny(a, "Tt") {
		return false
	}
	x, err1 := time.Parse(time.RFC3339Nano, strings.ToUpper(a))
	y, err2 := time.Parse(time.RFC3339Nano, strings.ToUpper(b))
	return err1 == nil && err2 == nil && x.Equal(y)
}
