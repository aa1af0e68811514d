package policy

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// noLimit is the text of a limit that is switched off.
const noLimit = "none"

// longestDuration is a hundred years, the longest time that the runtime takes.
const longestDuration = 100 * 365 * 24 * time.Hour

// FormatDuration is the canonical text of a duration: Go's without trailing
// zero units ("5m", not "5m0s").
func FormatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

func canonicalDuration(r *Row, n scalar) (string, *complaint) {
	if r.None && n.kind == scalarText && n.text == noLimit {
		return noLimit, nil
	}
	want := `a duration such as "800ms"`
	if r.None {
		want += ` or "none"`
	}
	d, err := time.ParseDuration(n.text)
	switch {
	case n.kind != scalarText && n.kind != scalarNumber, err != nil:
		return "", &complaint{want, durationHint(n.text)}
	case d > longestDuration:
		return "", &complaint{"a duration of at most " + FormatDuration(longestDuration), ""}
	case d < 0 && r.Min == 0:
		return "", &complaint{"a duration of 0 or more", ""}
	case int64(d) < r.Min && r.None:
		return "", &complaint{"a duration above 0 or none", "write none where there is to be no limit"}
	case int64(d) < r.Min:
		return "", &complaint{"a duration above 0", ""}
	}
	return FormatDuration(d), nil
}

var spelledDuration = regexp.MustCompile(`^(\d+(?:\.\d+)?)\s*([a-z]*)$`)

// units are spellings that people use and Go does not.
var units = map[string]string{
	"sec": "s", "secs": "s", "second": "s", "seconds": "s",
	"min": "m", "mins": "m", "minute": "m", "minutes": "m",
	"hr": "h", "hrs": "h", "hour": "h", "hours": "h",
	"msec": "ms", "msecs": "ms", "millis": "ms", "millisecond": "ms", "milliseconds": "ms",
	"s": "s", "m": "m", "h": "h", "ms": "ms",
}

// durationHint guesses what was meant; it is empty where there is no guess.
func durationHint(text string) string {
	m := spelledDuration.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
	switch {
	case m == nil:
		return ""
	case m[2] == "":
		return "write the unit: " + m[1] + "ms or " + m[1] + "s"
	case m[2] == "d" || m[2] == "day" || m[2] == "days":
		n, err := strconv.ParseInt(m[1], 10, 32)
		if err != nil {
			return "" // a broken number of days has no short form
		}
		return "write " + strconv.FormatInt(n*24, 10) + "h"
	case units[m[2]] != "":
		return "write " + m[1] + units[m[2]]
	}
	return ""
}
