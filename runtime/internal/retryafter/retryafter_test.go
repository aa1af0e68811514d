package retryafter

import (
	"math"
	"net/http"
	"testing"
	"time"
)

var now = time.Date(2026, 3, 14, 15, 9, 26, 500_000_000, time.UTC)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        time.Duration
		ok          bool
	}{
		{"Retry-After", "120", 2 * time.Minute, true},
		{"Retry-After", " 1.5 ", 1500 * time.Millisecond, true},
		{"Retry-After", "0", 0, true},
		{"Retry-After", "9223372037", math.MaxInt64, true}, // three peers retried at once
		{"Retry-After", "99999999999999999999999999", math.MaxInt64, true},
		{"Retry-After", "1742985000", 1742985000 * time.Second, true}, // no epochs here
		{"Retry-After", "-1", 0, false},
		{"Retry-After", "1e3", 0, false},
		{"Retry-After", "", 0, false},
		{"Retry-After", ".", 0, false},
		{"Retry-After", "soon", 0, false},
		{"Retry-After", "Sat, 14 Mar 2026 15:09:56 GMT", 29500 * time.Millisecond, true},
		{"Retry-After", "Saturday, 14-Mar-26 15:09:56 GMT", 29500 * time.Millisecond, true},
		{"Retry-After", "Sat Mar 14 15:09:56 2026", 29500 * time.Millisecond, true},
		{"Retry-After", "Sat, 14 Mar 2020 15:09:56 GMT", 0, true}, // passed
		{"Retry-After-Ms", "1500", 1500 * time.Millisecond, true},
		{"x-ms-retry-after-ms", "20", 20 * time.Millisecond, true},
		{"X-RateLimit-Reset", "1773501000", 1773501000*time.Second - time.Duration(now.UnixNano()), true},
		{"X-RateLimit-Reset", "1773501000000", 1773501000*time.Second - time.Duration(now.UnixNano()), true},
		{"RateLimit-Reset", "30", 30 * time.Second, true},
		{"x-ratelimit-reset-requests", "6m0s", 6 * time.Minute, true},
		{"x-ratelimit-reset-requests", "-6m0s", 0, false},
		{"X-Reset", "2026-03-14T15:09:27Z", 500 * time.Millisecond, true},
	} {
		got, ok := Parse(c.name, c.value, now)
		if off := got - c.want; ok != c.ok || off < -time.Millisecond || off > time.Millisecond {
			t.Errorf("Parse(%s: %s) = %s, %t; want %s, %t", c.name, c.value, got, ok, c.want, c.ok)
		}
	}
}

func TestReadTakesTheFirstNamedThatCanBeRead(t *testing.T) {
	h := http.Header{"Retry-After-Ms": {"fast"}, "Retry-After": {"1", "3", "x"}, "X-Reset": {"9"}}
	wait, found, malformed := Read(h, []string{"retry-after-ms", "Retry-After", "X-Reset"}, now)
	if wait != 3*time.Second || !found || len(malformed) != 2 {
		t.Errorf("Read = %s, %t, %v; want 3s and two malformed", wait, found, malformed)
	}
}

func TestDatesAreTakenAgainstTheAnswersOwnDate(t *testing.T) {
	h := http.Header{"Date": {"Sat, 14 Mar 2026 20:00:00 GMT"}, "Retry-After": {"Sat, 14 Mar 2026 20:00:30 GMT"}}
	if wait, _, _ := Read(h, []string{"Retry-After"}, now); wait != 30*time.Second {
		t.Errorf("wait = %s, want 30s although the server's clock is five hours ahead", wait)
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"120", "1.5", "9223372037", "Sat, 14 Mar 2026 15:09:56 GMT", "1773501000", "6m0s", "-1", "٣", "0.", "1_000", "Inf", "NaN"} {
		f.Add("Retry-After", s)
		f.Add("Retry-After-Ms", s)
		f.Add("X-RateLimit-Reset", s)
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		if d, ok := Parse(name, value, now); d < 0 || !ok && d != 0 {
			t.Errorf("Parse(%q, %q) = %s, %t", name, value, d, ok)
		}
	})
}
