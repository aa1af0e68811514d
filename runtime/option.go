package runtime

import (
	"fmt"
	"time"
)

// A RepeatableOption adjusts one call of an operation that may be sent more
// than once. Operations that may not be repeated take only [Option].
type RepeatableOption interface {
	appliesToRepeatableOperation(*callConfig)
}

// An Option adjusts one call of any operation.
type Option interface {
	RepeatableOption
	appliesToAnyOperation(*callConfig)
}

// callConfig is what the options of one call have set. Zero fields are unset.
type callConfig struct {
	info         *Info
	total        time.Duration
	attempt      time.Duration
	maxAttempts  int
	withoutRetry bool
	key          Key
	keyGiven     bool
	header       []headerField
	ignored      []string // for the info
	err          error    // the first mistake in an option
}

type headerField struct{ name, value string }

// apply applies one option.
func (c *callConfig) apply(o RepeatableOption) {
	if o == nil {
		c.wrong("an option is nil; leave it out")
		return
	}
	o.appliesToRepeatableOperation(c)
}

// wrong keeps the first mistake.
func (c *callConfig) wrong(format string, args ...any) {
	if c.err == nil {
		c.err = wordedf(ErrInput, format, args...)
	}
}

// ignore notes what changed nothing, for the info if there is one.
func (c *callConfig) ignore(what string) {
	if c.info != nil {
		c.ignored = append(c.ignored, what)
	}
}

// shorter returns the lower of the policy's limit and the caller's; zero is none.
func (c *callConfig) shorter(name string, policy, own time.Duration) time.Duration {
	switch {
	case own == 0:
		return policy
	case policy == 0 || own <= policy:
		return own
	}
	c.ignore(fmt.Sprintf("%s(%s) is above the policy's %s", name, own, policy))
	return policy
}

// fewer returns the lower of the policy's attempts and the caller's.
func (c *callConfig) fewer(policy int) int {
	if c.maxAttempts > policy {
		c.ignore(fmt.Sprintf("rt.WithMaxAttempts(%d) is above the policy's %d", c.maxAttempts, policy))
		return policy
	}
	if c.maxAttempts > 0 {
		return c.maxAttempts
	}
	return policy
}

// anyOption is an option for every operation.
type anyOption func(*callConfig)

func (o anyOption) appliesToRepeatableOperation(c *callConfig) { o(c) }
func (o anyOption) appliesToAnyOperation(c *callConfig)        { o(c) }

// repeatableOption is an option for operations that may be repeated.
type repeatableOption func(*callConfig)

func (o repeatableOption) appliesToRepeatableOperation(c *callConfig) { o(c) }

// WithTimeout lowers the limit of the whole call. Above the policy's it
// changes nothing, and [Info.Ignored] says so. It must be positive.
func WithTimeout(d time.Duration) Option {
	return anyOption(func(c *callConfig) {
		if d <= 0 {
			c.wrong("rt.WithTimeout is %s; want more than 0", d)
		}
		c.total = min(d, longest)
	})
}

// WithAttemptTimeout lowers the limit of each attempt. Above the policy's it
// changes nothing, and [Info.Ignored] says so. It must be positive.
func WithAttemptTimeout(d time.Duration) Option {
	return anyOption(func(c *callConfig) {
		if d <= 0 {
			c.wrong("rt.WithAttemptTimeout is %s; want more than 0", d)
		}
		c.attempt = min(d, longest)
	})
}

// WithoutRetry makes the call a single attempt, provably unsent ones included.
func WithoutRetry() Option {
	return anyOption(func(c *callConfig) { c.withoutRetry = true })
}

// WithInfo fills info with what happened, whether the call succeeds or fails.
func WithInfo(info *Info) Option {
	return anyOption(func(c *callConfig) { c.info = info })
}

// WithHeader sets a header on every attempt of the call, in place of the
// operation's own. Host, Authorization and the headers of the connection are
// refused; where the client adds another credential, a key or a deadline under
// the same name, its own is sent.
func WithHeader(name, value string) Option {
	return anyOption(func(c *callConfig) {
		switch {
		case !token(name):
			c.wrong("rt.WithHeader: name is %q; want a header name", name)
		case forbiddenHeader(name):
			c.wrong("rt.WithHeader: %s cannot be set; it belongs to the request itself", name)
		case isNoFieldValue(value):
			c.wrong("rt.WithHeader: the value of %s has a line break or another control character; want one line of text", name)
		}
		c.header = append(c.header, headerField{name, value})
	})
}

// WithMaxAttempts lowers the number of attempts. Above the policy's it changes
// nothing, and [Info.Ignored] says so. It must be at least 1.
func WithMaxAttempts(n int) RepeatableOption {
	return repeatableOption(func(c *callConfig) {
		if n < 1 {
			c.wrong("rt.WithMaxAttempts is %d; want at least 1", n)
		}
		c.maxAttempts = n
	})
}

// WithIdempotencyKey sends k instead of a fresh key: the key of a failed call
// ([CallError.Key]) to resume it, one made by [KeyFrom], or Key{Value: s} for
// a string that was made now.
func WithIdempotencyKey(k Key) RepeatableOption {
	return repeatableOption(func(c *callConfig) { c.key, c.keyGiven = k, true })
}
