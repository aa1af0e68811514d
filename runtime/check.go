package runtime

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// check returns everything that is wrong with a policy, or nil. Generated
// policies were checked when they were generated; others are written by hand.
func (p *Policy) check() error {
	var c checker
	c.class(p)
	c.timeout(p.Timeout)
	c.retry(p.Retry)
	c.hundreds("Rejects", p.Rejects)
	c.statuses("AlreadyDone", p.AlreadyDone)
	for status := range p.Counts {
		c.want(status >= 1 && status <= 5 || status >= 100 && status <= 599, "Counts has %d; want a status, or 1 to 5", status)
	}
	c.duration("SlowOver", p.SlowOver)
	c.fallback(p)
	c.deadline(p.Deadline)
	c.key(p)
	if p.Compartment == nil {
		c.want(false, "Compartment is nil; want one")
	} else {
		c.compartment(p.Compartment)
	}
	return errors.Join(c.errs...)
}

type checker struct{ errs []error }

func (c *checker) want(ok bool, format string, args ...any) {
	if !ok {
		c.errs = append(c.errs, fmt.Errorf(format, args...))
	}
}

// longest is the longest time that a policy or an option can name, a hundred
// years: times add up without running over.
const longest = 100 * 365 * 24 * time.Hour

func (c *checker) duration(name string, d time.Duration) {
	c.want(d >= 0, "%s is %s; want 0 or more", name, d)
}

// bounded is a duration that is added to a time.
func (c *checker) bounded(name string, d time.Duration) {
	c.duration(name, d)
	c.want(d <= longest, "%s is %s; want at most %s, or 0 for none", name, d, longest)
}

func (c *checker) header(field, name string) {
	c.want(token(name), "%s is %q; want a header name", field, name)
}

func (c *checker) number(name string, n int) {
	c.want(n >= 0 && n <= math.MaxInt32, "%s is %d; want 0 to %d", name, n, math.MaxInt32)
}

func (c *checker) statuses(name string, list []int) {
	for _, status := range list {
		c.want(status >= 300 && status <= 599, "%s has %d; want a status from 300 to 599", name, status)
	}
}

// hundreds checks a list that may hold 1 to 5 for a whole hundred.
func (c *checker) hundreds(name string, list []int) {
	for _, status := range list {
		c.want(status >= 1 && status <= 5 || status >= 300 && status <= 599, "%s has %d; want a status from 300 to 599, or 1 to 5 for a whole hundred", name, status)
	}
}

func (c *checker) class(p *Policy) {
	switch p.Class {
	case Safe, Idempotent:
	case Keyed:
		c.want(p.Key.In != 0, "Class is keyed and Key is not set; want a key rule")
	case Unsafe:
		c.want(p.Retry.MaxAttempts <= 1 || len(p.Rejects) > 0,
			"Retry.MaxAttempts is %d for an unsafe operation without Rejects; want 1", p.Retry.MaxAttempts)
	default:
		c.want(false, "Class is %s; want safe, idempotent, keyed or unsafe", p.Class)
	}
}

func (c *checker) timeout(t Timeout) {
	c.bounded("Timeout.Attempt", t.Attempt)
	c.bounded("Timeout.Total", t.Total)
	c.duration("Timeout.Idle", t.Idle)
	c.bounded("Timeout.MinRemaining", t.MinRemaining)
}

func (c *checker) retry(r Retry) {
	c.want(r.MaxAttempts >= 0, "Retry.MaxAttempts is %d; want at least 1", r.MaxAttempts)
	c.want(r.NotSent == 0 || r.NotSent == 1, "Retry.NotSent is %d; want 0 or 1", r.NotSent)
	c.hundreds("Retry.When.Statuses", r.When.Statuses)
	c.hundreds("Retry.When.Except", r.When.Except)
	c.duration("Retry.Backoff.Initial", r.Backoff.Initial)
	c.duration("Retry.Backoff.Max", r.Backoff.Max)
	c.want(r.Backoff.Multiplier == 0 || r.Backoff.Multiplier >= 1, "Retry.Backoff.Multiplier is %v; want at least 1", r.Backoff.Multiplier)
	c.want(r.Backoff.Jitter >= JitterUnset && r.Backoff.Jitter <= NoJitter, "Retry.Backoff.Jitter is %d; want one of the constants", r.Backoff.Jitter)
	c.duration("Retry.RetryAfter.Max", r.RetryAfter.Max)
	for _, name := range r.RetryAfter.Headers {
		c.header("Retry.RetryAfter.Headers", name)
	}
	if v := r.Verdict; v.Header != "" {
		c.header("Retry.Verdict.Header", v.Header)
	}
	c.want(r.Verdict.WhenAbsent >= AbsentUnset && r.Verdict.WhenAbsent <= Stop, "Retry.Verdict.WhenAbsent is %d; want Judge or Stop", r.Verdict.WhenAbsent)
}

