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
