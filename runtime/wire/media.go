package wire

import (
	"mime"
	"strings"
)

// Match returns the index of the declared media type that fits the answer
// best, or -1. Case and parameters matter only where they tell two declared
// types apart. Wildcards match; any JSON type stands in for a declared one of
// another name, and so does text/plain, which servers put on JSON by mistake.
// An answer without Content-Type is taken for the first.
func Match(a *Answer, mediaTypes ...string) int {
	got := a.Header.Get("Content-Type")
	best, bestFit := -1, noFit
	for i, declared := range mediaTypes {
		if f := fitOf(got, declared); f > bestFit {
			best, bestFit = i, f
		}
	}
	return best
}

// A mediaFit is how well an answer's media type fits a declared one.
type mediaFit int

const (
	noFit    mediaFit = iota
	plainFit          // text/plain, or nothing at all, for what is declared
	jsonFit           // one JSON type for another
	anyFit            // */*
	mainFit           // image/*
	typeFit           // the same type
	exactFit          // the same type, and its declared parameters too
)

func fitOf(got, declared string) mediaFit {
	if got == "" {
		return plainFit
	}
	if got == declared {
		return exactFit
	}
	gotType, gotParams := splitType(got)
	wantType, wantParams := splitType(declared)
	switch {
	case strings.EqualFold(gotType, wantType):
		if wantParams == "" || !sameParams(got, gotParams, declared) {
			return typeFit
		}
		return exactFit
	case wantType == "*/*" || wantType == "*":
		return anyFit
	case strings.HasSuffix(wantType, "/*"):
		if main := wantType[:len(wantType)-1]; len(gotType) >= len(main) && strings.EqualFold(gotType[:len(main)], main) {
			return mainFit
		}
		return noFit
	case isJSON(wantType) && isJSON(gotType):
		return jsonFit
	case isJSON(wantType) && strings.EqualFold(gotType, "text/plain"):
		return plainFit
	default:
		return noFit
	}
}

// splitType cuts a media type into type and parameters.
func splitType(mediaType string) (name, params string) {
	name, params, _ = strings.Cut(mediaType, ";")
	return strings.TrimSpace(name), strings.TrimSpace(params)
}

// isJSON reports whether a media type without parameters is JSON.
func isJSON(mediaType string) bool {
	switch strings.ToLower(mediaType) {
	case "application/json", "text/json", "application/*+json":
		return true
	}
	i := strings.LastIndexByte(mediaType, '+')
	return i >= 0 && strings.EqualFold(mediaType[i:], "+json")
}

// sameParams reports whether the answer has each declared parameter, by value
// without regard to case.
func sameParams(got, gotParams, declared string) bool {
	if gotParams == "" {
		return false
	}
	_, have, err := mime.ParseMediaType(got)
	if err != nil {
		return false
	}
	_, want, err := mime.ParseMediaType(declared)
	if err != nil {
		return false
	}
	for name, value := range want {
		if !strings.EqualFold(have[name], value) {
			return false
		}
	}
	return true
}
