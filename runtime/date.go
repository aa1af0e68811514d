package runtime

import (
	"fmt"
	"time"
)

// A Date is a day without a time, as in "2027-06-30".
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the day of t in t's own location.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{Year: y, Month: m, Day: d}
}

// In returns the start of the day in loc.
func (d Date) In(loc *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, loc)
}

// IsZero reports whether d is the zero Date; omitzero asks it.
func (d Date) IsZero() bool { return d == Date{} }

// String returns the date as RFC 3339 writes it.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day) }

// MarshalText writes the date for JSON, parameters and map keys alike.
func (d Date) MarshalText() ([]byte, error) {
	if d.IsZero() {
		return []byte("0001-01-01"), nil
	}
	if t := d.In(time.UTC); DateOf(t) != d || d.Year < 0 || d.Year > 9999 {
		return nil, fmt.Errorf("date is %s; want a day of the calendar", d)
	}
	return []byte(d.String()), nil
}

// UnmarshalText reads a date.
func (d *Date) UnmarshalText(b []byte) error {
	t, err := time.Parse(time.DateOnly, string(b))
	if err != nil {
		return fmt.Errorf("date is %.40q; want a day such as 2027-06-30", b)
	}
	*d = DateOf(t)
	return nil
}
