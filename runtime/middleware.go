package runtime

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers that carry a deadline where no others are named.
const (
	defaultRemainingHeader = "X-Request-Timeout-Ms"
	defaultTimestampHeader = "X-Request-Deadline"
)

// A DeadlineConfig says how a server keeps its callers' deadlines. The zero
// value reads the default headers and adds nothing.
type DeadlineConfig struct {
	Default time.Duration // for requests that name none, which are stamped with it. Zero: none.
	Max     time.Duration // the longest, whatever a request names. Zero: any.
	Headers []string      // read in this order, each in either format. Empty: X-Request-Timeout-Ms, X-Request-Deadline.
}

// Deadline hands next requests whose context ends when their caller stops
// waiting. Requests whose deadline has passed are answered with 504 and the
// problem type urn:resgen:deadline-exceeded: no work is done that nobody
// reads. It never extends a deadline that the context has already.
func Deadline(next http.Handler, config DeadlineConfig) http.Handler {
	names := config.Headers
	if len(names) == 0 {
		names = []string{defaultRemainingHeader, defaultTimestampHeader}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		left, named := timeLeft(r.Header, names)
		if !named && config.Default > 0 {
			left, named = config.Default, true
			stamp(r, names[0], left)
		}
		if config.Max > 0 && (!named || left > config.Max) {
			left, named = config.Max, true
		}
		if own, ok := r.Context().Deadline(); ok {
			if until := time.Until(own); !named || until < left {
				left, named = until, true
			}
		}
		switch {
		case !named:
			next.ServeHTTP(w, r)
		case left <= 0:
			writeProblem(w, http.StatusGatewayTimeout, problemDeadline, "the deadline of the request has passed", 0)
		default:
			ctx, cancel := context.WithTimeout(r.Context(), left)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		}
	})
}

// timeLeft reads the first header that holds a deadline: milliseconds, or a
// time of RFC 3339; the earliest where it holds several. What cannot be read
// names none.
func timeLeft(h http.Header, names []string) (left time.Duration, named bool) {
	now := time.Now()
	for _, name := range names {
		for _, line := range h.Values(name) {
			for value := range strings.SplitSeq(line, ",") {
				if d, ok := parseDeadline(strings.TrimSpace(value), now); ok && (!named || d < left) {
					left, named = d, true
				}
			}
		}
		if named {
			break
		}
	}
	return left, named
}

// parseDeadline reads one value. A number of milliseconds saturates both ways.
func parseDeadline(value string, now time.Time) (time.Duration, bool) {
	if ms, err := strconv.ParseInt(value, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(max(ms, 0), int64(longest/time.Millisecond))) * time.Millisecond, true
	}
	if t, err := time.Parse(time.RFC3339, value); err == nil {
		return min(max(t.Sub(now), 0), longest), true
	}
	return 0, false
}

// stamp writes a deadline into a request, for handlers that hand its headers on.
func stamp(r *http.Request, name string, left time.Duration) {
	if strings.EqualFold(name, defaultTimestampHeader) {
		r.Header.Set(name, time.Now().Add(left).UTC().Format(timestampLayout))
		return
	}
	r.Header.Set(name, strconv.FormatInt(left.Milliseconds(), 10))
}
