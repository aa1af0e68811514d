// Package wait is a stand-in.
package wait

import (
	"context"
	"time"
)

type Backoff struct{ Steps int }

type ConditionFunc func() (done bool, err error)
type ConditionWithContextFunc func(context.Context) (done bool, err error)

func ExponentialBackoff(b Backoff, condition ConditionFunc) error { return nil }
func PollUntilContextTimeout(ctx context.Context, interval, timeout time.Duration, immediate bool, condition ConditionWithContextFunc) error {
	return nil
}
func UntilWithContext(ctx context.Context, f func(context.Context), period time.Duration) {}
