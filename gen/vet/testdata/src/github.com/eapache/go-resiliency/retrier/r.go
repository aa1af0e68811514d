// Package retrier is a stand-in.
package retrier

import "context"

type Retrier struct{}

func New(backoff []int, class any) *Retrier    { return &Retrier{} }
func (r *Retrier) Run(work func() error) error { return work() }
func (r *Retrier) RunCtx(ctx context.Context, work func(ctx context.Context) error) error {
	return work(ctx)
}
