// Package tools has retry helpers of another kind: made by functions, kept
// behind interfaces, chosen by options.
package tools

import (
	"context"
	"errors"
	"time"
)

// Wrap makes a function that repeats another one.
func Wrap(n int, f func() error) func() error {
	return func() error {
		var err error
		for range n {
			if err = f(); err == nil {
				return nil
			}
		}
		return err
	}
}

// Retrier makes a function that repeats what it is given.
func Retrier(n int) func(func() error) error {
	return func(f func() error) error {
		var err error
		for range n {
			if err = f(); err == nil {
				return nil
			}
		}
		return err
	}
}

// Runner is what Loop is behind in other packages.
type Runner interface {
	Run(ctx context.Context, f func(context.Context) error) error
}

type loop struct{ n int }

// NewLoop gives a Runner that repeats.
func NewLoop(n int) Runner { return &loop{n} }

func (l *loop) Run(ctx context.Context, f func(context.Context) error) error {
	for i := 0; ; i++ {
		err := f(ctx)
		if err == nil || i >= l.n {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(time.Second):
		}
	}
}

// Plain is a struct with a method that repeats.
type Plain struct{ N int }

// Do repeats.
func (p Plain) Do(f func() error) (err error) {
	for tries := 0; tries < p.N; tries++ {
		err = f()
		if err == nil {
			break
		}
	}
	return
}

// Logged runs once and logs.
func Logged(f func() error) error {
	if err := f(); err != nil {
		return err
	}
	return nil
}

// Middleware wraps without repeating.
func Middleware(f func() error) func() error { return func() error { return f() } }

// All runs each once.
func All(fs ...func() error) error {
	var errs []error
	for _, f := range fs {
		if err := f(); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
