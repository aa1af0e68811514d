// Package backoff is a stand-in.
package backoff

type Operation func() error
type Notify func(error)
type BackOff interface{}

func NewExponentialBackOff() BackOff                                 { return nil }
func WithMaxRetries(b BackOff, max uint64) BackOff                   { return b }
func Retry(o Operation, b BackOff) error                             { return o() }
func RetryNotify(o Operation, b BackOff, n Notify) error             { return o() }
func RetryWithData[T any](o func() (T, error), b BackOff) (T, error) { return o() }
func Permanent(err error) error                                      { return err }
