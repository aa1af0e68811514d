// Package retryafter reads how long a server asks its callers to wait.
package retryafter

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Read looks for a wait in the named headers, in that order, and returns the
// first that can be read; where a header is repeated, its longest. Waits are
// never negative and saturate. malformed names the headers that hold something
// else. Absolute times are taken against the answer's own Date where it has
// one, so that clocks need not agree, else against now.
func Read(h http.Header, names []string, now time.Time) (wait time.Duration, found bool, malformed []string) {
	for _, name := range names {
		for _, value := range h[http.CanonicalHeaderKey(name)] {
			d, ok := Parse(name, value, clock(h, now))
			if !ok {
				malformed = append(malformed, name)
				continue
			}
			wait, found = max(wait, d), true
		}
		if found {
			return wait, true, malformed
		}
	}
	return 0, false, malformed
}

func clock(h http.Header, now time.Time) time.Time {
	if t, err := http.ParseTime(h.Get("Date")); err == nil {
		return t
	}
	return now
}

// Parse reads one value: seconds, milliseconds where the name ends in "ms", a
// date of HTTP or RFC 3339, an epoch in seconds or milliseconds, or a duration
// with units ("6m0s").
func Parse(name, value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if n, ok := number(value); ok {
		return fromNumber(name, n, now), true
	}
	for _, layout := range []string{http.TimeFormat, time.RFC850, time.ANSIC, time.RFC3339} {
		if t, err := time.Parse(layout, value); err == nil {
			return max(t.Sub(now), 0), true // Sub saturates
		}
	}
	if d, err := time.ParseDuration(value); err == nil && d >= 0 {
		return d, true
	}
	return 0, false
}

// number accepts digits with an optional fraction; no sign, exponent or blank.
func number(s string) (float64, bool) {
	whole, fraction, dotted := strings.Cut(s, ".")
	if !digits(whole) || dotted && !digits(fraction) {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.MaxFloat64, true // more digits than a float64 holds: saturate
	}
	return n, true
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// An epoch is told from a wait by its size: no server means a wait of 28 years,
// and none was up before 1998. Retry-After itself holds no epochs.
const (
	earliestEpoch       = 9e8
	earliestEpochMillis = 9e11
)

func fromNumber(name string, n float64, now time.Time) time.Duration {
	unit := float64(time.Second)
	switch {
	case strings.HasSuffix(strings.ToLower(name), "ms"):
		unit = float64(time.Millisecond)
	case strings.EqualFold(name, "Retry-After"):
	case n >= earliestEpochMillis:
		return sinceEpoch(n/1000, now)
	case n >= earliestEpoch:
		return sinceEpoch(n, now)
	}
	return saturate(n * unit)
}

func sinceEpoch(seconds float64, now time.Time) time.Duration {
	return saturate((seconds - float64(now.UnixNano())/1e9) * 1e9)
}

func saturate(ns float64) time.Duration {
	switch {
	case ns <= 0:
		return 0
	case ns >= math.MaxInt64:
		return math.MaxInt64
	default:
		return time.Duration(ns)
	}
}
