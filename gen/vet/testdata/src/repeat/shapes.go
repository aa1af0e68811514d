package repeat

import (
	"context"
	"errors"
	"strconv"
	"time"

	"payments"
	"shared"

	"github.com/cenkalti/backoff/v5"
	juju "github.com/juju/retry"
	rt "github.com/resgen-dev/resgen/runtime"
	seth "github.com/sethvargo/go-retry"
	"golang.org/x/sync/errgroup"
)

type sender interface {
	SendReceipt(ctx context.Context, req payments.Charge, opts ...rt.Option) error
}

func throughInterface(ctx context.Context, s sender, req payments.Charge) (err error) {
	for range 3 {
		if err = s.SendReceipt(ctx, req); err == nil { // want `SendReceipt is repeated`
			return nil
		}
	}
	return err
}

func throughTheirInterface(ctx context.Context, s payments.ReceiptsAPI, req payments.Charge) (err error) {
	for range 3 {
		if err = s.SendReceipt(ctx, req); err == nil { // want `SendReceipt is repeated`
			return nil
		}
	}
	return err
}

func method(ctx context.Context, r *shared.Retrier, c *payments.Client, req payments.Charge) error {
	return r.Do(ctx, func(ctx context.Context) error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by Do`
}

func hidden(ctx context.Context, r shared.Doer, c *payments.Client, req payments.Charge) error {
	return r.Do(ctx, func(ctx context.Context) error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by Do`
}

func value(ctx context.Context, c *payments.Client, req payments.Charge) (*payments.Charge, error) {
	return shared.Value(func() (*payments.Charge, error) { return c.CreateCharge(ctx, req) }) // want `CreateCharge is repeated by Value`
}

func handedOn(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return shared.Handed(ctx, func(ctx context.Context) error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by Handed`
}

func recursive(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return shared.Recursive(3, func() error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by Recursive`
}

func itself(ctx context.Context, c *payments.Client, req payments.Charge, n int) error {
	err := c.SendReceipt(ctx, req) // want `SendReceipt is repeated by itself, which calls itself after an error`
	if err != nil && n > 0 {
		return itself(ctx, c, req, n-1)
	}
	return err
}

func kept(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return shared.NewTask(func() error { return c.SendReceipt(ctx, req) }).Run() // want `SendReceipt is repeated by NewTask`
}

type job struct {
	name string
	run  func(context.Context) error
}

func table(ctx context.Context, c *payments.Client, req payments.Charge) error {
	jobs := []job{
		{name: "mail", run: func(ctx context.Context) error { return c.SendReceipt(ctx, req) }}, // want `SendReceipt is repeated`
		{"read", func(ctx context.Context) error { _, err := c.GetCharge(ctx, req); return err }},
		{"charge", func(ctx context.Context) error { _, err := c.CreateCharge(ctx, req); return err }}, // want `CreateCharge is repeated`
	}
	for _, j := range jobs {
		for attempt := range 3 {
			if err := j.run(ctx); err == nil {
				break
			}
			time.Sleep(time.Duration(attempt) * time.Second)
		}
	}
	return nil
}

func variable(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	send := func() error { return c.SendReceipt(ctx, req) } // want `SendReceipt is repeated`
	for range 3 {
		if err = send(); err == nil {
			return nil
		}
	}
	return err
}

func labelled(ctx context.Context, c *payments.Client, req payments.Charge) error {
attempts:
	for range 3 {
		err := c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
		switch err {
		case nil:
			break attempts
		default:
			continue attempts
		}
	}
	return nil
}

func asked(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for {
		err := c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
		if errors.Is(err, context.DeadlineExceeded) {
			continue
		}
		return err
	}
}

func flag(ctx context.Context, c *payments.Client, req payments.Charge) {
	for done := false; !done; {
		err := c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
		done = err == nil
	}
}

func laterStep(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for {
		if err := c.SendReceipt(ctx, req); err != nil { // want `SendReceipt is repeated`
			return err
		}
		if _, err := c.GetCharge(ctx, req); err != nil {
			continue
		}
		return nil
	}
}

func group(ctx context.Context, c *payments.Client, reqs []payments.Charge) error {
	for range 3 {
		var g errgroup.Group
		for _, req := range reqs {
			g.Go(func() error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated`
		}
		if err := g.Wait(); err == nil {
			return nil
		}
	}
	return nil
}

func spans(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return juju.Call(juju.CallArgs{Attempts: 3, Func: func() error {
		return shared.Span(func() error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by retry.Call`
	}})
}

func marked(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return seth.Do(ctx, nil, func(ctx context.Context) error {
		if err := c.SendReceipt(ctx, req); err != nil { // want `SendReceipt is repeated by retry.Do`
			return seth.RetryableError(err)
		}
		return nil
	})
}

func both(ctx context.Context, c *payments.Client, req payments.Charge) error {
	_, err := backoff.Retry(ctx, func() (bool, error) {
		if _, err := c.CreateCharge(ctx, req); err != nil { // want `CreateCharge is repeated`
			return false, err
		}
		return true, c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
	})
	return err
}

func charge(ctx context.Context, c *payments.Client, req payments.Charge) error {
	key := rt.NewKey()
	_, err := c.CreateCharge(ctx, req, rt.WithIdempotencyKey(key))
	return err
}

func keyWithin(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	for range 3 {
		if err = charge(ctx, c, req); err == nil { // want `CreateCharge is repeated`
			return nil
		}
	}
	return err
}

func numbered(ctx context.Context, c *payments.Client) (err error) {
	for attempt := 1; attempt <= 3; attempt++ {
		if err = c.SendReceipt(ctx, payments.Charge{ID: strconv.Itoa(attempt)}); err == nil { // want `SendReceipt is repeated`
			return nil
		}
	}
	return err
}

func ticking(ctx context.Context, c *payments.Client, req payments.Charge, tick *time.Ticker) error {
	for {
		select {
		case <-tick.C:
			if err := c.SendReceipt(ctx, req); err == nil { // want `SendReceipt is repeated`
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
