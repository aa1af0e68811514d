package repeat

import (
	"context"
	"errors"
	"time"

	"payments"
	"shared"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v5"
)

func counted(ctx context.Context, c *payments.Client, req payments.Charge) error {
	var err error
	for i := 0; i < 3; i++ {
		err = c.SendReceipt(ctx, req) // want `SendReceipt is repeated in a loop that goes on after an error, but it is an unsafe write`
		if err == nil {
			break
		}
		time.Sleep(time.Second)
	}
	return err
}

func inIf(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	for range 5 {
		if _, err = c.CreateCharge(ctx, req); err == nil { // want `CreateCharge is repeated .* each time under a new idempotency key`
			return nil
		}
	}
	return err
}

func whileFailing(ctx context.Context, c *payments.Client, req payments.Charge) {
	for err := c.SendReceipt(ctx, req); err != nil; err = c.SendReceipt(ctx, req) { // want `SendReceipt is repeated`
	}
}

func goesOn(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for {
		err := c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		return nil
	}
}

func judged(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for {
		err := c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
		if !temporary(err) {
			return err
		}
	}
}

func temporary(err error) bool { return errors.Is(err, context.DeadlineExceeded) }

func switched(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for {
		err := c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
		switch {
		case err == nil:
			return nil
		}
	}
}

func jump(ctx context.Context, c *payments.Client, req payments.Charge) error {
again:
	err := c.SendReceipt(ctx, req) // want `SendReceipt is repeated by a goto back to again`
	if err != nil {
		goto again
	}
	return nil
}

func library(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return retry.Do(func() error {
		return c.SendReceipt(ctx, req) // want `SendReceipt is repeated by retry.Do`
	})
}

func generic(ctx context.Context, c *payments.Client, req payments.Charge) (*payments.Charge, error) {
	op := func() (*payments.Charge, error) {
		return c.CreateCharge(ctx, req) // want `CreateCharge is repeated by backoff.Retry`
	}
	return backoff.Retry(ctx, op)
}

func own(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return shared.Again(3, func() error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by Again`
}

func through(ctx context.Context, c *payments.Client) error {
	return retry.Do(func() error {
		return shared.Notify(ctx, c, "1") // want `SendReceipt is repeated by retry.Do`
	})
}

func send(ctx context.Context, c *payments.Client) func() error {
	return func() error { return c.SendReceipt(ctx, payments.Charge{}) }
}
