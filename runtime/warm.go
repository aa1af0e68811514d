package runtime

import (
	"context"
	"errors"
	"sync"
)

// warmAtOnce is how many calls a Warm makes at a time: a start is no load test.
const warmAtOnce = 4

// Warm makes calls at start, a few at a time, so that connections are open and
// stale copies kept before the first user comes. It returns the joined errors
// of those that failed; a service may well start in spite of them.
func Warm(ctx context.Context, calls ...func(context.Context) error) error {
	var (
		wg   sync.WaitGroup
		gate = make(chan struct{}, warmAtOnce)
		errs = make([]error, len(calls))
	)
	for i, call := range calls {
		gate <- struct{}{}
		wg.Go(func() {
			defer func() { <-gate }()
			errs[i] = call(ctx)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
