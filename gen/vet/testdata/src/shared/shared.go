// Package shared has a retry helper and a sender that other packages use.
package shared

import (
	"context"
	"payments"
)

func Again(n int, f func() error) error {
	var err error
	for range n {
		if err = f(); err == nil {
			return nil
		}
	}
	return err
}

func Each(n int, f func(int) error) error {
	for i := range n {
		if err := f(i); err != nil {
			return err
		}
	}
	return nil
}

func Notify(ctx context.Context, c *payments.Client, id string) error {
	return c.SendReceipt(ctx, payments.Charge{ID: id})
}

// A Retrier repeats as a method.
type Retrier struct{ n int }

func (r *Retrier) Do(ctx context.Context, f func(ctx context.Context) error) error {
	var err error
	for range r.n {
		if err = f(ctx); err == nil {
			return nil
		}
	}
	return err
}

// Doer hides a Retrier.
type Doer interface {
	Do(ctx context.Context, f func(ctx context.Context) error) error
}

// Value repeats what gives a value.
func Value[T any](f func() (T, error)) (v T, err error) {
	for range 3 {
		v, err = f()
		if err == nil {
			return
		}
	}
	return
}

// Handed hands its function on, wrapped.
func Handed(ctx context.Context, f func(context.Context) error) error {
	return Again(3, func() error { return f(ctx) })
}

// Recursive calls itself.
func Recursive(n int, f func() error) error {
	if err := f(); err != nil && n > 0 {
		return Recursive(n-1, f)
	}
	return nil
}

// A Task keeps its function.
type Task struct{ run func() error }

func NewTask(run func() error) *Task { return &Task{run: run} }

func (t *Task) Run() error {
	for {
		if err := t.run(); err == nil {
			return nil
		}
	}
}

// Span runs a function once.
func Span(f func() error) error { return f() }
