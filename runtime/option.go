package runtime

import "time"

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
	header       []headerField
	err          error // the first mistake in an option
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
	return anyOption(func(c *callConfig) { c.total = d })
}

// WithAttemptTimeout lowers the limit of each attempt.
func WithAttemptTimeout(d time.Duration) Option {
	return anyOption(func(c *callConfig) { c.attempt = d })
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
// operation's own. Host, credentials, key and deadline headers cannot be set so.
func WithHeader(name, value string) Option {
	return anyOption(func(c *callConfig) { c.header = append(c.header, headerField{name, value}) })
}

type headerField struct{ name, value string }

// WithMaxAttempts lowers the number of attempts. Above the policy's it changes
// nothing, and [Info.Ignored] says so. It must be at least 1.
func WithMaxAttempts(n int) RepeatableOption {
	return repeatableOption(func(c *callConfig) { c.maxAttempts = n })
}

// WithIdempotencyKey sends k instead of a fresh key: the key of a failed call
// ([CallError.Key]) to resume it, one made by [KeyFrom], or Key{Value: s} for
// a string that was made now.
func WithIdempotencyKey(k Key) RepeatableOption {
	return repeatableOption(func(c *callConfig) { c.key = k })
}
