package policy

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var decimal = regexp.MustCompile(`^\d+(\.\d+)?$`)

// scaled is a decimal text times 10^places, exactly; ok is false where it has
// more places or does not fit.
func scaled(text string, places int) (v int64, ok bool) {
	if !decimal.MatchString(text) {
		return 0, false
	}
	whole, frac, _ := strings.Cut(text, ".")
	frac = strings.TrimRight(frac, "0")
	if len(frac) > places {
		return 0, false
	}
	v, err := strconv.ParseInt(whole+frac+strings.Repeat("0", places-len(frac)), 10, 64)
	return v, err == nil
}

// unscaled is the shortest text of v / 10^places.
func unscaled(v int64, places int) string {
	s := fmt.Sprintf("%0*d", places+1, v)
	s = strings.TrimRight(s[:len(s)-places]+"."+s[len(s)-places:], "0")
	return strings.TrimSuffix(s, ".")
}

var plainInt = regexp.MustCompile(`^-?\d+$`)

func canonicalInt(r *Row, n scalar) (string, *complaint) {
	want := fmt.Sprintf("a number from %d", r.Min)
	if r.Max != 0 {
		want = fmt.Sprintf("a number from %d to %d", r.Min, r.Max)
	}
	if n.kind == scalarText && plainInt.MatchString(n.text) {
		return "", &complaint{want, "write it without quotes"}
	}
	if n.kind == scalarText && n.text == noLimit && r.State {
		return "", &complaint{want, fmt.Sprintf("write {enabled: false, because: …} in %s to switch it off", r.Leaf.section())}
	}
	if n.kind != scalarNumber || !plainInt.MatchString(n.text) {
		return "", &complaint{want, ""}
	}
	v, err := strconv.ParseInt(n.text, 10, 32)
	if err != nil || v < r.Min || r.Max != 0 && v > r.Max {
		return "", &complaint{want, ""}
	}
	return strconv.FormatInt(v, 10), nil
}

func canonicalFactor(r *Row, n scalar) (string, *complaint) {
	v, ok := scaled(n.text, 3)
	if n.kind != scalarNumber || !ok || v < r.Min || v > r.Max {
		return "", &complaint{fmt.Sprintf("a number from %d to %d", r.Min/1000, r.Max/1000), ""}
	}
	return unscaled(v, 3), nil
}

// millionths is the share in a text such as "20%" or "0.2".
func millionths(text string) (int64, bool) {
	if p, percent := strings.CutSuffix(text, "%"); percent {
		return scaled(p, 4)
	}
	return scaled(text, 6)
}

const (
	whole      = 1_000_000 // a share of everything, or one event, in millionths
	basisPoint = 100       // a hundredth of a per cent, in millionths
)

// FormatShare is the canonical text of a share in millionths: "0.5%".
func FormatShare(millionths int64) string { return unscaled(millionths, 4) + "%" }

func canonicalShare(r *Row, n scalar) (string, *complaint) {
	want := `a share such as "20%" or 0.2`
	v, ok := millionths(n.text)
	switch {
	case n.kind != scalarNumber && n.kind != scalarText, !ok && !decimal.MatchString(strings.TrimSuffix(n.text, "%")):
		return "", &complaint{want, shareHint(n.text)}
	case !ok:
		return "", &complaint{"a share of at most four places behind the per cent's point", ""}
	case !strings.HasSuffix(n.text, "%") && v >= whole:
		return "", &complaint{want, "write " + n.text + "%"}
	case v > whole:
		return "", &complaint{"a share of at most 100%", ""}
	case v < r.Min:
		return "", &complaint{"a share above 0", ""}
	case r.Step > 0 && v%r.Step != 0:
		return "", &complaint{"a share in steps of " + FormatShare(r.Step), ""}
	}
	return FormatShare(v), nil
}

func shareHint(text string) string {
	p := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%"))
	if strings.Contains(text, "%") && decimal.MatchString(p) {
		return "write " + p + "%"
	}
	return ""
}

// A Rate is so many events in a time. The zero Rate is none.
type Rate struct {
	Millionths int64         // events in Per, in millionths
	Per        time.Duration // a second or a minute
}

var ratePattern = regexp.MustCompile(`^(\d+(?:\.\d+)?)/(s|m)$`)

// parseRate reads "50/s" or "0.5/m".
func parseRate(text string) (Rate, bool) {
	m := ratePattern.FindStringSubmatch(text)
	if m == nil {
		return Rate{}, false
	}
	v, ok := scaled(m[1], 6)
	per := time.Second
	if m[2] == "m" {
		per = time.Minute
	}
	return Rate{Millionths: v, Per: per}, ok
}

// String is the canonical text.
func (r Rate) String() string {
	unit := "s"
	if r.Per == time.Minute {
		unit = "m"
	}
	return unscaled(r.Millionths, 6) + "/" + unit
}

// In is the number of events in d, in millionths, saturated.
func (r Rate) In(d time.Duration) int64 {
	if r.Per == 0 || d <= 0 {
		return 0
	}
	n := new(big.Int).Mul(big.NewInt(r.Millionths), big.NewInt(int64(d)))
	n.Quo(n, big.NewInt(int64(r.Per)))
	if !n.IsInt64() {
		return math.MaxInt64
	}
	return n.Int64()
}

func canonicalRate(r *Row, n scalar) (string, *complaint) {
	v, ok := parseRate(n.text)
	switch {
	case !ok || n.kind != scalarText:
		hint := ""
		if decimal.MatchString(n.text) {
			hint = "write " + n.text + "/s"
		}
		return "", &complaint{`a rate such as "50/s" or "50/m"`, hint}
	case v.Millionths < r.Min:
		return "", &complaint{"a rate above 0", ""}
	case r.Step > 0 && v.In(time.Minute)%r.Step != 0:
		return "", &complaint{"a rate in whole events a minute", ""}
	}
	return v.String(), nil
}
