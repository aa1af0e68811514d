package runtime_test

import (
	"context"
	"errors"
	"testing"
	"time"

	rt "github.com/resgen-dev/resgen/runtime"
	"github.com/resgen-dev/resgen/runtime/faulttest"
)

func TestSmoke(t *testing.T) {
	bubble(t, func(t *testing.T) {
		server := faulttest.NewPipe(faulttest.Status(503), faulttest.Hang(), faulttest.Lost(), faulttest.JSON(201, `{"id":1}`))
		defer server.Close()
		p := bare(rt.Keyed)
		p.Retry.MaxAttempts = 4
		c := newClient(t, p, server.Transport())
		start := time.Now()
		var info rt.Info
		out, err := c.do(context.Background(), rt.WithInfo(&info))
		if err != nil || out != `{"id":1}` {
			t.Fatalf("got %q, %v", out, err)
		}
		t.Log(time.Since(start), info.Attempts, info.Key, server.Book.Effects())
		wantHits(t, &server.Script, 4)
		server.Then(faulttest.JSON(422, `{"a":1}`))
		_, err = c.do(context.Background())
		var pr *problem
		if !errors.As(err, &pr) {
			t.Errorf("%v", err)
		}
		t.Log(err)
		server.Then(faulttest.Times(3, faulttest.Status(502))...)
		_, err = c.do(context.Background())
		t.Log(err)
	})
}
