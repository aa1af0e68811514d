package backoff

import "context"

type Operation[T any] func() (T, error)

func Retry[T any](ctx context.Context, op Operation[T]) (T, error) { return op() }

func Permanent(err error) error { return err }
