package wild

import (
	"context"
	"errors"
	"log"
	"net/http"
	"sync"
	"time"

	"payments"
	"tools"

	v4 "github.com/cenkalti/backoff/v4"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
	rt "github.com/resgen-dev/resgen/runtime"
	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/util/wait"
)

func g01(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return failsafe.Run(func() error { return c.SendReceipt(ctx, req) }, timeout.New[any](time.Second))
}

func g02(ctx context.Context, c *payments.Client, req payments.Charge) error {
	executor := failsafe.With[*payments.Charge](circuitbreaker.NewWithDefaults[*payments.Charge](), timeout.New[*payments.Charge](time.Second))
	_, err := executor.Get(func() (*payments.Charge, error) { return c.CreateCharge(ctx, req) })
	return err
}

func g03(ctx context.Context, c *payments.Client, req payments.Charge) (*payments.Charge, error) {
	return failsafe.Get(func() (*payments.Charge, error) { return c.GetCharge(ctx, req) }, retrypolicy.NewWithDefaults[*payments.Charge]())
}

func g04(ctx context.Context, c *payments.Client, req payments.Charge) error {
	if err := c.SendReceipt(ctx, req); err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
		got, err := c.GetCharge(ctx, req)
		if err != nil {
			return false, nil
		}
		return got.ID != "", nil
	})
}

// An error ends what wait polls.
func g05(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 3}, func() (bool, error) {
		if err := c.SendReceipt(ctx, req); err != nil {
			return false, err
		}
		return true, nil
	})
}

func g06(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 3}, func() (bool, error) {
		got, err := c.GetCharge(ctx, req)
		if err != nil || got.ID == "" {
			return false, nil
		}
		return true, c.SendReceipt(ctx, req)
	})
}

func g07(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return tools.Logged(func() error { return c.SendReceipt(ctx, req) })
}

func g08(ctx context.Context, c *payments.Client, req payments.Charge) error {
	send := tools.Middleware(func() error { return c.SendReceipt(ctx, req) })
	return send()
}

func g09(ctx context.Context, c *payments.Client, reqs []payments.Charge) error {
	return tools.All(
		func() error { return c.SendReceipt(ctx, reqs[0]) },
		func() error { return c.SendReceipt(ctx, reqs[1]) },
	)
}

func g10(ctx context.Context, c *payments.Client, reqs []payments.Charge) error {
	var g errgroup.Group
	for _, req := range reqs {
		g.Go(func() error { return c.SendReceipt(ctx, req) })
	}
	return g.Wait()
}

