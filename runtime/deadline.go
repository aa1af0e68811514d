package runtime

import (
	"fmt"
	"strconv"
	"time"
)

// timestampLayout is RFC 3339 with milliseconds, in UTC.
const timestampLayout = "2006-01-02T15:04:05.000Z07:00"

// heldBack is what the server is told less than there is.
func (d *DeadlineRule) heldBack() time.Duration {
	if d.Format == Timestamp {
		return d.Margin + d.MaxSkew
	}
	return d.Margin
}

// value is what the header says now: what is left of the call, or of the
// attempt where the call has no end. It is empty where neither has one.
func (d *DeadlineRule) value(x *execution) string {
	now := x.compartment.now()
	left := x.end - now
	if x.end == noEnd {
		if x.attemptLimit == 0 {
			return ""
		}
		left = x.attemptLimit
	}
	left = max(left-d.heldBack(), time.Millisecond)
	switch d.Format {
	case Remaining:
		return strconv.FormatInt(left.Milliseconds(), 10)
	case Timestamp:
		return time.Now().Add(left).UTC().Truncate(time.Millisecond).Format(timestampLayout)
	default:
		panic(fmt.Sprintf("runtime: deadline format %d not handled", d.Format))
	}
}
