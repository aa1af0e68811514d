package keys

import (
	"context"
	"fmt"

	"payments"

	"github.com/avast/retry-go/v4"
	"github.com/google/uuid"
	rt "github.com/resgen-dev/resgen/runtime"
)

func inLoop(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	for range 3 {
		key := rt.Key{Value: uuid.NewString()}
		if _, err = c.CreateCharge(ctx, req, rt.WithIdempotencyKey(key)); err == nil { // want `the idempotency key of CreateCharge is made again for each try`
			return nil
		}
	}
	return err
}

func inHelper(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return retry.Do(func() error {
		_, err := c.CreateCharge(ctx, req, rt.WithIdempotencyKey(rt.NewKey())) // want `made again for each try \(it is repeated by retry.Do\)`
		return err
	})
}

func fromCounter(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	for i := 0; i < 3; i++ {
		if _, err = c.CreateCharge(ctx, req, rt.WithIdempotencyKey(rt.KeyFrom(req.ID, fmt.Sprint(i)))); err == nil { // want `made again for each try`
			return nil
		}
	}
	return err
}

func outside(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	key := rt.Key{Value: uuid.NewString()}
	for range 3 {
		if _, err = c.CreateCharge(ctx, req, rt.WithIdempotencyKey(key)); err == nil {
			return nil
		}
	}
	return err
}

func derived(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	for range 3 {
		if _, err = c.CreateCharge(ctx, req, rt.WithIdempotencyKey(rt.KeyFrom("charge", req.ID))); err == nil {
			return nil
		}
	}
	return err
}

func perItem(ctx context.Context, c *payments.Client, reqs []payments.Charge) error {
	for _, req := range reqs {
		if _, err := c.CreateCharge(ctx, req, rt.WithIdempotencyKey(rt.NewKey())); err != nil {
			return err
		}
	}
	return nil
}

func inVariable(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	var key rt.Key
	for range 3 {
		key = rt.NewKey()
		opts := []rt.RepeatableOption{rt.WithIdempotencyKey(key)}
		if _, err = c.CreateCharge(ctx, req, opts...); err == nil { // want `made again for each try`
			return nil
		}
		if err = c.CreatePayout(ctx, req, key); err == nil { // want `the idempotency key of CreatePayout is made again`
			return nil
		}
	}
	return err
}

func under(ctx context.Context, c *payments.Client, req payments.Charge, key string) error {
	_, err := c.CreateCharge(ctx, req, rt.WithIdempotencyKey(rt.Key{Value: key}))
	return err
}

func handed(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return retry.Do(func() error { return under(ctx, c, req, uuid.NewString()) }) // want `the idempotency key of under is made again for each try`
}

func heldFunction(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	send := func() error {
		_, err := c.CreateCharge(ctx, req, rt.WithIdempotencyKey(rt.NewKey())) // want `made again for each try`
		return err
	}
	for range 3 {
		if err = send(); err == nil {
			return nil
		}
	}
	return err
}

func sameID(ctx context.Context, c *payments.Client, req payments.Charge) error {
	id := uuid.New()
	return retry.Do(func() error {
		_, err := c.CreateCharge(ctx, req, rt.WithIdempotencyKey(rt.KeyFrom("charge", id.String(), uuid.NewSHA1(id, nil).String())))
		return err
	})
}
