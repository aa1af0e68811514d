package wild

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"payments"
	"tools"

	v4 "github.com/cenkalti/backoff/v4"
	"github.com/eapache/go-resiliency/retrier"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
	"k8s.io/apimachinery/pkg/util/wait"
	k8s "k8s.io/client-go/util/retry"
)

func b01(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return v4.Retry(func() error { return c.SendReceipt(ctx, req) }, v4.NewExponentialBackOff()) // want `SendReceipt is repeated by backoff.Retry`
}

func b02(ctx context.Context, c *payments.Client, req payments.Charge) error {
	operation := v4.Operation(func() error {
		_, err := c.CreateCharge(ctx, req) // want `CreateCharge is repeated by backoff.RetryNotify`
		return err
	})
	return v4.RetryNotify(operation, v4.WithMaxRetries(v4.NewExponentialBackOff(), 3), func(error) {})
}

func b03(ctx context.Context, c *payments.Client, req payments.Charge) (*payments.Charge, error) {
	return v4.RetryWithData(func() (*payments.Charge, error) {
		return c.CreateCharge(ctx, req) // want `CreateCharge is repeated by backoff.RetryWithData`
	}, nil)
}

func b04(ctx context.Context, c *payments.Client, req payments.Charge) error {
	r := retrier.New([]int{1, 2}, nil)
	return r.RunCtx(ctx, func(ctx context.Context) error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by retrier.RunCtx`
}

func b05(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return failsafe.Run(func() error { return c.SendReceipt(ctx, req) }, retrypolicy.NewWithDefaults[any]()) // want `SendReceipt is repeated by failsafe.Run`
}

func b06(ctx context.Context, c *payments.Client, req payments.Charge) error {
	policy := retrypolicy.NewBuilder[*payments.Charge]().Build()
	executor := failsafe.With[*payments.Charge](policy, timeout.New[*payments.Charge](time.Second))
	_, err := executor.Get(func() (*payments.Charge, error) { return c.CreateCharge(ctx, req) }) // want `CreateCharge is repeated by failsafe.Get`
	return err
}

func b07(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 3}, func() (bool, error) {
		if err := c.SendReceipt(ctx, req); err != nil { // want `SendReceipt is repeated by wait.ExponentialBackoff`
			return false, nil
		}
		return true, nil
	})
}

func b08(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return k8s.OnError(wait.Backoff{}, func(error) bool { return true }, func() error {
		return c.SendReceipt(ctx, req) // want `SendReceipt is repeated by retry.OnError`
	})
}

func b09(ctx context.Context, c *payments.Client, req payments.Charge) error {
	send := tools.Wrap(3, func() error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by Wrap`
	return send()
}

func b10(ctx context.Context, c *payments.Client, req payments.Charge) error {
	again := tools.Retrier(3)
	return again(func() error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by`
}

func b11(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return tools.Retrier(3)(func() error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by`
}

func b12(ctx context.Context, r tools.Runner, c *payments.Client, req payments.Charge) error {
	return r.Run(ctx, func(ctx context.Context) error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by Run`
}

type doer interface{ Do(func() error) error }

// An interface of this package, behind which a helper of another one is put.
func b13(ctx context.Context, c *payments.Client, req payments.Charge) error {
	var d doer = tools.Plain{N: 3}
	return d.Do(func() error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by Do`
}

func b14(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return tools.Plain{N: 2}.Do(func() error { return c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by Do`
}

func b15(ctx context.Context, c *payments.Client, req payments.Charge) error {
	backoff := time.Second
	for {
		err := c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
		if err == nil {
			return nil
		}
		if backoff > time.Minute {
			return err
		}
		time.Sleep(backoff)
		backoff *= 2
	}
}

func b16(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	for i := 0; i < 3 && c.SendReceipt(ctx, req) != nil; i++ { // want `SendReceipt is repeated`
	}
	return err
}

func b17(ctx context.Context, c *payments.Client, req payments.Charge) error {
	var errs []error
	for len(errs) < 3 {
		_, err := c.CreateCharge(ctx, req) // want `CreateCharge is repeated`
		if err == nil {
			return nil
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func b18(ctx context.Context, c *payments.Client, req payments.Charge) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for range ticker.C {
		if err := c.SendReceipt(ctx, req); err != nil { // want `SendReceipt is repeated`
			continue
		}
		return
	}
}

func b19(ctx context.Context, c *payments.Client, req payments.Charge) {
	for ctx.Err() == nil {
		if err := c.SendReceipt(ctx, req); err == nil { // want `SendReceipt is repeated`
			break
		}
	}
}

func b20(ctx context.Context, c *payments.Client, req payments.Charge) error {
	var result *payments.Charge
	var err error
	for result == nil {
		result, err = c.CreateCharge(ctx, req) // want `CreateCharge is repeated`
		if err != nil {
			time.Sleep(time.Second)
		}
	}
	return err
}

func b21(ctx context.Context, c *payments.Client, req payments.Charge) error {
	err := c.SendReceipt(ctx, req)
	if err != nil {
		err = c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
	}
	return err
}

func b22(ctx context.Context, c *payments.Client, req payments.Charge) error {
	if err := c.SendReceipt(ctx, req); err != nil {
		time.Sleep(time.Second)
		return c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
	}
	return nil
}

func b23(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for _, wait := range []time.Duration{0, time.Second, 5 * time.Second} {
		time.Sleep(wait)
		if err := c.SendReceipt(ctx, req); err == nil { // want `SendReceipt is repeated`
			return nil
		}
	}
	return errors.New("gave up")
}

func b24(ctx context.Context, c *payments.Client, req payments.Charge) error {
	var wg sync.WaitGroup
	for range 3 {
		var err error
		wg.Go(func() { err = c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated`
		wg.Wait()
		if err == nil {
			return nil
		}
	}
	return nil
}

func b25(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	for n := 3; n > 0; n-- {
		func() {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			err = c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
		}()
		if err == nil {
			return nil
		}
	}
	return err
}

func b26(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for i := range 3 {
		switch err := c.SendReceipt(ctx, req); { // want `SendReceipt is repeated`
		case err == nil:
			return nil
		case i == 2:
			return err
		}
	}
	return nil
}

func b27(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for i := 0; ; i++ {
		err := c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
		if err == nil || i == 3 {
			return err
		}
	}
}

func b29(ctx context.Context, c *payments.Client, req payments.Charge) error {
	var again func(n int) error
	again = func(n int) error {
		err := c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
		if err != nil && n > 0 {
			return again(n - 1)
		}
		return err
	}
	return again(3)
}

func b31(ctx context.Context, c *payments.Client, req payments.Charge) error {
	var target *payments.Charge
	for attempt := range 3 {
		made, err := c.CreateCharge(ctx, payments.Charge{ID: fmt.Sprintf("try-%d", attempt)}) // want `CreateCharge is repeated`
		if err != nil {
			continue
		}
		target = made
		break
	}
	_ = target
	return nil
}

func b32(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for range 3 {
		err := c.SendReceipt(ctx, req) // want `SendReceipt is repeated`
		var notYet interface{ Temporary() bool }
		if errors.As(err, &notYet) && notYet.Temporary() {
			continue
		}
		return err
	}
	return nil
}

type service struct {
	c     *payments.Client
	retry tools.Plain
	run   tools.Runner
}

func (s *service) b33(ctx context.Context, req payments.Charge) error {
	return s.retry.Do(func() error { return s.c.SendReceipt(ctx, req) }) // want `SendReceipt is repeated by Do`
}

func (s *service) b34(ctx context.Context, req payments.Charge) error {
	return s.run.Run(ctx, func(ctx context.Context) error { return s.send(ctx, req) }) // want `SendReceipt is repeated by Run`
}

func (s *service) send(ctx context.Context, req payments.Charge) error {
	return fmt.Errorf("send: %w", s.c.SendReceipt(ctx, req))
}

func (s *service) b35(ctx context.Context, req payments.Charge) error {
	for {
		err := s.send(ctx, req) // want `SendReceipt is repeated`
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			continue
		}
		return nil
	}
}

func (s *service) b36(ctx context.Context, reqs []payments.Charge) error {
	for _, req := range reqs {
		for attempt := 0; attempt < 3; attempt++ {
			if err := s.send(ctx, req); err == nil { // want `SendReceipt is repeated`
				break
			}
		}
	}
	return nil
}

func b37(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
		_, err := c.CreateCharge(ctx, req) // want `CreateCharge is repeated by wait.PollUntilContextTimeout`
		return err == nil, nil
	})
}

func b38(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return k8s.RetryOnConflict(wait.Backoff{}, func() error {
		if err := c.SendReceipt(ctx, req); err != nil { // want `SendReceipt is repeated by retry.RetryOnConflict`
			return err
		}
		return nil
	})
}
