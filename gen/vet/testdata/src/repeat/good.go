package repeat

import (
	"context"
	"log"
	"time"

	"payments"
	"shared"

	"github.com/avast/retry-go/v4"
	rt "github.com/resgen-dev/resgen/runtime"
)

func once(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return c.SendReceipt(ctx, req)
}

func each(ctx context.Context, c *payments.Client, reqs []payments.Charge) {
	for _, req := range reqs {
		if err := c.SendReceipt(ctx, req); err != nil {
			log.Print(err)
			continue
		}
	}
}

func made(ctx context.Context, c *payments.Client, ids []string) error {
	for i := range ids {
		req := payments.Charge{ID: ids[i]}
		if _, err := c.CreateCharge(ctx, req); err == nil {
			break
		}
	}
	return nil
}

func worker(ctx context.Context, c *payments.Client, jobs chan payments.Charge) {
	for {
		job := <-jobs
		if err := c.SendReceipt(ctx, job); err != nil {
			log.Print(err)
		}
	}
}

func stops(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for i := 0; i < 3; i++ {
		if err := c.SendReceipt(ctx, req); err != nil {
			return err
		}
	}
	return nil
}

func periodic(ctx context.Context, c *payments.Client, req payments.Charge) {
	for range time.Tick(time.Minute) {
		if err := c.SendReceipt(ctx, req); err != nil {
			log.Print(err)
		}
	}
}

func reads(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	for range 3 {
		if _, err = c.GetCharge(ctx, req); err == nil {
			return nil
		}
		if err = c.VoidCharge(ctx, req); err == nil {
			return nil
		}
	}
	return err
}

func oneKey(ctx context.Context, c *payments.Client, req payments.Charge) error {
	key := rt.NewKey()
	return retry.Do(func() error {
		_, err := c.CreateCharge(ctx, req, rt.WithIdempotencyKey(key))
		return err
	})
}

func notAHelper(ctx context.Context, c *payments.Client, reqs []payments.Charge) error {
	return shared.Each(len(reqs), func(i int) error { return c.SendReceipt(ctx, reqs[i]) })
}
