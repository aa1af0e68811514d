package raw

import (
	"context"
	"fmt"
	"net/http"

	_ "payments"
)

const base = "https://api.payments.example"

func calls(ctx context.Context, id string) {
	_, _ = http.Get("https://api.payments.example/v1/charges") // want `http.Get calls api.payments.example, which has a client: payments`
	_, _ = http.Get(base + "/v1/charges/" + id)                // want `http.Get calls api.payments.example`
	_, _ = http.NewRequestWithContext(ctx, "GET", fmt.Sprintf("https://api.payments.example/v1/charges/%s", id), nil) // want `http.NewRequestWithContext calls`
	_, _ = http.Get("https://status.payments.example/")
	_, _ = http.Get(id)
	c := &http.Client{}
	_, _ = c.Post(base, "text/plain", nil) // want `http.Post calls`
}
