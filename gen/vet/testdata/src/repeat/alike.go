package repeat

import (
	"context"
	"errors"
	"io"
	"log"
	"time"

	"payments"
	"shared"

	"github.com/cenkalti/backoff/v5"
	rt "github.com/resgen-dev/resgen/runtime"
	seth "github.com/sethvargo/go-retry"
)

type queue struct{}

func (queue) Take(context.Context) (payments.Charge, error) { return payments.Charge{}, nil }
func (queue) Ack(payments.Charge) error                     { return nil }

func consume(ctx context.Context, c *payments.Client, q queue) error {
	for {
		req, err := q.Take(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		if err := c.SendReceipt(ctx, req); err != nil {
			log.Print(err)
			continue
		}
		if err := q.Ack(req); err != nil {
			return err
		}
	}
}

func selecting(ctx context.Context, c *payments.Client, jobs chan payments.Charge) {
	for {
		select {
		case job := <-jobs:
			if err := c.SendReceipt(ctx, job); err != nil {
				log.Print(err)
				continue
			}
		case <-ctx.Done():
			return
		}
	}
}

func polling(ctx context.Context, c *payments.Client, req payments.Charge) error {
	if _, err := c.CreateCharge(ctx, req); err != nil {
		return err
	}
	for {
		got, err := c.GetCharge(ctx, req)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		if got.ID != "" {
			return c.SendReceipt(ctx, req)
		}
	}
}

func afterSuccess(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for range 3 {
		if _, err := c.GetCharge(ctx, req); err == nil {
			if err := c.SendReceipt(ctx, req); err != nil {
				return err
			}
			return nil
		}
	}
	return nil
}

func pages(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for {
		page, err := c.CreateCharge(ctx, req)
		if err != nil {
			return err
		}
		if page.ID == "" {
			return nil
		}
		req.ID = page.ID
	}
}

func batches(ctx context.Context, c *payments.Client, reqs []payments.Charge) error {
	for len(reqs) > 0 {
		batch := reqs[0]
		reqs = reqs[1:]
		if err := c.SendReceipt(ctx, batch); err != nil {
			log.Print(err)
			continue
		}
	}
	return nil
}

func spanned(ctx context.Context, c *payments.Client, reqs []payments.Charge) error {
	for _, req := range reqs {
		if err := shared.Span(func() error { return c.SendReceipt(ctx, req) }); err == nil {
			break
		}
	}
	return nil
}

func permanent(ctx context.Context, c *payments.Client, req payments.Charge) error {
	_, err := backoff.Retry(ctx, func() (*payments.Charge, error) {
		made, err := c.CreateCharge(ctx, req)
		if err != nil {
			return nil, backoff.Permanent(err)
		}
		return made, nil
	})
	return err
}

func unmarked(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return seth.Do(ctx, nil, func(ctx context.Context) error { return c.SendReceipt(ctx, req) })
}

func optionOutside(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	opts := []rt.RepeatableOption{rt.WithIdempotencyKey(rt.KeyFrom(req.ID))}
	same := rt.WithIdempotencyKey(rt.NewKey())
	key := rt.NewKey()
	for range 3 {
		if _, err = c.CreateCharge(ctx, req, opts...); err == nil {
			return nil
		}
		if _, err = c.CreateCharge(ctx, req, same); err == nil {
			return nil
		}
		if err = c.CreatePayout(ctx, req, key); err == nil {
			return nil
		}
	}
	return err
}

func chargeUnder(ctx context.Context, c *payments.Client, req payments.Charge, key rt.Key) error {
	_, err := c.CreateCharge(ctx, req, rt.WithIdempotencyKey(key))
	return err
}

func keyHanded(ctx context.Context, c *payments.Client, req payments.Charge) error {
	key := rt.NewKey()
	return shared.Again(3, func() error { return chargeUnder(ctx, c, req, key) })
}

func halves(ctx context.Context, c *payments.Client, reqs []payments.Charge) error {
	if len(reqs) == 0 {
		return nil
	}
	if err := c.SendReceipt(ctx, reqs[0]); err != nil {
		log.Print(err)
		return halves(ctx, c, reqs[1:])
	}
	return nil
}

func once2(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return shared.Span(func() error { return c.SendReceipt(ctx, req) })
}

type rows struct{}

func (rows) Next() bool             { return false }
func (rows) Scan(into ...any) error { return nil }

func firstThatWorks(ctx context.Context, c *payments.Client, r rows, ids []string) error {
	var req payments.Charge
	for r.Next() {
		if err := r.Scan(&req.ID); err != nil {
			return err
		}
		if err := c.SendReceipt(ctx, req); err == nil {
			break
		}
	}
	for _, id := range ids {
		req.ID = id
		if err := c.SendReceipt(ctx, req); err == nil {
			break
		}
	}
	return nil
}
