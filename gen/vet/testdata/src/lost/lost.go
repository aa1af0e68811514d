package lost

import (
	"context"
	"net/http"

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
