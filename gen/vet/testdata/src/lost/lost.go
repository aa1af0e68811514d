package lost

import (
	"context"
	"net/http"
	"time"

	"payments"
)

var client *payments.Client

func handler(w http.ResponseWriter, r *http.Request) {
	_, _ = client.GetCharge(context.Background(), payments.Charge{}) // want `GetCharge is called with context.Background\(\) although r.Context\(\) is at hand`
	_, _ = client.GetCharge(r.Context(), payments.Charge{})
	go func() {
		_ = client.SendReceipt(context.Background(), payments.Charge{})
	}()
}

func below(ctx context.Context) {
	f := func() {
		_ = client.VoidCharge(context.TODO(), payments.Charge{}) // want `context.TODO\(\) although ctx is at hand`
	}
	f()
}

func main() {
	_, _ = client.GetCharge(context.Background(), payments.Charge{})
}

func ignored(_ context.Context) {
	_, _ = client.GetCharge(context.Background(), payments.Charge{})
}

func variable(ctx context.Context) {
	background := context.Background()
	_, _ = client.GetCharge(background, payments.Charge{}) // want `context.Background\(\) although ctx is at hand`
	limited, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = client.GetCharge(limited, payments.Charge{}) // want `context.Background\(\) although ctx is at hand`
	ours, stop := context.WithTimeout(ctx, time.Second)
	defer stop()
	_, _ = client.GetCharge(ours, payments.Charge{})
	_, _ = client.GetCharge(context.WithoutCancel(ctx), payments.Charge{})
	if ctx == nil {
		ctx = context.Background()
	}
	_, _ = client.GetCharge(ctx, payments.Charge{})
}