func (c *checker) fallback(p *Policy) {
	f := p.Fallback
	c.duration("Fallback.MaxAge", f.MaxAge)
	switch f.Kind {
	case FallbackUnset, FallbackNone, FallbackCaller:
	case FallbackStatic, FallbackStale:
		c.want(p.Class == Safe, "Fallback is static or stale for class %s; want safe", p.Class)
		c.want(f.Kind != FallbackStale || f.MaxAge > 0, "Fallback.MaxAge is 0; want how old a copy may be")
		c.want(f.Kind != FallbackStatic || f.Value == "" || jsontext.Value(f.Value).IsValid(), "Fallback.Value is %.40q; want JSON", f.Value)
		c.want(f.Kind != FallbackStatic || f.Status == 0 || f.Status >= 200 && f.Status <= 299, "Fallback.Status is %d; want a status from 200 to 299, or 0 for 200", f.Status)
	default:
		c.want(false, "Fallback.Kind is %d; want one of the constants", f.Kind)
	}
	c.want(!f.Coalesce || p.Class == Safe, "Fallback.Coalesce is set for class %s; want safe", p.Class)
	for _, name := range f.Vary {
		c.header("Fallback.Vary", name)
	}
	c.want(f.Principal >= PrincipalUnset && f.Principal <= Shared, "Fallback.Principal is %d; want one of the constants", f.Principal)
}

func (c *checker) deadline(d DeadlineRule) {
	if d.Header == "" {
		return
	}
	c.header("Deadline.Header", d.Header)
	c.want(d.Format == Remaining || d.Format == Timestamp, "Deadline.Format is %d; want Remaining or Timestamp", d.Format)
	c.bounded("Deadline.Margin", d.Margin)
	c.bounded("Deadline.MaxSkew", d.MaxSkew)
}

func (c *checker) key(p *Policy) {
	k := p.Key
	switch k.In {
	case 0:
	case InHeader:
		c.header("Key.Name", k.Name)
	case InQuery:
		c.want(k.Name != "", "Key.Name is empty; want a parameter name")
	case InBody:
		c.want(strings.HasPrefix(k.Pointer, "/"), "Key.Pointer is %q; want a JSON pointer such as /idempotency_key", k.Pointer)
	default:
		c.want(false, "Key.In is %d; want InHeader, InQuery or InBody", k.In)
	}
	c.bounded("Key.Retention", k.Retention)
	c.want(k.MaxLength >= 0, "Key.MaxLength is %d; want 0 or more", k.MaxLength)
	c.want(k.Stores >= StoresUnset && k.Stores <= StoresSuccess, "Key.Stores is %d; want StoresErrors or StoresSuccess", k.Stores)
	if k.Replayed != "" {
		c.header("Key.Replayed", k.Replayed)
	}
	for _, s := range k.Statuses {
		c.want(s.Status >= 300 && s.Status <= 599, "Key.Statuses has %d; want a status from 300 to 599", s.Status)
		c.want(s.Means >= InFlight && s.Means <= NewKey, "Key.Statuses: %d means %d; want one of the constants", s.Status, s.Means)
		c.want(s.At == "" || strings.HasPrefix(s.At, "/"), "Key.Statuses: At is %q; want a JSON pointer", s.At)
	}
}

func (c *checker) compartment(k *Compartment) {
	c.bounded("Compartment.Connect", k.Connect)
	b := k.Breaker
	if b.Window > 0 || b.Consecutive > 0 {
		c.want(b.OpenFor > 0, "Breaker.OpenFor is %s; want more than 0", b.OpenFor)
		c.want(b.Probes.Count >= 1, "Breaker.Probes.Count is %d; want at least 1", b.Probes.Count)
		c.want(b.Probes.Successes >= 1 && b.Probes.Successes <= b.Probes.Count,
			"Breaker.Probes.Successes is %d of %d; want 1 to all of them", b.Probes.Successes, b.Probes.Count)
		c.want(b.OpenMax == 0 || b.OpenMax >= b.OpenFor, "Breaker.OpenMax is %s; want at least OpenFor, %s", b.OpenMax, b.OpenFor)
	}
	rates := b.FailureRate != 0 || b.SlowRate != 0
	c.want(!rates || b.Window > 0, "Breaker.Window is %s with a rate; want more than 0", b.Window)
	c.want(!rates || b.MinimumCalls >= 1, "Breaker.MinimumCalls is %d with a rate; want at least 1", b.MinimumCalls)
	c.want(b.FailureRate >= 0 && b.FailureRate <= 100*Percent, "Breaker.FailureRate is %d basis points; want 0 to 100 %%", b.FailureRate)
	c.want(b.SlowRate >= 0 && b.SlowRate <= 100*Percent, "Breaker.SlowRate is %d basis points; want 0 to 100 %%", b.SlowRate)
	c.number("Breaker.Consecutive", b.Consecutive)
	c.number("Breaker.MinimumCalls", b.MinimumCalls)
	c.bounded("Breaker.Window", b.Window)
	c.bounded("Breaker.OpenFor", b.OpenFor)
	c.bounded("Breaker.OpenMax", b.OpenMax)
	c.number("Bulkhead.MaxConcurrent", k.Bulkhead.MaxConcurrent)
	c.number("Bulkhead.MaxQueue", k.Bulkhead.MaxQueue)
	c.duration("Bulkhead.MaxWait", k.Bulkhead.MaxWait)
	c.want(k.Budget.Ratio >= 0, "Budget.Ratio is %d basis points; want 0 or more", k.Budget.Ratio)
	c.want(k.Budget.Floor >= 0, "Budget.Floor is %d a minute; want 0 or more", k.Budget.Floor)
	c.bounded("Budget.Window", k.Budget.Window)
}

// token reports whether s can be the name of a header.
func token(s string) bool {
	if s == "" {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return true
}
