// Package retry is a stand-in.
package retry

import "context"

type Backoff interface{}

func Do(ctx context.Context, b Backoff, f func(ctx context.Context) error) error { return f(ctx) }
func RetryableError(err error) error                                             { return err }