func g11(ctx context.Context, c *payments.Client, reqs []payments.Charge) error {
	var wg sync.WaitGroup
	errs := make([]error, len(reqs))
	for i, req := range reqs {
		wg.Go(func() { errs[i] = c.SendReceipt(ctx, req) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func g12(ctx context.Context, c *payments.Client, reqs []payments.Charge) (failed []payments.Charge) {
	for _, req := range reqs {
		if err := c.SendReceipt(ctx, req); err != nil {
			failed = append(failed, req)
		}
	}
	return failed
}

func g13(ctx context.Context, c *payments.Client, reqs []payments.Charge) error {
	var errs []error
	for i := range reqs {
		_, err := c.CreateCharge(ctx, reqs[i])
		if err != nil {
			errs = append(errs, err)
			continue
		}
	}
	return errors.Join(errs...)
}

func g14(ctx context.Context, c *payments.Client, cursor string) error {
	for {
		got, err := c.GetCharge(ctx, payments.Charge{ID: cursor})
		if err != nil {
			return err
		}
		if got.ID == "" {
			break
		}
		cursor = got.ID
		if err := c.SendReceipt(ctx, *got); err != nil {
			log.Print(err)
			continue
		}
	}
	return nil
}

func g15(ctx context.Context, c *payments.Client, jobs <-chan payments.Charge) error {
	for job := range jobs {
		err := c.SendReceipt(ctx, job)
		if err == nil {
			continue
		}
		return err
	}
	return nil
}

func g16(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for {
		if err := c.SendReceipt(ctx, req); err != nil {
			break
		}
		time.Sleep(time.Minute)
	}
	return nil
}

func g17(ctx context.Context, c *payments.Client, req payments.Charge) {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := c.SendReceipt(ctx, req); err != nil {
				log.Print(err)
			}
		}
	}
}

func g18(ctx context.Context, c *payments.Client, m map[string]payments.Charge) error {
	for id, req := range m {
		if _, err := c.CreateCharge(ctx, req); err == nil {
			delete(m, id)
		}
	}
	return nil
}

func g19(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	defer func() {
		if err != nil {
			_ = c.VoidCharge(ctx, req)
		}
	}()
	return c.SendReceipt(ctx, req)
}

// Another request after a failure is no repeat.
func g20(ctx context.Context, c *payments.Client, req, other payments.Charge) error {
	if err := c.SendReceipt(ctx, req); err != nil {
		return c.SendReceipt(ctx, other)
	}
	return nil
}

func g21(ctx context.Context, primary, secondary *payments.Client, req payments.Charge) error {
	if err := primary.SendReceipt(ctx, req); err != nil {
		return secondary.SendReceipt(ctx, req)
	}
	return nil
}

func g22(ctx context.Context, c *payments.Client, req payments.Charge) error {
	err := c.SendReceipt(ctx, req)
	if err == nil {
		err = c.SendReceipt(ctx, payments.Charge{ID: "two"})
	}
	return err
}

func g23(ctx context.Context, c *payments.Client, req payments.Charge, key rt.Key) error {
	_, err := c.CreateCharge(ctx, req, rt.WithIdempotencyKey(key))
	if err != nil {
		_, err = c.CreateCharge(ctx, req, rt.WithIdempotencyKey(key))
	}
	return err
}

func g24(ctx context.Context, c *payments.Client, req payments.Charge) error {
	return v4.Retry(func() error {
		_, err := c.GetCharge(ctx, req)
		return err
	}, nil)
}

func g25(ctx context.Context, c *payments.Client, req payments.Charge) error {
	once := func(f func() error) error { return f() }
	return once(func() error { return c.SendReceipt(ctx, req) })
}

func g26(ctx context.Context, c *payments.Client, reqs []payments.Charge) error {
	each := func(f func(payments.Charge) error) error {
		for _, req := range reqs {
			if err := f(req); err != nil {
				log.Print(err)
				continue
			}
		}
		return nil
	}
	return each(func(req payments.Charge) error { return c.SendReceipt(ctx, req) })
}

func g27(w http.ResponseWriter, r *http.Request, c *payments.Client) {
	for _, id := range r.URL.Query()["id"] {
		err := c.SendReceipt(r.Context(), payments.Charge{ID: id})
		if err != nil {
			http.Error(w, "no", http.StatusBadGateway)
			return
		}
	}
}

func g28(ctx context.Context, c *payments.Client, reqs []payments.Charge) error {
	for len(reqs) > 0 {
		n := len(reqs) - 1
		req := reqs[n]
		reqs = reqs[:n]
		if err := c.SendReceipt(ctx, req); err != nil {
			log.Print(err)
		}
	}
	return nil
}

func g29(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for range 3 {
		if got, err := c.GetCharge(ctx, req); err == nil {
			return c.SendReceipt(ctx, *got)
		}
		time.Sleep(time.Second)
	}
	return errors.New("no charge")
}

type walker struct {
	c    *payments.Client
	next *walker
}

// Each step is about another node.
func (w *walker) g30(ctx context.Context, req payments.Charge) error {
	if err := w.c.SendReceipt(ctx, req); err != nil && w.next != nil {
		return w.next.g30(ctx, req)
	}
	return nil
}

func g31(ctx context.Context, c *payments.Client, reqs []payments.Charge) {
	var send func(i int)
	send = func(i int) {
		if i == len(reqs) {
			return
		}
		if err := c.SendReceipt(ctx, reqs[i]); err != nil {
			log.Print(err)
			send(i + 1)
		}
	}
	send(0)
}

func g32(ctx context.Context, clients []*payments.Client, req payments.Charge) error {
	for _, c := range clients {
		if err := c.SendReceipt(ctx, req); err == nil {
			return nil
		}
	}
	return errors.New("none took it")
}

func g33(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for i := range 2 {
		req.ID = []string{"a", "b"}[i]
		if err := c.SendReceipt(ctx, req); err != nil {
			log.Print(err)
			continue
		}
	}
	return nil
}

// A runner of this package that repeats nothing.
type runner struct{}

func (runner) Exec(f func() error) error { return f() }

type execer interface{ Exec(func() error) error }

func g34(ctx context.Context, e execer, c *payments.Client, req payments.Charge) error {
	return e.Exec(func() error { return c.SendReceipt(ctx, req) })
}

func g35(ctx context.Context, c *payments.Client, req payments.Charge) error {
	wait.UntilWithContext(ctx, func(ctx context.Context) {
		if _, err := c.GetCharge(ctx, req); err != nil {
			log.Print(err)
		}
	}, time.Minute)
	return nil
}

func g36(ctx context.Context, c *payments.Client, lines <-chan string) error {
	for {
		line, ok := <-lines
		if !ok {
			return nil
		}
		if err := c.SendReceipt(ctx, payments.Charge{ID: line}); err != nil {
			log.Print(err)
			continue
		}
	}
}

func g37(ctx context.Context, c *payments.Client, req payments.Charge) error {
	var made *payments.Charge
	var err error
	for made == nil {
		made, err = c.CreateCharge(ctx, req)
		if err != nil {
			return err
		}
	}
	return nil
}

func g38(ctx context.Context, c *payments.Client, req payments.Charge) (err error) {
	for n := range 3 {
		func() {
			req.ID = string(rune('a' + n))
			err = c.SendReceipt(ctx, req)
		}()
		if err != nil {
			return err
		}
	}
	return nil
}

// What was not sent, or refused before anything was done, may be called again.
func g39(ctx context.Context, c *payments.Client, req payments.Charge) error {
	for {
		err := c.SendReceipt(ctx, req)
		var failed *rt.CallError
		if errors.As(err, &failed) && failed.Outcome == rt.NotSent {
			continue
		}
		return err
	}
}

// The second request is another one.
func g40(ctx context.Context, c *payments.Client, req payments.Charge) error {
	err := c.SendReceipt(ctx, req)
	if err != nil {
		req.ID = "fallback"
		err = c.SendReceipt(ctx, req)
	}
	return err
}

func g41(ctx context.Context, c *payments.Client, req payments.Charge) error {
	if err := c.VoidCharge(ctx, req); err != nil {
		return c.VoidCharge(ctx, req)
	}
	return nil
}
